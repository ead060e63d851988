//! What is used is produced, and what is produced is used.

use gdl::{Code, Span, Symbol};

use super::Checker;
use crate::vocabulary::{Patterns, Vocabulary};

/// A kind of thing that rules produce and use.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// What produces it.
    pub(super) producer: &'static str,
}

pub(super) const RELATION: Kind = Kind { name: "relation", producer: "rule or fact" };
pub(super) const FLUENT: Kind = Kind { name: "fluent", producer: "`init` or `next`" };
pub(super) const MOVE: Kind = Kind { name: "move", producer: "`legal`" };

impl Checker<'_> {
    pub(super) fn check_usage(&mut self) {
        self.check_relation_usage();
        self.check_pattern_usage(|vocabulary| &vocabulary.fluents, &FLUENT);
        self.check_pattern_usage(|vocabulary| &vocabulary.moves, &MOVE);
    }

    fn check_relation_usage(&mut self) {
        let mut never_used = Vec::new();
        let mut never_produced = Vec::new();
        for relation in &self.vocabulary.relations {
            if relation.name.is_relation_keyword() || self.explained.contains(&relation.name) {
                continue;
            }
            let name = relation.name;
            match (relation.occurrences.heads.first(), relation.occurrences.conditions.first()) {
                (Some(&span), None) => never_used.push((name, span)),
                // Where the name is produced, the number of arguments is at fault.
                (None, Some(&span)) if !self.vocabulary.is_produced(name) => {
                    never_produced.push((name, span));
                }
                _ => {}
            }
        }
        for (name, span) in never_used {
            self.never_used(name, span);
        }
        for (name, span) in never_produced {
            self.never_produced(name, &RELATION, span);
        }
    }

    fn check_pattern_usage(&mut self, patterns: fn(&Vocabulary) -> &Patterns, kind: &Kind) {
        let found = patterns(&self.vocabulary);
        if found.has_open_head {
            return;
        }
        let never_produced: Vec<(Symbol, Span)> = found
            .signatures
            .iter()
            .filter(|(name, _)| !found.is_produced(*name))
            .filter_map(|&s| Some((s.0, *found.occurrences_of(s).conditions.first()?)))
            .collect();
        for (name, span) in never_produced {
            self.never_produced(name, kind, span);
        }
    }

    fn never_produced(&mut self, name: Symbol, kind: &Kind, span: Span) {
        let name = self.name(name);
        let Kind { name: kind, producer } = kind;
        let message = format!("the {kind} `{name}` never holds: there is no {producer} for it");
        let help = format!("check the spelling of `{name}`, or add what makes it true");
        self.problem(Code::NeverProduced, span, message, help);
    }

    fn never_used(&mut self, name: Symbol, span: Span) {
        let name = self.name(name);
        let message = format!("the relation `{name}` is never used");
        let help = "remove it, or check the spelling where it should be used";
        self.problem(Code::NeverUsed, span, message, help);
    }
}
