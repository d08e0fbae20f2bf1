//! The endgame: with few mussels left, a max^n search over all players' moves, for the rank.

use crate::evaluation::AgentState;
use crate::maze::{FAR, Maze, NOWHERE, bits};
use crate::rules::{Direction, Game, MAX_PLAYERS, Move, marks};
use search_core::rivals::{Payoffs, Rivals, max_n};
use search_core::{Control, Depth, Score, Sink};
use smallvec::SmallVec;

/// Maximum number of mussels left.
const MUSSELS: usize = 2;
/// Maximum number of rounds searched.
const ROUNDS: usize = 4;
/// Maximum number of nodes of a round for the next one to begin. Each round takes tens of times as many.
const NODES: u64 = 2_000;

/// All players' cells, bonuses and points. Steps and jumps are searched. Beers only shorten the distances after the
/// search.
#[derive(Clone)]
struct Endgame<'a> {
    maze: &'a Maze,
    agents: SmallVec<[AgentState; MAX_PLAYERS]>,
    points: SmallVec<[u32; MAX_PLAYERS]>,
    left: u64,
    mover: usize,
}

impl Endgame<'_> {
    fn arrive(&mut self, player: usize, cell: u32) {
        let bit = self.left & self.maze.bit(cell);
        self.agents[player].cell = cell;
        if bit != 0 {
            self.left &= !bit;
            self.points[player] += self.maze.points(bit.trailing_zeros() as usize);
            self.agents[player].frites += u8::from(self.maze.frites() & bit != 0);
            self.agents[player].beers += u8::from(self.maze.beers() & bit != 0);
        }
    }

    /// Returns the turns in which `agent` reaches `item`.
    fn turns(&self, agent: &AgentState, item: usize) -> Option<usize> {
        let distance = self.maze.distance(agent.cell, item, usize::from(agent.frites));
        let distance = usize::from(Some(distance).filter(|&distance| distance != FAR)?);
        Some(distance - 2 * usize::from(agent.beers).min(distance / 3))
    }
}

impl Rivals for Endgame<'_> {
    type Move = Move;

    fn mover(&self) -> usize {
        self.mover
    }

    fn moves<S: Sink<Move>>(&self, sink: &mut S) {
        if self.left & self.maze.mussels() == 0 {
            return;
        }
        let agent = &self.agents[self.mover];
        for direction in Direction::ALL {
            if self.maze.step(agent.cell, direction) != NOWHERE {
                sink.push(Move::Step(direction));
            }
            if agent.frites > 0 && self.maze.jump(agent.cell, direction) != NOWHERE {
                sink.push(Move::Jump(direction));
            }
        }
    }

    fn play(&mut self, mv: Move) {
        let player = self.mover;
        let cell = self.agents[player].cell;
        match mv {
            Move::Step(direction) => self.arrive(player, self.maze.step(cell, direction)),
            Move::Jump(direction) => {
                self.agents[player].frites -= 1;
                self.arrive(player, self.maze.jump(cell, direction));
            }
            Move::Stay | Move::Beer(_) => {}
        }
        self.mover = (player + 1) % self.agents.len();
    }

    /// Returns the marks of the ranks if each mussel left goes to the player nearest to it, plus a little for the
    /// points.
    fn payoffs(&self) -> Payoffs {
        let count = self.agents.len();
        let mut points = self.points.clone();
        let mut agents = self.agents.clone();
        let mut used: SmallVec<[usize; MAX_PLAYERS]> = SmallVec::from_elem(0, count);
        let mut left = self.left & self.maze.mussels();
        while left != 0 {
            let arrivals = bits(left).flat_map(|item| {
                let (agents, used) = (&agents, &used);
                (0..count).filter_map(move |order| {
                    let player = (self.mover + order) % count;
                    Some((used[player] + self.turns(&agents[player], item)?, order, item, player))
                })
            });
            let Some((turn, _, item, player)) = arrivals.min() else { break };
            used[player] = turn;
            agents[player].cell = self.maze.items()[item].cell;
            points[player] += self.maze.points(item);
            left &= !(1 << item);
        }
        let marks = marks(&points);
        (0..count)
            .map(|player| {
                // An earlier capture counts more, so that none is put off.
                let value = marks[player] * 100_000.0 + f64::from(points[player].min(10_000)) * 10.0;
                Score::new(value as i32 - used[player].min(9) as i32)
            })
            .collect()
    }
}

/// Returns the move of the max^n search, or `None` if too many mussels are left or the mover has a beer.
pub fn best(maze: &Maze, game: &Game, control: &Control<'_>) -> Option<Move> {
    let count = game.player_count();
    let left = maze.left(&game.state);
    let purse = game.purses[game.to_move()];
    // Counted in the match, because the prepared maze may leave some out.
    let few = (1..=MUSSELS).contains(&game.mussels_left());
    if count < 2 || !few || purse.beers > 0 {
        return None;
    }
    let endgame = Endgame {
        maze,
        agents: (0..count).map(|player| AgentState::of(maze, game, player)).collect(),
        points: game.purses.iter().map(|purse| purse.points).collect(),
        left,
        mover: game.to_move(),
    };
    let mut best = None;
    for round in 1..=ROUNDS {
        if !control.may_deepen() {
            break;
        }
        let before = control.nodes();
        let Ok(choice) = max_n(&endgame, (round * count) as Depth, control) else { break };
        best = choice.best;
        if control.nodes() - before > NODES {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::{Limits, Stopwatch};

    #[test]
    fn mussels_that_a_list_leaves_out_are_left_all_the_same() {
        let best = |mussels: &str| {
            let line =
                format!("11x3/D-D-D-D-D-D-D-D-D-D-D-D-S-F-F-F-{mussels}-S-D-D-D-D-D-D-D-D-D-D-D-D/2-1,1-9,1");
            let game = Game::new(line.parse().unwrap(), None);
            // Four items are kept, two mussels among them.
            best(&Maze::within(&game, 0), &game, &Control::new(Limits::default(), &Stopwatch::start()))
        };
        assert_eq!(best("10-20-30-S"), None);
        assert_eq!(best("10-20-S-S"), Some(Move::Step(Direction::East)));
    }
}
