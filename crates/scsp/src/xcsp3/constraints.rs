//! Constraints, alone and in groups.

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::{Wrong, Xcsp3Problem};
use super::expression::{Expression, Operand, Operator};
use super::tokens::for_each_tuple;
use super::tree::{Element, Token};
use super::variables::Arrays;
use super::work::Work;
use crate::network::{Literal, NetworkBuilder, Relation, VarId};

/// Reads constraints into a network that has its variables.
#[derive(Debug)]
pub(super) struct ConstraintReader<'r> {
    pub(super) builder: &'r mut NetworkBuilder,
    pub(super) arrays: &'r Arrays,
    pub(super) work: &'r mut Work,
    pub(super) n_players: usize,
}

/// What `%0`, `%1`, … and `%...` stand for in the template of a group.
#[derive(Clone, Copy, Debug)]
struct Arguments<'a> {
    all: &'a [Operand],
    /// The first that no number of the template stands for.
    first_of_rest: usize,
}

/// What every constraint costs, in numbers that are held.
const COST_OF_CONSTRAINT: u128 = 32;

/// What stands outside groups.
const NO_ARGUMENTS: Arguments<'static> = Arguments { all: &[], first_of_rest: 0 };

/// How a sum is compared.
enum Condition {
    Compared(Operator, Operand),
    Within(i64, i64),
}

