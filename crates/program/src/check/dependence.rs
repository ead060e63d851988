//! What may not depend on the state or on the moves does not.

use gdl::{Code, Span};

use super::Checker;
use crate::program::{Dependence, RelationId};

impl Checker<'_> {
    pub(super) fn check_dependence(&mut self) {
        for item in self.items() {
            let head = self.vocabulary.relation_of(&item.head);
            let allowed = match head {
                RelationId::INIT | RelationId::BASE | RelationId::INPUT => Dependence::Nothing,
                RelationId::LEGAL | RelationId::GOAL | RelationId::TERMINAL => Dependence::State,
                _ => continue,
            };
            for literal in &item.body {
                literal.for_each_atom(&mut |atom, _| {
                    let relation = self.vocabulary.relation_of(atom);
                    let depends_on = self.graph.dependence(relation);
                    if depends_on > allowed {
                        self.forbidden_dependence(head, relation, atom.span, depends_on);
                    }
                });
            }
        }
    }

    fn forbidden_dependence(
        &mut self,
        head: RelationId,
        relation: RelationId,
        span: Span,
        depends_on: Dependence,
    ) {
        let is_fixed = matches!(head, RelationId::INIT | RelationId::BASE | RelationId::INPUT);
        let is_end = head == RelationId::TERMINAL;
        let head = self.name(self.vocabulary.relations[head].name);
        let through = match relation {
            RelationId::TRUE | RelationId::DOES => String::new(),
            _ => format!(", through `{}`", self.name(self.vocabulary.relations[relation].name)),
        };
        if is_fixed || depends_on == Dependence::State {
            let message = format!("`{head}` may not depend on the state{through}");
            let help = "use conditions that are the same in the whole game";
            self.problem(Code::DependsOnState, span, message, help);
        } else if is_end {
            // Published games have this, and the answer that all readers give is clear.
            let message = format!(
                "`terminal` should not depend on moves{through}: in a state there are none"
            );
            let help = "remember the move in a fluent with `next`, and ask for that with `true`";
            self.problem(Code::TerminalDependsOnMoves, span, message, help);
        } else {
            let message = format!("`{head}` may not depend on the moves{through}");
            let help = "remember the move in a fluent with `next`, and ask for that with `true`";
            self.problem(Code::DependsOnMoves, span, message, help);
        }
    }
}
