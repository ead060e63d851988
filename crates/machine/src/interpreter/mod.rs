//! The rules evaluated as they stand: slow, obvious, the judge.
//!
//! A query fills tables of ground atoms, component after component of the dependency graph, until
//! the relation that is asked for is complete. It is never made faster; what it shares with the
//! fast machines is the checked program and nothing else.

mod evaluation;
mod plan;
mod table;
mod terms;

use base::{Deadline, Id, IdVec, RoleId};
use game::{Game, Goal, MoveId, PerceptId, Unplayable};
use program::{Dependence, Program, RelationId};
use rustc_hash::FxHashMap;

use evaluation::{Bounds, Evaluation, GivenUp, Rules};
use table::Row;
use terms::{TermId, Terms};

/// A game played by evaluating its rules.
#[derive(Clone, Debug)]
pub struct Interpreter {
    rules: Rules,
    terms: Terms,
    roles: Vec<String>,
    role_terms: IdVec<RoleId, TermId>,
    random: Option<RoleId>,
    /// What holds in the whole game.
    statics: Evaluation,
    initial: InterpreterState,
    /// The state that was asked about last, with what is known of it.
    at_state: Option<(InterpreterState, Evaluation)>,
    moves: Numbering<MoveId>,
    percepts: Numbering<PerceptId>,
}

/// The fluents that hold, sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InterpreterState(Box<[TermId]>);

impl Interpreter {
    /// The game of `program`.
    pub fn new(program: &Program) -> Interpreter {
        let game = Interpreter::bounded(program, Bounds::NONE);
        game.expect("what has no bounds is not given up")
    }

    /// The same for rules that come from anywhere: it gives up at the deadline, also later when it is asked about
    /// states, and where millions of atoms hold. From then on nothing is legal, as far as it knows. `None` if that is
    /// so before any state is asked about.
    ///
    /// ```
    /// # use base::Deadline;
    /// # use machine::Interpreter;
    /// let sheet = "(role x) (init (at 0)) (legal x go) (goal x 50) (<= terminal (true (at 1)))";
    /// let program = program::check(&gdl::parse_kif(sheet)).program.expect("no errors");
    /// assert!(Interpreter::within(&program, Deadline::NEVER).is_some());
    /// ```
    pub fn within(program: &Program, deadline: Deadline) -> Option<Interpreter> {
        /// They take about a gigabyte. Some sheets of chess find three million.
        const MAX_ATOMS: usize = 5_000_000;
        /// They take about a gigabyte, and stay as long as the game does.
        const MAX_CELLS: usize = 40_000_000;
        let bounds = Bounds { deadline, max_atoms: MAX_ATOMS, max_cells: MAX_CELLS };
        Interpreter::bounded(program, bounds).ok()
    }

    fn bounded(program: &Program, bounds: Bounds) -> Result<Interpreter, GivenUp> {
        let mut terms = Terms::new(program.symbols().clone());
        let rules = Rules::new(program, bounds);
        let mut statics = Evaluation::new(&rules);
        statics.complete_all(&rules, &mut terms, Dependence::Nothing)?;
        let initial = state_of(statics.rows(RelationId::INIT));
        let symbols = program.symbols();
        Ok(Interpreter {
            roles: program.roles().iter().map(|&role| symbols.name(role).to_owned()).collect(),
            role_terms: program.roles().iter().map(|&role| terms.constant(role)).collect(),
            random: program.random(),
            rules,
            terms,
            statics,
            initial,
            at_state: None,
            moves: Numbering::default(),
            percepts: Numbering::default(),
        })
    }

    /// The atoms of `relation` in `state`; none if that is given up.
    fn ask(&mut self, state: &InterpreterState, relation: RelationId) -> &[Row] {
        let is_same = self.at_state.as_ref().is_some_and(|(known, _)| known == state);
        if !is_same {
            let mut evaluation = self.statics.clone();
            let fluents = state.0.iter().map(|&fluent| Row::from([fluent]));
            evaluation.set(RelationId::TRUE, fluents);
            self.at_state = Some((state.clone(), evaluation));
        }
        let (_, evaluation) = self.at_state.as_mut().expect("it was set");
        if evaluation.complete(&self.rules, &mut self.terms, relation).is_err() {
            self.at_state = None;
        }
        self.at_state.as_ref().map_or(&[], |(_, evaluation)| evaluation.rows(relation))
    }

    /// The atoms of `relation` when the roles make the moves `joint_move` in `state`; none if that is given up.
    fn ask_after_moves(
        &mut self,
        state: &InterpreterState,
        joint_move: &[MoveId],
        relation: RelationId,
    ) -> Vec<Row> {
        self.ask(state, RelationId::TERMINAL);
        let Some((_, evaluation)) = &self.at_state else { return Vec::new() };
        let mut evaluation = evaluation.clone();
        let moves = self.role_terms.iter().zip(joint_move);
        let does = moves.map(|(&role, &id)| Row::from([role, self.moves.term(id)]));
        evaluation.set(RelationId::DOES, does);
        match evaluation.complete(&self.rules, &mut self.terms, relation) {
            Ok(()) => evaluation.rows(relation).to_vec(),
            Err(GivenUp) => Vec::new(),
        }
    }