impl ConstraintReader<'_> {
    /// Reads all children of `<constraints>` or `<block>`.
    pub(super) fn read_all(&mut self, element: &Element<'_>) -> Result<(), Wrong> {
        element.check_attributes(&[])?;
        for child in &element.children {
            match child.name.as_str() {
                "block" => self.read_all(child)?,
                "group" => self.read_group(child)?,
                _ => self.read_constraint(child, NO_ARGUMENTS)?,
            }
        }
        Ok(())
    }

    fn read_group(&mut self, element: &Element<'_>) -> Result<(), Wrong> {
        element.check_attributes(&[])?;
        let Some((template, lists)) = element.children.split_first() else {
            return Err(Wrong::unexpected(element.at, "a constraint in the group", ""));
        };
        let first_of_rest = n_parameters(template);
        for list in lists {
            if list.name != "args" {
                return Err(Wrong::not_read(list.at, format!("<{}> in <group>", list.name)));
            }
            let all = self.operands(list, NO_ARGUMENTS)?;
            self.read_constraint(template, Arguments { all: &all, first_of_rest })?;
        }
        Ok(())
    }

    fn read_constraint(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<(), Wrong> {
        self.work.spend(1, element.at)?;
        match element.name.as_str() {
            "extension" if element.attribute("type") == Some("soft") => {
                self.read_soft(element, arguments)
            }
            "extension" => self.read_extension(element, arguments),
            "intension" => self.read_intension(element, arguments),
            "allDifferent" => self.read_all_different(element, arguments),
            "allEqual" => self.read_all_equal(element, arguments),
            "sum" => self.read_sum(element, arguments),
            "element" => self.read_element(element, arguments),
            "instantiation" => self.read_instantiation(element, arguments),
            name => Err(Wrong::not_read(element.at, format!("the constraint <{name}>"))),
        }
    }

    fn read_extension(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<(), Wrong> {
        element.check_attributes(&["type"])?;
        element.check_children(&["list", "supports", "conflicts"])?;
        let scope = self.vars(element.required("list")?, arguments)?;
        match (element.child("supports")?, element.child("conflicts")?) {
            (Some(supports), None) => {
                self.spend_on(&scope, element.at)?;
                let tuples = self.tuples(supports, &scope, arguments)?;
                let tuples = tuples.chunks_exact(scope.len().max(1));
                self.builder.table(&scope, tuples).map_err(Wrong::build(element.at))
            }
            (None, Some(conflicts)) => {
                let tuples = self.tuples(conflicts, &scope, arguments)?;
                let forbidden: FxHashSet<&[i64]> =
                    tuples.chunks_exact(scope.len().max(1)).collect();
                self.add_hard(element.at, &scope, 1, |values| !forbidden.contains(values))
            }
            _ => {
                let expected = "either <supports> or <conflicts>";
                Err(Wrong::unexpected(element.at, expected, "extension"))
            }
        }
    }

    fn read_soft(&mut self, element: &Element<'_>, arguments: Arguments<'_>) -> Result<(), Wrong> {
        element.check_attributes(&["type", "defaultUtility"])?;
        element.check_children(&["list", "tuples"])?;
        let scope = self.vars(element.required("list")?, arguments)?;
        self.work.spend(self.builder.n_combinations(&scope), element.at)?;
        let otherwise = match element.attribute("defaultUtility") {
            Some(text) => reals(element, text)?,
            None => vec![0.0; self.n_players],
        };
        let mut listed = FxHashMap::default();
        for tuples in element.children.iter().filter(|child| child.name == "tuples") {
            tuples.check_attributes(&["utility"])?;
            let worth = reals(tuples, tuples.attribute("utility").unwrap_or(""))?;
            let all = self.tuples(tuples, &scope, arguments)?;
            for tuple in all.chunks_exact(scope.len().max(1)) {
                for (&var, &value) in scope.iter().zip(tuple) {
                    self.builder.literal(var, value).map_err(Wrong::build(tuples.at))?;
                }
                listed.insert(tuple.to_vec(), worth.clone());
            }
        }
        let worth = |values: &[i64]| listed.get(values).unwrap_or(&otherwise).clone();
        self.builder.utility(&scope, worth).map_err(Wrong::build(element.at))
    }

    fn read_intension(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<(), Wrong> {
        element.check_attributes(&[])?;
        element.check_children(&["function"])?;
        let function = element.child("function")?.unwrap_or(element);
        let mut texts = function.texts().map(Token::trimmed).filter(|token| !token.text.is_empty());
        let Some(text) = texts.next() else {
            return Err(Wrong::unexpected(element.at, "an expression", ""));
        };
        if let Some(second) = texts.next() {
            return Err(Wrong::unexpected(second.at, "one expression", second.text));
        }
        self.work.spend(text.text.len() as u128, text.at)?;
        let expression = Expression::parse(text, |token| self.operand(token, arguments))?;
        if let Some((head, bodies)) = self.as_completion(&expression) {
            return self.builder.formula(head, bodies).map_err(Wrong::build(element.at));
        }
        if let Some((var, value, needs)) = self.as_needs(&expression) {
            return self.builder.needs(var, [(value, needs)]).map_err(Wrong::build(element.at));
        }
        let scope = expression.scope();
        self.add_hard(element.at, &scope, expression.size(), |values| {
            let value_of = |var: VarId| {
                let position = scope.iter().position(|other| *other == var);
                values[position.expect("the scope has all variables of the expression")]
            };
            expression.value(&value_of).is_some_and(|value| value != 0)
        })
    }

    /// A head and bodies, if the expression says that the head holds if and only if one of the bodies
    /// does: `iff(eq(x,1),or(and(eq(y,0),ne(z,2)),eq(z,3)))`.
    fn as_completion(&self, expression: &Expression) -> Option<(Literal, Vec<Vec<Literal>>)> {
        let Expression::Call(Operator::Iff, sides) = expression else { return None };
        let [head, causes] = sides.as_slice() else { return None };
        let bodies = causes.parts_of(Operator::Or).iter().map(|body| self.as_literals(body));
        Some((self.as_literal(head)?, bodies.collect::<Option<_>>()?))
    }

    /// A variable and what its values need, if the expression says that of one value:
    /// `imp(eq(x,1),and(eq(y,0),ne(z,2)))`.
    fn as_needs(&self, expression: &Expression) -> Option<(VarId, i64, Vec<Literal>)> {
        let Expression::Call(Operator::Imp, sides) = expression else { return None };
        let [value, literals] = sides.as_slice() else { return None };
        let Literal { var, value, .. } = self.as_literal(value).filter(|value| value.is_equal)?;
        let value = self.builder.values(var)[value as usize];
        Some((var, value, self.as_literals(literals)?))
    }

    fn as_literals(&self, expression: &Expression) -> Option<Vec<Literal>> {
        let literals = expression.parts_of(Operator::And).iter();
        literals.map(|literal| self.as_literal(literal)).collect()
    }

    fn as_literal(&self, expression: &Expression) -> Option<Literal> {
        let Expression::Call(operator, parts) = expression else { return None };
        let [Expression::Operand(Operand::Variable(var)), Expression::Operand(Operand::Number(n))] =
            parts.as_slice()
        else {
            return None;
        };
        let literal = self.builder.literal(*var, *n).ok()?;
        match operator {
            Operator::Eq => Some(literal),
            Operator::Ne => Some(!literal),
            _ => None,
        }
    }

    fn read_all_different(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<(), Wrong> {
        let scope = self.plain_list(element, arguments)?;
        for (n, &left) in scope.iter().enumerate() {
            for &right in &scope[n + 1..] {
                self.add_hard(element.at, &[left, right], 1, |values| values[0] != values[1])?;
            }
        }
        Ok(())
    }

    fn read_all_equal(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<(), Wrong> {
        let scope = self.plain_list(element, arguments)?;
        for pair in scope.windows(2) {
            self.spend_on(pair, element.at)?;
            self.builder.equal(pair[0], pair[1]).map_err(Wrong::build(element.at))?;
        }
        Ok(())
    }

    /// The variables of a constraint that has nothing else.
    fn plain_list(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<Vec<VarId>, Wrong> {
        element.check_attributes(&[])?;
        element.check_children(&["list"])?;
        self.vars(element.child("list")?.unwrap_or(element), arguments)
    }

    fn read_sum(&mut self, element: &Element<'_>, arguments: Arguments<'_>) -> Result<(), Wrong> {
        element.check_attributes(&[])?;
        element.check_children(&["list", "coeffs", "condition"])?;
        let terms = self.operands(element.required("list")?, arguments)?;
        let factors = match element.child("coeffs")? {
            Some(coeffs) => self.numbers(coeffs, arguments)?,
            None => vec![1; terms.len()],
        };
        if factors.len() != terms.len() {
            let found = format!("{} for {}", factors.len(), terms.len());
            return Err(Wrong::unexpected(element.at, "a factor for each term", &found));
        }
        let condition = self.condition(element.required("condition")?, arguments)?;
        let mut sum = Sum::default();
        for (factor, term) in factors.into_iter().zip(terms) {
            sum.add(factor, term, element.at)?;
        }
        self.add_sum(element.at, sum, &condition)
    }

    fn add_sum(&mut self, at: usize, mut sum: Sum, condition: &Condition) -> Result<(), Wrong> {
        let too_large = || Wrong::build(at)(crate::network::BuildError::SumTooLarge);
        let (operator, other) = match *condition {
            Condition::Compared(operator, Operand::Number(number)) => (operator, number),
            Condition::Compared(operator, variable) => {
                sum.add(-1, variable, at)?;
                (operator, 0)
            }
            Condition::Within(first, last) => {
                self.add_sum(
                    at,
                    sum.clone(),
                    &Condition::Compared(Operator::Ge, Operand::Number(first)),
                )?;
                return self.add_sum(
                    at,
                    sum,
                    &Condition::Compared(Operator::Le, Operand::Number(last)),
                );
            }
        };
        let constant = other.checked_sub(sum.constant).ok_or_else(too_large)?;
        let (relation, constant) = match operator {
            Operator::Le => (Relation::AtMost, Some(constant)),
            Operator::Lt => (Relation::AtMost, constant.checked_sub(1)),
            Operator::Ge => (Relation::AtLeast, Some(constant)),
            Operator::Gt => (Relation::AtLeast, constant.checked_add(1)),
            Operator::Eq => (Relation::Equal, Some(constant)),
            _ => {
                let scope: Vec<VarId> = sum.terms.iter().map(|(_, var)| *var).collect();
                let factors: Vec<i64> = sum.terms.iter().map(|(factor, _)| *factor).collect();
                return self.add_hard(at, &scope, scope.len(), |values| {
                    let products =
                        factors.iter().zip(values).map(|(&f, &v)| i128::from(f) * i128::from(v));
                    products.sum::<i128>() != i128::from(constant)
                });
            }
        };
        let constant = constant.ok_or_else(too_large)?;
        self.work.spend(COST_OF_CONSTRAINT + sum.terms.len() as u128, at)?;
        self.builder.linear(&sum.terms, relation, constant).map_err(Wrong::build(at))
    }

    fn read_element(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<(), Wrong> {
        element.check_attributes(&[])?;
        element.check_children(&["list", "index", "value"])?;
        let list = element.required("list")?;
        list.check_attributes(&["startIndex"])?;
        if list.attribute("startIndex").is_some_and(|start| start != "0") {
            return Err(Wrong::not_read(list.at, "a list that does not start at 0"));
        }
        let array = self.operands(list, arguments)?;
        let index = self.vars(element.required("index")?, arguments)?;
        let value = self.vars(element.required("value")?, arguments)?;
        let ([index], [value]) = (index.as_slice(), value.as_slice()) else {
            return Err(Wrong::unexpected(element.at, "one index and one value", "several"));
        };
        let vars: Option<Vec<VarId>> = array.iter().map(|operand| operand.var()).collect();
        if let Some(vars) = vars {
            self.spend_on(&vars, element.at)?;
            return self.builder.element(&vars, *index, *value).map_err(Wrong::build(element.at));
        }
        let numbers: Option<Vec<i64>> = array.iter().map(|operand| operand.number()).collect();
        let Some(numbers) = numbers else {
            return Err(Wrong::not_read(list.at, "a list of variables and numbers together"));
        };
        self.add_hard(element.at, &[*index, *value], 1, |values| {
            let chosen = usize::try_from(values[0]).ok().and_then(|n| numbers.get(n));
            chosen == Some(&values[1])
        })
    }

    fn read_instantiation(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<(), Wrong> {
        element.check_attributes(&[])?;
        element.check_children(&["list", "values"])?;
        let scope = self.vars(element.required("list")?, arguments)?;
        let values = self.numbers(element.required("values")?, arguments)?;
        if scope.len() != values.len() {
            let found = format!("{} for {}", values.len(), scope.len());
            return Err(Wrong::unexpected(element.at, "a value for each variable", &found));
        }
        for (&var, &value) in scope.iter().zip(&values) {
            self.builder.table(&[var], [[value]]).map_err(Wrong::build(element.at))?;
        }
        Ok(())
    }

    /// Adds a table of all that `allows` is true of; to ask once costs `cost`.
    fn add_hard(
        &mut self,
        at: usize,
        scope: &[VarId],
        cost: usize,
        allows: impl Fn(&[i64]) -> bool,
    ) -> Result<(), Wrong> {
        let n_combinations = self.builder.n_combinations(scope);
        self.work.spend(n_combinations.saturating_mul(cost as u128 + 1), at)?;
        self.spend_on(scope, at)?;
        self.builder.hard(scope, allows).map_err(Wrong::build(at))
    }

    /// What a constraint on these variables costs, whatever it says.
    fn spend_on(&mut self, scope: &[VarId], at: usize) -> Result<(), Wrong> {
        let sizes = scope.iter().map(|&var| self.builder.values(var).len() as u128);
        self.work.spend(COST_OF_CONSTRAINT + sizes.sum::<u128>(), at)
    }

    /// The tuples of an element, one behind the other, with `*` written out.
    fn tuples(
        &mut self,
        element: &Element<'_>,
        scope: &[VarId],
        arguments: Arguments<'_>,
    ) -> Result<Vec<i64>, Wrong> {
        element.check_attributes(&["utility"])?;
        let mut all = Vec::new();
        if let [var] = scope {
            for token in element.tokens() {
                let (first, last) = token.interval()?;
                self.work.spend((i128::from(last) - i128::from(first) + 1) as u128, token.at)?;
                let has = |value: &i64| self.builder.literal(*var, *value).is_ok();
                all.extend((first..=last).filter(has));
            }
            return Ok(all);
        }
        for_each_tuple(element, |at, parts| {
            if parts.len() != scope.len() {
                let found = format!("{} parts", parts.len());
                return Err(Wrong::unexpected(at, "a part for each variable of the list", &found));
            }
            let start = all.len();
            for (token, &var) in parts.iter().zip(scope) {
                match token.text {
                    "*" => all.push(self.builder.values(var)[0]),
                    _ => all.push(self.number(*token, arguments)?),
                }
            }
            let is_any: Vec<bool> = parts.iter().map(|token| token.text == "*").collect();
            let choices: Vec<VarId> = scope
                .iter()
                .zip(&is_any)
                .filter(|(_, is_any)| **is_any)
                .map(|(var, _)| *var)
                .collect();
            let n_tuples = self.builder.n_combinations(&choices);
            self.work.spend(n_tuples.saturating_mul(scope.len() as u128), at)?;
            for (position, &var) in scope.iter().enumerate().filter(|(n, _)| is_any[*n]) {
                // All tuples so far, once more for each other value.
                let so_far = all.len() - start;
                for &value in &self.builder.values(var)[1..] {
                    let copy = all.len();
                    all.extend_from_within(start..start + so_far);
                    all[copy..]
                        .iter_mut()
                        .skip(position)
                        .step_by(scope.len())
                        .for_each(|n| *n = value);
                }
            }
            Ok(())
        })?;
        Ok(all)
    }

    fn condition(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<Condition, Wrong> {
        element.check_attributes(&[])?;
        let mut found = None;
        for_each_tuple(element, |at, parts| {
            let [name, operand] = parts else {
                return Err(Wrong::unexpected(at, "an operator and a value", ""));
            };
            match found.replace((*name, *operand)) {
                Some(_) => Err(Wrong::unexpected(at, "one condition", name.text)),
                None => Ok(()),
            }
        })?;
        let Some((name, operand)) = found else {
            return Err(Wrong::unexpected(element.at, "a condition, as `(le,10)`", ""));
        };
        let operator = match name.text {
            "lt" => Operator::Lt,
            "le" => Operator::Le,
            "ge" => Operator::Ge,
            "gt" => Operator::Gt,
            "eq" => Operator::Eq,
            "ne" => Operator::Ne,
            "in" => {
                let (first, last) = operand.interval()?;
                return Ok(Condition::Within(first, last));
            }
            other => return Err(Wrong::not_read(name.at, format!("the condition `{other}`"))),
        };
        Ok(Condition::Compared(operator, self.operand(operand, arguments)?))
    }

    /// The variables that an element lists.
    pub(super) fn listed_vars(&mut self, element: &Element<'_>) -> Result<Vec<VarId>, Wrong> {
        self.vars(element, NO_ARGUMENTS)
    }

    fn vars(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<Vec<VarId>, Wrong> {
        let wrong = || Wrong::unexpected(element.at, "variables only", "a number");
        let operands = self.operands(element, arguments)?;
        operands.iter().map(|operand| operand.var().ok_or_else(wrong)).collect()
    }

    fn numbers(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<Vec<i64>, Wrong> {
        let wrong = || Wrong::unexpected(element.at, "numbers only", "a variable");
        let operands = self.operands(element, arguments)?;
        operands.iter().map(|operand| operand.number().ok_or_else(wrong)).collect()
    }

    /// The variables and numbers that an element lists.
    fn operands(
        &mut self,
        element: &Element<'_>,
        arguments: Arguments<'_>,
    ) -> Result<Vec<Operand>, Wrong> {
        element.check_attributes(&["startIndex"])?;
        let mut operands = Vec::new();
        for token in element.tokens() {
            if token.text == "%..." {
                let rest = arguments.all.get(arguments.first_of_rest..).unwrap_or(&[]);
                self.work.spend(rest.len() as u128, token.at)?;
                operands.extend_from_slice(rest);
            } else if let Some((value, count)) = repeated(token)? {
                self.work.spend(u128::from(count), token.at)?;
                operands.extend((0..count).map(|_| Operand::Number(value)));
            } else if let Some((cells, is_single)) = self.arrays.cells(token, self.work)? {
                let found = cells.iter().filter_map(|cell| self.builder.find(cell));
                let before = operands.len();
                operands.extend(found.map(Operand::Variable));
                if is_single && operands.len() == before {
                    return Err(unknown_variable(token));
                }
            } else {
                operands.push(self.operand(token, arguments)?);
            }
            self.work.spend(1, token.at)?;
        }
        Ok(operands)
    }

    /// A variable, a number, or what a parameter stands for.
    fn operand(&self, token: Token<'_>, arguments: Arguments<'_>) -> Result<Operand, Wrong> {
        if let Some(parameter) = token.text.strip_prefix('%') {
            let argument = parameter.parse().ok().and_then(|n: usize| arguments.all.get(n));
            return argument.copied().ok_or_else(|| {
                Wrong::unexpected(token.at, "a parameter with an argument", token.text)
            });
        }
        if token.text.starts_with(|first: char| first.is_ascii_digit() || "+-".contains(first)) {
            return token.integer().map(Operand::Number);
        }
        self.builder.find(token.text).map(Operand::Variable).ok_or_else(|| unknown_variable(token))
    }

    fn number(&self, token: Token<'_>, arguments: Arguments<'_>) -> Result<i64, Wrong> {
        let operand = self.operand(token, arguments)?;
        operand.number().ok_or_else(|| Wrong::unexpected(token.at, "a number", token.text))
    }
}

impl Operand {
    fn var(self) -> Option<VarId> {
        match self {
            Operand::Variable(var) => Some(var),
            Operand::Number(_) => None,
        }
    }

    fn number(self) -> Option<i64> {
        match self {
            Operand::Number(number) => Some(number),
            Operand::Variable(_) => None,
        }
    }
}

/// A sum in which every variable stands once.
#[derive(Clone, Debug, Default)]
struct Sum {
    terms: Vec<(i64, VarId)>,
    /// By variable: its place among the terms.
    places: FxHashMap<VarId, usize>,
    constant: i64,
}

impl Sum {
    fn add(&mut self, factor: i64, operand: Operand, at: usize) -> Result<(), Wrong> {
        let sum = match operand {
            Operand::Number(number) => {
                let product = factor.checked_mul(number);
                let sum = product.and_then(|product| self.constant.checked_add(product));
                sum.map(|sum| self.constant = sum)
            }
            Operand::Variable(var) => {
                let place = *self.places.entry(var).or_insert(self.terms.len());
                if place == self.terms.len() {
                    self.terms.push((0, var));
                }
                let before = &mut self.terms[place].0;
                before.checked_add(factor).map(|sum| *before = sum)
            }
        };
        sum.ok_or_else(|| Wrong::build(at)(crate::network::BuildError::SumTooLarge))
    }
}

fn unknown_variable(token: Token<'_>) -> Wrong {
    Wrong { at: token.at, problem: Xcsp3Problem::UnknownVariable(token.text.to_owned()) }
}

/// A number that stands for several: `1x5` are five times 1.
fn repeated(token: Token<'_>) -> Result<Option<(i64, u32)>, Wrong> {
    if !token.text.starts_with(|first: char| first.is_ascii_digit() || "+-".contains(first)) {
        return Ok(None);
    }
    let Some((value, count)) = token.split_at("x") else { return Ok(None) };
    let wrong = |_| Wrong::unexpected(token.at, "a number and how often it stands", token.text);
    Ok(Some((value.integer()?, count.text.parse().map_err(wrong)?)))
}

/// Numbers of an attribute of `element`.
fn reals(element: &Element<'_>, text: &str) -> Result<Vec<f64>, Wrong> {
    text.split_ascii_whitespace().map(|text| Token { at: element.at, text }.real()).collect()
}

/// One more than the greatest number of a parameter of a template.
fn n_parameters(template: &Element<'_>) -> usize {
    let of_text = |token: Token<'_>| {
        let numbers = token.text.split('%').skip(1).filter_map(|behind| {
            let end = behind.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(behind.len());
            behind[..end].parse::<usize>().ok()
        });
        numbers.map(|number| number.saturating_add(1)).max().unwrap_or(0)
    };
    let own = template.texts().map(of_text).max().unwrap_or(0);
    template.children.iter().map(n_parameters).fold(own, usize::max)
}
