//! Variables, arrays of variables, and the names by which texts refer to them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::{Wrong, Xcsp3Problem};
use super::tree::{Element, Token};
use super::work::{Work, product};

/// What a name costs, in numbers that are held.
const COST_OF_NAME: u128 = 10;

/// Variables as they are declared.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub(super) variables: Vec<Declared>,
    pub(super) arrays: Arrays,
    /// By name: the place among all.
    places: FxHashMap<String, usize>,
}

/// A variable as it is declared.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) values: Values,
}

/// The values of a variable, ascending.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) numbers: Vec<i64>,
    pub(super) chance: Chance,
}

/// Whether chance decides on a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Chance {
    No,
    /// With these probabilities, by value.
    Given(Vec<f64>),
    /// With probabilities that are said elsewhere.
    Elsewhere,
}

/// By name of an array: its sizes.
#[derive(Debug, Default)]
pub(super) struct Arrays(FxHashMap<String, Vec<usize>>);

impl Arrays {
    /// The names of the variables that `x[2][]` or `x[0..3]` stands for, and whether it is one by its
    /// form. `None` for what is no part of an array.
    pub(super) fn cells(
        &self,
        token: Token<'_>,
        work: &mut Work,
    ) -> Result<Option<(Vec<String>, bool)>, Wrong> {
        let Some((id, _)) = token.split_at("[") else { return Ok(None) };
        let unknown = || Wrong {
            at: token.at,
            problem: Xcsp3Problem::UnknownVariable(token.text.to_owned()),
        };
        let sizes = self.0.get(id.text).ok_or_else(unknown)?;
        let brackets = brackets(token)?;
        if brackets.len() != sizes.len() {
            return Err(unknown());
        }
        let mut ranges = Vec::new();
        for (bracket, &size) in brackets.iter().zip(sizes) {
            let (first, last) = match bracket.text {
                "" => (0, size as i64 - 1),
                _ => bracket.interval()?,
            };
            if first < 0 || last >= size as i64 {
                return Err(unknown());
            }
            ranges.push(first..=last);
        }
        let n_cells = ranges.iter().map(|range| (range.end() - range.start() + 1) as usize);
        work.spend(product(n_cells).saturating_mul(COST_OF_NAME), token.at)?;
        let mut names = vec![id.text.to_owned()];
        for range in &ranges {
            let cells =
                names.iter().flat_map(|name| range.clone().map(move |n| format!("{name}[{n}]")));
            names = cells.collect();
        }
        let is_single = brackets.iter().all(|bracket| bracket.integer().is_ok());
        Ok(Some((names, is_single)))
    }
}

