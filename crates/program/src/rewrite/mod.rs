//! From the tree of a sheet without errors to plain rules.
//!
//! `not` is moved inwards to the atoms, `or` is distributed so that each alternative is a rule,
//! and equality is resolved by unification. What the checks let pass with a warning is brought
//! into the form that a [`Program`] promises, one pass for each: `next` and `sees` as conditions,
//! variables that stand below `not` only ([`hidden`]), a `terminal` that looks at moves
//! ([`before_moves`]), and relations that are stratified rule by rule only ([`split`]).

mod alternatives;
mod before_moves;
mod hidden;
mod split;
mod unify;

use base::IdVec;
use gdl::tree::{self, Ast, Item, TermKind};
use gdl::{Code, Diagnostic, Span, Symbol, Symbols};
use rustc_hash::FxHashMap;

use alternatives::{Condition, MAX_ALTERNATIVES, alternatives_of_all};
use unify::Substitution;

use crate::check::roles_of;
use crate::edit::set_graph;
use crate::program::{
    Atom, Dependence, Literal, Program, Relation, RelationId, Rule, Term, VariableId,
};

/// A rule cannot be written out within the limits on alternatives and steps.
struct TooLarge;

/// The program of `items`, which have no error.
pub(crate) fn program(ast: &Ast, items: &[&Item]) -> Result<Program, Vec<Diagnostic>> {
    let mut rewriter = Rewriter::new(ast.symbols.clone());
    let mut rules = Vec::new();
    let mut problems = Vec::new();
    for item in items {
        // One is enough: what is left of the budget would blame rules that are innocent.
        if !problems.is_empty() {
            break;
        }
        match rewriter.rules(item) {
            Ok(alternatives) => rules.extend(alternatives),
            Err(TooLarge) => problems.push(too_many_alternatives(item)),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    rewriter.separate(&mut rules, RelationId::NEXT, "successor");
    rewriter.separate(&mut rules, RelationId::SEES, "percept");
    rewriter.name_hidden_conditions(&mut rules);
    rewriter.look_before_moves(&mut rules);
    rewriter.split_relations(&mut rules);
    rules.sort_by_key(|rule| rule.span);
    let roles = roles_of(items.iter().copied()).into_iter().collect();
    let Rewriter { symbols, relations, .. } = rewriter;
    let mut program = Program { symbols, roles, relations, rules, components: Vec::new() };
    set_graph(&mut program);
    Ok(program)
}

struct Rewriter {
    symbols: Symbols,
    relations: IdVec<RelationId, Relation>,
    by_signature: FxHashMap<(Symbol, usize), RelationId>,
    /// How much of the program may still be written out.
    budget: Budget,
}

/// Limits on what the rules of a sheet may stand for, together, in parts of terms and steps of
/// unification.
struct Budget {
    n_left: usize,
}

impl Budget {
    /// The largest public sheet takes 100,000.
    const MAX: usize = 20_000_000;

    fn take(&mut self, n: usize) -> Result<(), TooLarge> {
        self.n_left = self.n_left.checked_sub(n).ok_or(TooLarge)?;
        Ok(())
    }
}

impl Rewriter {
    fn new(symbols: Symbols) -> Rewriter {
        let mut rewriter = Rewriter {
            symbols,
            relations: IdVec::new(),
            by_signature: FxHashMap::default(),
            budget: Budget { n_left: Budget::MAX },
        };
        for keyword in RelationId::KEYWORDS {
            let arity = keyword.keyword_arity().expect("keywords of programs have an arity");
            rewriter.relation(keyword, arity);
        }
        rewriter
    }

    fn relation(&mut self, name: Symbol, arity: usize) -> RelationId {
        *self.by_signature.entry((name, arity)).or_insert_with(|| {
            self.relations.push(Relation {
                name,
                arity,
                dependence: Dependence::Nothing,
                stratum: 0,
            })
        })
    }

    /// The alternatives of `item`.
    fn rules(&mut self, item: &Item) -> Result<Vec<Rule>, TooLarge> {
        let alternatives = alternatives_of_all(item.body.iter(), false)?;
        let rules = alternatives.0.iter().map(|conditions| self.rule(item, conditions));
        rules.filter_map(Result::transpose).collect()
    }

    /// The rule of one alternative, or `None` when its equalities cannot hold.
    fn rule(
        &mut self,
        item: &Item,
        conditions: &[Condition<'_>],
    ) -> Result<Option<Rule>, TooLarge> {
        let mut variables = Variables::default();
        let head = self.atom(&item.head, &mut variables);
        let mut body = Vec::with_capacity(conditions.len());
        let mut equalities = Vec::new();
        for condition in conditions {
            match *condition {
                Condition::Atom { atom, is_negative } => {
                    let atom = self.atom(atom, &mut variables);
                    let sign = if is_negative { Literal::Negative } else { Literal::Positive };
                    body.push(sign(atom));
                }
                Condition::Distinct(left, right) => {
                    let (left, right) = (variables.term(left), variables.term(right));
                    body.push(Literal::Distinct(left, right));
                }
                Condition::Equal(left, right) => {
                    equalities.push((variables.term(left), variables.term(right)));
                }
            }
        }
        let mut rule = Rule { head, body, variables: variables.names, span: item.span };
        if !equalities.is_empty() {
            let n_variables = rule.variables.len();
            let Some(substitution) =
                Substitution::unify(n_variables, equalities, &mut self.budget)?
            else {
                return Ok(None);
            };
            substitution.apply(&mut rule, &mut self.budget)?;
            rule.compact_variables();
        }
        self.budget.take(size(&mut rule))?;
        Ok(Some(rule))
    }

    fn atom(&mut self, atom: &tree::Atom, variables: &mut Variables) -> Atom {
        let relation = self.relation(atom.name.symbol, atom.args.len());
        Atom { relation, args: atom.args.iter().map(|arg| variables.term(arg)).collect() }
    }

    /// A new relation, called `name` or nearly so.
    fn new_relation(&mut self, name: &str, arity: usize) -> RelationId {
        let name = self.symbols.fresh(name);
        self.relation(name, arity)
    }

    /// A new relation called after another, with a word before its name.
    fn new_relation_like(&mut self, word: &str, like: RelationId, arity: usize) -> RelationId {
        let name = self.symbols.name(self.relations[like].name);
        let name = format!("{word}_{name}");
        self.new_relation(&name, arity)
    }

    /// The rule that concludes `to` from `from`, with a variable for each argument.
    fn bridge(&mut self, from: RelationId, to: RelationId, span: Span) -> Rule {
        let names = (1..=self.relations[to].arity).map(|n| self.symbols.intern(&format!("?x{n}")));
        let variables: IdVec<VariableId, Symbol> = names.collect();
        let args: Vec<Term> = variables.ids().map(Term::Variable).collect();
        let head = Atom { relation: to, args: args.clone() };
        Rule { head, body: vec![Literal::Positive(Atom { relation: from, args })], variables, span }
    }

    /// Where `keyword` is a condition, gives its rules to a new relation called `name`, which
    /// takes its place there, and concludes the keyword from that.
    fn separate(&mut self, rules: &mut Vec<Rule>, keyword: RelationId, name: &str) {
        let is_condition = |literal: &Literal| literal.relation() == Some(keyword);
        if !rules.iter().any(|rule| rule.body.iter().any(is_condition)) {
            return;
        }
        let relation = self.new_relation(name, self.relations[keyword].arity);
        let mut span = None;
        for rule in rules.iter_mut() {
            for atom in rule.body.iter_mut().filter_map(Literal::atom_mut) {
                if atom.relation == keyword {
                    atom.relation = relation;
                }
            }
            if rule.head.relation == keyword {
                rule.head.relation = relation;
                span.get_or_insert(rule.span);
            }
        }
        if let Some(span) = span {
            rules.push(self.bridge(relation, keyword, span));
        }
    }
}

/// The variables of a rule, numbered as they appear.
#[derive(Default)]
struct Variables {
    names: IdVec<VariableId, Symbol>,
    ids: FxHashMap<Symbol, VariableId>,
}

impl Variables {
    fn term(&mut self, term: &tree::Term) -> Term {
        match &term.kind {
            TermKind::Variable(symbol) => {
                let new = || self.names.push(*symbol);
                Term::Variable(*self.ids.entry(*symbol).or_insert_with(new))
            }
            TermKind::Constant(symbol) => Term::Constant(*symbol),
            TermKind::Compound(name, args) => {
                Term::Compound(name.symbol, args.iter().map(|arg| self.term(arg)).collect())
            }
        }
    }
}

/// How many parts the terms of a rule have.
fn size(rule: &mut Rule) -> usize {
    fn of(term: &Term) -> usize {
        match term {
            Term::Compound(_, args) => 1 + args.iter().map(of).sum::<usize>(),
            _ => 1,
        }
    }
    let mut n_parts = 1 + rule.body.len();
    rule.for_each_term_mut(&mut |term| n_parts += of(term));
    n_parts
}

fn too_many_alternatives(item: &Item) -> Diagnostic {
    Diagnostic::new(
        Code::TooManyAlternatives,
        item.span,
        format!("this rule stands for more than {MAX_ALTERNATIVES} alternatives, or for huge ones"),
        "give each `or` a relation with rules of its own, and use that here",
    )
}
