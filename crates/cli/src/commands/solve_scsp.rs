//! `woodstock solve-scsp`: the best policy of a network from a file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use scsp::{BestPolicy, Budget, Network, OneStage, Policy, Progress, best_policy_watched};
use serde::Serialize;

use crate::progress::{Report, time_limit, with_report};
use crate::sheet::{read_named, write_file};
use crate::status::{Failure, Status};

/// Solves a stochastic constraint network
///
/// Finds the best policy that is worth at least the thresholds of the network, or says that there is
/// none. The file is JSON or XCSP3, as docs/scsp.md describes them.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: woodstock solve-scsp coins.json --policy\n          \
                        woodstock solve-scsp queens.xml --count --seconds 60")]
pub(crate) struct Arguments {
    /// The network, or - for standard input
    file: String,
    /// What a policy must be worth for each player, instead of what the file says
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    thresholds: Option<Vec<f64>>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Count the decisions of a network of one stage that chance cannot spoil, and do nothing else
    #[arg(long, conflicts_with_all = ["policy", "dot"])]
    count: bool,
    /// Print the policy
    #[arg(long)]
    policy: bool,
    /// Write the policy as a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the network: as XCSP3 if the name of the file ends with .xml, as JSON otherwise
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Print one JSON object: satisfiable, value, policies, nodes and seconds
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output {
    /// `None` if that was not found out.
    satisfiable: Option<bool>,
    /// What the best policy that was found is worth, by player.
    value: Option<Vec<f64>>,
    /// The feasible decisions, if they were to be counted: those that were found in time.
    policies: Option<u64>,
    nodes: u64,
    seconds: f64,
}

/// What was found out, and whether there was time for all.
struct Solved {
    output: Output,
    policy: Option<Policy>,
    is_complete: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let network = network(arguments)?;
    if let Some(path) = &arguments.write {
        write_file(path, &text_for(path, &network)?)?;
    }
    let (duration, deadline) = time_limit(arguments.seconds);
    let budget = Budget { deadline, ..Budget::UNLIMITED };
    let solved = with_report("solving", duration, |report| match arguments.count {
        true => count(&network, budget, report),
        false => Ok(solve(&network, budget, report)),
    })?;
    if arguments.json {
        println!("{}", serde_json::to_string(&solved.output).expect("numbers are JSON"));
    } else {
        describe(&solved);
    }
    if let Some(policy) = &solved.policy {
        if arguments.policy && !arguments.json {
            print!("{}", policy.text(&network));
        }
        if let Some(path) = &arguments.dot {
            write_file(path, &policy.dot(&network))?;
        }
    }
    Ok(if solved.is_complete { Status::Done } else { Status::LimitReached })
}

fn network(arguments: &Arguments) -> Result<Network, Failure> {
    let (name, bytes) = read_named(&arguments.file);
    let bytes = bytes.map_err(|error| Failure {
        message: format!("{name}: {error}"),
        help: "give the path of a network in JSON or XCSP3, or - for standard input".to_owned(),
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

/// The network in the form that the name of a file asks for.
fn text_for(path: &Path, network: &Network) -> Result<String, Failure> {
    let is_xml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xml"));
    let text = if is_xml { network.to_xcsp3() } else { network.to_json() };
    text.map_err(|error| Failure {
        message: error.to_string(),
        help: "leave --write out".to_owned(),
    })
}

fn solve(network: &Network, budget: Budget, report: &Report) -> Solved {
    let start = Instant::now();
    let (network, _) = network.preprocessed();
    let found = best_policy_watched(&network, budget, |progress: Progress| {
        let n_nodes = progress.statistics.n_nodes;
        report.say(format!(": {}, {n_nodes} values tried", percent(progress.share_done)));
    });
    let BestPolicy { policy, is_proved, statistics } = found;
    let output = Output {
        satisfiable: policy.is_some().then_some(true).or(is_proved.then_some(false)),
        value: policy.as_ref().map(Policy::value),
        policies: None,
        nodes: statistics.n_nodes,
        seconds: start.elapsed().as_secs_f64(),
    };
    Solved { output, policy, is_complete: is_proved }
}

/// How many decisions of a network of one stage chance cannot spoil.
fn count(network: &Network, budget: Budget, report: &Report) -> Result<Solved, Failure> {
    /// So many solutions are found from one word about them to the next.
    const BETWEEN_REPORTS: u64 = 4096;
    let start = Instant::now();
    let stage = OneStage::new(network).map_err(|error| Failure {
        message: error.to_string(),
        help: "leave --count out: it is for networks of one stage".to_owned(),
    })?;
    let mut solutions = stage.solutions(budget);
    let mut n_found = 0_u64;
    while solutions.next_solution().is_some() {
        n_found += 1;
        if n_found.is_multiple_of(BETWEEN_REPORTS) {
            let share = percent(solutions.share_done());
            report.say(format!(": {share}, {n_found} decisions found"));
        }
    }
    let is_complete = solutions.is_complete();
    let asks_for_nothing = network.thresholds().iter().all(|threshold| *threshold <= 0.0);
    let output = Output {
        satisfiable: match (n_found, is_complete) {
            (0, true) => Some(false),
            (0, false) => None,
            _ => asks_for_nothing.then_some(true),
        },
        value: None,
        policies: Some(n_found),
        nodes: solutions.statistics().n_nodes,
        seconds: start.elapsed().as_secs_f64(),
    };
    Ok(Solved { output, policy: None, is_complete })
}

fn percent(share: f64) -> String {
    format!("{:.1} % of the search", 100.0 * share)
}

fn describe(solved: &Solved) {
    let Solved { output, is_complete, .. } = solved;
    match (output.policies, &output.value, output.satisfiable) {
        (Some(n_found), ..) if *is_complete => println!("{n_found} feasible decisions"),
        (Some(n_found), ..) => {
            println!("at least {n_found} feasible decisions; there was no time for all");
        }
        (_, Some(value), _) if *is_complete => {
            println!("satisfiable: the best policy is worth {value:?}");
        }
        (_, Some(value), _) => {
            println!("satisfiable: a policy is worth {value:?}; there was no time for better ones");
        }
        (_, None, Some(_)) => println!("not satisfiable: no policy is worth as much as asked for"),
        (_, None, None) => println!("nothing was found in time"),
    }
    println!("{} values tried in {:.3} s", output.nodes, output.seconds);
}
