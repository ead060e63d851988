//! Role arguments are roles, and goal values are goal values.

use gdl::tree::{Atom, TermKind};
use gdl::{Code, Symbol};
use rustc_hash::FxHashSet;

use super::{Checker, roles_of};
use crate::program::RelationId;

impl Checker<'_> {
    pub(super) fn check_roles(&mut self) {
        let roles = Roles::new(roles_of(self.items()));
        for item in self.items() {
            let relation = self.vocabulary.relation_of(&item.head);
            match relation {
                RelationId::LEGAL | RelationId::SEES | RelationId::INPUT => {
                    self.check_role(&item.head, &roles);
                }
                RelationId::GOAL => {
                    self.check_role(&item.head, &roles);
                    self.check_goal_value(&item.head);
                }
                RelationId::ROLE if !item.head.args[0].args().is_empty() => {
                    let span = item.head.args[0].span;
                    let message = "a role is named by a single word";
                    let help = format!("write {}", self.example("role", &["white"]));
                    self.problem(Code::UnknownRole, span, message, help);
                }
                _ => {}
            }
            for literal in &item.body {
                literal.for_each_atom(&mut |atom, _| {
                    if self.vocabulary.relation_of(atom) == RelationId::DOES {
                        self.check_role(atom, &roles);
                    }
                });
            }
        }
    }

    fn check_role(&mut self, atom: &Atom, roles: &Roles) {
        let role = &atom.args[0];
        let is_role = match &role.kind {
            TermKind::Variable(_) => true,
            TermKind::Constant(symbol) => roles.set.contains(symbol),
            TermKind::Compound(..) => false,
        };
        if is_role || roles.set.is_empty() {
            return;
        }
        let some = roles.in_order.iter().take(Roles::MAX_SHOWN);
        let names: Vec<String> = some.map(|&role| self.name(role)).collect();
        let text = self.term(role);
        let names = names.join(", ");
        let fact = self.example("role", &[&text]);
        let help = format!("write one of the roles ({names}), or add {fact}");
        // A role without facts that may move would break the match; the others have no effect.
        if atom.name.symbol == Symbol::LEGAL {
            let message = format!("{text} has legal moves, but is not a role");
            self.problem(Code::UnknownRole, role.span, message, help);
        } else {
            let message = format!("{text} is not a role, so this has no effect");
            self.problem(Code::NoSuchRole, role.span, message, help);
        }
    }

    fn check_goal_value(&mut self, head: &Atom) {
        let value = &head.args[1];
        let is_value = match &value.kind {
            // Known only when the rules are evaluated.
            TermKind::Variable(_) => true,
            TermKind::Constant(symbol) => is_goal_value(&self.name(*symbol)),
            TermKind::Compound(..) => false,
        };
        if !is_value {
            let text = self.term(value);
            let message = format!("{text} is not a goal value");
            let help = "write a whole number from 0 to 100";
            self.problem(Code::GoalValue, value.span, message, help);
        }
    }
}

struct Roles {
    in_order: Vec<Symbol>,
    set: FxHashSet<Symbol>,
}

impl Roles {
    /// A message names no more of them.
    const MAX_SHOWN: usize = 8;

    fn new(in_order: Vec<Symbol>) -> Roles {
        let set = in_order.iter().copied().collect();
        Roles { in_order, set }
    }
}

fn is_goal_value(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u8>().is_ok_and(|v| v <= 100)
}
