//! Tracks the state that the server does not send: all players' points and bonuses, and late answers.
//!
//! Between two of our states each other player made exactly one command. The tracker infers the commands from the items
//! gone and the new cells, and prefers the simplest that explain everything.

use crate::rules::{Cell, Command, Direction, Game, MAX_PLAYERS, Move, Purse, State, Tile};
use smallvec::SmallVec;

/// The reaction to a state.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// Answer it. This is the match as far as it is known.
    Answer(Game),
    /// Do not answer: the last answer came too late, and the server takes it for the answer to this state.
    Silent(Game),
}

/// The knowledge about a match from one player's view.
#[derive(Debug, Clone)]
pub struct Tracker {
    me: usize,
    turn_limit: Option<u64>,
    /// The match at our last turn.
    last: Option<Game>,
    /// Our answer at that turn, or the late answer that the server used for it.
    said: Option<Move>,
    /// True if the last state was not answered, because a late answer was assumed.
    silent: bool,
}

/// A possible move of one player between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    /// The items on the way, as bits in the list of items gone.
    items: u32,
    /// The bonus used. 0: none, 1: a frite, 2: a beer.
    bonus: u8,
}

impl Tracker {
    /// Creates the tracker of player `me` before the first state.
    #[must_use]
    pub fn new(me: usize, turn_limit: Option<u64>) -> Self {
        Self { me, turn_limit, last: None, said: None, silent: false }
    }

    /// Records the answer to the last state.
    pub fn said(&mut self, mv: Move) {
        self.said = Some(mv);
        self.silent = false;
    }

    /// Updates the tracker from the next state. Returns `None` if the state has another size or other players.
    pub fn observe(&mut self, state: State) -> Option<Reading> {
        if self.me >= state.players.len() {
            return None;
        }
        let Some(last) = self.last.take() else {
            let purses = state.players.iter().map(|_| Purse::default()).collect();
            return Some(Reading::Answer(self.keep(state, purses, self.me as u64)));
        };
        if last.state.tiles.len() != state.tiles.len() || last.state.players.len() != state.players.len() {
            return None;
        }
        let turns = last.turns() + last.player_count() as u64;
        let said = self.said.unwrap_or(Move::Stay);
        for strict in [true, false] {
            if let Some(purses) = self.explain(&last, &state, said, strict) {
                self.said = None;
                return Some(Reading::Answer(self.keep(state, purses, turns)));
            }
            if said != Move::Stay
                && let Some(mut purses) = self.explain(&last, &state, Move::Stay, strict)
            {
                let late = !self.silent;
                if !late {
                    // A bonus whose move did nothing was not in hand.
                    if let Some(count) = bonus(&mut purses[self.me], said) {
                        *count = 0;
                    }
                }
                let game = self.keep(state, purses, turns);
                self.silent = late;
                if !late {
                    // The answer was not late, it did nothing.
                    self.said = None;
                }
                return Some(if late { Reading::Silent(game) } else { Reading::Answer(game) });
            }
        }
        // No move explains the state, so the items gone are credited to the nearest player.
        self.said = None;
        let mut purses = credit(&last, &state);
        if last.state.players[self.me] != state.players[self.me]
            && let Some(count) = bonus(&mut purses[self.me], said)
        {
            *count = count.saturating_sub(1);
        }
        Some(Reading::Answer(self.keep(state, purses, turns)))
    }

    fn keep(&mut self, state: State, purses: SmallVec<[Purse; MAX_PLAYERS]>, turns: u64) -> Game {
        // A turn after the limit proves the limit wrong.
        let count = state.players.len() as u64;
        self.turn_limit = self.turn_limit.filter(|limit| turns < limit.saturating_mul(count));
        let game = Game::resume(state, purses, self.me, turns, self.turn_limit);
        self.last = Some(game.clone());
        game
    }

    /// Returns the purses after our `mine` and one command of each other player, if they can lead from `last` to
    /// `state`.
    fn explain(
        &self,
        last: &Game,
        state: &State,
        mine: Move,
        strict: bool,
    ) -> Option<SmallVec<[Purse; MAX_PLAYERS]>> {
        let mut game = last.clone();
        game.play(Command::from(mine));
        if game.state.players[self.me] != state.players[self.me] {
            return None;
        }
        if !strict && let Some(cell) = jumped_over(last, mine) {
            // A server written from the assignment's text collects it.
            let tile = game.state.tile(cell);
            if tile.is_item() && state.tile(cell) == Tile::Sand {
                take(&mut game.purses[self.me], tile);
                game.state.tiles[cell.index()] = Tile::Sand;
            }
        }
        let mut gone: SmallVec<[(Cell, Tile); 32]> = SmallVec::new();
        for (index, (&before, &after)) in game.state.tiles.iter().zip(&state.tiles).enumerate() {
            if before != after {
                if !before.is_item() || after != Tile::Sand || gone.len() == 32 {
                    return None;
                }
                gone.push((Cell(index as u32), before));
            }
        }
        let others: SmallVec<[SmallVec<[Way; 16]>; 3]> = (1..last.player_count())
            .map(|order| {
                let player = (self.me + order) % last.player_count();
                ways(&game, state, player, &gone, strict)
            })
            .collect();
        let all = 1u32.checked_shl(gone.len() as u32).unwrap_or(0).wrapping_sub(1);
        let mut best: Option<(u32, SmallVec<[Way; 4]>)> = None;
        assign(&others, all, &mut SmallVec::new(), 0, &mut best);
        let (_, chosen) = best?;
        let mut left = all;
        for (order, way) in chosen.iter().enumerate() {
            let player = (self.me + order + 1) % last.player_count();
            let purse = &mut game.purses[player];
            for (_, &(_, tile)) in (0..).zip(&gone).filter(|(bit, _)| (way.items & left) >> bit & 1 != 0) {
                take(purse, tile);
            }
            left &= !way.items;
            match way.bonus {
                1 => purse.frites = purse.frites.saturating_sub(1),
                2 => purse.beers = purse.beers.saturating_sub(1),
                _ => {}
            }
        }
        Some(game.purses)
    }
}

