//! The state that the server does not send: all players' points and bonuses, and whether our last answer came too late.
//!
//! Between two of our states each player made exactly one command. The items that are gone and the places that
//! changed tell which: the plainest commands that explain everything are taken for true.

use crate::rules::{Cell, Command, Direction, Game, MAX_PLAYERS, Move, Purse, State, Tile};
use smallvec::SmallVec;

/// The step that a state asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// Answer it: this is the match as far as it can be known.
    Answer(Game),
    /// Say nothing: the last answer came too late, and the server takes it for the answer to this state.
    Silent(Game),
}

/// The memory of one match, from one player's seat.
#[derive(Debug, Clone)]
pub struct Tracker {
    me: usize,
    turn_limit: Option<u64>,
    /// The match when it was last our turn.
    last: Option<Game>,
    /// Our answer then, or the one that the server has from us for that turn.
    said: Option<Move>,
    /// Nothing was said, as an answer was believed to be there already.
    silent: bool,
}

/// A way in which one player can have come from one place to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    /// The items on the way, as bits of the list of items gone.
    items: u32,
    /// 0: a step or none, 1: a frite, 2: a beer.
    bonus: u8,
}

impl Tracker {
    /// Player `me` before the first state.
    #[must_use]
    pub fn new(me: usize, turn_limit: Option<u64>) -> Self {
        Self { me, turn_limit, last: None, said: None, silent: false }
    }

    /// Notes what was answered to the last state.
    pub fn said(&mut self, mv: Move) {
        self.said = Some(mv);
        self.silent = false;
    }

    /// Takes in the next state; `None` when it is not of this match (another size, other players).
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
                    // A bonus whose turn did nothing is not there.
                    if let Some(count) = bonus(&mut purses[self.me], said) {
                        *count = 0;
                    }
                }
                let game = self.keep(state, purses, turns);
                self.silent = late;
                if !late {
                    // We kept silent for nothing: the answer was not late, it did nothing.
                    self.said = None;
                }
                return Some(if late { Reading::Silent(game) } else { Reading::Answer(game) });
            }
        }
        // Nothing explains it: what is seen is believed, and who stands nearest has what is gone.
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
        // A turn beyond the limit proves it wrong.
        let count = state.players.len() as u64;
        self.turn_limit = self.turn_limit.filter(|limit| turns < limit.saturating_mul(count));
        let game = Game::resume(state, purses, self.me, turns, self.turn_limit);
        self.last = Some(game.clone());
        game
    }

    /// The purses after our `mine` and one command of each other player, if they can lead from `last` to `state`.
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
            // A server after the assignment's text collects it.
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

/// The cell that the mover of `game` jumps over with `mv`.
fn jumped_over(game: &Game, mv: Move) -> Option<Cell> {
    let Move::Jump(direction) = mv else { return None };
    let middle = game.state.neighbour(game.state.players[game.to_move()], direction, 1);
    middle.filter(|_| game.allows(mv))
}

/// The number of those bonuses in `purse` of which `mv` uses one.
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

/// The distinct ways of `player` from its place in `game` to its place in `state`.
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
    // Items still there cannot have been walked over; they end a way.
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
            // A server after the assignment's text collects what was jumped over, too.
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

/// Finds the plainest choice of a way for each player that together takes everything that is gone.
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

/// Gives every item that is gone to the player who stands nearest to it now.
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
