//! Expressions of constraints in intension: `eq(add(x,y),z)`.

use rustc_hash::FxHashSet;

use super::error::Wrong;
use super::tree::Token;
use crate::network::VarId;

/// Calls inside calls go no deeper than this.
const MAX_DEPTH: usize = 100;

/// What an expression is about, before it is known which values variables have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Number(i64),
    Variable(VarId),
}

/// An expression. Truth is 1 and falsehood 0.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expression {
    Operand(Operand),
    Call(Operator, Vec<Expression>),
}

/// What is done with the values of the parts of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Neg,
    Abs,
    Sqr,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    Dist,
    Min,
    Max,
    Lt,
    Le,
    Ge,
    Gt,
    Ne,
    Eq,
    /// The first part is among the others.
    In,
    Not,
    And,
    Or,
    Xor,
    Iff,
    Imp,
    If,
}

impl Operator {
    pub(super) fn named(name: &str) -> Option<Operator> {
        Some(match name {
            "neg" => Operator::Neg,
            "abs" => Operator::Abs,
            "sqr" => Operator::Sqr,
            "add" => Operator::Add,
            "sub" => Operator::Sub,
            "mul" => Operator::Mul,
            "div" => Operator::Div,
            "mod" => Operator::Mod,
            "pow" => Operator::Pow,
            "dist" => Operator::Dist,
            "min" => Operator::Min,
            "max" => Operator::Max,
            "lt" => Operator::Lt,
            "le" => Operator::Le,
            "ge" => Operator::Ge,
            "gt" => Operator::Gt,
            "ne" => Operator::Ne,
            "eq" => Operator::Eq,
            "in" => Operator::In,
            "not" => Operator::Not,
            "and" => Operator::And,
            "or" => Operator::Or,
            "xor" => Operator::Xor,
            "iff" => Operator::Iff,
            "imp" => Operator::Imp,
            "if" => Operator::If,
            _ => return None,
        })
    }

    /// Whether it can have so many parts.
    fn takes(self, n_parts: usize) -> bool {
        match self {
            Operator::Neg | Operator::Abs | Operator::Sqr | Operator::Not => n_parts == 1,
            Operator::Sub
            | Operator::Div
            | Operator::Mod
            | Operator::Pow
            | Operator::Dist
            | Operator::Imp => n_parts == 2,
            Operator::If => n_parts == 3,
            Operator::In | Operator::And | Operator::Or => n_parts >= 1,
            Operator::Add | Operator::Mul | Operator::Min | Operator::Max | Operator::Xor => {
                n_parts >= 2
            }
            Operator::Lt
            | Operator::Le
            | Operator::Ge
            | Operator::Gt
            | Operator::Ne
            | Operator::Eq
            | Operator::Iff => n_parts >= 2,
        }
    }