/// What stands in the brackets of `x[2][]`.
fn brackets(token: Token<'_>) -> Result<Vec<Token<'_>>, Wrong> {
    let wrong = || Wrong::unexpected(token.at, "indices in brackets", token.text);
    let mut brackets = Vec::new();
    let (_, mut rest) = token.split_at("[").ok_or_else(wrong)?;
    loop {
        let (bracket, behind) = rest.split_at("]").ok_or_else(wrong)?;
        brackets.push(bracket.trimmed());
        match behind.split_at("[") {
            Some((Token { text: "", .. }, inside)) => rest = inside,
            None if behind.text.is_empty() => return Ok(brackets),
            _ => return Err(wrong()),
        }
    }
}

impl Declarations {
    /// Reads what `<variables>` declares.
    pub(super) fn read(element: &Element<'_>, work: &mut Work) -> Result<Declarations, Wrong> {
        let mut declarations = Declarations::default();
        for child in &element.children {
            match child.name.as_str() {
                "var" => declarations.add_var(child, work)?,
                "array" => declarations.add_array(child, work)?,
                name => return Err(Wrong::not_read(child.at, format!("<{name}> in <variables>"))),
            }
        }
        Ok(declarations)
    }

    /// The place of the variable with a name.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    fn add_var(&mut self, element: &Element<'_>, work: &mut Work) -> Result<(), Wrong> {
        element.check_attributes(&["type", "as"])?;
        element.check_children(&[])?;
        let name = id(element)?;
        let values = self.values(element, element, work)?;
        self.add(name.to_owned(), element.at, values, work)
    }

    fn add_array(&mut self, element: &Element<'_>, work: &mut Work) -> Result<(), Wrong> {
        element.check_attributes(&["type", "as", "size"])?;
        element.check_children(&["domain"])?;
        let name = id(element)?;
        let sizes = sizes(element)?;
        if self.arrays.0.insert(name.to_owned(), sizes.clone()).is_some() {
            return Err(Wrong::unexpected(element.at, "another name for the array", name));
        }
        let all = Token { at: element.at, text: &format!("{name}{}", "[]".repeat(sizes.len())) };
        if element.children.is_empty() {
            let values = self.values(element, element, work)?;
            return self.add_cells(all, &values, work);
        }
        for domain in &element.children {
            domain.check_attributes(&["for", "as"])?;
            let values = self.values(domain, element, work)?;
            let Some(cells) = domain.attribute("for") else {
                return Err(Wrong::unexpected(domain.at, "the attribute `for`", "<domain>"));
            };
            match cells {
                "others" => self.add_cells(all, &values, work)?,
                _ => {
                    for text in cells.split_ascii_whitespace() {
                        self.add_cells(Token { at: domain.at, text }, &values, work)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the variables of part of an array, but for those that are there.
    fn add_cells(
        &mut self,
        part: Token<'_>,
        values: &Values,
        work: &mut Work,
    ) -> Result<(), Wrong> {
        let Some((cells, _)) = self.arrays.cells(part, work)? else {
            return Err(Wrong::unexpected(part.at, "part of an array", part.text));
        };
        for cell in cells {
            if !self.places.contains_key(&cell) {
                self.add(cell, part.at, values.clone(), work)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        name: String,
        at: usize,
        values: Values,
        work: &mut Work,
    ) -> Result<(), Wrong> {
        work.spend(COST_OF_NAME + values.numbers.len() as u128, at)?;
        self.places.insert(name.clone(), self.variables.len());
        self.variables.push(Declared { name, at, values });
        Ok(())
    }

    /// The values that `element` lists, or those of the variable that it says to copy; `typed` has the
    /// type.
    fn values(
        &self,
        element: &Element<'_>,
        typed: &Element<'_>,
        work: &mut Work,
    ) -> Result<Values, Wrong> {
        if let Some(other) = element.attribute("as") {
            let place = self.place(other).or_else(|| self.first_cell(other));
            let unknown = || Wrong {
                at: element.at,
                problem: Xcsp3Problem::UnknownVariable(other.to_owned()),
            };
            let Values { numbers, chance } =
                self.variables[place.ok_or_else(unknown)?].values.clone();
            let chance = match (is_chance(typed)?, chance) {
                (false, _) => Chance::No,
                (true, Chance::No) => Chance::Elsewhere,
                (true, chance) => chance,
            };
            return Ok(Values { numbers, chance });
        }
        read_values(element, is_chance(typed)?, work)
    }

    fn first_cell(&self, array: &str) -> Option<usize> {
        let n_dimensions = self.arrays.0.get(array)?.len();
        self.place(&format!("{array}{}", "[0]".repeat(n_dimensions)))
    }
}

/// Whether the type of a variable says that chance gives it its value.
fn is_chance(element: &Element<'_>) -> Result<bool, Wrong> {
    match element.attribute("type") {
        None | Some("integer") => Ok(false),
        Some("stochastic") => Ok(true),
        Some(other) => Err(Wrong::not_read(element.at, format!("a variable of type `{other}`"))),
    }
}

fn id<'e>(element: &'e Element<'_>) -> Result<&'e str, Wrong> {
    let found = element.attribute("id").unwrap_or("");
    match found.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && !found.contains(|sign: char| "[]()%,:".contains(sign) || sign.is_whitespace())
    {
        true => Ok(found),
        false => Err(Wrong::unexpected(element.at, "an id that begins with a letter", found)),
    }
}

/// The sizes of an array: `[3][4]`.
fn sizes(element: &Element<'_>) -> Result<Vec<usize>, Wrong> {
    let text = element.attribute("size").unwrap_or("");
    let wrong = || Wrong::unexpected(element.at, "sizes of an array, as `[3][4]`", text);
    let sizes = brackets(Token { at: element.at, text }).map_err(|_| wrong())?;
    let size =
        |token: &Token<'_>| token.text.parse().ok().filter(|size| (1..1 << 31).contains(size));
    let sizes = sizes.iter().map(size).collect::<Option<Vec<usize>>>();
    sizes.filter(|sizes| !sizes.is_empty()).ok_or_else(wrong)
}

/// The values that the text of `element` lists: `0..3 7`, or `0:1/4 1:3/4` with probabilities.
fn read_values(element: &Element<'_>, is_chance: bool, work: &mut Work) -> Result<Values, Wrong> {
    let mut values: Vec<(i64, Option<f64>)> = Vec::new();
    for token in element.tokens() {
        let (interval, probability) = match token.split_at(":") {
            Some((interval, probability)) if is_chance => (interval, Some(probability.real()?)),
            _ => (token, None),
        };
        let (first, last) = interval.interval()?;
        work.spend((i128::from(last) - i128::from(first) + 1) as u128, token.at)?;
        values.extend((first..=last).map(|value| (value, probability)));
    }
    values.sort_unstable_by_key(|(value, _)| *value);
    if let Some(twice) = values.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let value = twice[0].0.to_string();
        return Err(Wrong::unexpected(element.at, "every value once", &value));
    }
    let probabilities: Vec<f64> =
        values.iter().filter_map(|(_, probability)| *probability).collect();
    let chance = match (is_chance, probabilities.len()) {
        (false, _) => Chance::No,
        (true, 0) => Chance::Elsewhere,
        (true, n) if n == values.len() => Chance::Given(probabilities),
        (true, _) => {
            return Err(Wrong::unexpected(element.at, "a probability for each value", "fewer"));
        }
    };
    Ok(Values { numbers: values.into_iter().map(|(value, _)| value).collect(), chance })
}

impl Declarations {
    /// Puts the variables into the order of `<stages>`.
    pub(super) fn order_by(&mut self, stages: &Element<'_>, work: &mut Work) -> Result<(), Wrong> {
        stages.check_attributes(&[])?;
        stages.check_children(&["decision", "stochastic"])?;
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        for stage in &stages.children {
            for token in stage.tokens() {
                let cells = self.arrays.cells(token, work)?;
                let (mut names, is_single) =
                    cells.unwrap_or_else(|| (vec![token.text.to_owned()], true));
                if !is_single {
                    names.retain(|name| self.place(name).is_some());
                }
                for name in names {
                    let unknown = Xcsp3Problem::UnknownVariable(name.clone());
                    let place =
                        self.place(&name).ok_or(Wrong { at: token.at, problem: unknown })?;
                    let is_chance = self.variables[place].values.chance != Chance::No;
                    if is_chance != (stage.name == "stochastic") || !seen.insert(place) {
                        let expected = "each variable once, in a stage of its kind";
                        return Err(Wrong::unexpected(token.at, expected, &name));
                    }
                    order.push(place);
                }
            }
        }
        if let Some((_, missing)) =
            self.variables.iter().enumerate().find(|(place, _)| !seen.contains(place))
        {
            let expected = "every variable in a stage";
            return Err(Wrong::unexpected(stages.at, expected, &format!("not {}", missing.name)));
        }
        let mut variables: Vec<Option<Declared>> =
            std::mem::take(&mut self.variables).into_iter().map(Some).collect();
        self.variables = order.iter().filter_map(|&place| variables[place].take()).collect();
        let names = self.variables.iter().enumerate();
        self.places = names.map(|(place, variable)| (variable.name.clone(), place)).collect();
        Ok(())
    }
}
