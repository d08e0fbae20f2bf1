//! Connect5: `make` in `tp1/src`, `./joueur` on its standard streams, `./serveurjoueur PORT` over TCP.

use crate::hand_in::check::Place;
use crate::hand_in::check::process::{Dialogue, free_port, retry, wait};
use crate::peer::children;
use anyhow::{Context, Result, bail, ensure};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

const BELOW: &str = "tp1/src";
const SIDE: usize = 9;
/// The stones in order of play.
const STONES: [u8; 2] = *b"NB";

pub(super) fn check(place: &mut Place) -> Result<()> {
    let forbidden = find_binary(place)?;
    ensure!(forbidden.is_none(), "a binary in the sources: {forbidden:?}");
    if !place.make(BELOW)? {
        return Ok(());
    }
    let mut joueur = Dialogue::start(&mut place.command(BELOW, "./joueur"))?;
    let team = greeting(&joueur)?;
    let turns = place.show_during("joueur : une partie contre lui-même", || game(&mut joueur))?;
    joueur.tell("0\n")?;
    joueur.end().context("after 0")?;
    place.saw(format!("./joueur : {team}, partie de {turns} pierres sur 9x9 jouée seul contre lui-même"));

    let port = free_port()?;
    let mut server = place.command(BELOW, "./serveurjoueur");
    let server = children::start(server.arg(port.to_string()).stdin(Stdio::null()))?;
    let mut clients = Vec::new();
    for _ in 0..2 {
        let stream = retry(|| TcpStream::connect(("127.0.0.1", port)))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        clients.push(Dialogue::over(stream.try_clone()?, stream));
    }
    for client in &mut clients {
        greeting(client)?;
        client.tell("5 5\nN0B00\nN0B00\nN0B00\nN0B00\n00000\n500\n")?;
        ensure!(client.hear()? == "4 0", "the only winning move is 4 0");
    }
    clients[0].tell("shutdown\n")?;
    wait(server).context("after shutdown")?;
    place.saw("./serveurjoueur : deux clients à la fois, puis shutdown");
    Ok(())
}

/// Returns the greeting, up to READY.
fn greeting(peer: &Dialogue) -> Result<String> {
    let mut team = Vec::new();
    loop {
        match peer.hear()? {
            line if line == "READY" => break,
            line if team.len() < 20 => team.push(line),
            line => bail!("READY is missing: {line}"),
        }
    }
    ensure!(!team.is_empty() && team.iter().all(|line| !line.trim().is_empty()), "a team line is empty");
    Ok(format!("{} ligne(s) d'équipe et READY", team.len()))
}

/// Plays one player against itself, to a five or a full board. Returns the number of stones.
fn game(peer: &mut Dialogue) -> Result<usize> {
    let mut grid = [[b'0'; SIDE]; SIDE];
    for turn in 0..SIDE * SIDE {
        let rows: String = grid.iter().map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
        peer.tell(&format!("{SIDE} {SIDE}\n{rows}20\n"))?;
        let answer = peer.hear()?;
        let numbers: Option<Vec<usize>> = answer.split(' ').map(|word| word.parse().ok()).collect();
        let Some([row, column]) = numbers.as_deref().and_then(|numbers| <[usize; 2]>::try_from(numbers).ok())
        else {
            bail!("\"{answer}\" is no move");
        };
        let cell = grid.get_mut(row).and_then(|row| row.get_mut(column)).context("outside the grid")?;
        ensure!(*cell == b'0', "{answer} is taken");
        *cell = STONES[turn % 2];
        if has_five(&grid, row, column) {
            return Ok(turn + 1);
        }
    }
    Ok(SIDE * SIDE)
}

/// Returns true if exactly five stones are in a line through this cell.
fn has_five(grid: &[[u8; SIDE]; SIDE], row: usize, column: usize) -> bool {
    let run = |rows: isize, columns: isize| {
        (1..)
            .take_while(|&step| {
                let at = |start: usize, by: isize| start.checked_add_signed(step * by);
                let cell = at(row, rows).zip(at(column, columns));
                cell.and_then(|(row, column)| grid.get(row)?.get(column)) == Some(&grid[row][column])
            })
            .count()
    };
    [(0, 1), (1, 0), (1, 1), (1, -1)]
        .into_iter()
        .any(|(rows, columns)| run(rows, columns) + run(-rows, -columns) == 4)
}

/// Returns the first file that is not text.
fn find_binary(place: &Place) -> Result<Option<String>> {
    let tree = crate::archive::Tree::read(&place.folder)?;
    Ok(tree
        .iter()
        .find(|(_, file)| std::str::from_utf8(&file.bytes).is_err())
        .map(|(path, _)| path.to_owned()))
}
