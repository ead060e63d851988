//! Networks written as XCSP3.

use std::fmt::Write as _;

use base::{Id as _, IdVec};
use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::Operator;
use crate::network::{
    Constraint, Distribution, Formula, Kind, Linear, Literal, Needs, Network, Relation, Table,
    Unwritable, Utility, VarId,
};

impl Network {
    /// The network as XCSP3: type `CSP` if nothing is stochastic or soft, for other solvers to read, and
    /// otherwise type `SCSP` in the form that docs/scsp.md describes.
    ///
    /// Names that XCSP3 does not allow are replaced, and stand in notes; so do names of values.
    ///
    /// ```
    /// use scsp::{Network, NetworkBuilder, Solutions};
    ///
    /// let mut builder = NetworkBuilder::new(1);
    /// let [x, y] = [builder.decision("x", 1..=3)?, builder.decision("y", 1..=3)?];
    /// builder.hard(&[x, y], |v| v[0] < v[1])?;
    /// let text = builder.build().to_xcsp3()?;
    /// assert!(text.contains("<supports>(1,2)(1,3)(2,3)</supports>"));
    /// assert_eq!(Solutions::of(&Network::from_xcsp3(&text)?).count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_xcsp3(&self) -> Result<String, Unwritable> {
        let mut writer = Writer { network: self, ids: ids(self), text: String::new() };
        writer.instance()?;
        Ok(writer.text)
    }

    /// Whether nothing is stochastic or soft.
    fn is_plain(&self) -> bool {
        let is_decided = self.variables().ids().all(|var| !self.is_chance(var));
        is_decided && self.utilities().is_empty() && self.thresholds() == [0.0]
    }
}

/// By variable: its name if XCSP3 allows it, and another one that is not taken.
fn ids(network: &Network) -> IdVec<VarId, String> {
    let variables = network.variables();
    let taken: FxHashSet<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let id = |var: VarId| {
        let name = &variables[var].name;
        if is_identifier(name) {
            return name.clone();
        }
        let mut id = format!("v{}", var.index());
        while taken.contains(id.as_str()) {
            id.push('_');
        }
        id
    };
    variables.ids().map(id).collect()
}

fn is_identifier(name: &str) -> bool {
    let is_operator = Operator::named(name).is_some() || name == "set";
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
        && !is_operator
}

struct Writer<'n> {
    network: &'n Network,
    ids: IdVec<VarId, String>,
    text: String,
}

/// Writes formatted text, which memory always takes.
macro_rules! put {
    ($writer:expr, $($argument:tt)*) => {
        write!($writer.text, $($argument)*).expect("text can be added to a string")
    };
}

