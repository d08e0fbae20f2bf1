//! Reasons for the cost of a move in the maze.

mod plan;

use super::Opening;
use crate::drawing::Language;
use crate::play::counted;
use crate::review::{Moment, Reason};
use moules_client::rules::{Cell, Command, Direction, Game, State, Tile};
use std::collections::VecDeque;

/// The least number of turns by which an item is nearer.
const LEAD: u32 = 2;

/// A fact about the move, with the maze before it, after it and after the better one.
#[derive(Debug)]
struct Fact {
    kind: Kind,
    games: [Game; 3],
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// The better move takes more points at once.
    Points { better: u32, played: u32 },
    /// The item is nearer to the mover than to anybody else, the move leads no nearer, and the better one does.
    Nearer { cell: Cell, tile: Tile, lead: u32, other: usize },
}

/// Returns the steps from a cell to all others that can be walked to.
fn steps(state: &State, from: Cell) -> Vec<Option<u32>> {
    let mut steps = vec![None; state.tiles.len()];
    steps[from.index()] = Some(0);
    let mut next = VecDeque::from([(from, 0)]);
    while let Some((cell, count)) = next.pop_front() {
        for there in Direction::ALL.into_iter().filter_map(|direction| state.neighbour(cell, direction, 1)) {
            if steps[there.index()].is_none() && state.tile(there) != Tile::Dune {
                steps[there.index()] = Some(count + 1);
                next.push_back((there, count + 1));
            }
        }
    }
    steps
}

/// Returns the steps between two cells as [`steps`] does, by shortening ways until none gets shorter.
fn way(state: &State, from: Cell, to: Cell) -> Option<u32> {
    let mut steps = vec![u32::MAX; state.tiles.len()];
    steps[from.index()] = 0;
    let mut is_shorter = true;
    while is_shorter {
        is_shorter = false;
        for (index, tile) in state.tiles.iter().enumerate().filter(|(_, tile)| **tile != Tile::Dune) {
            debug_assert!(*tile != Tile::Dune);
            let around =
                Direction::ALL.into_iter().filter_map(|way| state.neighbour(Cell(index as u32), way, 1));
            let least = around.map(|cell| steps[cell.index()].saturating_add(1)).min().unwrap_or(u32::MAX);
            if least < steps[index] {
                (steps[index], is_shorter) = (least, true);
            }
        }
    }
    (steps[to.index()] < u32::MAX).then(|| steps[to.index()])
}

/// Returns the item that is nearer to the mover by most turns, if the move leads no nearer to it and the better one does.
fn nearer([before, played, better]: &[Game; 3]) -> Option<Kind> {
    let mover = before.to_move();
    let from = |game: &Game, seat: usize| steps(&game.state, game.state.players[seat]);
    let own = from(before, mover);
    let others: Vec<_> = (0..before.player_count())
        .filter(|&seat| seat != mover)
        .map(|seat| (seat, from(before, seat)))
        .collect();
    let (after, wanted) = (from(played, mover), from(better, mover));
    let items = before.state.tiles.iter().enumerate().filter(|(_, tile)| tile.is_item());
    let leads = items.filter_map(|(index, &tile)| {
        let mine = own[index]?;
        let (other, theirs) =
            others.iter().filter_map(|(seat, far)| Some((*seat, far[index]?))).min_by_key(|one| one.1)?;
        let lead = theirs.checked_sub(mine).filter(|&lead| lead >= LEAD)?;
        let goes = wanted[index]? < mine && after[index]? >= mine;
        goes.then_some(Kind::Nearer { cell: Cell(index as u32), tile, lead, other })
    });
    // A beer is worth more than fries; of mussels the points count.
    leads.max_by_key(|kind| match kind {
        Kind::Nearer { tile: Tile::Mussel(points), lead, .. } => (*points, *lead),
        Kind::Nearer { tile: Tile::Beer, lead, .. } => (u32::MAX, *lead),
        Kind::Nearer { lead, .. } => (1, *lead),
        Kind::Points { .. } => (0, 0),
    })
}

