//! Ground terms as numbers: equal terms have equal numbers.

use base::{IdVec, define_id};
use gdl::{Symbol, Symbols};
use rustc_hash::FxHashMap;

define_id! {
    /// A ground term.
    pub(super) struct TermId;
}

/// All ground terms that were met.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    symbols: Symbols,
    shapes: IdVec<TermId, Shape>,
    ids: FxHashMap<Shape, TermId>,
    n_args: usize,
}

/// A function and its arguments; a constant has none.
pub(super) type Shape = (Symbol, Box<[TermId]>);

impl Terms {
    pub(super) fn new(symbols: Symbols) -> Terms {
        Terms { symbols, shapes: IdVec::new(), ids: FxHashMap::default(), n_args: 0 }
    }

    pub(super) fn constant(&mut self, symbol: Symbol) -> TermId {
        self.intern((symbol, Box::default()))
    }

    pub(super) fn intern(&mut self, shape: Shape) -> TermId {
        if let Some(&id) = self.ids.get(&shape) {
            return id;
        }
        self.n_args += shape.1.len();
        let id = self.shapes.push(shape.clone());
        self.ids.insert(shape, id);
        id
    }

    /// How many there are, with all their arguments.
    pub(super) fn n_cells(&self) -> usize {
        self.shapes.len() + self.n_args
    }

    pub(super) fn shape(&self, id: TermId) -> &Shape {
        &self.shapes[id]
    }

    /// The term in prefix form.
    pub(super) fn text(&self, id: TermId) -> String {
        let (symbol, args) = self.shape(id);
        let name = self.symbols.name(*symbol);
        if args.is_empty() {
            return name.to_owned();
        }
        let args: Vec<String> = args.iter().map(|&arg| self.text(arg)).collect();
        format!("({name} {})", args.join(" "))
    }
}
