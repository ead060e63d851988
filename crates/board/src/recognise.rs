//! Which families of fluents are boards, and which of them are on the same one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::axis::Axis;
use crate::family::{Family, Signature};
use crate::hints::Hints;
use crate::layout::{Layout, Part};
use crate::names;
use crate::plan::Plan;
use crate::symbols::Symbols;

/// More numbers than this beside other contents are drawn as a board of their own.
const MAX_NUMBERS_BESIDE: usize = 12;

/// A board and the families that are on it.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) plan: Plan,
    pub(crate) symbols: Arc<Symbols>,
    placed: Vec<Placed>,
    /// By content: the cells that it may be in.
    contents: BTreeMap<String, BTreeSet<usize>>,
}

/// A family on a board.
#[derive(Clone, Debug)]
struct Placed {
    signature: Signature,
    layout: Layout,
    /// Whether contents are told apart from those of other families by the name of the fluent.
    is_named: bool,
}

/// What becomes of a family whose coordinates are those of a board.
enum Fate {
    Merged { is_named: bool },
    BoardOfItsOwn,
    Listed,
}

/// The boards among some families.
pub(crate) fn recognise(families: &[Family], hints: &Hints) -> Vec<Board> {
    let mut candidates: Vec<(&Family, Option<Layout>)> =
        families.iter().map(|family| (family, Layout::of(family, hints))).collect();
    candidates.sort_by_cached_key(|(family, layout)| rank(family, layout.as_ref(), hints));
    let mut boards: Vec<Board> = Vec::new();
    for (family, layout) in candidates {
        add(family, layout, &mut boards);
    }
    for board in &mut boards {
        board.choose_symbols(hints);
    }
    boards
}

/// Which families are tried first: those that are boards most clearly.
fn rank(family: &Family, layout: Option<&Layout>, hints: &Hints) -> (bool, usize, Reverse<usize>) {
    let is_hinted = hints.name(&family.signature.name);
    let Some(layout) = layout else { return (true, usize::MAX, Reverse(0)) };
    let clarity = match layout.contents.as_slice() {
        [content] if !family.axis(Part::Whole(*content)).is_numbers() => 0,
        [] => 1,
        several => 1 + several.len(),
    };
    (!is_hinted, clarity, Reverse(family.n_combinations(&layout.parts())))
}

/// Puts a family on one of the boards or makes a new one, if it is one.
fn add(family: &Family, layout: Option<Layout>, boards: &mut Vec<Board>) {
    for board in boards.iter_mut() {
        let Some(fit) = board.fit(family, layout.as_ref()) else { continue };
        match board.fate(family, &fit) {
            Fate::Merged { is_named } => {
                if is_named {
                    board.name_first();
                }
                board.merge(family, fit, is_named);
            }
            Fate::BoardOfItsOwn => boards.push(Board::new(family, fit)),
            Fate::Listed => {}
        }
        return;
    }
    // Beside boards with contents, places without one are seldom a board.
    let is_clear = |layout: &Layout| {
        !layout.contents.is_empty() || boards.iter().all(|board| board.n_arguments() == 0)
    };
    if let Some(layout) = layout.filter(is_clear) {
        boards.push(Board::new(family, layout));
    }
}

impl Board {
    fn new(family: &Family, layout: Layout) -> Board {
        let mut board = Board {
            plan: Plan::of(family, &layout),
            symbols: Arc::default(),
            placed: Vec::new(),
            contents: BTreeMap::new(),
        };
        board.merge(family, layout, false);
        board
    }

    /// The name of the fluent that the board is made of.
    pub(crate) fn title(&self) -> &str {
        self.placed.first().map_or("", |placed| &placed.signature.name)
    }

    /// The cell and the content that a fluent says. `None` if it is not of this board.
    pub(crate) fn locate(
        &self,
        signature: &Signature,
        arguments: &[String],
    ) -> Option<(usize, String)> {
        let placed = self.placed.iter().find(|placed| placed.signature == *signature)?;
        let cell = self.plan.cell(&placed.layout, arguments)?;
        Some((cell, placed.content(arguments)))
    }

    /// Makes cells of the gaps, if they may only not have been seen yet.
    ///
    /// They were if cells name their blanks; and boards whose places are one word have odd shapes.
    pub(crate) fn fill_gaps(&mut self) {
        let is_joined = |placed: &Placed| matches!(placed.layout.columns[..], [Part::Letters(_)]);
        if self.symbols.blank().is_none() && !self.placed.first().is_some_and(is_joined) {
            self.plan.fill_gaps();
        }
    }