impl Reason for Fact {
    fn say(&self, language: Language) -> String {
        match (self.kind, language) {
            (Kind::Points { better, played }, Language::French) => {
                let points = counted(better, language, ["point", "points"], ["", ""]);
                format!("l'autre coup prenait {points} tout de suite, celui-ci {played}")
            }
            (Kind::Points { better, played }, Language::English) => {
                let points = counted(better, language, ["", ""], ["point", "points"]);
                format!("the other move took {points} at once, this one {played}")
            }
            (Kind::Nearer { cell, tile, lead, other }, _) => {
                let (x, y) = self.games[0].state.coordinates(cell);
                let turns = counted(lead, language, ["tour", "tours"], ["turn", "turns"]);
                match language {
                    Language::French => {
                        let item = match tile {
                            Tile::Beer => "la bière".to_owned(),
                            Tile::Frite => "la frite".to_owned(),
                            Tile::Mussel(points) => format!("la moule de {points}"),
                            Tile::Sand | Tile::Dune => String::new(),
                        };
                        format!(
                            "à pied, {item} en ({x}, {y}) était {turns} plus près de vous que du joueur {other}, et ce coup n'y menait pas"
                        )
                    }
                    Language::English => {
                        let item = match tile {
                            Tile::Beer => "the beer".to_owned(),
                            Tile::Frite => "the portion of fries".to_owned(),
                            Tile::Mussel(points) => format!("the mussel of {points}"),
                            Tile::Sand | Tile::Dune => String::new(),
                        };
                        format!(
                            "on foot, {item} at ({x}, {y}) was {turns} nearer to you than to player {other}, and this move led no nearer"
                        )
                    }
                }
            }
        }
    }

    fn holds(&self) -> bool {
        let [before, played, better] = &self.games;
        let mover = before.to_move();
        match self.kind {
            Kind::Points { better: most, played: less } => {
                let had = before.purses[mover].points;
                let gained = |game: &Game| game.purses[mover].points - had;
                most > less && gained(better) == most && gained(played) == less
            }
            Kind::Nearer { cell, lead, other, .. } => {
                let far = |game: &Game, seat: usize| way(&game.state, game.state.players[seat], cell);
                let Some(own) = far(before, mover) else { return false };
                let nearest = (0..before.player_count())
                    .filter(|&seat| seat != mover)
                    .filter_map(|seat| far(before, seat))
                    .min();
                nearest == Some(own + lead)
                    && far(before, other) == nearest
                    && far(better, mover) < Some(own)
                    && far(played, mover) >= Some(own)
            }
        }
    }
}

pub(super) fn reasons(moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
    let game = || {
        let mut opening = Opening::default();
        opening.read(moment.opening).ok()?;
        opening.game(moment.seats).ok()
    };
    let Some(mut before) = game() else { return Vec::new() };
    moment.before.iter().for_each(|text| before.play(Command::read(text.as_bytes())));
    let after = |text: &str| {
        let mut after = before.clone();
        after.play(Command::read(text.as_bytes()));
        after
    };
    let games = [before.clone(), after(moment.played), after(moment.better)];
    let gained = |game: &Game| game.purses[before.to_move()].points - before.purses[before.to_move()].points;
    let (played, better) = (gained(&games[1]), gained(&games[2]));
    let kind = if better > played { Some(Kind::Points { better, played }) } else { nearer(&games) };
    let at_once = better.saturating_sub(played);
    let plan = plan::Plan::of(&before, moment).filter(|plan| plan.points() > at_once);
    let fact = kind.map(|kind| Box::new(Fact { kind, games }) as Box<dyn Reason>);
    fact.into_iter().chain(plan.map(|plan| Box::new(plan) as Box<dyn Reason>)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn points_that_lie_beside_the_way_are_counted() {
        // The puzzle of a lone player: each mussel of its line is taken by some move.
        let game = registry::find("moules").unwrap();
        let puzzle = &game.puzzles()[0];
        let mut said = 0;
        for nth in 0..puzzle.line.len() {
            let moment = Moment {
                opening: &puzzle.opening,
                seats: 1,
                before: &puzzle.line[..nth],
                played: "C",
                better: &puzzle.line[nth],
                line: &[],
                after: &[],
                answer: None,
            };
            for reason in reasons(&moment) {
                assert!(reason.holds(), "{reason:?}");
                assert!(reason.say(Language::English).contains("at once, this one 0"), "{reason:?}");
                assert!(reason.say(Language::French).contains("tout de suite"));
                said += 1;
            }
        }
        assert!(said > 0, "the line takes no mussel");
    }
}