    /// The second arguments of the atoms of `relation` whose first is `role`.
    fn of_role(&self, rows: &[Row], role: RoleId) -> Vec<TermId> {
        let role = self.role_terms[role];
        rows.iter().filter(|row| row[0] == role).map(|row| row[1]).collect()
    }
}

impl Game for Interpreter {
    type State = InterpreterState;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn random(&self) -> Option<RoleId> {
        self.random
    }

    fn initial(&self) -> InterpreterState {
        self.initial.clone()
    }

    fn is_terminal(&mut self, state: &InterpreterState) -> bool {
        !self.ask(state, RelationId::TERMINAL).is_empty()
    }

    fn legal_moves(&mut self, state: &InterpreterState, role: RoleId, out: &mut Vec<MoveId>) {
        let rows = self.ask(state, RelationId::LEGAL).to_vec();
        let moves = self.of_role(&rows, role);
        out.clear();
        out.extend(moves.into_iter().map(|term| self.moves.id(term)));
    }

    fn next(&mut self, state: &InterpreterState, joint_move: &[MoveId]) -> InterpreterState {
        state_of(&self.ask_after_moves(state, joint_move, RelationId::NEXT))
    }

    fn percepts(
        &mut self,
        state: &InterpreterState,
        joint_move: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) {
        let rows = self.ask_after_moves(state, joint_move, RelationId::SEES);
        let seen = self.of_role(&rows, role);
        out.clear();
        out.extend(seen.into_iter().map(|term| self.percepts.id(term)));
        out.sort_unstable();
    }

    fn goal(&mut self, state: &InterpreterState, role: RoleId) -> Result<Goal, Unplayable> {
        let rows = self.ask(state, RelationId::GOAL).to_vec();
        let values = self.of_role(&rows, role);
        let values: Vec<String> = values.into_iter().map(|term| self.terms.text(term)).collect();
        Goal::only(&self.roles[role.index()], values, || self.state_text(state))
    }

    fn move_text(&self, move_id: MoveId) -> String {
        self.terms.text(self.moves.term(move_id))
    }

    fn percept_text(&self, percept: PerceptId) -> String {
        self.terms.text(self.percepts.term(percept))
    }

    fn state_text(&self, state: &InterpreterState) -> Vec<String> {
        let mut texts: Vec<String> = state.0.iter().map(|&term| self.terms.text(term)).collect();
        texts.sort();
        texts
    }
}

fn state_of(rows: &[Row]) -> InterpreterState {
    let mut fluents: Vec<TermId> = rows.iter().map(|row| row[0]).collect();
    fluents.sort_unstable();
    InterpreterState(fluents.into())
}

/// Numbers for terms, in the order in which they are met.
#[derive(Clone, Debug)]
struct Numbering<I> {
    terms: IdVec<I, TermId>,
    ids: FxHashMap<TermId, I>,
}

impl<I: Id> Numbering<I> {
    fn id(&mut self, term: TermId) -> I {
        *self.ids.entry(term).or_insert_with(|| self.terms.push(term))
    }

    fn term(&self, id: I) -> TermId {
        self.terms[id]
    }
}

impl<I: Id> Default for Numbering<I> {
    fn default() -> Self {
        Numbering { terms: IdVec::new(), ids: FxHashMap::default() }
    }
}

#[cfg(test)]
mod tests {
    use base::Stop;

    use super::*;

    /// Rules of which so many conditions have ten answers each.
    fn wide(n_conditions: usize) -> Program {
        let digits: String = (0..10).map(|digit| format!("(digit {digit})")).collect();
        let list = |begin: &str, end: &str| -> String {
            (0..n_conditions).map(|n| format!("{begin}?d{n}{end} ")).collect()
        };
        let (variables, conditions) = (list("", ""), list("(digit ", ")"));
        let sheet = format!(
            "(role x) (init (at 0)) {digits} (<= (legal x (go {variables})) {conditions} (true (at ?n)))
             (<= (next (at 1)) (does x (go {variables}))) (<= terminal (true (at 1))) (goal x 50)"
        );
        program::check(&gdl::parse_kif(&sheet)).program.expect("no errors")
    }

    #[test]
    fn what_is_too_large_or_not_wanted_any_more_is_given_up() {
        let role = RoleId::first(1).next().expect("there is one");
        let legal = |game: &mut Interpreter, state: &InterpreterState| {
            let mut legal = Vec::new();
            game.legal_moves(state, role, &mut legal);
            legal
        };
        let stop = Stop::new();
        let deadline = Deadline::NEVER.unless(&stop);
        let mut game = Interpreter::within(&wide(3), deadline).expect("nothing is static");
        let initial = game.initial();
        let moves = legal(&mut game, &initial);
        assert_eq!(moves.len(), 1_000);
        let state = game.next(&initial, &moves[..1]);
        assert_eq!(game.state_text(&state), ["(at 1)"]);
        stop.wish();
        assert_eq!(legal(&mut game, &state), []);
        let mut game = Interpreter::within(&wide(12), Deadline::NEVER).expect("nothing is static");
        let initial = game.initial();
        assert_eq!(legal(&mut game, &initial), []);
    }
}
