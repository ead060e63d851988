//! Networks as text that people read: variables with their domains, tables with their rows, and
//! formulas as they are said.

use std::fmt::{self, Write as _};

use crate::network::{
    Constraint, Distribution, Founded, Kind, Linear, Literal, Network, Relation, VarId,
};

/// Rows of a table that are shown; of longer ones the rest is counted.
const MAX_ROWS: usize = 20;

impl fmt::Display for Network {
    /// Variables and domains, constraints, probabilities, and what is worth something.
    ///
    /// ```
    /// use scsp::NetworkBuilder;
    ///
    /// let mut builder = NetworkBuilder::new(1);
    /// let x = builder.decision("x", 1..=2)?;
    /// let y = builder.decision("y", 1..=2)?;
    /// builder.hard(&[x, y], |v| v[0] < v[1])?;
    /// let text = builder.build().to_string();
    /// assert_eq!(text, "variables\n  x  {1, 2}\n  y  {1, 2}\n\nconstraint on x, y\n  x  y\n  1  2\n");
    /// # Ok::<(), scsp::BuildError>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "variables")?;
        let rows = self.variables().ids().map(|var| {
            let variable = &self.variables()[var];
            let values: Vec<String> =
                (0..variable.domain.len()).map(|place| variable.domain.text(place)).collect();
            let kind = if self.is_chance(var) { "stochastic" } else { "" };
            vec![variable.name.clone(), format!("{{{}}}", values.join(", ")), kind.to_owned()]
        });
        write_rows(f, &rows.collect::<Vec<_>>())?;
        for constraint in self.constraints() {
            self.write_constraint(f, constraint)?;
        }
        for (var, variable) in self.variables().iter_with_ids() {
            if let Kind::Chance(distribution) = &variable.kind {
                self.write_distribution(f, var, distribution)?;
            }
        }
        for utility in self.utilities() {
            writeln!(f, "\nutility of {}", self.list(utility.scope()))?;
            let rows = utility.tuples().map(|(tuple, worth)| {
                let mut row = self.tuple(utility.scope(), &tuple);
                row.extend(worth.iter().map(ToString::to_string));
                row
            });
            let mut header = self.names(utility.scope());
            header.resize(header.len() + self.n_players(), "worth".to_owned());
            write_table(f, header, rows)?;
        }
        Ok(())
    }
}

impl Network {
    fn write_constraint(&self, f: &mut fmt::Formatter<'_>, constraint: &Constraint) -> fmt::Result {
        match constraint {
            Constraint::Table(table) => {
                writeln!(f, "\nconstraint on {}", self.list(table.scope()))?;
                let rows = table.tuples().map(|tuple| self.tuple(table.scope(), tuple));
                write_table(f, self.names(table.scope()), rows)
            }
            Constraint::Formula(formula) => {
                let bodies: Vec<String> = formula
                    .bodies()
                    .iter()
                    .map(|body| format!("({})", self.literals(body, " and ")))
                    .collect();
                let bodies =
                    if bodies.is_empty() { "never".to_owned() } else { bodies.join(" or ") };
                writeln!(f, "\n{} if and only if {bodies}", self.literal(formula.head()))
            }
            Constraint::Needs(needs) => {
                writeln!(f, "\nvalues of {} need", self.name(needs.var()))?;
                for (place, literals) in needs.needs() {
                    let value = self.variables()[needs.var()].domain.text(*place as usize);
                    writeln!(f, "  {value}: {}", self.literals(literals, " and "))?;
                }
                Ok(())
            }
            Constraint::Founded(founded) => self.write_founded(f, founded),
            Constraint::Linear(linear) => writeln!(f, "\n{}", self.sum(linear)),
            Constraint::Element(element) => {
                let (array, index) = (self.list(element.array()), self.name(element.index()));
                writeln!(f, "\n{} is number {index} of {array}", self.name(element.result()))
            }
        }
    }

