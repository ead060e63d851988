//! Keywords stand where they may, and those that a game needs occur.

use gdl::tree::{Atom, Item, Literal, LiteralKind};
use gdl::{Code, Diagnostic, Span, Symbol};

use super::Checker;
use crate::program::{Dependence, RelationId};

impl Checker<'_> {
    pub(super) fn check_keywords(&mut self) {
        if !self.parse.has_errors() {
            self.check_needed_keywords();
        }
        for (place, item) in self.items().enumerate() {
            self.check_head(place, item);
            for literal in &item.body {
                self.check_form(literal);
                literal.for_each_atom(&mut |atom, _| self.check_condition(&item.head, atom));
            }
        }
        self.check_keywords_in_terms();
    }

    fn check_needed_keywords(&mut self) {
        let end = self.items().last().map_or(0, |item| item.span.end);
        let end = Span { start: end, end };
        let is_missing = |keyword| self.vocabulary.relations[keyword].occurrences.heads.is_empty();
        let needed = [
            (RelationId::ROLE, format!("who plays, as in {}", self.example("role", &["white"]))),
            (
                RelationId::LEGAL,
                format!(
                    "which moves are allowed, as in {}",
                    self.example("legal", &["white", "noop"])
                ),
            ),
            (
                RelationId::GOAL,
                format!("what the players win, as in {}", self.example("goal", &["white", "100"])),
            ),
            (RelationId::TERMINAL, "when the game ends, by rules for terminal".to_owned()),
        ];
        let mut missing: Vec<_> = needed.into_iter().filter(|(k, _)| is_missing(*k)).collect();
        // One published game goes on forever. It can be played, up to a limit on steps.
        let goes_on = !is_missing(RelationId::NEXT);
        if let Some((_, help)) = missing.pop_if(|(k, _)| *k == RelationId::TERMINAL && goes_on) {
            let message = "this game has no `terminal` and never ends";
            self.problem(Code::NeverEnds, end, message, format!("say {help}"));
        }
        if missing.is_empty() {
            return;
        }
        let name = |keyword: RelationId| self.name(self.vocabulary.relations[keyword].name);
        let names: Vec<String> = missing.iter().map(|(k, _)| format!("`{}`", name(*k))).collect();
        let helps: Vec<&str> = missing.iter().map(|(_, help)| help.as_str()).collect();
        let message = format!("this game has no {}, which every game needs", names.join(", "));
        self.problem(Code::MissingKeyword, end, message, format!("say {}", helps.join("; ")));
    }

    fn check_head(&mut self, place: usize, item: &Item) {
        let head = &item.head;
        let span = head.name.span;
        let is_fact = item.body.is_empty();
        match self.vocabulary.relation_of(head) {
            RelationId::ROLE if !is_fact => {
                let message = "roles are given by facts, not by rules";
                let help = format!("write {} for each role", self.example("role", &["name"]));
                self.problem(Code::KeywordInHead, span, message, help);
            }
            RelationId::TRUE | RelationId::DOES if is_fact && !head.is_ground() => {
                self.is_left_out[place] = true;
                self.stray_condition(head);
            }
            RelationId::TRUE | RelationId::DOES => self.given_by_the_match(head, is_fact),
            _ if head.name.symbol == Symbol::KNOWS => self.gdl_3(head),
            relation if is_fact && !head.is_ground() => self.open_fact(place, head, relation),
            _ => {}
        }
    }

    /// `true` and `does` come from the course of the match.
    fn given_by_the_match(&mut self, head: &Atom, is_fact: bool) {
        let name = self.name(head.name.symbol);
        let message = match is_fact {
            true => format!("`{name}` cannot be a fact"),
            false => format!("`{name}` cannot be the head of a rule"),
        };
        let help = match head.name.symbol {
            Symbol::TRUE => "use `init` for the first state and `next` for those after it",
            _ => "use `legal` to say which moves there are",
        };
        self.problem(Code::KeywordInHead, head.name.span, message, help);
    }

    fn stray_condition(&mut self, head: &Atom) {
        let text = self.atom(head);
        self.problem(
            Code::StrayCondition,
            head.span,
            format!("{text} stands outside of any rule and is left out"),
            "a parenthesis before it may close its rule too early: move that behind it",
        );
    }

    /// A fact with variables, which says something about everything.
    fn open_fact(&mut self, place: usize, head: &Atom, relation: RelationId) {
        let mut first = None;
        head.for_each_variable(&mut |term, symbol| {
            first.get_or_insert((term.span, symbol));
        });
        let (span, variable) = first.expect("the fact has a variable");
        let (name, variable) = (self.name(head.name.symbol), self.variable(variable));
        let is_used = !self.vocabulary.relations[relation].occurrences.conditions.is_empty();
        if matches!(relation, RelationId::BASE | RelationId::INPUT) {
            let reason = format!("has a variable without values, {variable},");
            self.ignored_declaration(head, &reason);
        } else if relation.is_keyword() || is_used {
            let message = format!("the fact has a variable, {variable}");
            let example = self.example("number", &[&variable]);
            let help =
                format!("make it a rule with a condition that lists the values, as {example}");
            self.problem(Code::VariableInFact, span, message, help);
        } else {
            self.is_left_out[place] = true;
            self.explained.insert(head.name.symbol);
            let message = format!("the fact has a variable, {variable}; nothing uses `{name}`");
            self.problem(Code::UnusedFact, span, message, "remove the fact");
        }
    }

    /// `base` and `input` only help. When one of them cannot be used, the others of its kind are
    /// incomplete, so all are left out.
    pub(super) fn ignored_declaration(&mut self, head: &Atom, reason: &str) {
        let symbol = head.name.symbol;
        self.ignored.insert(symbol);
        let name = self.name(symbol);
        self.problem(
            Code::IgnoredDeclaration,
            head.span,
            format!("this `{name}` {reason} so all of `{name}` is left out"),
            format!("make it a rule with conditions that list the values, or remove all `{name}`"),
        );
    }

    /// Conditions that are not GDL to the letter, but clear.
    fn check_form(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Atom(_) | LiteralKind::Distinct(..) => {}
            LiteralKind::Not(inner) => {
                match &inner.kind {
                    LiteralKind::Atom(_) => {}
                    LiteralKind::Distinct(..) => self.problem(
                        Code::NegatedFormula,
                        literal.span,
                        "GDL has no equality; the two terms are made one",
                        "write the same term in both places, and leave this out",
                    ),
                    _ => self.problem(
                        Code::NegatedFormula,
                        literal.span,
                        "`not` should hold an atom; it is moved inwards",
                        "give what is negated a rule of its own",
                    ),
                }
                self.check_form(inner);
            }
            LiteralKind::Or(parts) => {
                if parts.is_empty() {
                    let message = "this `or` holds nothing, so it never holds";
                    self.problem(Code::EmptyOr, literal.span, message, "remove the rule");
                }
                for part in parts {
                    if matches!(part.kind, LiteralKind::Or(_)) {
                        let message = "this `or` stands in another one; they are read as one";
                        let help = "write its conditions into the outer `or`";
                        self.problem(Code::NestedOr, part.span, message, help);
                    }
                    self.check_form(part);
                }
            }
            LiteralKind::And(parts) => parts.iter().for_each(|part| self.check_form(part)),
        }
    }

    fn check_condition(&mut self, head: &Atom, atom: &Atom) {
        if atom.name.symbol == Symbol::KNOWS {
            self.gdl_3(atom);
            return;
        }
        let relation = self.vocabulary.relation_of(atom);
        let is_percept = self.vocabulary.relation_of(head) == RelationId::SEES;
        let sees_moves = || self.graph.dependence(RelationId::SEES) == Dependence::Moves;
        match relation {
            RelationId::NEXT if is_percept => self.problem(
                Code::NextInPercept,
                atom.span,
                "`next` should not be a condition; here it is read as the state that follows",
                "repeat the conditions of the `next` rules, or give them a relation of their own",
            ),
            RelationId::SEES if !sees_moves() => self.problem(
                Code::SeesInBody,
                atom.span,
                "`sees` should not be a condition; it is read as an ordinary relation here",
                "give the conditions of this percept a relation of their own, and use that",
            ),
            RelationId::INIT
            | RelationId::BASE
            | RelationId::INPUT
            | RelationId::NEXT
            | RelationId::SEES => self.keyword_in_body(atom),
            _ => {}
        }
    }

    fn keyword_in_body(&mut self, atom: &Atom) {
        let name = self.name(atom.name.symbol);
        let help = match atom.name.symbol {
            Symbol::INIT | Symbol::NEXT => "use `true` for what holds in the present state",
            Symbol::INPUT => "use `legal` for the moves that are allowed now",
            _ => "give its conditions a relation of their own, and use that here",
        };
        let message = format!("`{name}` can only be concluded; it is not a condition");
        self.problem(Code::KeywordInBody, atom.name.span, message, help);
    }

    fn gdl_3(&mut self, atom: &Atom) {
        self.problem(
            Code::Gdl3,
            atom.span,
            "`knows` belongs to GDL-III, which is not supported yet",
            "say what a player knows by its percepts, with `sees`",
        );
    }

    fn check_keywords_in_terms(&mut self) {
        let constants = self.vocabulary.reserved_constants.clone();
        for (symbol, span) in constants {
            let name = self.name(symbol);
            let message = format!("`{name}` is a word of the language; here it is an object");
            let help = "choose another name for the object";
            self.problem(Code::KeywordAsConstant, span, message, help);
        }
        let functions = self.vocabulary.functions.clone();
        for ((symbol, _), span) in functions {
            if !symbol.is_reserved() {
                continue;
            }
            let name = self.name(symbol);
            let message = format!("`{name}` is a word of the language; here it is a function");
            let help = "choose another name for the function";
            let problem = Diagnostic::new(Code::KeywordAsFunction, span, message, help);
            self.report(problem);
        }
    }
}