/// Returns the cell that the mover of `game` jumps over with `mv`.
fn jumped_over(game: &Game, mv: Move) -> Option<Cell> {
    let Move::Jump(direction) = mv else { return None };
    let middle = game.state.neighbour(game.state.players[game.to_move()], direction, 1);
    middle.filter(|_| game.allows(mv))
}

/// Returns the count in `purse` of the bonus that `mv` uses.
fn bonus(purse: &mut Purse, mv: Move) -> Option<&mut u32> {
    match mv {
        Move::Jump(_) => Some(&mut purse.frites),
        Move::Beer(_) => Some(&mut purse.beers),
        Move::Stay | Move::Step(_) => None,
    }
}

fn take(purse: &mut Purse, tile: Tile) {
    match tile {
        Tile::Mussel(points) => purse.points += points,
        Tile::Frite => purse.frites += 1,
        Tile::Beer => purse.beers += 1,
        Tile::Dune | Tile::Sand => {}
    }
}

/// Returns the distinct ways in which `player` can have moved from `game` to `state`.
fn ways(
    game: &Game,
    state: &State,
    player: usize,
    gone: &[(Cell, Tile)],
    strict: bool,
) -> SmallVec<[Way; 16]> {
    let from = game.state.players[player];
    let to = state.players[player];
    let purse = game.purses[player];
    let free = |cell: Cell| state.tile(cell) != Tile::Dune;
    // A cell with an item that is still there cannot have been crossed.
    let pass = |cell: Cell| match gone.iter().position(|&(other, _)| other == cell) {
        Some(bit) => Some(1u32 << bit),
        None => (!state.tile(cell).is_item()).then_some(0),
    };
    let mut found: SmallVec<[Way; 16]> = SmallVec::new();
    let mut add = |way: Way| {
        if !found.contains(&way) {
            found.push(way);
        }
    };
    if from == to {
        add(Way { items: 0, bonus: 0 });
    }
    for direction in Direction::ALL {
        let step = state.neighbour(from, direction, 1).filter(|&cell| cell == to && free(cell));
        if let Some(items) = step.and_then(pass) {
            add(Way { items, bonus: 0 });
        }
        let landing = state.neighbour(from, direction, 2).filter(|&cell| cell == to && free(cell));
        if let Some(items) = landing.and_then(pass).filter(|_| purse.frites > 0 || !strict) {
            add(Way { items, bonus: 1 });
            // A server written from the assignment's text also collects the item jumped over.
            let middle = state.neighbour(from, direction, 1).and_then(pass).unwrap_or(0);
            if !strict && middle != 0 {
                add(Way { items: items | middle, bonus: 1 });
            }
        }
    }
    if purse.beers > 0 || !strict {
        let mut stack: SmallVec<[(Cell, u32, u8); 32]> = SmallVec::from_slice(&[(from, 0, 0)]);
        while let Some((cell, items, steps)) = stack.pop() {
            if steps > 0 && cell == to {
                add(Way { items, bonus: 2 });
            }
            if steps == 3 {
                continue;
            }
            for direction in Direction::ALL {
                let next = state.neighbour(cell, direction, 1).filter(|&cell| free(cell));
                if let Some((next, more)) = next.and_then(|next| Some((next, pass(next)?))) {
                    stack.push((next, items | more, steps + 1));
                }
            }
        }
    }
    found
}

/// Finds the simplest choice of a way for each player that together takes every item gone.
fn assign(
    players: &[SmallVec<[Way; 16]>],
    left: u32,
    chosen: &mut SmallVec<[Way; 4]>,
    cost: u32,
    best: &mut Option<(u32, SmallVec<[Way; 4]>)>,
) {
    if best.as_ref().is_some_and(|(other, _)| *other <= cost) {
        return;
    }
    let Some(ways) = players.get(chosen.len()) else {
        if left == 0 {
            *best = Some((cost, chosen.clone()));
        }
        return;
    };
    for way in ways {
        chosen.push(*way);
        assign(players, left & !way.items, chosen, cost + u32::from(way.bonus), best);
        chosen.pop();
    }
}

/// Credits every item gone to the player now nearest to it.
fn credit(last: &Game, state: &State) -> SmallVec<[Purse; MAX_PLAYERS]> {
    let mut purses = last.purses.clone();
    for (index, (&before, &after)) in last.state.tiles.iter().zip(&state.tiles).enumerate() {
        if before.is_item() && after != before {
            let (x, y) = state.coordinates(Cell(index as u32));
            let distance = |&player: &usize| {
                let (px, py) = state.coordinates(state.players[player]);
                x.abs_diff(px) + y.abs_diff(py)
            };
            if let Some(nearest) = (0..purses.len()).min_by_key(distance) {
                take(&mut purses[nearest], before);
            }
        }
    }
    purses
}
