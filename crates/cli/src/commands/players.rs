//! `woodstock players`

use std::time::{Duration, Instant};

use anstream::println;
use net::{PlayerAddress, ask_for_info};
use player::Fault;
use protocol::{Info, Status as PlayerStatus};
use serde::Serialize;

use crate::progress::with_progress;
use crate::status::{Failure, Status};

/// Ask players on the network who they are
///
/// All are asked at the same time; those that do not answer are told. Exit status 1 if one does not.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: woodstock players http://127.0.0.1:9147 192.0.2.7:9148")]
pub(crate) struct Arguments {
    /// Addresses: http://host:port, or host:port
    #[arg(required = true, value_name = "ADDRESS")]
    addresses: Vec<PlayerAddress>,
    /// How long to wait for an answer, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    timeout: f64,
    /// Print a JSON object a player: address, name, status, species, millis, problem
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    address: String,
    name: Option<String>,
    /// `available` or `busy`.
    status: Option<&'static str>,
    species: Option<String>,
    /// How long the answer took.
    millis: u64,
    problem: Option<&'static str>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let time = crate::progress::duration_of(arguments.timeout);
    let lines = with_progress("asking", None, || ask_all(&arguments.addresses, time));
    if arguments.json {
        for line in &lines {
            println!("{}", serde_json::to_string(line).expect("texts are JSON"));
        }
    } else {
        print_table(&lines);
    }
    let is_silent = lines.iter().any(|line| line.problem.is_some());
    Ok(if is_silent { Status::WrongInput } else { Status::Done })
}

fn ask_all(addresses: &[PlayerAddress], time: Duration) -> Vec<Line> {
    std::thread::scope(|scope| {
        let asked: Vec<_> =
            addresses.iter().map(|address| scope.spawn(move || ask(address, time))).collect();
        let line = |asked: std::thread::ScopedJoinHandle<'_, Line>| {
            asked.join().expect("asking does not fail")
        };
        asked.into_iter().map(line).collect()
    })
}

fn ask(address: &PlayerAddress, time: Duration) -> Line {
    let start = Instant::now();
    let answer = ask_for_info(address, time);
    let millis = start.elapsed().as_millis() as u64;
    let nobody = Info { name: None, status: None, species: None };
    let (info, problem) = match answer {
        Ok(info) => (info, None),
        Err(Fault::Late) => (nobody, Some("does not answer in time")),
        Err(Fault::Lost) => (nobody, Some("cannot be reached")),
        Err(Fault::Unreadable | Fault::NoMove) => {
            (nobody, Some("says what is no answer of a player"))
        }
    };
    let status = info.status.map(|status| match status {
        PlayerStatus::Available => "available",
        PlayerStatus::Busy => "busy",
    });
    let address = address.to_string();
    Line { address, name: info.name, status, species: info.species, millis, problem }
}

fn print_table(lines: &[Line]) {
    let width = |of: &dyn Fn(&Line) -> usize, title: &str| {
        lines.iter().map(of).chain([title.len()]).max().unwrap_or_default()
    };
    let addresses = width(&|line| line.address.chars().count(), "address");
    let names = width(&|line| line.name.as_deref().unwrap_or("-").chars().count(), "name");
    println!("{:addresses$}  {:names$}  {:9}  answer", "address", "name", "status");
    for line in lines {
        let name = line.name.as_deref().unwrap_or("-");
        let status = line.status.unwrap_or("-");
        let answer = match line.problem {
            Some(problem) => problem.to_owned(),
            None => format!("{} ms", line.millis),
        };
        println!("{:addresses$}  {name:names$}  {status:9}  {answer}", line.address);
    }
}
