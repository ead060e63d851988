//! Keywords have their number of arguments, and other names one each.

use base::IdVec;
use gdl::tree::Atom;
use gdl::{Code, Diagnostic, Span, Symbol};
use rustc_hash::FxHashMap;

use super::Checker;
use super::usage::{FLUENT, Kind, MOVE, RELATION};
use crate::program::RelationId;
use crate::vocabulary::{Occurrences, Patterns, Signature, Vocabulary, signature};

/// A number of arguments that a name has, and where.
type Variant = (usize, Occurrences);

impl Checker<'_> {
    pub(super) fn check_arities(&mut self) {
        self.check_keyword_arities();
        self.check_relation_arities();
        self.check_pattern_arities(|vocabulary| &vocabulary.fluents, &FLUENT);
        self.check_pattern_arities(|vocabulary| &vocabulary.moves, &MOVE);
        self.check_function_arities();
        self.check_relations_that_are_functions();
    }

    fn check_keyword_arities(&mut self) {
        let relations = self.vocabulary.relations.iter_with_ids();
        let misread: IdVec<RelationId, bool> = relations
            .map(|(id, relation)| relation.name.is_relation_keyword() && !id.is_keyword())
            .collect();
        for item in self.items() {
            let relation = self.vocabulary.relation_of(&item.head);
            if misread[relation] {
                let is_used =
                    !self.vocabulary.relations[relation].occurrences.conditions.is_empty();
                let declares = matches!(item.head.name.symbol, Symbol::BASE | Symbol::INPUT);
                if declares && !is_used {
                    self.ignored_declaration(&item.head, "has a wrong number of arguments,");
                } else {
                    self.misread_keyword(&item.head, relation);
                }
            }
            for literal in &item.body {
                literal.for_each_atom(&mut |atom, _| {
                    let relation = self.vocabulary.relation_of(atom);
                    if misread[relation] {
                        self.misread_keyword(atom, relation);
                    }
                });
            }
        }
    }

    /// A keyword with a wrong number of arguments. Readers that tell relations apart by name and
    /// number of arguments take it for another relation. Where the sheet makes sense that way, or
    /// where the slip is plain and published sheets have it, so do we.
    fn misread_keyword(&mut self, atom: &Atom, relation: RelationId) {
        let (symbol, n_args) = signature(atom);
        let Some(expected) = symbol.keyword_arity() else { return };
        let name = self.name(symbol);
        let takes = format!("`{name}` takes {}, not {n_args}", arguments(expected));
        let occurrences = &self.vocabulary.relations[relation].occurrences;
        if !occurrences.heads.is_empty() && !occurrences.conditions.is_empty() {
            let message = format!("{takes}; this is read as a relation of its own");
            let help = "choose another name for the relation";
            self.problem(Code::KeywordAsRelation, atom.name.span, message, help);
        } else if self.lacks_parentheses(atom) {
            let args: Vec<String> = atom.args.iter().map(|arg| self.term(arg)).collect();
            let rest: Vec<&str> = args[1..].iter().map(String::as_str).collect();
            let fluent = self.example(&args[0], &rest);
            let message = format!("{takes}; this is read as a relation of its own, without effect");
            let help = format!("write {}", self.example(&name, &[&fluent]));
            self.problem(Code::MissingParentheses, atom.span, message, help);
        } else {
            let help = match expected {
                1 if n_args > 1 => {
                    let fluent = self.example("cell", &["1", "2"]);
                    format!("put the argument together: {}", self.example(&name, &[&fluent]))
                }
                _ => format!("write `{name}` with {}", arguments(expected)),
            };
            self.problem(Code::KeywordArity, atom.span, takes, help);
        }
    }

    /// Whether `(true cell 1 2)` stands in a sheet that has fluents `(cell x y)`.
    fn lacks_parentheses(&self, atom: &Atom) -> bool {
        let [first, rest @ ..] = atom.args.as_slice() else { return false };
        let is_about_fluents =
            matches!(atom.name.symbol, Symbol::TRUE | Symbol::NEXT | Symbol::INIT);
        let is_fluent = |symbol| self.vocabulary.fluents.contains((symbol, rest.len()));
        is_about_fluents && first.args().is_empty() && first.symbol().is_some_and(is_fluent)
    }

    fn check_relation_arities(&mut self) {
        let relations = self.vocabulary.relations.iter();
        let own = relations.filter(|relation| !relation.name.is_relation_keyword());
        let own = own.map(|r| ((r.name, r.arity), r.occurrences.clone())).collect();
        for (name, variants) in by_name(own) {
            let has_mismatch = self.check_produced(name, &variants, &RELATION);
            if let [(first, first_uses), (second, second_uses), ..] = variants.as_slice()
                && !has_mismatch
            {
                let first = (*first, first_uses.first());
                let second = (*second, second_uses.first());
                self.two_arities(name, "relation", first, second);
            }
        }
    }

    fn check_pattern_arities(&mut self, patterns: fn(&Vocabulary) -> &Patterns, kind: &Kind) {
        let found = patterns(&self.vocabulary);
        if found.has_open_head {
            return;
        }
        let signatures = found.signatures.iter();
        let signatures = signatures.map(|&s| (s, found.occurrences_of(s).clone())).collect();
        for (name, variants) in by_name(signatures) {
            self.check_produced(name, &variants, kind);
        }
    }

    /// Reports the variants of `name` that are used and never produced while another is: what
    /// they are a condition of can never hold. Returns whether there was one.
    fn check_produced(&mut self, name: Symbol, variants: &[Variant], kind: &Kind) -> bool {
        let is_produced = |uses: &Occurrences| !uses.heads.is_empty();
        let produced = variants.iter().find(|(_, uses)| is_produced(uses));
        // What could not be read may have produced it.
        let Some(produced) = produced.filter(|_| !self.parse.has_errors()) else {
            return false;
        };
        let mut has_mismatch = false;
        for variant in variants.iter().filter(|(_, uses)| !is_produced(uses)) {
            has_mismatch = true;
            self.explained.insert(name);
            self.arity_mismatch(name, variant, produced, kind);
        }
        has_mismatch
    }

    fn arity_mismatch(&mut self, name: Symbol, used: &Variant, produced: &Variant, kind: &Kind) {
        let name = self.name(name);
        let (n_used, n_produced) = (arguments(used.0), arguments(produced.0));
        let Kind { name: kind, producer } = kind;
        let message = format!(
            "the {kind} `{name}` has {n_used} here, but each {producer} for it has {n_produced}"
        );
        let help = format!("write `{name}` with {n_produced}, or choose another name");
        for &span in &used.1.conditions {
            let problem = Diagnostic::new(Code::ArityMismatch, span, message.clone(), help.clone());
            let there = produced.1.first();
            self.report(problem.with_related(there, format!("{n_produced} here")));
        }
    }

    fn check_function_arities(&mut self) {
        let mut first: FxHashMap<Symbol, (usize, Span)> = FxHashMap::default();
        for ((name, arity), span) in self.vocabulary.functions.clone() {
            match first.get(&name) {
                Some(_) if self.explained.contains(&name) => {}
                Some(&(other, place)) => {
                    self.two_arities(name, "function", (other, place), (arity, span));
                }
                None => _ = first.insert(name, (arity, span)),
            }
        }
    }

    fn two_arities(
        &mut self,
        name: Symbol,
        kind: &str,
        (first_arity, first): (usize, Span),
        (second_arity, second): (usize, Span),
    ) {
        let name = self.name(name);
        let message = format!(
            "the {kind} `{name}` has {} and {}; they are read as two {kind}s",
            arguments(first_arity),
            arguments(second_arity),
        );
        let help = format!("choose another name for one of the {kind}s");
        let problem = Diagnostic::new(Code::TwoArities, second, message, help);
        self.report(problem.with_related(first, format!("{} here", arguments(first_arity))));
    }

    fn check_relations_that_are_functions(&mut self) {
        let mut relations: FxHashMap<Symbol, Span> = FxHashMap::default();
        for relation in self.vocabulary.relations.iter().filter(|r| !r.name.is_reserved()) {
            relations.entry(relation.name).or_insert(relation.occurrences.first());
        }
        for ((name, _), span) in self.vocabulary.functions.clone() {
            // Removed, so that it is reported once.
            let Some(relation) = relations.remove(&name) else { continue };
            let name = self.name(name);
            let message = format!("`{name}` is the name of a function and of a relation");
            let help = "choose another name for one of them";
            let problem = Diagnostic::new(Code::RelationAndFunction, span, message, help);
            self.report(problem.with_related(relation, "the relation"));
        }
    }
}

/// The variants of each name, in the order of its first occurrence.
fn by_name(signatures: Vec<(Signature, Occurrences)>) -> Vec<(Symbol, Vec<Variant>)> {
    let mut places: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut groups: Vec<(Symbol, Vec<Variant>)> = Vec::new();
    for ((name, arity), occurrences) in signatures {
        let place = *places.entry(name).or_insert_with(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push((arity, occurrences));
    }
    groups
}

/// `no argument`, `1 argument`, `2 arguments`.
fn arguments(n: usize) -> String {
    match n {
        0 => "no argument".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{n} arguments"),
    }
}
