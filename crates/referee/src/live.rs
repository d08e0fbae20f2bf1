//! A run as it is played, for a browser: the arena's watch room, told of boards and results.

use crate::report::{marks_a_point, scale};
use crate::standing::Standing;
use arena::watch::{self, Table, Watch};
use courses::course::Event;
use courses::store::Head;
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Rows of the table of results that are shown.
const ROWS: usize = 50;
/// Players are rated no more often.
const BETWEEN_RATINGS: Duration = Duration::from_secs(5);

/// `PORT`, on this machine only, or `ADDRESS:PORT`.
///
/// # Errors
/// With what was expected.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    port.or_else(|_| text.parse()).map_err(|_| "PORT or ADDRESS:PORT is expected".to_owned())
}

/// The page of a run.
pub struct Live {
    room: Watch,
    pace: Duration,
    seed: u64,
    course: String,
    /// When the players were rated last, and how.
    rated: Mutex<(Option<Instant>, Vec<String>)>,
}

/// A board of a game.
pub struct Scene<'a> {
    /// The game's number.
    pub game: u64,
    /// Its players' names, by seat.
    pub names: &'a [String],
    /// What it began from.
    pub opening: &'a str,
    /// Moves so far.
    pub moves: u64,
    /// What happened.
    pub event: &'a Event<'a>,
}

/// Opens the page of a run with so many games at once.
///
/// # Errors
/// When nobody may listen there.
pub fn open(address: SocketAddr, pace: u64, tables: usize, head: &Head) -> Result<Live, String> {
    let title = format!("{} · {}", head.course, head.setting);
    let room = watch::open(address, &title, tables)?;
    Ok(Live {
        room,
        pace: Duration::from_millis(pace),
        seed: head.seed,
        course: head.course.clone(),
        rated: Mutex::default(),
    })
}

impl Live {
    /// Where the page is.
    pub fn address(&self) -> SocketAddr {
        self.room.address()
    }

    /// Shows a game's board at a table.
    pub fn show(&self, table: usize, scene: &Scene<'_>) {
        let Scene { game, names, opening, moves, event } = scene;
        let mut foot = vec![format!("game {} · {opening} · {moves} moves", game + 1)];
        if let Some(seat) = event.seat {
            foot.push(format!("{}: {}", names[seat], event.text));
        }
        foot.extend(purses(&event.board.scene()));
        let drawing = event.board.drawing();
        let is_maze = self.course == "moules";
        let legend = watch::legend(names.iter().filter(|_| is_maze).cloned());
        self.room.show(table, Table { title: names.join(" – "), drawing, legend, foot });
        std::thread::sleep(self.pace);
    }

    /// Shows the results so far, of `total` games in all.
    pub fn tell(&self, names: &[String], standing: &Standing, total: u64, score: &str) {
        let ratings = self.ratings(standing);
        let scale = scale(&self.course);
        let marks = if scale.is_some() { "marks" } else { "points" };
        let mut heads = ["#", "player", "games", marks, "faults"].map(str::to_owned).to_vec();
        heads.extend((!ratings.is_empty()).then(|| "Elo".to_owned()));
        let row = |(place, player): (usize, usize)| {
            let line = &standing.lines[player];
            let faults: u64 = line.faults.values().sum();
            let mut row = vec![
                (place + 1).to_string(),
                names[player].clone(),
                line.games.to_string(),
                format!("{:.1}", line.points * marks_a_point(&self.course)),
                faults.to_string(),
            ];
            row.extend(ratings.get(player).cloned());
            row
        };
        let rows = standing.order().into_iter().take(ROWS).enumerate().map(row).collect();
        let games = format!("{} of {total} games", standing.games);
        let told = [games.as_str(), score, scale.unwrap_or_default()];
        let summary = told.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
        self.room.tell(watch::Standing { heads, rows, summary });
    }

    /// Every player's Elo as text: hundreds of fits, so no more often than somebody could read them.
    fn ratings(&self, standing: &Standing) -> Vec<String> {
        if standing.is_of_many() {
            return Vec::new();
        }
        let mut rated = self.rated.lock().unwrap_or_else(PoisonError::into_inner);
        if rated.0.is_none_or(|last| last.elapsed() >= BETWEEN_RATINGS) {
            let ratings = standing.ratings(self.seed).iter().map(|rating| rating.text()).collect();
            *rated = (Some(Instant::now()), ratings);
        }
        rated.1.clone()
    }

    /// The run is over; browsers get a moment to hear of it.
    pub fn close(&self) {
        self.room.close();
    }
}

/// What the players of a maze have, a line each.
fn purses(scene: &Value) -> Vec<String> {
    let (Some(names), Some(purses)) = (scene["names"].as_array(), scene["purses"].as_array()) else {
        return Vec::new();
    };
    let line = |(seat, (name, purse)): (usize, (&Value, &Value))| {
        let name = name.as_str().unwrap_or_default();
        format!("{seat} {name}: {} points, {} frites, {} beers", purse[0], purse[1], purse[2])
    };
    let turns = format!("turn {} · {} mussels left", scene["turns"], scene["left"]);
    names.iter().zip(purses).enumerate().map(line).chain([turns]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_on_this_machine() {
        assert_eq!(address("8080").unwrap().to_string(), "127.0.0.1:8080");
        assert_eq!(address("0.0.0.0:80").unwrap().to_string(), "0.0.0.0:80");
        assert!(address("http").is_err() && address("70000").is_err());
    }

    #[test]
    fn a_mazes_purses_are_told_a_line_each() {
        let scene = serde_json::json!({ "names": ["a"], "purses": [[10, 1, 0]], "turns": 4, "left": 2 });
        assert_eq!(purses(&scene), ["0 a: 10 points, 1 frites, 0 beers", "turn 4 · 2 mussels left"]);
        assert!(purses(&serde_json::json!({ "text": "" })).is_empty());
    }
}
