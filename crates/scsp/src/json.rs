//! Networks as JSON: short to write by hand, and everything in it has a name.

use std::fmt;

use base::IdVec;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::network::{
    BuildError, Constraint, Distribution, Domain, Kind, Literal, Network, NetworkBuilder, Relation,
    Unwritable, VarId,
};

/// Networks of more players are refused.
const MAX_PLAYERS: usize = 1_000;

/// Why a text is no network.
#[derive(Debug)]
pub enum JsonError {
    /// It is no JSON, or not of the form that is expected; says where.
    Form(serde_json::Error),
    /// A variable is named that there is not.
    UnknownVariable(String),
    /// A value is given that a variable does not have.
    UnknownValue {
        /// The name of the variable.
        variable: String,
        /// The value.
        value: String,
    },
    /// The values of a variable do not ascend.
    NotAscending(String),
    /// There are more players than make sense.
    TooManyPlayers(usize),
    /// The network is malformed.
    Build(BuildError),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::Form(error) => write!(f, "{error}"),
            JsonError::UnknownVariable(name) => write!(f, "there is no variable `{name}`"),
            JsonError::UnknownValue { variable, value } => {
                write!(f, "the variable `{variable}` cannot take the value {value}")
            }
            JsonError::NotAscending(name) => {
                write!(f, "the values of the variable `{name}` must ascend, each once")
            }
            JsonError::TooManyPlayers(n) => {
                write!(f, "{n} players are too many; there may be {MAX_PLAYERS}")
            }
            JsonError::Build(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for JsonError {}

impl From<BuildError> for JsonError {
    fn from(error: BuildError) -> JsonError {
        JsonError::Build(error)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NetworkForm {
    #[serde(default = "one", skip_serializing_if = "is_one")]
    players: usize,
    variables: Vec<VariableForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<ConstraintForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    utilities: Vec<UtilityForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    thresholds: Vec<f64>,
}

fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(n: &usize) -> bool {
    *n == 1
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VariableForm {
    name: String,
    values: ValuesForm,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chance: Option<ChanceForm>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ValuesForm {
    Numbers(Vec<i64>),
    Names(Vec<String>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum ChanceForm {
    Uniform,
    /// By value.
    Probabilities(Vec<f64>),
    Table {
        given: Vec<String>,
        rows: Vec<Vec<f64>>,
    },
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum ValueForm {
    Number(i64),
    Name(String),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum ConstraintForm {
    Table {
        scope: Vec<String>,
        tuples: Vec<Vec<ValueForm>>,
    },
    Formula {
        head: LiteralForm,
        bodies: Vec<Vec<LiteralForm>>,
    },
    /// Values, and what they need.
    Needs {
        var: String,
        needs: Vec<(ValueForm, Vec<LiteralForm>)>,
    },
    /// Heads and bodies.
    Founded {
        rules: Vec<(LiteralForm, Vec<LiteralForm>)>,
    },
    Linear {
        terms: Vec<(i64, String)>,
        relation: RelationForm,
        constant: i64,
    },
    Element {
        array: Vec<String>,
        index: String,
        result: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LiteralForm {
    var: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is: Option<ValueForm>,
    #[serde(default, rename = "is-not", skip_serializing_if = "Option::is_none")]
    is_not: Option<ValueForm>,
}

#[derive(Serialize, Deserialize)]
enum RelationForm {
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = ">=")]
    AtLeast,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UtilityForm {
    scope: Vec<String>,
    /// What tuples that are not listed are worth for each player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    otherwise: Option<Vec<f64>>,
    /// Tuples, and what each is worth for each player.
    tuples: Vec<(Vec<ValueForm>, Vec<f64>)>,
}

impl Network {
    /// Reads a network from JSON.
    ///
    /// ```
    /// let network = scsp::Network::from_json(r#"{
    ///     "variables": [
    ///         {"name": "guess", "values": ["heads", "tails"]},
    ///         {"name": "coin", "values": ["heads", "tails"], "chance": {"probabilities": [0.6, 0.4]}}
    ///     ],
    ///     "utilities": [{"scope": ["guess", "coin"], "otherwise": [0],
    ///         "tuples": [[["heads", "heads"], [1]], [["tails", "tails"], [1]]]}]
    /// }"#)?;
    /// let best = scsp::best_policy(&network, scsp::Budget::UNLIMITED).policy.unwrap();
    /// assert_eq!(best.value(), [0.6]);
    /// # Ok::<(), scsp::JsonError>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Network, JsonError> {
        let form: NetworkForm = serde_json::from_str(text).map_err(JsonError::Form)?;
        if form.players > MAX_PLAYERS {
            return Err(JsonError::TooManyPlayers(form.players));
        }
        let mut reader = Reader { builder: NetworkBuilder::new(form.players), named: IdVec::new() };
        for variable in form.variables {
            reader.add_variable(variable)?;
        }
        for constraint in form.constraints {
            reader.add_constraint(constraint)?;
        }
        for utility in form.utilities {
            reader.add_utility(&utility, form.players)?;
        }
        if !form.thresholds.is_empty() {
            reader.builder.thresholds(&form.thresholds)?;
        }
        Ok(reader.builder.build())
    }

    /// The network as JSON. Values that preprocessing took away are written as tables.
    pub fn to_json(&self) -> Result<String, Unwritable> {
        let variables = self.variables().ids().map(|var| self.variable_form(var));
        let form = NetworkForm {
            players: self.n_players(),
            variables: variables.collect::<Result<_, _>>()?,
            constraints: self.constraint_forms(),
            utilities: self.utilities().iter().map(|utility| self.utility_form(utility)).collect(),
            thresholds: self.thresholds().to_vec(),
        };
        Ok(serde_json::to_string(&form).expect("names and numbers are JSON"))
    }

    fn variable_form(&self, var: VarId) -> Result<VariableForm, Unwritable> {
        let variable = &self.variables()[var];
        let values = match variable.domain.names() {
            Some(names) => ValuesForm::Names(names.to_vec()),
            None => ValuesForm::Numbers(variable.domain.values().to_vec()),
        };
        let chance = match &variable.kind {
            Kind::Decision => None,
            Kind::Chance(distribution) => Some(self.chance_form(&variable.name, distribution)?),
        };
        Ok(VariableForm { name: variable.name.clone(), values, chance })
    }

    fn chance_form(
        &self,
        name: &str,
        distribution: &Distribution,
    ) -> Result<ChanceForm, Unwritable> {
        if distribution.is_function() {
            return Err(Unwritable::Computed { variable: name.to_owned() });
        }
        Ok(match (distribution.scope(), distribution.rows()) {
            (_, []) => ChanceForm::Uniform,
            ([], [row, ..]) => ChanceForm::Probabilities(row.clone()),
            (scope, rows) => ChanceForm::Table { given: self.names(scope), rows: rows.to_vec() },
        })
    }

    fn constraint_forms(&self) -> Vec<ConstraintForm> {
        let restricted = self.restrictions().map(|(var, left)| ConstraintForm::Table {
            scope: self.names(&[var]),
            tuples: left.iter().map(|&value| vec![self.value_form(var, value)]).collect(),
        });
        let written = self.constraints().iter().map(|constraint| self.constraint_form(constraint));
        restricted.chain(written).collect()
    }

    fn constraint_form(&self, constraint: &Constraint) -> ConstraintForm {
        match constraint {
            Constraint::Table(table) => ConstraintForm::Table {
                scope: self.names(table.scope()),
                tuples: table.tuples().map(|tuple| self.tuple_form(table.scope(), tuple)).collect(),
            },
            Constraint::Formula(formula) => ConstraintForm::Formula {
                head: self.literal_form(formula.head()),
                bodies: formula.bodies().iter().map(|body| self.literal_forms(body)).collect(),
            },
            Constraint::Needs(needs) => ConstraintForm::Needs {
                var: self.variables()[needs.var()].name.clone(),
                needs: needs
                    .needs()
                    .iter()
                    .map(|(place, literals)| {
                        (self.value_form(needs.var(), *place), self.literal_forms(literals))
                    })
                    .collect(),
            },
            Constraint::Founded(founded) => ConstraintForm::Founded {
                rules: founded
                    .rules()
                    .map(|(head, body)| (self.literal_form(head), self.literal_forms(&body)))
                    .collect(),
            },
            Constraint::Linear(linear) => ConstraintForm::Linear {
                terms: linear
                    .factors()
                    .map(|(factor, var)| (factor, self.variables()[var].name.clone()))
                    .collect(),
                relation: match linear.relation() {
                    Relation::AtMost => RelationForm::AtMost,
                    Relation::Equal => RelationForm::Equal,
                    Relation::AtLeast => RelationForm::AtLeast,
                },
                constant: linear.constant(),
            },
            Constraint::Element(element) => ConstraintForm::Element {
                array: self.names(element.array()),
                index: self.variables()[element.index()].name.clone(),
                result: self.variables()[element.result()].name.clone(),
            },
        }
    }

    fn utility_form(&self, utility: &crate::network::Utility) -> UtilityForm {
        let scope = utility.scope();
        let tuple =
            |(tuple, worth): (Vec<u32>, &[f64])| (self.tuple_form(scope, &tuple), worth.to_vec());
        let tuples = utility.tuples().map(tuple).collect();
        UtilityForm { scope: self.names(scope), otherwise: None, tuples }
    }

    fn value_form(&self, var: VarId, value: u32) -> ValueForm {
        let domain = &self.variables()[var].domain;
        match domain.names() {
            Some(names) => ValueForm::Name(names[value as usize].clone()),
            None => ValueForm::Number(domain.values()[value as usize]),
        }
    }

    fn tuple_form(&self, scope: &[VarId], tuple: &[u32]) -> Vec<ValueForm> {
        scope.iter().zip(tuple).map(|(&var, &value)| self.value_form(var, value)).collect()
    }

    fn literal_forms(&self, literals: &[Literal]) -> Vec<LiteralForm> {
        literals.iter().map(|&literal| self.literal_form(literal)).collect()
    }

    fn literal_form(&self, literal: Literal) -> LiteralForm {
        let var = self.variables()[literal.var].name.clone();
        let value = Some(self.value_form(literal.var, literal.value));
        match literal.is_equal {
            true => LiteralForm { var, is: value, is_not: None },
            false => LiteralForm { var, is: None, is_not: value },
        }
    }
}

/// A network that is being read.
struct Reader {
    builder: NetworkBuilder,
    /// By variable: its values by their names.
    named: IdVec<VarId, FxHashMap<String, i64>>,
}

impl Reader {
    fn add_variable(&mut self, form: VariableForm) -> Result<(), JsonError> {
        let domain: Domain = match form.values {
            ValuesForm::Numbers(values) if !values.is_sorted_by(|one, other| one < other) => {
                // What is listed by value would belong to others.
                return Err(JsonError::NotAscending(form.name));
            }
            ValuesForm::Numbers(values) => values.into_iter().collect(),
            ValuesForm::Names(names) => Domain::named(names),
        };
        let names = domain.names().unwrap_or(&[]).iter().cloned();
        self.named.push(names.zip(domain.values().iter().copied()).collect());
        let Some(chance) = form.chance else {
            self.builder.decision(form.name, domain)?;
            return Ok(());
        };
        let distribution = match chance {
            ChanceForm::Uniform => Distribution::uniform(),
            ChanceForm::Probabilities(row) => self.builder.probability_rows(&[], vec![row])?,
            ChanceForm::Table { given, rows } => {
                let scope = self.vars(&given)?;
                self.builder.probability_rows(&scope, rows)?
            }
        };
        self.builder.chance(form.name, domain, distribution)?;
        Ok(())
    }

    fn add_constraint(&mut self, form: ConstraintForm) -> Result<(), JsonError> {
        match form {
            ConstraintForm::Table { scope, tuples } => {
                let scope = self.vars(&scope)?;
                let tuples = tuples.iter().map(|tuple| self.tuple(&scope, tuple));
                let tuples: Vec<Vec<i64>> = tuples.collect::<Result<_, _>>()?;
                self.builder.table(&scope, tuples)?;
            }
            ConstraintForm::Formula { head, bodies } => {
                let head = self.literal(&head)?;
                let bodies = bodies.iter().map(|body| self.literals(body));
                let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
                self.builder.formula(head, bodies)?;
            }
            ConstraintForm::Needs { var, needs } => {
                let var = self.var(&var)?;
                let need = |(value, literals): &(ValueForm, Vec<LiteralForm>)| {
                    Ok((self.value(var, value)?, self.literals(literals)?))
                };
                let needs = needs.iter().map(need).collect::<Result<Vec<_>, JsonError>>()?;
                self.builder.needs(var, needs)?;
            }
            ConstraintForm::Founded { rules } => {
                let rule = |(head, body): &(LiteralForm, Vec<LiteralForm>)| {
                    Ok((self.literal(head)?, self.literals(body)?))
                };
                let rules = rules.iter().map(rule).collect::<Result<Vec<_>, JsonError>>()?;
                self.builder.founded(rules)?;
            }
            ConstraintForm::Linear { terms, relation, constant } => {
                let term = |(factor, name): &(i64, String)| Ok((*factor, self.var(name)?));
                let factors: Vec<(i64, VarId)> =
                    terms.iter().map(term).collect::<Result<_, JsonError>>()?;
                let relation = match relation {
                    RelationForm::AtMost => Relation::AtMost,
                    RelationForm::Equal => Relation::Equal,
                    RelationForm::AtLeast => Relation::AtLeast,
                };
                self.builder.linear(&factors, relation, constant)?;
            }
            ConstraintForm::Element { array, index, result } => {
                let (array, index) = (self.vars(&array)?, self.var(&index)?);
                let result = self.var(&result)?;
                self.builder.element(&array, index, result)?;
            }
        }
        Ok(())
    }

    fn add_utility(&mut self, form: &UtilityForm, n_players: usize) -> Result<(), JsonError> {
        let scope = self.vars(&form.scope)?;
        let mut worth: FxHashMap<Vec<i64>, &Vec<f64>> = FxHashMap::default();
        for (tuple, of_tuple) in &form.tuples {
            worth.insert(self.tuple(&scope, tuple)?, of_tuple);
        }
        let otherwise = form.otherwise.clone().unwrap_or_else(|| vec![0.0; n_players]);
        let of =
            |tuple: &[i64]| worth.get(tuple).map_or_else(|| otherwise.clone(), |w| (*w).clone());
        self.builder.utility(&scope, of)?;
        Ok(())
    }

    fn var(&self, name: &str) -> Result<VarId, JsonError> {
        self.builder.find(name).ok_or_else(|| JsonError::UnknownVariable(name.to_owned()))
    }

    fn vars(&self, names: &[String]) -> Result<Vec<VarId>, JsonError> {
        names.iter().map(|name| self.var(name)).collect()
    }

    fn tuple(&self, scope: &[VarId], tuple: &[ValueForm]) -> Result<Vec<i64>, JsonError> {
        if tuple.len() != scope.len() {
            let (found, expected) = (tuple.len(), scope.len());
            return Err(BuildError::TupleLength { found, expected }.into());
        }
        scope.iter().zip(tuple).map(|(&var, value)| self.value(var, value)).collect()
    }

    fn value(&self, var: VarId, value: &ValueForm) -> Result<i64, JsonError> {
        let has = |number: &i64| self.builder.domain(var).index_of(*number).is_some();
        let (found, text) = match value {
            ValueForm::Number(number) => (Some(*number).filter(has), number.to_string()),
            ValueForm::Name(name) => (self.named[var].get(name).copied(), format!("`{name}`")),
        };
        let unknown = || {
            let variable = self.builder.name(var).to_owned();
            JsonError::UnknownValue { variable, value: text }
        };
        found.ok_or_else(unknown)
    }

    fn literals(&self, forms: &[LiteralForm]) -> Result<Vec<Literal>, JsonError> {
        forms.iter().map(|form| self.literal(form)).collect()
    }

    fn literal(&self, form: &LiteralForm) -> Result<Literal, JsonError> {
        let var = self.var(&form.var)?;
        match (&form.is, &form.is_not) {
            (Some(value), None) => Ok(self.builder.literal(var, self.value(var, value)?)?),
            (None, Some(value)) => Ok(!self.builder.literal(var, self.value(var, value)?)?),
            _ => Err(JsonError::Form(serde::de::Error::custom(format!(
                "the literal of `{}` has one of `is` and `is-not`",
                form.var
            )))),
        }
    }
}
