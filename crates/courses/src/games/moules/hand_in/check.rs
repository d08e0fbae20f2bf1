//! Moules: `make`, then one client on the archive's own server, to the last mussel.

use crate::hand_in::check::Place;
use crate::hand_in::check::process::{Dialogue, free_port, retry, wait};
use crate::peer::children;
use anyhow::{Context, Result};
use std::net::TcpListener;
use std::process::Stdio;

pub(super) fn check(place: &mut Place) -> Result<()> {
    if !place.make("")? {
        return Ok(());
    }
    let port = free_port()?.to_string();
    let options =
        ["-port", &port, "-numLaby", "1", "-numPlacementBonus", "1", "-delay", "0", "-nbTourMax", "500"];
    let mut server = place.command("", "./moules-serveur");
    let server = Dialogue::start(server.args(options))?;
    // The port is taken as soon as the server listens. A test connection would count as a player.
    retry(|| match TcpListener::bind(("127.0.0.1", port.parse().unwrap_or_default())) {
        Ok(_) => Err(std::io::Error::other("nobody listens")),
        Err(_) => Ok(()),
    })?;
    let mut client = place.command("", "./moules-client");
    let client = children::start(client.args(["127.0.0.1", &port, "Essai"]).stdin(Stdio::null()))?;
    place.show_during("moules-client : une partie entière", || wait(client).context("moules-client"))?;
    server.end().context("moules-serveur")?;
    place.saw("./moules-client : une partie entière contre ./moules-serveur");
    Ok(())
}