    /// What the values of the parts give, unless that is no number of 64 bits, or a part that is needed
    /// is none.
    fn apply(self, parts: &[Option<i64>]) -> Option<i64> {
        let parts = match self {
            // The part that is not chosen is not needed.
            Operator::If => &[if parts[0]? != 0 { parts[1]? } else { parts[2]? }][..],
            _ => &parts.iter().copied().collect::<Option<Vec<i64>>>()?[..],
        };
        let truth = |is_true: bool| Some(i64::from(is_true));
        let holds_in_turn = |holds: fn(i64, i64) -> bool| {
            truth(parts.windows(2).all(|pair| holds(pair[0], pair[1])))
        };
        let n_true = || parts.iter().filter(|value| **value != 0).count();
        match self {
            Operator::Neg => parts[0].checked_neg(),
            Operator::Abs => parts[0].checked_abs(),
            Operator::Sqr => parts[0].checked_mul(parts[0]),
            Operator::Add => parts.iter().try_fold(0_i64, |sum, &part| sum.checked_add(part)),
            Operator::Sub => parts[0].checked_sub(parts[1]),
            Operator::Mul => parts.iter().try_fold(1_i64, |product, &n| product.checked_mul(n)),
            Operator::Div => parts[0].checked_div(parts[1]),
            Operator::Mod => parts[0].checked_rem(parts[1]),
            Operator::Pow => u32::try_from(parts[1]).ok().and_then(|n| parts[0].checked_pow(n)),
            Operator::Dist => parts[0].checked_sub(parts[1]).and_then(i64::checked_abs),
            Operator::Min => parts.iter().copied().min(),
            Operator::Max => parts.iter().copied().max(),
            Operator::Lt => holds_in_turn(|one, other| one < other),
            Operator::Le => holds_in_turn(|one, other| one <= other),
            Operator::Ge => holds_in_turn(|one, other| one >= other),
            Operator::Gt => holds_in_turn(|one, other| one > other),
            Operator::Eq => holds_in_turn(|one, other| one == other),
            Operator::Iff => holds_in_turn(|one, other| (one != 0) == (other != 0)),
            Operator::Ne => {
                let is_new = |(n, part)| !parts[..n].contains(part);
                truth(parts.iter().enumerate().all(is_new))
            }
            Operator::In => truth(parts[1..].contains(&parts[0])),
            Operator::Not => truth(parts[0] == 0),
            Operator::And => truth(n_true() == parts.len()),
            Operator::Or => truth(n_true() > 0),
            Operator::Xor => truth(n_true() % 2 == 1),
            Operator::Imp => truth(parts[0] == 0 || parts[1] != 0),
            Operator::If => Some(parts[0]),
        }
    }
}

impl Expression {
    /// Reads an expression, in which `operand` knows what names stand for.
    pub(super) fn parse<'a>(
        text: Token<'a>,
        operand: impl Fn(Token<'a>) -> Result<Operand, Wrong>,
    ) -> Result<Expression, Wrong> {
        let mut parser = Parser { rest: text, operand };
        let expression = parser.expression(0)?;
        match parser.rest.trimmed() {
            Token { text: "", .. } => Ok(expression),
            rest => Err(Wrong::unexpected(rest.at, "the end of the expression", rest.text)),
        }
    }

    /// Its value, where `value_of` says what variables have. `None` if something on the way is no
    /// number of 64 bits, as a division by 0.
    pub(super) fn value(&self, value_of: &impl Fn(VarId) -> i64) -> Option<i64> {
        match self {
            Expression::Operand(Operand::Number(number)) => Some(*number),
            Expression::Operand(Operand::Variable(var)) => Some(value_of(*var)),
            Expression::Call(operator, parts) => {
                let parts = parts.iter().map(|part| part.value(value_of));
                operator.apply(&parts.collect::<Vec<Option<i64>>>())
            }
        }
    }

