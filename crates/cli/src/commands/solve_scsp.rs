//! `woodstock solve-scsp`

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anstream::{print, println};
use base::Deadline;
use scsp::{BestPolicy, Budget, Network, OneStage, best_policy};
use serde::Serialize;

use crate::progress::with_progress;
use crate::sheet::read_named;
use crate::status::{Failure, Status};

/// Solve a stochastic constraint network
///
/// Finds the best policy among those that are worth at least the thresholds of the network, or that
/// there is none. The file is JSON, as docs/scsp.md describes it.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: woodstock solve-scsp coins.json --policy")]
pub(crate) struct Arguments {
    /// The network, or - for standard input
    file: String,
    /// What a policy must be worth for each player, instead of what the file says
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    thresholds: Option<Vec<f64>>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Count the decisions of a network of one stage that chance cannot spoil
    #[arg(long)]
    count: bool,
    /// Print the policy
    #[arg(long)]
    policy: bool,
    /// Write the policy as a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Print one JSON object: satisfiable, value, policies, nodes and seconds
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output {
    /// `None` if that was not found out in time.
    satisfiable: Option<bool>,
    /// What the best policy that was found is worth, by player.
    value: Option<Vec<f64>>,
    /// The feasible decisions, if they were to be counted.
    policies: Option<u64>,
    nodes: u64,
    seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let network = network(arguments)?;
    let start = Instant::now();
    let duration = arguments.seconds.map(|seconds| seconds.clamp(0.0, 1e9));
    let duration = duration.map(Duration::from_secs_f64);
    let deadline = duration.map_or(Deadline::NEVER, Deadline::after);
    let budget = Budget { deadline, ..Budget::UNLIMITED };
    let (found, policies) = with_progress("solving", duration, || {
        let (network, _) = network.preprocessed();
        let policies = arguments.count.then(|| count(&network, budget));
        (best_policy(&network, budget), policies)
    });
    let policies = policies.transpose()?;
    let BestPolicy { policy, is_proved, statistics } = &found;
    let output = Output {
        satisfiable: policy.is_some().then_some(true).or(is_proved.then_some(false)),
        value: policy.as_ref().map(scsp::Policy::value),
        policies,
        nodes: statistics.n_nodes,
        seconds: start.elapsed().as_secs_f64(),
    };
    if arguments.json {
        println!("{}", serde_json::to_string(&output).expect("numbers are JSON"));
    } else {
        describe(&output, *is_proved);
    }
    if let Some(policy) = policy {
        if arguments.policy && !arguments.json {
            print!("{}", policy.text(&network));
        }
        if let Some(path) = &arguments.dot {
            std::fs::write(path, policy.dot(&network)).map_err(|error| Failure {
                message: format!("{}: {error}", path.display()),
                help: "name a file that can be written".to_owned(),
            })?;
        }
    }
    Ok(if *is_proved { Status::Done } else { Status::LimitReached })
}

fn network(arguments: &Arguments) -> Result<Network, Failure> {
    let (name, bytes) = read_named(&arguments.file);
    let bytes = bytes.map_err(|error| Failure {
        message: format!("{name}: {error}"),
        help: "give the path of a network in JSON, or - for standard input".to_owned(),
    })?;
    let wrong = |message: String| Failure {
        message: format!("{name}: {message}"),
        help: "docs/scsp.md describes the form of networks".to_owned(),
    };
    let text = String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
    let text = text.trim_start_matches('\u{feff}');
    let network = match text.trim_start().starts_with('<') {
        true => Network::from_xcsp3(text).map_err(|error| wrong(error.to_string()))?,
        false => Network::from_json(text).map_err(|error| wrong(error.to_string()))?,
    };
    match &arguments.thresholds {
        Some(thresholds) => {
            network.with_thresholds(thresholds).map_err(|error| wrong(error.to_string()))
        }
        None => Ok(network),
    }
}

/// How many decisions of a network of one stage chance cannot spoil.
fn count(network: &Network, budget: Budget) -> Result<u64, Failure> {
    let stage = OneStage::new(network).map_err(|error| Failure {
        message: error.to_string(),
        help: "leave --count out: it is for networks of one stage".to_owned(),
    })?;
    let mut solutions = stage.solutions().with_budget(budget);
    while solutions.next_solution().is_some() {}
    Ok(solutions.statistics().n_solutions)
}

fn describe(output: &Output, is_proved: bool) {
    match (&output.value, output.satisfiable) {
        (Some(value), _) if is_proved => {
            println!("satisfiable: the best policy is worth {value:?}");
        }
        (Some(value), _) => {
            println!("satisfiable: a policy is worth {value:?}; there was no time for better ones");
        }
        (None, Some(_)) => println!("not satisfiable: no policy is worth as much as asked for"),
        (None, None) => println!("nothing was found in time"),
    }
    if let Some(policies) = output.policies {
        println!("{policies} feasible decisions");
    }
    println!("{} values tried in {:.3} s", output.nodes, output.seconds);
}
