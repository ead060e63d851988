//! Ground terms as numbers: equal terms have equal numbers.

use std::hash::{BuildHasher, Hasher};

use base::{Id, define_id};
use gdl::{Symbol, Symbols};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A ground term.
    pub struct TermId;
}

/// A table of ground terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    functors: Vec<Symbol>,
    /// Where the arguments of each term begin; one more at the end.
    starts: Vec<u32>,
    args: Vec<TermId>,
    ids: HashTable<TermId>,
}

impl Terms {
    pub(crate) fn intern(&mut self, functor: Symbol, args: &[TermId]) -> TermId {
        let hash = hash(functor, args);
        let is_same = |&id: &TermId| self.functor(id) == functor && self.args(id) == args;
        if let Some(&id) = self.ids.find(hash, is_same) {
            return id;
        }
        let id = TermId::from_index(self.functors.len());
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.functors.push(functor);
        self.args.extend_from_slice(args);
        self.starts.push(u32::try_from(self.args.len()).expect("fewer than 2^32 arguments"));
        let (functors, starts, all) = (&self.functors, &self.starts, &self.args);
        let hash_of = |id: &TermId| {
            let range = starts[id.index()] as usize..starts[id.index() + 1] as usize;
            self::hash(functors[id.index()], &all[range])
        };
        self.ids.insert_unique(hash, id, hash_of);
        id
    }

    /// How much room they take, in arguments.
    pub(crate) fn n_cells(&self) -> usize {
        self.functors.len() + self.args.len()
    }

    pub(crate) fn functor(&self, id: TermId) -> Symbol {
        self.functors[id.index()]
    }

    pub(crate) fn args(&self, id: TermId) -> &[TermId] {
        let index = id.index();
        &self.args[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The term in prefix form.
    pub(crate) fn text(&self, id: TermId, symbols: &Symbols) -> String {
        let name = symbols.name(self.functor(id));
        if self.args(id).is_empty() {
            return name.to_owned();
        }
        let args: Vec<String> = self.args(id).iter().map(|&arg| self.text(arg, symbols)).collect();
        format!("({name} {})", args.join(" "))
    }
}

fn hash(functor: Symbol, args: &[TermId]) -> u64 {
    let mut state = FxBuildHasher.build_hasher();
    state.write_usize(functor.index());
    for arg in args {
        state.write_usize(arg.index());
    }
    state.finish()
}
