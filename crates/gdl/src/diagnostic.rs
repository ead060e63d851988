//! What is wrong with a rule sheet, where, and what would cure it.

use std::fmt;

use crate::Span;

/// One problem of a rule sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Which problem it is.
    pub code: Code,
    /// The offending text.
    pub span: Span,
    /// What is wrong, in one sentence, without full stop.
    pub message: String,
    /// What would cure it, in one sentence, without full stop.
    pub help: String,
    /// Other places that matter, each with what it has to do with it.
    pub related: Vec<(Span, String)>,
}

/// How bad a problem is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The game cannot be played as written.
    Error,
    /// The game can be played; the text was read in the way that the message says.
    Warning,
}

impl Diagnostic {
    /// A problem at `span`.
    pub fn new(
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic { code, span, message: message.into(), help: help.into(), related: Vec::new() }
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Whether the game cannot be played as written.
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

macro_rules! codes {
    ($($severity:ident { $($(#[$attribute:meta])* $code:ident = $name:literal,)* })*) => {
        /// The kinds of problems. `docs/diagnostics.md` has an example and a cure for each.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $($($(#[$attribute])* $code,)*)* }

        impl Code {
            /// Every code, errors before warnings.
            pub const ALL: &[Code] = &[$($(Code::$code,)*)*];

            /// The name of the code as it is shown.
            pub fn name(self) -> &'static str {
                match self { $($(Code::$code => $name,)*)* }
            }

            /// How bad a problem of this kind is.
            pub fn severity(self) -> Severity {
                match self { $($(Code::$code => Severity::$severity,)*)* }
            }
        }
    };
}

codes! {
    Error {
        // The text.
        /// A NUL byte or another control character.
        ControlCharacter = "control-character",
        /// A parenthesis or a quotation mark that is never closed.
        Unclosed = "unclosed",
        /// A closing parenthesis without an opening one.
        ExtraParenthesis = "extra-parenthesis",
        /// More than a thousand parentheses within each other.
        TooDeep = "too-deep",
        /// A list whose first element is a list: `((a) b)`.
        ListAsName = "list-as-name",
        /// A list without elements: `()`.
        EmptyList = "empty-list",
        /// A variable in the place of a relation or function name.
        VariableAsName = "variable-as-name",
        /// Something that is no rule, fact, condition or term.
        Misplaced = "misplaced",
        /// A logical word with a wrong number of arguments.
        LogicalArity = "logical-arity",
        /// Infix: another token was expected.
        UnexpectedToken = "unexpected-token",

        // The keywords.
        /// One of the keywords that every game needs does not occur.
        MissingKeyword = "missing-keyword",
        /// A keyword with a wrong number of arguments.
        KeywordArity = "keyword-arity",
        /// A keyword that may not be concluded is the head of a rule or a fact.
        KeywordInHead = "keyword-in-head",
        /// A keyword that may only be concluded is a condition.
        KeywordInBody = "keyword-in-body",
        /// A role argument that is not a role.
        UnknownRole = "unknown-role",
        /// A goal value that is not a whole number from 0 to 100.
        GoalValue = "goal-value",
        /// `init`, `base` or `input` depends on the state or on moves.
        DependsOnState = "depends-on-state",
        /// `legal` or `goal` depends on the moves of the same step.
        DependsOnMoves = "depends-on-moves",
        /// GDL-III.
        Gdl3 = "gdl-3",

        // The rules.
        /// A fact with a variable.
        VariableInFact = "variable-in-fact",
        /// A variable that no positive condition binds.
        UnsafeVariable = "unsafe-variable",
        /// A relation that depends on its own negation.
        NegativeCycle = "negative-cycle",
        /// Recursion that could build ever larger terms.
        UnrestrictedRecursion = "unrestricted-recursion",
        /// A relation or fluent used with a number of arguments that it never has.
        ArityMismatch = "arity-mismatch",
        /// A rule whose `or`s multiply to too many alternatives.
        TooManyAlternatives = "too-many-alternatives",
    }
    Warning {
        // The text.
        /// More problems than are shown.
        TooManyProblems = "too-many-problems",
        /// The file is not UTF-8.
        NotUtf8 = "not-utf-8",
        /// A character that other readers may not accept in a name.
        UnusualCharacter = "unusual-character",
        /// Text after `%` in a KIF file.
        PercentComment = "percent-comment",
        /// One symbol in two spellings.
        TwoSpellings = "two-spellings",
        /// A rule with an arrow and no condition.
        EmptyBody = "empty-body",
        /// `(p)` for `p`.
        NeedlessParentheses = "needless-parentheses",
        /// `and`, which GDL does not have.
        AndIsNotGdl = "and-is-not-gdl",
        /// `not` of something that is not an atom.
        NegatedFormula = "negated-formula",
        /// `or` without a condition in it.
        EmptyOr = "empty-or",
        /// `or` directly within `or`.
        NestedOr = "nested-or",
        /// Infix: a tuple `(a, b)`.
        Tuple = "tuple",
        /// Infix: rules written as operations, `a :: c ==> e`.
        Operations = "operations",
        /// `(distinct a b)` as a fact.
        DistinctFact = "distinct-fact",
        /// `true` or `does` with variables outside of a rule.
        StrayCondition = "stray-condition",

        // The keywords.
        /// A keyword with another number of arguments, used as an ordinary relation.
        KeywordAsRelation = "keyword-as-relation",
        /// A keyword with the parentheses of its argument left out.
        MissingParentheses = "missing-parentheses",
        /// A keyword as the name of a function.
        KeywordAsFunction = "keyword-as-function",
        /// A keyword as an object.
        KeywordAsConstant = "keyword-as-constant",
        /// The game has no `terminal` and never ends.
        NeverEnds = "never-ends",
        /// `goal`, `sees`, `input` or `does` for something that is no role.
        NoSuchRole = "no-such-role",
        /// `next` as a condition of `sees`.
        NextInPercept = "next-in-percept",
        /// `sees` as a condition.
        SeesInBody = "sees-in-body",
        /// `terminal` depends on moves, of which there are none in a state.
        TerminalDependsOnMoves = "terminal-depends-on-moves",
        /// `base` or `input` that cannot be used.
        IgnoredDeclaration = "ignored-declaration",

        // The rules.
        /// A fact with a variable that nothing uses.
        UnusedFact = "unused-fact",
        /// One name with two numbers of arguments.
        TwoArities = "two-arities",
        /// One name for a relation and a function.
        RelationAndFunction = "relation-and-function",
        /// A relation, fluent or move that is used and never produced.
        NeverProduced = "never-produced",
        /// A variable that stands below `not` only and begins with `_`.
        AnonymousInNot = "anonymous-in-not",
        /// Recursion that is not restricted, but cannot build larger terms.
        LooseRecursion = "loose-recursion",
        /// A relation that is produced and never used.
        NeverUsed = "never-used",
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Problems as they are found. Past a limit they are no longer kept, so that a hostile text cannot
/// make more problems than text; one says so.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    kept: Vec<Diagnostic>,
    has_error: bool,
}

impl Problems {
    /// A person stops reading long before.
    pub const MAX: usize = 1_000;

    /// Adds a problem.
    pub fn push(&mut self, problem: Diagnostic) {
        // The first error is kept in any case: a text with an error must not look sound.
        let is_first_error = problem.is_error() && !self.has_error;
        self.has_error |= problem.is_error();
        if self.kept.len() < Self::MAX || is_first_error {
            self.kept.push(problem);
        } else if self.kept.len() == Self::MAX {
            let message =
                format!("there are more than {} problems; the others are not shown", Self::MAX);
            let help = "cure those that are shown, and check again";
            self.kept.push(Diagnostic::new(Code::TooManyProblems, problem.span, message, help));
        }
    }

    /// Whether one of the problems was an error.
    pub fn has_error(&self) -> bool {
        self.has_error
    }

    /// The problems that were kept, in the order of the text.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|problem| (problem.span.start, problem.span.end, problem.code));
        self.kept
    }
}

impl Extend<Diagnostic> for Problems {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, problems: I) {
        problems.into_iter().for_each(|problem| self.push(problem));
    }
}
