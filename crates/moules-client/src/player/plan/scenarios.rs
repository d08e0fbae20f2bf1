//! The ways in which all the others may play together.

use super::multi::{AFTER, State};
use crate::player::maze::Maze;
use crate::player::opponents::model::OpponentModel;
use crate::player::opponents::policy::Policy;
use crate::rules::{Game, MAX_PLAYERS};
use smallvec::SmallVec;

/// Scenarios that are looked at, and how likely beside the likeliest they must be.
pub const SCENARIOS: usize = 3;
const LEAST: f64 = 0.15;

/// A way in which all the others may play.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// Its likelihood beside the others kept.
    pub share: f64,
    /// Everybody's policy, in the order of play.
    pub policies: [Policy; MAX_PLAYERS],
    /// The state of the match in it.
    pub state: State,
}

/// The likeliest scenarios of `game`, the likeliest first.
pub fn scenarios(model: &OpponentModel, maze: &Maze, game: &Game) -> SmallVec<[Scenario; 8]> {
    let (me, count) = (game.to_move(), game.player_count());
    let known = Scenario { share: 1.0, policies: [AFTER; MAX_PLAYERS], state: State::of(maze, game) };
    let mut scenarios: SmallVec<[Scenario; 8]> = SmallVec::from_slice(&[known]);
    for order in 1..count {
        let likely = model.likely((me + order) % count);
        let more = scenarios.iter().flat_map(|&scenario| {
            likely.iter().map(move |likely| {
                let mut scenario = scenario;
                scenario.share *= likely.share;
                scenario.policies[order] = likely.policy;
                scenario.state.joint.agents[order].target = likely.target;
                scenario
            })
        });
        scenarios = more.collect();
    }
    scenarios.sort_by(|a, b| b.share.total_cmp(&a.share));
    scenarios.truncate(SCENARIOS);
    let least = LEAST * scenarios[0].share;
    scenarios.retain(|scenario| scenario.share >= least);
    scenarios
}
