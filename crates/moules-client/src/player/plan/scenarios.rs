//! Scenarios: the likely combinations of the opponents' policies.

use super::multi::{AFTER, State};
use crate::maze::Maze;
use crate::player::opponents::model::OpponentModel;
use crate::player::opponents::policy::Policy;
use crate::rules::{Game, MAX_PLAYERS};
use smallvec::SmallVec;

/// Maximum number of scenarios, and the least probability relative to the likeliest.
pub const SCENARIOS: usize = 3;
const LEAST: f64 = 0.15;

/// A combination of the opponents' policies.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// Its probability among the scenarios kept.
    pub share: f64,
    /// All players' policies, in the order of play.
    pub policies: [Policy; MAX_PLAYERS],
    /// The state of the match in this scenario.
    pub state: State,
}

/// Returns the likeliest scenarios of `game`, likeliest first.
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
