//! Players elsewhere, before a match begins: whether they can play it.

use std::time::{Duration, Instant};

use net::{Contestant, PlayerAddress, ask_for_info, is_listening};
use player::{Clock, Fault};
use protocol::{Info, Status};
use tracing::warn;

use super::series::Series;
use crate::status::Failure;

/// Whether the players of a series that are elsewhere can play its matches.
pub(super) fn check_invited(series: &Series<'_>) -> Result<(), Failure> {
    let addresses: Vec<_> = series.players.iter().filter_map(Contestant::address).collect();
    if addresses.is_empty() {
        return Ok(());
    }
    check_clocks(series, addresses[0])?;
    for (place, address) in addresses.iter().enumerate() {
        check_language(series, address)?;
        if addresses[..place].iter().any(|other| other.is_same_player(address)) {
            return Err(Failure {
                message: format!("{address} cannot play two roles of a match"),
                help: "start another player at another port".to_owned(),
            });
        }
    }
    Ok(())
}

/// Messages have clocks of whole seconds.
fn check_clocks(series: &Series<'_>, address: &PlayerAddress) -> Result<(), Failure> {
    let is_whole = |clock: Clock| match clock {
        Clock::Time(time) => time.subsec_nanos() == 0,
        Clock::Plays(_) => false,
    };
    match is_whole(series.start_clock) && is_whole(series.play_clock) {
        true => Ok(()),
        false => Err(Failure {
            message: format!("{address} is told clocks of whole seconds only"),
            help: "use --start-clock and --play-clock with whole numbers, and not --nodes"
                .to_owned(),
        }),
    }
}

/// What is seen in a game has to be told in words that the player understands.
fn check_language(series: &Series<'_>, address: &PlayerAddress) -> Result<(), Failure> {
    if series.remote.suits(address) {
        return Ok(());
    }
    let message = match series.rules.has_percepts() {
        true => "in this game not everything is seen (GDL-II)",
        false => "in this game all is seen, which was not sent in 2011",
    };
    Err(Failure {
        message: format!("{address}: {message}"),
        help: "write it as http://host:port;gdl=2 if it understands that".to_owned(),
    })
}

/// Whether a player is there, and free; chance would make its moves. One that has just played has a moment to get free.
pub(super) fn check_presence(address: &PlayerAddress) -> Result<(), Failure> {
    const TIME: Duration = Duration::from_secs(2);
    const PATIENCE: Duration = Duration::from_secs(5);
    const BETWEEN: Duration = Duration::from_millis(200);
    let is_busy = |answer: &Result<Info, Fault>| {
        answer.as_ref().is_ok_and(|info| info.status == Some(Status::Busy))
    };
    let start = Instant::now();
    let mut answer = ask_for_info(address, TIME);
    while is_busy(&answer) && start.elapsed() < PATIENCE {
        std::thread::sleep(BETWEEN);
        answer = ask_for_info(address, TIME);
    }
    let failure = |message: String, help: &str| Err(Failure { message, help: help.to_owned() });
    match answer {
        Ok(info) if info.status == Some(Status::Busy) => failure(
            format!("{address} is busy"),
            "wait until its match is over; if its manager is gone, restart it",
        ),
        Err(Fault::Lost) if !is_listening(address, TIME) => failure(
            format!("{address} cannot be reached"),
            "start it, or look for it with `woodstock players`",
        ),
        // Some players do not know INFO, or are silent while they think.
        Err(fault) => {
            warn!("{address} does not say who it is ({fault:?}); it is invited all the same");
            Ok(())
        }
        Ok(_) => Ok(()),
    }
}
