//! The course's server with a page: the window that the assignment describes.

use super::Seen;
use super::drawing::{Trails, draw};
use crate::assignment::Server;
use crate::drawing::{Language, Marks};
use crate::play::watched::ServerPage;
use moules_client::cli::serveur;
use moules_client::protocol::event::Event;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;
use wire::Failure;

/// Interval between polls for viewers.
const BETWEEN: Duration = Duration::from_millis(20);

/// `moules-serveur` as the page starts it.
pub struct Serveur;

impl Server for Serveur {
    fn program(&self) -> &'static str {
        "moules-serveur"
    }

    fn journal(&self, language: Language) -> &'static str {
        language.choose("journal du serveur des moules", "a maze server's journal")
    }

    fn run(&self, arguments: Vec<OsString>, page: &mut dyn ServerPage) -> Result<(), Failure> {
        let rest = serveur::without_page(arguments, |option, value| page.option(option, value))?;
        if serveur::parse(rest.clone())?.is_none() {
            return wire::print(serveur::USAGE);
        }
        page.open(self.program())?;
        let mut seen = Seen::default();
        let mut waiting = Waiting::default();
        // Players come to a match when they like; a replay begins when somebody looks.
        let mut is_awaited = rest.iter().any(|word| word == "--rejouer");
        if is_awaited {
            wire::note("arena: le rejeu commence quand la page est ouverte");
        }
        let mut watch = |event: &Event<'_>| {
            waiting.note(page, event);
            show(page, &mut seen, event);
            while std::mem::take(&mut is_awaited) {
                std::thread::sleep(BETWEEN);
                is_awaited = page.watchers() == 0;
            }
        };
        let done = serveur::watched(rest, Some(&mut watch));
        page.close(done)
    }
}

/// The port of the server, and the addresses of its clients by number.
#[derive(Default)]
struct Waiting {
    port: u16,
    clients: Vec<String>,
}

impl Waiting {
    /// Shows who is connected before a match.
    fn note(&mut self, page: &mut dyn ServerPage, event: &Event<'_>) {
        match event {
            Event::Waiting(port) => *self = Self { port: *port, clients: Vec::new() },
            Event::Connected(number, address) => match self.clients.get_mut(*number) {
                Some(client) => (*address).clone_into(client),
                None => self.clients.push((*address).to_owned()),
            },
            _ => return,
        }
        page.wait(self.port, &self.clients);
    }
}

fn show(page: &mut dyn ServerPage, seen: &mut Seen, event: &Event<'_>) {
    let (game, names) = match event {
        Event::Waiting(_) | Event::Connected(..) => return,
        Event::Unkept(why) => return page.unkept(why),
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
    page.show(names, drawing, Arc::new(seen.table(game, names)));
}
