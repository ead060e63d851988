//! Names as numbers.
//!
//! GDL is written without regard to (ASCII) case, so `White` and `WHITE` are one symbol. The
//! spelling that comes first is kept for printing. Variables are symbols too, and begin with `?`.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hasher};

use base::{Id, IdVec, define_id};
use foldhash::fast::RandomState;
use hashbrown::HashTable;

define_id! {
    /// A name; equal names that differ in case only have equal symbols.
    pub struct Symbol;
}

macro_rules! reserved {
    ($($(#[$attribute:meta])* $constant:ident = $word:literal,)*) => {
        /// The words of the language, in the order of their symbols.
        const RESERVED: &[&str] = &[$($word),*];

        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "a counter only")]
        enum Place { $($constant),* }

        /// The words of the language have the same symbol in every table.
        impl Symbol {
            $($(#[$attribute])* pub const $constant: Symbol = Symbol(Place::$constant as u32);)*
        }
    };
}

reserved! {
    /// `<=`
    ARROW = "<=",
    /// `not`
    NOT = "not",
    /// `or`
    OR = "or",
    /// `and`: not GDL, but met in rule sheets
    AND = "and",
    /// `distinct`
    DISTINCT = "distinct",
    /// `role`
    ROLE = "role",
    /// `init`
    INIT = "init",
    /// `base`
    BASE = "base",
    /// `input`
    INPUT = "input",
    /// `true`
    TRUE = "true",
    /// `does`
    DOES = "does",
    /// `next`
    NEXT = "next",
    /// `legal`
    LEGAL = "legal",
    /// `goal`
    GOAL = "goal",
    /// `terminal`
    TERMINAL = "terminal",
    /// `sees`, of GDL-II
    SEES = "sees",
    /// `knows`, of GDL-III
    KNOWS = "knows",
    /// `random`, the chance role of GDL-II
    RANDOM = "random",
}

impl Symbol {
    /// Whether this is a logical word: `<=`, `not`, `or`, `and`, `distinct`.
    pub fn is_logical(self) -> bool {
        self <= Symbol::DISTINCT
    }

    /// Whether this is a relation with a meaning of its own: `role` to `knows`.
    pub fn is_relation_keyword(self) -> bool {
        Symbol::ROLE <= self && self <= Symbol::KNOWS
    }

    /// Whether this is any word of the language, `random` included.
    pub fn is_reserved(self) -> bool {
        self.index() < RESERVED.len()
    }

    /// The number of arguments that a relation keyword takes, `None` for other symbols and for
    /// `knows`, which takes one or two.
    pub fn keyword_arity(self) -> Option<usize> {
        match self {
            Symbol::TERMINAL => Some(0),
            Symbol::ROLE | Symbol::INIT | Symbol::BASE | Symbol::TRUE | Symbol::NEXT => Some(1),
            Symbol::INPUT | Symbol::DOES | Symbol::LEGAL | Symbol::GOAL | Symbol::SEES => Some(2),
            _ => None,
        }
    }
}

/// A table of names. It belongs to the tree or program whose symbols it names.
#[derive(Clone)]
pub struct Symbols {
    names: IdVec<Symbol, Box<str>>,
    by_name: HashTable<Symbol>,
    hasher: RandomState,
    /// By name: how many variants of it were tried for new symbols.
    n_tried: HashMap<String, usize>,
}

impl Symbols {
    /// A table that holds the words of the language only.
    pub fn new() -> Symbols {
        let mut symbols = Symbols {
            names: IdVec::new(),
            by_name: HashTable::new(),
            hasher: RandomState::default(),
            n_tried: HashMap::new(),
        };
        for word in RESERVED {
            symbols.intern(word);
        }
        symbols
    }

    /// The symbol of `name`, added if it is new; the first spelling is kept.
    ///
    /// ```
    /// let mut symbols = gdl::Symbols::new();
    /// let white = symbols.intern("White");
    /// assert_eq!(symbols.intern("WHITE"), white);
    /// assert_eq!(symbols.name(white), "White");
    /// assert_eq!(symbols.intern("Role"), gdl::Symbol::ROLE);
    /// ```
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash_without_case(&self.hasher, name);
        if let Some(symbol) = self.find(hash, name) {
            return symbol;
        }
        let symbol = self.names.push(name.into());
        let (names, hasher) = (&self.names, &self.hasher);
        self.by_name.insert_unique(hash, symbol, |&other| hash_without_case(hasher, &names[other]));
        symbol
    }

    /// A symbol that was not in the table, called `name`, or `name_2` and so on where that is taken.
    ///
    /// ```
    /// let mut symbols = gdl::Symbols::new();
    /// let names = ["part", "part", "goal"].map(|name| symbols.fresh(name));
    /// assert_eq!(names.map(|symbol| symbols.name(symbol)), ["part", "part_2", "goal_2"]);
    /// ```
    pub fn fresh(&mut self, name: &str) -> Symbol {
        loop {
            let n_tried = self.n_tried.entry(name.to_owned()).or_default();
            *n_tried += 1;
            let variant = match *n_tried {
                1 => name.to_owned(),
                number => format!("{name}_{number}"),
            };
            if self.get(&variant).is_none() {
                return self.intern(&variant);
            }
        }
    }

    /// The symbol of `name`, or `None` when it is not in the table.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.find(hash_without_case(&self.hasher, name), name)
    }

    /// The name of `symbol` in its first spelling.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol]
    }

    /// All symbols, in the order in which they were added.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Symbol> + use<> {
        self.names.ids()
    }

    fn find(&self, hash: u64, name: &str) -> Option<Symbol> {
        let is_name = |&symbol: &Symbol| self.names[symbol].eq_ignore_ascii_case(name);
        self.by_name.find(hash, is_name).copied()
    }
}

impl Default for Symbols {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Symbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names.fmt(f)
    }
}

fn hash_without_case(hasher: &RandomState, name: &str) -> u64 {
    let mut state = hasher.build_hasher();
    let mut lower = [0; 32];
    for chunk in name.as_bytes().chunks(lower.len()) {
        let lower = &mut lower[..chunk.len()];
        lower.copy_from_slice(chunk);
        lower.make_ascii_lowercase();
        state.write(lower);
    }
    state.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_have_their_constants() {
        let symbols = Symbols::new();
        assert_eq!(symbols.get("RANDOM"), Some(Symbol::RANDOM));
        assert_eq!(symbols.name(Symbol::ARROW), "<=");
        assert!(Symbol::KNOWS.is_relation_keyword() && !Symbol::RANDOM.is_relation_keyword());
        assert!(Symbol::DISTINCT.is_logical() && !Symbol::ROLE.is_logical());
    }

    #[test]
    fn long_names_that_differ_late_are_different() {
        let mut symbols = Symbols::new();
        let [a, b] = ["a", "b"].map(|end| symbols.intern(&("x".repeat(64) + end)));
        assert_ne!(a, b);
        assert_eq!(symbols.get(&("X".repeat(64) + "B")), Some(b));
    }
}
