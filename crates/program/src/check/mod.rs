//! Every static check of the rules, in one pass over the sheet for each.
//!
//! The checks are those of Love et al. (2008) for GDL and Thielscher (2010) for GDL-II, with the
//! tolerance that the published rule sheets ask for: what most players read without harm is a
//! warning here, and the message says how it was read.

mod arities;
mod dependence;
mod keywords;
mod recursion;
mod roles;
mod safety;
mod stratification;
mod usage;

use gdl::tree::{Ast, Atom, Item, Term, TermKind};
use gdl::{Code, Diagnostic, Form, Parse, Printer, Problems, Span, Symbol};
use rustc_hash::FxHashSet;

use crate::graph::{Edge, Graph};
use crate::program::Program;
use crate::rewrite;
use crate::vocabulary::Vocabulary;

/// The outcome of a check.
#[derive(Debug)]
pub struct Checked {
    /// The program, unless there are errors.
    pub program: Option<Program>,
    /// All problems of the text and of the rules, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a rule sheet, reporting every problem rather than the first.
///
/// ```
/// let checked = program::check(&gdl::parse_kif("(role x) (<= (p ?y) (not (q ?y)))"));
/// assert!(checked.program.is_none());
/// let codes: Vec<&str> = checked.diagnostics.iter().map(|d| d.code.name()).collect();
/// assert!(codes.contains(&"unsafe-variable") && codes.contains(&"missing-keyword"));
/// ```
pub fn check(parse: &Parse) -> Checked {
    let mut checker = Checker::new(parse);
    checker.check_keywords();
    checker.check_arities();
    if !parse.has_errors() {
        // What could not be read may have held the roles.
        checker.check_roles();
    }
    checker.check_safety();
    checker.check_dependence();
    checker.check_recursion();
    if !parse.has_errors() {
        checker.check_usage();
    }
    checker.finish()
}

/// A sheet under examination.
struct Checker<'a> {
    parse: &'a Parse,
    vocabulary: Vocabulary,
    graph: Graph,
    problems: Problems,
    /// By item: whether it has no effect and is left out of the program.
    is_left_out: Vec<bool>,
    /// `base` and `input`, where their declarations cannot be used.
    ignored: FxHashSet<Symbol>,
    /// Names with a problem that explains others, which are then not reported.
    explained: FxHashSet<Symbol>,
}

impl<'a> Checker<'a> {
    fn new(parse: &'a Parse) -> Checker<'a> {
        let vocabulary = Vocabulary::new(&parse.ast);
        let edges = edges(&parse.ast, &vocabulary);
        let graph = Graph::new(vocabulary.relations.len(), &edges);
        let mut problems = Problems::default();
        problems.extend(parse.diagnostics.iter().cloned());
        let is_left_out = vec![false; parse.ast.items.len()];
        let explained = FxHashSet::default();
        let ignored = FxHashSet::default();
        Checker { parse, vocabulary, graph, problems, is_left_out, ignored, explained }
    }

    fn finish(mut self) -> Checked {
        let mut program = None;
        if !self.problems.has_error() {
            let items = self.items().zip(&self.is_left_out);
            let items = items.filter(|(item, out)| !**out && !self.is_ignored(&item.head));
            let items: Vec<&Item> = items.map(|(item, _)| item).collect();
            match rewrite::program(&self.parse.ast, &items) {
                Ok(rewritten) => program = Some(rewritten),
                Err(problems) => self.problems.extend(problems),
            }
        }
        Checked { program, diagnostics: self.problems.into_sorted() }
    }

    /// Whether `head` is of a kind of declarations that cannot be used. A relation that is used as
    /// one of its own is no declaration.
    fn is_ignored(&self, head: &Atom) -> bool {
        let relation = &self.vocabulary.relations[self.vocabulary.relation_of(head)];
        self.ignored.contains(&head.name.symbol) && relation.occurrences.conditions.is_empty()
    }

    fn items(&self) -> impl Iterator<Item = &'a Item> + use<'a> {
        self.parse.ast.items.iter()
    }

    fn report(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    fn problem(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Diagnostic::new(code, span, message, help));
    }

    /// The name of `symbol` for messages, in which long ones are cut.
    fn name(&self, symbol: Symbol) -> String {
        shortened(self.parse.ast.symbols.name(symbol))
    }

    /// `term` for messages, in the form of the sheet.
    fn term(&self, term: &Term) -> String {
        shortened(&self.printer().term(term))
    }

    /// `atom` for messages, in the form of the sheet.
    fn atom(&self, atom: &Atom) -> String {
        shortened(&self.printer().atom(atom))
    }

    /// The variable `symbol` for messages, in the form of the sheet.
    fn variable(&self, symbol: Symbol) -> String {
        shortened(&self.printer().variable(symbol))
    }

    fn printer(&self) -> Printer<'a> {
        Printer::new(&self.parse.ast.symbols, self.parse.ast.form)
    }

    /// `relation` of `args`, which are text, as an example in the form of the sheet.
    fn example(&self, relation: &str, args: &[&str]) -> String {
        match self.parse.ast.form {
            Form::Kif => format!("({relation} {})", args.join(" ")),
            Form::Infix => format!("{relation}({})", args.join(", ")),
        }
    }
}

/// `text`, or its beginning where it is too long for a message.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The roles in the order of their facts, without repetitions.
pub(crate) fn roles_of<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<Symbol> {
    let mut known = FxHashSet::default();
    let mut roles = Vec::new();
    for item in items {
        let [role] = item.head.args.as_slice() else { continue };
        let is_role = item.head.name.symbol == Symbol::ROLE && item.body.is_empty();
        if let TermKind::Constant(name) = role.kind
            && is_role
            && known.insert(name)
        {
            roles.push(name);
        }
    }
    roles
}

fn edges(ast: &Ast, vocabulary: &Vocabulary) -> Vec<Edge> {
    let mut edges = Vec::new();
    for item in &ast.items {
        let head = vocabulary.relation_of(&item.head);
        for literal in &item.body {
            literal.for_each_atom(&mut |atom, is_negative| {
                edges.push(Edge { head, body: vocabulary.relation_of(atom), is_negative });
            });
        }
    }
    edges
}
