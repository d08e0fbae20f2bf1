//! The course's server of the maze with its watch room: the window that the assignment describes.

use crate::cli::address;
use crate::watch::{self, Table, Watch};
use courses::drawing::Marks;
use courses::drawing::moules::{Trails, draw};
use courses::moules::follow;
use moules_client::cli::serveur;
use moules_client::protocol::journal::Origin;
use moules_client::protocol::server::Event;
use moules_client::rules::{Cell, Command, Game};
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;
use wire::Failure;

/// Between two looks for somebody who looks.
const BETWEEN: Duration = Duration::from_millis(20);

/// The room's memory of a match.
#[derive(Default)]
struct Match {
    trails: Vec<Vec<Cell>>,
    last: Vec<String>,
    late: Vec<u64>,
}

/// The body of `arena moules`: `--page [ADDRESS:]PORT`, the rest is the server's.
///
/// # Errors
/// Those of the server, and a page's port that cannot be had.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    let mut page = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    let mut rest = Vec::new();
    let mut words = arguments.into_iter();
    while let Some(word) = words.next() {
        if word == "--page" {
            let value = words.next().ok_or_else(|| Failure::input("--page : une valeur manque"))?;
            page = address(&value.to_string_lossy())?;
        } else {
            rest.push(word);
        }
    }
    let room = watch::open(page, "moules-serveur", 1).map_err(Failure::run)?;
    eprintln!("arena: http://{}/", room.address());
    let mut seen = Match::default();
    // Players come to a match when they like; a replay begins when somebody looks.
    let mut is_awaited = rest.iter().any(|word| word == "--rejouer");
    if is_awaited {
        eprintln!("arena: le rejeu commence quand la page est ouverte");
    }
    let mut watch = |event: &Event<'_>| {
        tell(&room, &mut seen, event);
        while std::mem::take(&mut is_awaited) {
            std::thread::sleep(BETWEEN);
            is_awaited = room.watchers() == 0;
        }
    };
    let done = serveur::watched(rest, Some(&mut watch));
    room.close();
    done
}

fn tell(room: &Watch, seen: &mut Match, event: &Event<'_>) {
    let (game, names) = match event {
        Event::Connected(..) => return,
        Event::Started(game, names) => {
            let count = game.player_count();
            *seen = Match {
                trails: vec![Vec::new(); count],
                last: vec![String::new(); count],
                late: vec![0; count],
            };
            (game, names)
        }
        Event::Turn(game, names, player, command, origin) => {
            seen.last[*player] = written(*command, *origin);
            seen.late[*player] += u64::from(*origin != Origin::Player);
            (game, names)
        }
        Event::Ended(game, names) => (game, names),
    };
    follow(&mut seen.trails, &game.state);
    let mover = game.end().is_none().then(|| game.to_move());
    let trails = Trails { places: seen.trails.clone(), mover, ..Trails::default() };
    let drawing = draw(&game.state, &trails, &Marks::default());
    let legend = watch::legend(names.iter().cloned());
    room.show(0, Table { title: names.join(" – "), drawing, legend, foot: foot(game, seen) });
    room.tell(standing(game, names, seen));
}

fn written(command: Command, origin: Origin) -> String {
    let action = command.action.map_or_else(|| "?".to_owned(), |action| action.to_string());
    match origin {
        Origin::Player => action,
        Origin::Late => format!("{action} (retard)"),
        Origin::Gone => format!("{action} (absent)"),
    }
}

fn foot(game: &Game, seen: &Match) -> Vec<String> {
    let last: Vec<String> =
        seen.last.iter().enumerate().map(|(player, text)| format!("{player} : {text}")).collect();
    let turn = game.turns() / game.player_count() as u64;
    let limit = game.turns_left(0).map_or_else(String::new, |left| format!(" / {}", turn + left));
    vec![format!("tour {turn}{limit} · {} moules", game.mussels_left()), last.join(" · ")]
}

fn standing(game: &Game, names: &[String], seen: &Match) -> watch::Standing {
    let heads = ["#", "nom", "points", "frites", "bières", "retards", "barème"].map(str::to_owned).to_vec();
    let marks = game.marks();
    let mut order: Vec<usize> = (0..game.player_count()).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(game.purses[player].points));
    let row = |player: usize| {
        let purse = game.purses[player];
        let name = names.get(player).cloned().unwrap_or_default();
        let numbers = [u64::from(purse.points), purse.frites.into(), purse.beers.into(), seen.late[player]];
        let numbers = numbers.map(|number| number.to_string());
        [vec![player.to_string(), name], numbers.to_vec(), vec![format!("{}", marks[player])]].concat()
    };
    let rows = order.into_iter().map(row).collect();
    watch::Standing { heads, rows, summary: String::new() }
}