    /// Its parts if it is a call of `operator`, and itself alone otherwise.
    pub(super) fn parts_of(&self, operator: Operator) -> &[Expression] {
        match self {
            Expression::Call(other, parts) if *other == operator => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The variables in it, each once, in the order in which they stand.
    pub(super) fn scope(&self) -> Vec<VarId> {
        let mut scope = Vec::new();
        let mut seen = FxHashSet::default();
        self.visit(&mut |operand| {
            if let Operand::Variable(var) = operand
                && seen.insert(var)
            {
                scope.push(var);
            }
        });
        scope
    }

    /// How many numbers and variables stand in it.
    pub(super) fn size(&self) -> usize {
        let mut size = 0;
        self.visit(&mut |_| size += 1);
        size
    }

    fn visit(&self, visit: &mut impl FnMut(Operand)) {
        match self {
            Expression::Operand(operand) => visit(*operand),
            Expression::Call(_, parts) => parts.iter().for_each(|part| part.visit(visit)),
        }
    }
}

struct Parser<'a, O> {
    rest: Token<'a>,
    operand: O,
}

impl<'a, O: Fn(Token<'a>) -> Result<Operand, Wrong>> Parser<'a, O> {
    fn expression(&mut self, depth: usize) -> Result<Expression, Wrong> {
        let name = self.name();
        if depth == MAX_DEPTH {
            return Err(Wrong::not_read(name.at, format!("an expression deeper than {MAX_DEPTH}")));
        }
        if !self.eat("(") {
            return Ok(Expression::Operand((self.operand)(name)?));
        }
        let operator = Operator::named(name.text)
            .ok_or_else(|| Wrong::not_read(name.at, format!("the operator `{}`", name.text)))?;
        let mut parts = Vec::new();
        self.parts(&mut parts, operator, depth)?;
        match operator.takes(parts.len()) {
            true => Ok(Expression::Call(operator, parts)),
            false => Err(Wrong::unexpected(
                name.at,
                "an operator with another number of parts",
                name.text,
            )),
        }
    }

    /// The parts of a call up to its end. A set is as if its members stood there.
    fn parts(
        &mut self,
        parts: &mut Vec<Expression>,
        operator: Operator,
        depth: usize,
    ) -> Result<(), Wrong> {
        if self.eat(")") {
            return Ok(());
        }
        loop {
            let before = self.rest;
            if operator == Operator::In && self.name().text == "set" && self.eat("(") {
                self.parts(parts, Operator::And, depth + 1)?;
            } else {
                self.rest = before;
                parts.push(self.expression(depth + 1)?);
            }
            if self.eat(")") {
                return Ok(());
            }
            if !self.eat(",") {
                let rest = self.rest.trimmed();
                return Err(Wrong::unexpected(rest.at, "`,` or `)`", rest.text));
            }
        }
    }

    /// What stands before the next parenthesis or comma.
    fn name(&mut self) -> Token<'a> {
        let end = self.rest.text.find(['(', ')', ',']).unwrap_or(self.rest.text.len());
        let name = Token { at: self.rest.at, text: &self.rest.text[..end] };
        self.rest = Token { at: self.rest.at + end, text: &self.rest.text[end..] };
        name.trimmed()
    }

    fn eat(&mut self, sign: &str) -> bool {
        let rest = self.rest.trimmed();
        match rest.text.strip_prefix(sign) {
            Some(behind) => {
                self.rest = Token { at: rest.at + sign.len(), text: behind };
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Id as _;

    use super::*;

    /// The value of an expression in which `x`, `y`, `z` are the numbers of a slice.
    fn value(text: &str, values: [i64; 3]) -> Option<i64> {
        let operand = |token: Token<'_>| match "xyz".find(token.text) {
            Some(n) if token.text.len() == 1 => Ok(Operand::Variable(VarId::from_index(n))),
            _ => token.integer().map(Operand::Number),
        };
        let expression = Expression::parse(Token { at: 0, text }, operand).ok()?;
        expression.value(&|var: VarId| values[var.index()])
    }

    #[test]
    fn expressions_have_their_values() {
        assert_eq!(value("eq(add(x,y),z)", [2, 3, 5]), Some(1));
        assert_eq!(value(" ne( x , y , z ) ", [2, 3, 2]), Some(0));
        assert_eq!(value("in(x,set(1,2,3))", [3, 0, 0]), Some(1));
        assert_eq!(value("in(x,set())", [3, 0, 0]), Some(0));
        assert_eq!(value("if(eq(y,0),7,div(x,y))", [9, 0, 0]), Some(7));
        assert_eq!(value("mod(neg(x),3)", [7, 0, 0]), Some(-1));
        assert_eq!(value("dist(x,y)", [7, 10, 0]), Some(3));
        assert_eq!(value("xor(x,y,z)", [1, 1, 1]), Some(1));
        assert_eq!(value("lt(x,y,z)", [1, 2, 2]), Some(0));
        assert_eq!(value("imp(x,or(y,z))", [1, 0, 0]), Some(0));
    }

    #[test]
    fn what_is_no_number_has_no_value() {
        assert_eq!(value("div(x,y)", [1, 0, 0]), None);
        assert_eq!(value("mul(x,x)", [i64::MAX, 0, 0]), None);
    }

    #[test]
    fn malformed_expressions_are_refused() {
        let deep = "not(".repeat(100_000);
        for wrong in ["", "eq(x", "eq(x,y))", "eq(x,,y)", "eq()", "sin(x)", "x y", deep.as_str()] {
            assert_eq!(value(wrong, [0; 3]), None, "{}", &wrong[..wrong.len().min(20)]);
        }
    }
}