    fn write_founded(&self, f: &mut fmt::Formatter<'_>, founded: &Founded) -> fmt::Result {
        writeln!(f, "\nthese follow only from")?;
        for (head, body) in founded.rules() {
            writeln!(f, "  {}: {}", self.literal(head), self.literals(&body, " and "))?;
        }
        Ok(())
    }

    fn write_distribution(
        &self,
        f: &mut fmt::Formatter<'_>,
        var: VarId,
        distribution: &Distribution,
    ) -> fmt::Result {
        let (name, domain) = (self.name(var), &self.variables()[var].domain);
        let given = match distribution.scope() {
            [] => String::new(),
            scope => format!(" given {}", self.list(scope)),
        };
        if distribution.is_function() {
            return writeln!(f, "\nprobabilities of {name}{given}: computed");
        }
        if distribution.rows().is_empty() {
            return writeln!(f, "\nprobabilities of {name}: all the same");
        }
        writeln!(f, "\nprobabilities of {name}{given}")?;
        let mut header = self.names(distribution.scope());
        header.extend((0..domain.len()).map(|place| domain.text(place)));
        let rows = distribution.tuples().map(|(tuple, row)| {
            let mut shown = self.tuple(distribution.scope(), &tuple);
            shown.extend(row.iter().map(|probability| rational(*probability)));
            shown
        });
        write_table(f, header, rows)
    }

    fn name(&self, var: VarId) -> &str {
        &self.variables()[var].name
    }

    fn list(&self, scope: &[VarId]) -> String {
        self.names(scope).join(", ")
    }

    fn tuple(&self, scope: &[VarId], tuple: &[u32]) -> Vec<String> {
        let values = scope.iter().zip(tuple);
        values.map(|(&var, &n)| self.variables()[var].domain.text(n as usize)).collect()
    }

    fn literal(&self, literal: Literal) -> String {
        let domain = &self.variables()[literal.var].domain;
        let sign = if literal.is_equal { "=" } else { "≠" };
        format!("{} {sign} {}", self.name(literal.var), domain.text(literal.value as usize))
    }

    fn literals(&self, literals: &[Literal], separator: &str) -> String {
        let texts: Vec<String> = literals.iter().map(|&literal| self.literal(literal)).collect();
        texts.join(separator)
    }

    fn sum(&self, linear: &Linear) -> String {
        let terms: Vec<String> =
            linear.factors().map(|(factor, var)| format!("{factor} {}", self.name(var))).collect();
        let relation = match linear.relation() {
            Relation::AtMost => "≤",
            Relation::Equal => "=",
            Relation::AtLeast => "≥",
        };
        format!("{} {relation} {}", terms.join(" + "), linear.constant())
    }
}

/// A probability as a fraction of small numbers if it is one.
fn rational(probability: f64) -> String {
    let is_whole = |n: &f64| ((probability * n).round() / n - probability).abs() < 1e-12;
    match (1..=100).map(f64::from).find(is_whole) {
        Some(1.0) => format!("{probability:.0}"),
        Some(n) => format!("{:.0}/{n:.0}", probability * n),
        None => format!("{probability}"),
    }
}

fn write_table(
    f: &mut fmt::Formatter<'_>,
    header: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
) -> fmt::Result {
    let mut shown = vec![header];
    let mut n_more = 0;
    for row in rows {
        match shown.len() <= MAX_ROWS {
            true => shown.push(row),
            false => n_more += 1,
        }
    }
    write_rows(f, &shown)?;
    if n_more > 0 {
        writeln!(f, "  … and {n_more} more")?;
    }
    Ok(())
}

/// Rows with their columns under each other.
fn write_rows(f: &mut fmt::Formatter<'_>, rows: &[Vec<String>]) -> fmt::Result {
    /// Wider columns do not make others wider.
    const MAX_WIDTH: usize = 40;
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let texts = rows.iter().filter_map(|row| row.get(column));
        texts.map(|text| text.chars().count()).max().unwrap_or(0).min(MAX_WIDTH)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (text, width) in row.iter().zip(&widths) {
            write!(line, "  {text:width$}")?;
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}
