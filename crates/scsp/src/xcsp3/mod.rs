//! Networks as XCSP3, the XML form in which constraint solvers exchange problems (Boussemart, Lecoutre,
//! Audemard & Piette 2016).
//!
//! Networks without chance and soft constraints are plain XCSP3, for other solvers to read. For the
//! others the specification has the types `SCSP` and `SCOP`, variables of type `stochastic` and
//! `<stages>`; conditional probabilities, soft constraints with utilities, and thresholds are our
//! addition, which docs/scsp.md describes.

mod constraints;
mod error;
mod expression;
mod tokens;
mod tree;
mod variables;
mod work;
mod write;

use rustc_hash::FxHashMap;

use crate::network::{BuildError, Distribution, Domain, Network, NetworkBuilder};
use constraints::ConstraintReader;
use error::Wrong;
pub use error::{Xcsp3Error, Xcsp3Problem};
use tokens::for_each_tuple;
use tree::{Element, Token};
use variables::{Chance, Declarations, Declared};
use work::Work;

impl Network {
    /// Reads a network from XCSP3.
    ///
    /// ```
    /// let network = scsp::Network::from_xcsp3(r#"
    ///     <instance format="XCSP3" type="CSP">
    ///       <variables> <array id="x" size="[3]"> 0..2 </array> </variables>
    ///       <constraints>
    ///         <allDifferent> x[] </allDifferent>
    ///         <extension>
    ///           <list> x[0] x[1] </list>
    ///           <conflicts> (0,1)(2,*) </conflicts>
    ///         </extension>
    ///       </constraints>
    ///     </instance>"#)?;
    /// assert_eq!(scsp::Solutions::of(&network).count(), 3);
    /// # Ok::<(), scsp::Xcsp3Error>(())
    /// ```
    pub fn from_xcsp3(text: &str) -> Result<Network, Xcsp3Error> {
        // The reader of XML does not count a mark at the beginning.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        read(text).map_err(|wrong| wrong.in_text(text))
    }
}

fn read(text: &str) -> Result<Network, Wrong> {
    let root = Element::parse(text)?;
    check_root(&root)?;
    let mut work = Work::for_text(text.len());
    let mut declarations = Declarations::read(root.required("variables")?, &mut work)?;
    if let Some(stages) = root.child("stages")? {
        declarations.order_by(stages, &mut work)?;
    }
    let thresholds = match root.child("thresholds")? {
        Some(thresholds) => thresholds.tokens().map(Token::real).collect::<Result<_, _>>()?,
        None => vec![0.0],
    };
    let mut builder = NetworkBuilder::new(thresholds.len());
    builder.thresholds(&thresholds).map_err(Wrong::build(root.at))?;
    let Declarations { variables, arrays, .. } = declarations;
    let conditionals = conditionals(&root)?;
    for variable in variables {
        let conditional = conditionals.get(variable.name.as_str()).copied();
        let distribution = match conditional {
            None => None,
            Some(conditional) => {
                let mut reader = ConstraintReader {
                    builder: &mut builder,
                    arrays: &arrays,
                    work: &mut work,
                    n_players: thresholds.len(),
                };
                Some(read_conditional(&variable.name, conditional, &mut reader)?)
            }
        };
        add_variable(&mut builder, variable, distribution)?;
    }
    for name in conditionals.keys() {
        if builder.find(name).is_none() {
            let problem = Xcsp3Problem::UnknownVariable((*name).to_owned());
            return Err(Wrong { at: conditionals[name].at, problem });
        }
    }
    if let Some(constraints) = root.child("constraints")? {
        let n_players = thresholds.len();
        let (builder, arrays, work) = (&mut builder, &arrays, &mut work);
        ConstraintReader { builder, arrays, work, n_players }.read_all(constraints)?;
    }
    Ok(builder.build())
}

fn check_root(root: &Element<'_>) -> Result<(), Wrong> {
    if root.name != "instance" {
        return Err(Wrong::unexpected(root.at, "<instance>", &root.name));
    }
    root.check_attributes(&["format", "type"])?;
    match root.attribute("type") {
        Some("CSP" | "SCSP" | "SCOP") => {}
        other => {
            let found = other.unwrap_or("");
            return Err(Wrong::unexpected(root.at, "type CSP, SCSP or SCOP", found));
        }
    }
    let parts =
        ["variables", "stages", "probabilities", "constraints", "thresholds", "annotations"];
    root.check_children(&parts)
}

/// By variable: what its probabilities depend on.
fn conditionals<'e, 'a>(
    root: &'e Element<'a>,
) -> Result<FxHashMap<&'a str, &'e Element<'a>>, Wrong> {
    let mut conditionals = FxHashMap::default();
    let Some(probabilities) = root.child("probabilities")? else { return Ok(conditionals) };
    probabilities.check_attributes(&[])?;
    probabilities.check_children(&["conditional"])?;
    for conditional in &probabilities.children {
        conditional.check_attributes(&[])?;
        conditional.check_children(&["list", "given", "rows"])?;
        let variable = conditional.required("list")?.only_token()?;
        if conditionals.insert(variable.text, conditional).is_some() {
            let expected = "one <conditional> for a variable";
            return Err(Wrong::unexpected(variable.at, expected, variable.text));
        }
    }
    Ok(conditionals)
}

fn read_conditional(
    variable: &str,
    element: &Element<'_>,
    reader: &mut ConstraintReader<'_>,
) -> Result<Distribution, Wrong> {
    // Only the variables before it are there by now.
    let given = reader.listed_vars(element.required("given")?).map_err(|wrong| {
        let Xcsp3Problem::UnknownVariable(later) = wrong.problem else { return wrong };
        let variable = variable.to_owned();
        Wrong::build(wrong.at)(BuildError::DependsOnLater { variable, later })
    })?;
    let mut rows = Vec::new();
    for_each_tuple(element.required("rows")?, |at, parts| {
        reader.work.spend(parts.len() as u128, at)?;
        rows.push(parts.iter().map(|part| part.real()).collect::<Result<Vec<f64>, _>>()?);
        Ok(())
    })?;
    reader.builder.probability_rows(&given, rows).map_err(Wrong::build(element.at))
}

/// Adds a variable, with probabilities that were said elsewhere if they were.
fn add_variable(
    builder: &mut NetworkBuilder,
    variable: Declared,
    elsewhere: Option<Distribution>,
) -> Result<(), Wrong> {
    let Declared { name, at, values } = variable;
    let wrong = Wrong::build(at);
    let domain: Domain = values.numbers.into_iter().collect();
    let distribution = match (values.chance, elsewhere) {
        (Chance::No, None) => {
            builder.decision(name, domain).map_err(&wrong)?;
            return Ok(());
        }
        // Then it is the same network as one that was built so.
        (Chance::Given(row), None) if row.iter().all(|p| *p == 1.0 / row.len() as f64) => {
            Distribution::uniform()
        }
        (Chance::Given(row), None) => builder.probability_rows(&[], vec![row]).map_err(&wrong)?,
        (Chance::Elsewhere, None) => Distribution::uniform(),
        (Chance::Elsewhere, Some(distribution)) => distribution,
        (Chance::No | Chance::Given(_), Some(_)) => {
            let expected = "a stochastic variable without probabilities of its own";
            return Err(Wrong::unexpected(at, expected, &name));
        }
    };
    builder.chance(name, domain, distribution).map_err(&wrong)?;
    Ok(())
}
