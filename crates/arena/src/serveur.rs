//! The course's server of the maze with its watch room: the window that the assignment describes.

use crate::cli::{address, host};
use crate::watch::{self, Table, Text, Watch};
use courses::drawing::Marks;
use courses::games::moules::Seen;
use courses::games::moules::drawing::{Trails, draw};
use moules_client::cli::serveur;
use moules_client::protocol::server::Event;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;
use wire::Failure;

/// Between two looks for somebody who looks.
const BETWEEN: Duration = Duration::from_millis(20);

/// The body of `arena moules`: `--page [ADDRESS:]PORT`, `--host NAME`, the rest is the server's.
///
/// # Errors
/// Those of the server, and a page's port that cannot be had.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    let mut page = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    let mut names = Vec::new();
    let rest = serveur::without_page(arguments, |option, value| {
        if option == "--page" {
            page = address(value)?
        } else {
            names.push(host(value)?)
        }
        Ok(())
    })?;
    if serveur::parse(rest.clone())?.is_none() {
        return wire::print(serveur::USAGE);
    }
    let title = Text::same("moules-serveur");
    let room = watch::open_as(page, &names, title, 1).map_err(Failure::run)?;
    wire::note(format_args!("arena: {}", room.links()));
    let mut seen = Seen::default();
    // Players come to a match when they like; a replay begins when somebody looks.
    let mut is_awaited = rest.iter().any(|word| word == "--rejouer");
    if is_awaited {
        wire::note("arena: le rejeu commence quand la page est ouverte");
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

fn tell(room: &Watch, seen: &mut Seen, event: &Event<'_>) {
    let (game, names) = match event {
        Event::Connected(..) => return,
        Event::Started(game, names) => {
            *seen = Seen::begin(&game.state);
            (game, names)
        }
        Event::Turn(game, names, player, command, origin) => {
            let text = command.action.map_or_else(|| "?".to_owned(), |action| action.to_string());
            seen.turn(*player, &text, *origin, &game.state);
            (game, names)
        }
        Event::Ended(game, names) => (game, names),
    };
    let mover = game.end().is_none().then(|| game.to_move());
    let trails = Trails { places: seen.trails.clone(), mover, ..Trails::default() };
    let drawing = draw(&game.state, &trails, &Marks::default());
    let maze = Some(seen.table(game, names));
    room.show(0, Table { title: names.join(" – "), drawing, maze, foot: Vec::new() });
}
