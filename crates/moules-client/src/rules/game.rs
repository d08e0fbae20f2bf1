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

/// The reason why a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// No mussel is left.
    AllTaken,
    /// Every player has had the maximum number of turns.
    TurnLimit,
    /// There were as many passes in a row as there are players.
    AllPassed,
}

/// A match in progress: the state on the wire, and what the server does not send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The maze, the items and the players' cells.
    pub state: State,
    /// The players' purses, by player number.
    pub purses: SmallVec<[Purse; MAX_PLAYERS]>,
    to_move: usize,
    turns: u64,
    passes: usize,
    mussels: usize,
    turn_limit: Option<u64>,
}

impl Game {
    /// Creates a match at its start. `turn_limit` is the maximum number of turns of each player.
    #[must_use]
    pub fn new(state: State, turn_limit: Option<u64>) -> Self {
        let purses = state.players.iter().map(|_| Purse::default()).collect();
        let mussels = state.mussels().count();
        Self { state, purses, to_move: 0, turns: 0, passes: 0, mussels, turn_limit }
    }

    /// Creates a match in progress from the view of `player`, who is to move, with the purses as far as they are known.
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

    /// Returns the number of the player to move.
    #[must_use]
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// Returns the number of players.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.state.players.len()
    }

    /// Returns the number of turns played by all players together.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns the maximum number of turns of each player, if there is one.
    #[must_use]
    pub fn turn_limit(&self) -> Option<u64> {
        self.turn_limit
    }

    /// Returns the number of mussels left.
    #[must_use]
    pub fn mussels_left(&self) -> usize {
        self.mussels
    }

    /// Returns the number of turns left to `player`, if they are limited.
    #[must_use]
    pub fn turns_left(&self, player: usize) -> Option<u64> {
        let count = self.player_count() as u64;
        let played = self.turns / count + u64::from(self.turns % count > player as u64);
        self.turn_limit.map(|limit| limit.saturating_sub(played))
    }

    /// Returns the reason why the match is over, or `None` while it goes on.
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

    /// Returns a move that waits: a step into a dune, which is not a pass, or north if there is no dune around. A mover
    /// that can never move again passes with `C`, which costs it nothing.
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

    /// Returns true if `mv` is legal for the mover: its way is free, and the bonus is in hand.
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

    /// Plays the mover's command and passes the turn on.
    pub fn play(&mut self, command: Command) {
        let player = self.to_move;
        if let Some(action) = command.action {
            self.act(player, action);
        }
        self.passes = if command.is_pass { self.passes + 1 } else { 0 };
        self.turns += 1;
        self.to_move = (player + 1) % self.player_count();
    }

    /// Applies `action` to `player` and the maze without passing the turn on.
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
                // A beer picked up on the way is kept.
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
        // A landing outside the maze does nothing. A landing on a dune makes it a single step, and the frite is kept.
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

    /// Returns the marks of each player by [`marks`].
    #[must_use]
    pub fn marks(&self) -> SmallVec<[f64; MAX_PLAYERS]> {
        let points: SmallVec<[u32; MAX_PLAYERS]> = self.purses.iter().map(|purse| purse.points).collect();
        marks(&points)
    }
}

/// Returns the marks for these points by the assignment: 6, 4, 2, 0 by rank with four players, 6, 4, 0 with three, 6, 0
/// with two. The assignment does not say what a tie gives. Here tied players share the marks of their ranks.
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
