//! A course's own server with a page: the window that the assignment describes.

use crate::watch::{self, Chair, Table, Text, Watch};
use crate::web::{address, host};
use courses::assignment::Server;
use courses::play::watched::{Scoreboard, ServerPage};
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use wire::Failure;

/// The page of a server, and its options.
struct Page {
    address: SocketAddr,
    names: Vec<String>,
    watch: Option<Watch>,
}

impl ServerPage for Page {
    fn option(&mut self, option: &str, value: &str) -> Result<(), Failure> {
        if option == "--page" {
            self.address = address(value)?;
        } else {
            self.names.push(host(value)?);
        }
        Ok(())
    }

    fn open(&mut self, title: &str) -> Result<(), Failure> {
        let watch = watch::open_as(self.address, &self.names, Text::same(title), 1).map_err(Failure::run)?;
        wire::note(format_args!("arena: {}", watch.links()));
        self.watch = Some(watch);
        Ok(())
    }

    fn wait(&mut self, port: u16, clients: &[String]) {
        let (port, clients) = (port.to_string(), clients.join(", "));
        let [french, english] =
            [["port", "connectés :", "personne"], ["port", "connected:", "nobody"]].map(|words| {
                let clients = if clients.is_empty() { words[2] } else { &clients };
                format!("{} {port} · {} {clients}", words[0], words[1])
            });
        if let Some(watch) = &self.watch {
            watch.wait(Text::new(french, english));
        }
    }

    fn show(&mut self, names: &[String], drawing: String, scoreboard: Arc<dyn Scoreboard>) {
        if let Some(watch) = &self.watch {
            let chair = |name: &String| Chair { name: name.clone(), ..Chair::default() };
            let chairs = names.iter().map(chair).collect();
            watch.show(0, Table { chairs, drawing, scoreboard: Some(scoreboard), foot: Vec::new() });
        }
    }

    fn watchers(&self) -> usize {
        self.watch.as_ref().map_or(0, Watch::watchers)
    }

    fn unkept(&mut self, why: &str) {
        if let Some(watch) = &self.watch {
            let before = Text::new("cette partie n'est pas gardée : ", "this game is not kept: ");
            watch.unkept(Text::told(why).after(&before));
        }
    }

    fn close(&mut self, done: Result<(), Failure>) -> Result<(), Failure> {
        let done = done.map_err(|failure| failure.told("arena"));
        if let Some(watch) = &self.watch {
            watch.close();
            watch.stay();
        }
        done
    }
}

/// Runs `arena GAME`: `--page [ADDRESS:]PORT`, `--host NAME`, and the options of the server.
///
/// # Errors
/// Those of the server, and a port that is not available.
pub fn main(server: &dyn Server, arguments: Vec<OsString>) -> Result<(), Failure> {
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    server.run(arguments, &mut Page { address, names: Vec::new(), watch: None })
}
