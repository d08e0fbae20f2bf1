//! How each opponent seems to choose where it goes, learnt from where it went.

use crate::board::{Board, FAR};
use crate::evaluation::bits;
use crate::rules::{Game, MAX_PLAYERS, Players};

/// A way to choose where to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// By a plan.
    Plans,
    /// To the nearest mussel on foot.
    Nearest,
    /// To the mussel with the most points for its distance on foot.
    Rate,
}

impl Habit {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plans, Self::Nearest, Self::Rate];

    /// The mussel that somebody of this habit walks to; none for plans, which a beam makes.
    pub fn target(self, board: &Board, cell: u32, left: u64) -> Option<usize> {
        let near = |item: &usize| board.distance(cell, *item, 0);
        let mussels = bits(left & board.mussels).filter(|item| near(item) != FAR);
        match self {
            Self::Plans => None,
            Self::Nearest => mussels.min_by_key(near),
            Self::Rate => {
                mussels.max_by_key(|item| board.points(*item) * 1000 / u32::from(near(item)).max(1))
            }
        }
    }
}

/// Where each habit would have led a player.
type Targets = [Option<usize>; 3];

/// What was seen of everybody so far.
#[derive(Debug, Clone, Default)]
pub struct Habits {
    scores: [[f64; 3]; MAX_PLAYERS],
    /// Where each player stood at our last turn, and where each habit would have led it.
    last: Option<(Players, [Targets; MAX_PLAYERS])>,
}

impl Habits {
    /// The share of the past in a score at each turn.
    const MEMORY: f64 = 0.85;
    /// The head start of planning, against an opponent of whom nothing is known.
    const PLANS: f64 = 0.25;

    /// Takes in where everybody went since our last turn: a step towards where a habit leads speaks for it.
    pub fn observe(&mut self, board: &Board, game: &Game) {
        let Some((places, targets)) = self.last.take() else { return };
        for (player, (&before, &now)) in places.iter().zip(&game.state.players).enumerate() {
            // Standing still tells nothing.
            if before == now {
                continue;
            }
            for (score, target) in self.scores[player].iter_mut().zip(targets[player]) {
                let came = target.is_some_and(|item| {
                    item < board.items().len()
                        && board.distance(now.0, item, 0) < board.distance(before.0, item, 0)
                });
                *score = *score * Self::MEMORY + f64::from(u8::from(came)) * (1.0 - Self::MEMORY);
            }
        }
    }

    /// Notes where the habits lead everybody from here; `planned` says it for those who plan.
    pub fn expect(&mut self, board: &Board, game: &Game, mut planned: impl FnMut(usize) -> Option<usize>) {
        let left = board.left(&game.state);
        let mut targets = [[None; 3]; MAX_PLAYERS];
        for (player, &place) in game.state.players.iter().enumerate() {
            targets[player] = Habit::ALL.map(|habit| match habit {
                Habit::Plans => planned(player),
                _ => habit.target(board, place.0, left),
            });
        }
        self.last = Some((game.state.players.clone(), targets));
    }

    /// The habit that explains `player` best so far.
    pub fn of(&self, player: usize) -> Habit {
        let [plans, nearest, rate] = self.scores[player];
        let plans = plans + Self::PLANS * (1.0 - plans);
        if plans >= nearest && plans >= rate {
            Habit::Plans
        } else if nearest >= rate {
            Habit::Nearest
        } else {
            Habit::Rate
        }
    }
}
