//! The alternatives of a rule: `not` is moved inwards and `or` is distributed.

use gdl::tree::{Atom, Literal, LiteralKind, Term};

use super::TooLarge;

/// A rule that stands for more alternatives than this is refused.
pub(super) const MAX_ALTERNATIVES: usize = 10_000;
/// Likewise one whose alternatives have together more conditions than this.
const MAX_CONDITIONS: usize = 1_000_000;

/// A condition that must hold, in one alternative of a rule.
#[derive(Clone, Copy)]
pub(super) enum Condition<'a> {
    Atom { atom: &'a Atom, is_negative: bool },
    Distinct(&'a Term, &'a Term),
    Equal(&'a Term, &'a Term),
}

/// Every way to make something hold, each a list of conditions.
#[derive(Default)]
pub(super) struct Alternatives<'a>(pub(super) Vec<Vec<Condition<'a>>>);

impl<'a> Alternatives<'a> {
    fn one(condition: Condition<'a>) -> Self {
        Alternatives(vec![vec![condition]])
    }

    /// Every way to make both hold.
    fn and(mut self, other: &Self) -> Result<Self, TooLarge> {
        let n_conditions =
            self.0.len() * other.n_conditions() + other.0.len() * self.n_conditions();
        let n_alternatives = self.0.len() * other.0.len();
        let is_long = n_alternatives > 1 && n_conditions > MAX_CONDITIONS;
        if is_long || n_alternatives > MAX_ALTERNATIVES {
            return Err(TooLarge);
        }
        if let [one] = other.0.as_slice() {
            self.0.iter_mut().for_each(|conditions| conditions.extend(one));
            return Ok(self);
        }
        let combine = |left: &Vec<Condition<'a>>, right: &Vec<Condition<'a>>| {
            left.iter().chain(right).copied().collect()
        };
        let pairs = self.0.iter().flat_map(|left| other.0.iter().map(move |right| (left, right)));
        Ok(Alternatives(pairs.map(|(left, right)| combine(left, right)).collect()))
    }

    /// Every way to make one of the two hold.
    fn or(mut self, other: Self) -> Result<Self, TooLarge> {
        self.0.extend(other.0);
        if self.0.len() > MAX_ALTERNATIVES { Err(TooLarge) } else { Ok(self) }
    }

    fn n_conditions(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

/// Every way to make all of `literals` hold, or all fail when `is_negative`.
pub(super) fn alternatives_of_all<'a>(
    literals: impl Iterator<Item = &'a Literal>,
    is_negative: bool,
) -> Result<Alternatives<'a>, TooLarge> {
    let mut all = Alternatives(vec![Vec::new()]);
    for literal in literals {
        all = all.and(&alternatives(literal, is_negative)?)?;
    }
    Ok(all)
}

/// Every way to make one of `literals` hold, or one fail when `is_negative`.
fn alternatives_of_any<'a>(
    literals: impl Iterator<Item = &'a Literal>,
    is_negative: bool,
) -> Result<Alternatives<'a>, TooLarge> {
    let mut any = Alternatives::default();
    for literal in literals {
        any = any.or(alternatives(literal, is_negative)?)?;
    }
    Ok(any)
}

/// Every way to make `literal` hold, or fail when `is_negative`.
fn alternatives(literal: &Literal, is_negative: bool) -> Result<Alternatives<'_>, TooLarge> {
    match (&literal.kind, is_negative) {
        (LiteralKind::Atom(atom), _) => {
            Ok(Alternatives::one(Condition::Atom { atom, is_negative }))
        }
        (LiteralKind::Distinct(left, right), false) => {
            Ok(Alternatives::one(Condition::Distinct(left, right)))
        }
        (LiteralKind::Distinct(left, right), true) => {
            Ok(Alternatives::one(Condition::Equal(left, right)))
        }
        (LiteralKind::Not(inner), _) => alternatives(inner, !is_negative),
        // De Morgan's laws.
        (LiteralKind::And(parts), false) | (LiteralKind::Or(parts), true) => {
            alternatives_of_all(parts.iter(), is_negative)
        }
        (LiteralKind::Or(parts), false) | (LiteralKind::And(parts), true) => {
            alternatives_of_any(parts.iter(), is_negative)
        }
    }
}