impl Writer<'_> {
    fn instance(&mut self) -> Result<(), Unwritable> {
        let is_plain = self.network.is_plain();
        let kind = if is_plain { "CSP" } else { "SCSP" };
        put!(self, "<instance format=\"XCSP3\" type=\"{kind}\">\n  <variables>\n");
        for var in self.network.variables().ids() {
            self.variable(var)?;
        }
        put!(self, "  </variables>\n");
        if !is_plain {
            self.stages();
            self.probabilities();
        }
        put!(self, "  <constraints>\n");
        for (var, left) in self.network.restrictions() {
            self.table(&Table::new(vec![var], left.iter().map(|&value| [value])));
        }
        for constraint in self.network.constraints() {
            match constraint {
                Constraint::Table(table) => self.table(table),
                Constraint::Formula(formula) => self.formula(formula),
                Constraint::Needs(needs) => self.needs(needs),
                Constraint::Founded(_) => return Err(Unwritable::Recursive),
                Constraint::Linear(linear) => self.linear(linear),
                Constraint::Element(element) => {
                    put!(self, "    <element><list>");
                    self.list(element.array());
                    let (index, value) = (&self.ids[element.index()], &self.ids[element.result()]);
                    put!(self, "</list><index>{index}</index><value>{value}</value></element>\n");
                }
            }
        }
        for utility in self.network.utilities() {
            self.utility(utility);
        }
        put!(self, "  </constraints>\n");
        if !is_plain {
            let thresholds = joined(self.network.thresholds(), " ");
            put!(self, "  <thresholds>{thresholds}</thresholds>\n");
        }
        put!(self, "</instance>\n");
        Ok(())
    }

    fn variable(&mut self, var: VarId) -> Result<(), Unwritable> {
        let variable = &self.network.variables()[var];
        let id = &self.ids[var];
        put!(self, "    <var id=\"{id}\"");
        let has_name = *id == variable.name;
        if !has_name || variable.domain.names().is_some() {
            let mut note = if has_name { String::new() } else { variable.name.clone() };
            for (n, name) in variable.domain.names().unwrap_or(&[]).iter().enumerate() {
                let separator = if n == 0 { ": " } else { ", " };
                write!(note, "{separator}{n} is {name}").expect("text can be added to a string");
            }
            let note = note.trim_start_matches(": ");
            put!(self, " note=\"{}\"", quick_xml::escape::escape(note));
        }
        let values = variable.domain.values();
        match &variable.kind {
            Kind::Decision => put!(self, ">{}</var>\n", intervals(values)),
            Kind::Chance(distribution) if distribution.is_function() => {
                return Err(Unwritable::Computed { variable: variable.name.clone() });
            }
            Kind::Chance(distribution) => {
                put!(self, " type=\"stochastic\">{}</var>\n", chances(values, distribution));
            }
        }
        Ok(())
    }

    fn stages(&mut self) {
        put!(self, "  <stages>\n");
        for stage in self.network.stages() {
            let (chance, decisions): (Vec<VarId>, Vec<VarId>) =
                stage.into_iter().partition(|&var| self.network.is_chance(var));
            for (kind, vars) in [("decision", decisions), ("stochastic", chance)] {
                if !vars.is_empty() {
                    put!(self, "    <{kind}>");
                    self.list(&vars);
                    put!(self, "</{kind}>\n");
                }
            }
        }
        put!(self, "  </stages>\n");
    }

    /// The probabilities that depend on something.
    fn probabilities(&mut self) {
        let network = self.network;
        let conditional = |var: &VarId| !network.given_by(*var).is_empty();
        let vars: Vec<VarId> = network.variables().ids().filter(conditional).collect();
        if vars.is_empty() {
            return;
        }
        put!(self, "  <probabilities>\n");
        for var in vars {
            let Kind::Chance(distribution) = &network.variables()[var].kind else { continue };
            put!(self, "    <conditional><list>{}</list><given>", self.ids[var]);
            self.list(distribution.scope());
            put!(self, "</given><rows>");
            for row in distribution.rows() {
                put!(self, "({})", joined(row, ","));
            }
            put!(self, "</rows></conditional>\n");
        }
        put!(self, "  </probabilities>\n");
    }

    fn table(&mut self, table: &Table) {
        put!(self, "    <extension><list>");
        self.list(table.scope());
        put!(self, "</list><supports>");
        for tuple in table.tuples() {
            self.tuple(table.scope(), tuple);
        }
        put!(self, "</supports></extension>\n");
    }

    /// A tuple, which of one variable stands without parentheses.
    fn tuple(&mut self, scope: &[VarId], tuple: &[u32]) {
        let values = scope.iter().zip(tuple).map(|(&var, &value)| self.network.value(var, value));
        let values: Vec<i64> = values.collect();
        match values.as_slice() {
            [only] => put!(self, "{only} "),
            all => put!(self, "({})", joined(all, ",")),
        }
    }

    fn formula(&mut self, formula: &Formula) {
        put!(self, "    <intension>");
        let (head, bodies) = (formula.head(), formula.bodies());
        if bodies.is_empty() {
            self.literal(!head);
        } else if bodies.iter().any(Vec::is_empty) {
            self.literal(head);
        } else {
            put!(self, "iff(");
            self.literal(head);
            put!(self, ",");
            self.call("or", bodies, |writer, body| {
                writer.call("and", body, |writer, literal| writer.literal(*literal));
            });
            put!(self, ")");
        }
        put!(self, "</intension>\n");
    }

    /// What each value needs, as an implication of its own.
    fn needs(&mut self, needs: &Needs) {
        let id = self.ids[needs.var()].clone();
        for (place, literals) in needs.needs() {
            let value = self.network.value(needs.var(), *place);
            put!(self, "    <intension>imp(eq({id},{value}),");
            self.call("and", literals, |writer, literal| writer.literal(*literal));
            put!(self, ")</intension>\n");
        }
    }

    /// A call with these parts, or the only part alone.
    fn call<T>(&mut self, name: &str, parts: &[T], mut write_part: impl FnMut(&mut Self, &T)) {
        if let [only] = parts {
            return write_part(self, only);
        }
        put!(self, "{name}(");
        for (n, part) in parts.iter().enumerate() {
            if n > 0 {
                put!(self, ",");
            }
            write_part(self, part);
        }
        put!(self, ")");
    }

    fn literal(&mut self, literal: Literal) {
        let name = if literal.is_equal { "eq" } else { "ne" };
        let value = self.network.value(literal.var, literal.value);
        put!(self, "{name}({},{value})", self.ids[literal.var]);
    }

    fn linear(&mut self, linear: &Linear) {
        let factors: Vec<i64> = linear.factors().map(|(factor, _)| factor).collect();
        let operator = match linear.relation() {
            Relation::AtMost => "le",
            Relation::Equal => "eq",
            Relation::AtLeast => "ge",
        };
        put!(self, "    <sum><list>");
        self.list(linear.scope());
        put!(self, "</list><coeffs>{}</coeffs>", joined(&factors, " "));
        put!(self, "<condition>({operator},{})</condition></sum>\n", linear.constant());
    }

    fn utility(&mut self, utility: &Utility) {
        // By what they are worth, in the order in which that comes first.
        let mut groups: Vec<(String, Vec<Vec<u32>>)> = Vec::new();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        for (tuple, worth) in utility.tuples() {
            let worth = joined(worth, " ");
            let place = *places.entry(worth.clone()).or_insert(groups.len());
            if place == groups.len() {
                groups.push((worth, Vec::new()));
            }
            groups[place].1.push(tuple);
        }
        let most = groups.iter().map(|(_, tuples)| tuples.len()).max();
        let usual = groups.iter().position(|(_, tuples)| Some(tuples.len()) == most);
        let usual = usual.map(|place| groups.remove(place).0).unwrap_or_default();
        put!(self, "    <extension type=\"soft\" defaultUtility=\"{usual}\"><list>");
        self.list(utility.scope());
        put!(self, "</list>");
        for (worth, tuples) in groups {
            put!(self, "<tuples utility=\"{worth}\">");
            for tuple in tuples {
                self.tuple(utility.scope(), &tuple);
            }
            put!(self, "</tuples>");
        }
        put!(self, "</extension>\n");
    }

    fn list(&mut self, vars: &[VarId]) {
        let names: Vec<&str> = vars.iter().map(|&var| self.ids[var].as_str()).collect();
        self.text.push_str(&names.join(" "));
    }
}

/// Values and their probabilities, if these depend on nothing.
fn chances(values: &[i64], distribution: &Distribution) -> String {
    let chance = |(n, value): (usize, &i64)| match (distribution.scope(), distribution.rows()) {
        ([], [row]) => format!("{value}:{}", row[n]),
        ([], _) => format!("{value}:1/{}", values.len()),
        _ => value.to_string(),
    };
    values.iter().enumerate().map(chance).collect::<Vec<String>>().join(" ")
}

/// Ascending numbers, with those that follow each other as intervals: `0..3 7`.
fn intervals(values: &[i64]) -> String {
    let runs = values.chunk_by(|one, other| one.checked_add(1) == Some(*other));
    let text = |run: &[i64]| match run {
        [first, _, .., last] => format!("{first}..{last}"),
        short => joined(short, " "),
    };
    runs.map(text).collect::<Vec<String>>().join(" ")
}

fn joined<T: ToString>(items: &[T], separator: &str) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<String>>().join(separator)
}
