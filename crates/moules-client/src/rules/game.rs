use super::{Cell, Command, Direction, MAX_PLAYERS, Move, State, Tile};
use smallvec::SmallVec;

/// A player's points and bonuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Purse {
    /// Points of the mussels taken.
    pub points: u32,
    /// Frites not yet used.
    pub frites: u32,
    /// Beers not yet used.
    pub beers: u32,
}

/// Why a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// No mussel is left.
    AllTaken,
    /// Everybody has had the most turns allowed.
    TurnLimit,
    /// As many passes in a row as there are players.
    AllPassed,
}

/// A match in progress: what the server tells, and what it keeps to itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The maze, the items and the players' places.
    pub state: State,
    /// The players' purses.
    pub purses: SmallVec<[Purse; MAX_PLAYERS]>,
    to_move: usize,
    turns: u64,
    passes: usize,
    mussels: usize,
    turn_limit: Option<u64>,
}

impl Game {
    /// A match that begins; `turn_limit` is the most turns of each player.
    #[must_use]
    pub fn new(state: State, turn_limit: Option<u64>) -> Self {
        let purses = state.players.iter().map(|_| Purse::default()).collect();
        let mussels = state.mussels().count();
        Self { state, purses, to_move: 0, turns: 0, passes: 0, mussels, turn_limit }
    }

    /// The same match seen in its middle by `player`, whose turn it is, with what is known of the purses.
    #[must_use]
    pub fn resume(
        state: State,
        purses: SmallVec<[Purse; MAX_PLAYERS]>,
        player: usize,
        turns: u64,
        turn_limit: Option<u64>,
    ) -> Self {
        assert!(player < state.players.len() && purses.len() == state.players.len());
        let mussels = state.mussels().count();
        Self { state, purses, to_move: player, turns, passes: 0, mussels, turn_limit }
    }

    /// Whose turn it is.
    #[must_use]
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// The number of players.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.state.players.len()
    }

    /// Turns played, by all players together.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// The most turns of each player, if they are limited.
    #[must_use]
    pub fn turn_limit(&self) -> Option<u64> {
        self.turn_limit
    }

    /// Mussels left.
    #[must_use]
    pub fn mussels_left(&self) -> usize {
        self.mussels
    }

    /// The turns that are left to `player`, if they are limited.
    #[must_use]
    pub fn turns_left(&self, player: usize) -> Option<u64> {
        let count = self.player_count() as u64;
        let played = self.turns / count + u64::from(self.turns % count > player as u64);
        self.turn_limit.map(|limit| limit.saturating_sub(played))
    }

    /// Why the match is over, or `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        let count = self.player_count();
        if self.mussels == 0 {
            Some(End::AllTaken)
        } else if self.passes >= count {
            Some(End::AllPassed)
        } else if self.turn_limit.is_some_and(|limit| self.turns >= limit * count as u64) {
            Some(End::TurnLimit)
        } else {
            None
        }
    }

    /// A turn that waits: a step into a dune, which is no pass; a step north where there is no dune around; and `C` for
    /// a mover that can never move again, whom a pass costs nothing.
    #[must_use]
    pub fn idle(&self) -> Move {
        let is_way_out =
            |&direction: &Direction| self.allows(Move::Step(direction)) || self.allows(Move::Jump(direction));
        if !Direction::ALL.iter().any(is_way_out) {
            return Move::Stay;
        }
        let is_dune = |&direction: &Direction| !self.allows(Move::Step(direction));
        Move::Step(Direction::ALL.into_iter().find(is_dune).unwrap_or(Direction::North))
    }

    /// True if `mv` does in the mover's place what it says: its way is free, and the bonus is there.
    #[must_use]
    pub fn allows(&self, mv: Move) -> bool {
        let place = self.state.players[self.to_move];
        let free = |direction: Direction, distance: i32| {
            let there = self.state.neighbour(place, direction, distance);
            there.is_some_and(|there| self.state.tile(there) != Tile::Dune)
        };
        let purse = self.purses[self.to_move];
        match mv {
            Move::Stay => true,
            Move::Step(direction) => free(direction, 1),
            Move::Jump(direction) => purse.frites > 0 && free(direction, 2),
            Move::Beer(_) => purse.beers > 0,
        }
    }

    /// Does the mover's command, and hands the turn on.
    pub fn play(&mut self, command: Command) {
        let player = self.to_move;
        if let Some(action) = command.action {
            self.act(player, action);
        }
        self.passes = if command.is_pass { self.passes + 1 } else { 0 };
        self.turns += 1;
        self.to_move = (player + 1) % self.player_count();
    }

    /// The effect of `action` on `player`'s place and purse, and on the maze; the turn stays where it is.
    pub fn act(&mut self, player: usize, action: Move) {
        match action {
            Move::Stay => {}
            Move::Step(direction) => self.step(player, direction),
            Move::Jump(direction) => self.jump(player, direction),
            Move::Beer(steps) => {
                if self.purses[player].beers == 0 {
                    return;
                }
                for direction in steps.into_iter().flatten() {
                    self.step(player, direction);
                }
                // A beer that is picked up on the way is kept.
                self.purses[player].beers -= 1;
            }
        }
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.state.tile(cell) != Tile::Dune
    }

    fn step(&mut self, player: usize, direction: Direction) {
        let target = self.state.neighbour(self.state.players[player], direction, 1);
        if let Some(target) = target.filter(|&cell| self.is_free(cell)) {
            self.arrive(player, target);
        }
    }

    fn jump(&mut self, player: usize, direction: Direction) {
        if self.purses[player].frites == 0 {
            return;
        }
        // A landing outside does nothing at all; on a dune it is a single step, and the frite is kept.
        let Some(landing) = self.state.neighbour(self.state.players[player], direction, 2) else {
            return;
        };
        if self.is_free(landing) {
            self.arrive(player, landing);
            self.purses[player].frites -= 1;
        } else {
            self.step(player, direction);
        }
    }

    fn arrive(&mut self, player: usize, cell: Cell) {
        self.state.players[player] = cell;
        let purse = &mut self.purses[player];
        match self.state.tile(cell) {
            Tile::Mussel(points) => {
                purse.points += points;
                self.mussels -= 1;
            }
            Tile::Frite => purse.frites += 1,
            Tile::Beer => purse.beers += 1,
            Tile::Sand | Tile::Dune => return,
        }
        self.state.tiles[cell.index()] = Tile::Sand;
    }

    /// The marks of the match for each player, by [`marks`].
    #[must_use]
    pub fn marks(&self) -> SmallVec<[f64; MAX_PLAYERS]> {
        let points: SmallVec<[u32; MAX_PLAYERS]> = self.purses.iter().map(|purse| purse.points).collect();
        marks(&points)
    }
}

/// The marks for these points by the assignment: 6, 4, 2, 0 by rank with four players, 6, 4, 0 with three, 6, 0 with
/// two. The text is silent on ties: they share the marks of the ranks that they fill.
#[must_use]
pub fn marks(points: &[u32]) -> SmallVec<[f64; MAX_PLAYERS]> {
    let marks: &[f64] = match points.len() {
        1 => &[6.0],
        2 => &[6.0, 0.0],
        3 => &[6.0, 4.0, 0.0],
        _ => &[6.0, 4.0, 2.0, 0.0],
    };
    let shared = |&mine: &u32| {
        let better = points.iter().filter(|&&other| other > mine).count();
        let equal = points.iter().filter(|&&other| other == mine).count();
        marks[better..better + equal].iter().sum::<f64>() / equal as f64
    };
    points.iter().map(shared).collect()
}