    /// How many arguments the contents of the first family have.
    fn n_arguments(&self) -> usize {
        self.placed.first().map_or(0, |placed| placed.layout.contents.len())
    }

    /// How the coordinates of this board are found in the arguments of a family.
    fn fit(&self, family: &Family, own: Option<&Layout>) -> Option<Layout> {
        let holds = |layout: &Layout| self.plan.holds(family, layout);
        if let Some(own) = own.filter(|own| holds(own)) {
            return Some(own.clone());
        }
        let main = &self.placed.first()?.layout;
        let ([column], [row], None) = (main.columns.as_slice(), main.rows.as_slice(), main.layer)
        else {
            return None;
        };
        let arity = family.signature.arity;
        let (Part::Whole(column), Part::Whole(row)) = (column, row) else {
            let joined =
                |idx| Layout::new(arity, vec![Part::Letters(idx)], vec![Part::Digits(idx)], None);
            return (0..arity).map(joined).find(holds);
        };
        let pairs =
            (0..arity).flat_map(|first| (first + 1..arity).map(move |second| (first, second)));
        let both = |(first, second)| {
            if column < row {
                [(first, second), (second, first)]
            } else {
                [(second, first), (first, second)]
            }
        };
        pairs.flat_map(both).map(|(column, row)| Layout::flat(arity, column, row)).find(holds)
    }

    /// What becomes of a family that has the coordinates of this board by `layout`.
    fn fate(&self, family: &Family, layout: &Layout) -> Fate {
        let name = &family.signature.name;
        let is_no_place = layout.contents.is_empty() && names::is_no_place(name);
        if is_no_place || layout.contents.len() > self.n_arguments().max(1) {
            return Fate::Listed;
        }
        let contents: BTreeSet<String> =
            family.members.iter().map(|arguments| layout.content(name, arguments)).collect();
        let overlaps = contents.iter().any(|content| self.contents.contains_key(content));
        let numbers = Axis::of(contents.iter().map(String::as_str)).is_numbers();
        if overlaps && !layout.contents.is_empty() && names::side(name).is_some() {
            return Fate::Merged { is_named: true };
        }
        let has_many_numbers = numbers && contents.len() > MAX_NUMBERS_BESIDE;
        if !overlaps && !has_many_numbers {
            return Fate::Merged { is_named: false };
        }
        let is_wide = family.n_combinations(&layout.parts()) * 2 >= self.plan.n_cells();
        if is_wide { Fate::BoardOfItsOwn } else { Fate::Listed }
    }

    fn merge(&mut self, family: &Family, layout: Layout, is_named: bool) {
        self.plan.add(family, &layout);
        let placed = Placed { signature: family.signature.clone(), layout, is_named };
        for arguments in &family.members {
            if let Some(cell) = self.plan.cell(&placed.layout, arguments) {
                self.contents.entry(placed.content(arguments)).or_default().insert(cell);
            }
        }
        self.placed.push(placed);
    }

    /// Names the contents of the first family by its fluent too, if that says whose they are.
    fn name_first(&mut self) {
        let [first] = self.placed.as_mut_slice() else { return };
        let name = first.signature.name.clone();
        if first.layout.contents.is_empty() || names::side(&name).is_none() {
            return;
        }
        first.is_named = true;
        let contents = std::mem::take(&mut self.contents).into_iter();
        self.contents = contents.map(|(content, cells)| (named(&name, &content), cells)).collect();
    }

    fn choose_symbols(&mut self, hints: &Hints) {
        let contents: Vec<&str> = self.contents.keys().map(String::as_str).collect();
        let is_common = |content: &str| {
            let n_cells = self.contents.get(content).map_or(0, BTreeSet::len);
            n_cells * 2 >= self.plan.n_cells()
        };
        let blank = names::blank(&contents, is_common);
        let contents = self.contents.keys().cloned().collect();
        self.symbols = Arc::new(Symbols::choose(&contents, blank, &hints.symbols));
    }
}

impl Placed {
    fn content(&self, arguments: &[String]) -> String {
        let name = &self.signature.name;
        let content = self.layout.content(name, arguments);
        if self.is_named { named(name, &content) } else { content }
    }
}

/// A content that is told apart by the name of its fluent.
fn named(name: &str, content: &str) -> String {
    format!("{name} {content}")
}
