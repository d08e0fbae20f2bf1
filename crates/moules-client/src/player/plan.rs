//! The planner: a beam search over the player's own moves, wider and wider while time is left, alone or among opponents
//! who follow inferred policies.

mod endgame;
mod lines;
mod multi;
mod scenarios;
pub(super) mod single;
mod widening;

use super::opponents::forecast::PredictedPlans;
use super::opponents::margin::MarginValues;
use super::opponents::model::OpponentModel;
use super::opponents::policy::{self, Drinks, Jumps, Objective, Policy};
use super::opponents::state::{JointState, NONE};
use super::{Ai, Settings, SoFar};
use crate::evaluation::{AgentState, Evaluation, Tours, Worth};
use crate::maze::Maze;
use crate::rules::{Game, MAX_PLAYERS, Move};
pub use lines::{PlanLine, Tell};
use multi::MultiAgent;
use scenarios::{Scenario, scenarios};
use search_core::beam::{Beam, Configuration, Found};
use search_core::{Clock, Control, Limits, Line, Report, Score};
use single::{SingleAgent, SinglePlans};
use widening::{Widening, follow};

/// Distances tabulated in a new maze for each second of time, a quarter of the rate of a slow core.
const DISTANCES: f64 = 5e6;
/// Maximum length of a plan in turns.
const HORIZON: usize = 400;
/// Maximum length of a plan among opponents. The rest of the match is played out by policies.
const AMONG: usize = 60;
/// The first beam width of a player alone. That beam always completes.
const FIRST_WIDTH: usize = 32;
/// The first beam among opponents: turns and width. That beam always completes.
const FIRST_AMONG: (usize, usize) = (6, 2);

/// The policy when the opponents are expected to take everything that is left.
const HOPES: Policy = Policy { objective: Objective::Nearest, drinks: Drinks::AtOnce, jumps: Jumps::Planned };

/// A prepared maze, and data kept for it between turns.
#[derive(Debug)]
struct Prepared {
    maze: Maze,
    tours: Tours,
    margins: MarginValues,
}

/// A planner and its state between turns.
#[derive(Debug)]
pub struct Planner {
    settings: Settings,
    prepared: Option<Prepared>,
    /// The rest of the last turn's plan.
    plan: Vec<Move>,
    model: OpponentModel,
    /// The target item of [`walk`](Self::walk).
    target: u8,
    so_far: SoFar,
}

impl Planner {
    /// Creates a planner at the start of a match.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            prepared: None,
            plan: Vec::new(),
            model: OpponentModel::default(),
            target: NONE,
            so_far: SoFar::default(),
        }
    }

    /// Returns the handle to the best move found so far.
    pub fn so_far(&self) -> SoFar {
        self.so_far.clone()
    }

    /// Returns the maze of `game`, prepared anew if the last turn's does not fit.
    pub fn maze(&mut self, game: &Game, limits: Limits) -> &mut Maze {
        &mut self.prepared(game, limits).maze
    }

    fn prepared(&mut self, game: &Game, limits: Limits) -> &mut Prepared {
        if self.prepared.as_ref().is_none_or(|prepared| !prepared.maze.fits(&game.state)) {
            self.plan.clear();
            self.model = OpponentModel::default();
            self.target = NONE;
            let distances = limits.hard.map_or(usize::MAX, |hard| (hard.as_secs_f64() * DISTANCES) as usize);
            let maze = Maze::within(game, distances);
            let (tours, margins) = (Tours::new(&maze), MarginValues::new(&maze));
            self.prepared = Some(Prepared { maze, tours, margins });
        }
        self.prepared.as_mut().expect("just made")
    }

    /// Returns the move of a player with `policy`, or `None` if nothing can be reached.
    pub fn walk(&mut self, game: &Game, limits: Limits, policy: Policy) -> Option<Move> {
        self.prepared(game, limits);
        // Read after the maze is prepared, which may renumber the items.
        let target = self.target;
        let Prepared { maze, margins, .. } = self.prepared.as_mut().expect("prepared");
        let mut state = JointState::of(maze, game, game.to_move());
        (state.agents[0].target, state.agents[0].budget) = (target, u8::MAX);
        let turn = policy::turn(maze, margins, policy, &mut state, 0, game.player_count());
        self.target = state.agents[0].target;
        turn.map(|(mv, ..)| mv)
    }

    /// Returns the best first move, or none when nothing can be reached.
    pub fn think(&mut self, game: &Game, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        let Some(turns) = self.turns(game, limits) else { return Report::empty() };
        let control = Control::new(limits, clock);
        let best = if self.is_among(game) {
            self.among_others(game, turns, &control)
        } else {
            self.by_itself(game, turns, &control)
        };
        // The endgame search looks at the opponents' moves too. The plan is kept for the turns after it.
        if self.settings.ai == Ai::Finale
            && let Some(Prepared { maze, .. }) = &self.prepared
            && let Some(mv) = endgame::best(maze, game, &control)
        {
            let mut report = Report { best: Some(mv), nodes: control.nodes(), ..Report::empty() };
            report.principal_variation.push(mv);
            report.elapsed = clock.elapsed();
            return report;
        }
        let Some(best) = best else { return Report::empty() };
        let report = Report {
            best: best.actions.first().copied(),
            score: Score::new(best.value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32),
            depth: best.actions.len() as i32,
            nodes: control.nodes(),
            elapsed: clock.elapsed(),
            principal_variation: Line::from_slice(&best.actions),
            proven: false,
        };
        self.plan = best.actions;
        report
    }

    /// Returns the number of turns to plan, or `None` if no mussel can be reached.
    fn turns(&mut self, game: &Game, limits: Limits) -> Option<usize> {
        let Prepared { maze, .. } = self.prepared(game, limits);
        if maze.left(&game.state) & maze.mussels() == 0 {
            return None;
        }
        let turns = game.turns_left(game.to_move()).map_or(HORIZON, |turns| turns as usize);
        Some(turns.clamp(1, HORIZON))
    }

    /// Returns true if opponents are considered.
    fn is_among(&self, game: &Game) -> bool {
        matches!(self.settings.ai, Ai::Full | Ai::Finale) && game.player_count() > 1
    }

    /// Returns the rest of the last plan.
    fn rest(&mut self) -> Vec<Move> {
        let mut plan = std::mem::take(&mut self.plan);
        if !plan.is_empty() {
            plan.remove(0);
        }
        plan
    }

    /// Runs `search` on the problem without opponents, with its root and its first beam.
    fn alone<R>(
        &mut self,
        game: &Game,
        turns: usize,
        search: impl FnOnce(&mut SingleAgent<'_>, AgentState, Configuration) -> R,
    ) -> R {
        let alone = game.player_count() == 1;
        let evaluation = if alone { Evaluation::Tour } else { self.settings.evaluation };
        let Prepared { maze, tours, .. } = self.prepared.as_mut().expect("prepared");
        let root = AgentState::of(maze, game, game.to_move());
        let worth = Worth::alone(maze, turns + 1);
        let mut problem = SingleAgent { maze, worth: &worth, tours, evaluation };
        let configuration =
            Configuration { width: FIRST_WIDTH, turns, first_complete: evaluation.counts_turns() };
        search(&mut problem, root, configuration)
    }

    /// Returns the best plan without opponents.
    fn by_itself(&mut self, game: &Game, turns: usize, control: &Control<'_>) -> Option<Found<Move>> {
        let rest = self.rest();
        let (width, so_far) = (self.settings.width, self.so_far());
        self.alone(game, turns, |problem, root, configuration| {
            let widening = Widening { configuration, width, shares: &[1.0] };
            let note = |found: &Found<Move>| note(&so_far, game, found);
            widening.search(problem, |_, _| root, &rest, control, note)
        })
    }

    /// Runs `search` on the problem among opponents, with the scenarios of their policies.
    fn with_others<R>(
        &mut self,
        game: &Game,
        control: &Control<'_>,
        search: impl FnOnce(&mut MultiAgent<'_, '_>, &[Scenario]) -> R,
    ) -> R {
        let Prepared { maze, tours, margins } = self.prepared.as_mut().expect("prepared");
        let (me, count) = (game.to_move(), game.player_count());
        let mut plans = SinglePlans::new(maze, tours, control);
        let mut predicted = PredictedPlans::new(&mut plans);
        self.model.observe(maze, margins, &mut predicted, game);
        let mut wrong = [0.0; MAX_PLAYERS];
        for (order, wrong) in wrong.iter_mut().enumerate().take(count).skip(1) {
            *wrong = multi::wrong(self.model.missed((me + order) % count));
        }
        let scenarios = scenarios(&self.model, maze, game);
        let policies = scenarios[0].policies;
        let mut problem = MultiAgent { maze, margins, predicted: &mut predicted, policies, wrong, count };
        search(&mut problem, &scenarios)
    }

    /// Returns the best plan against the inferred policies.
    fn among_others(&mut self, game: &Game, turns: usize, control: &Control<'_>) -> Option<Found<Move>> {
        let rest = self.rest();
        let (width, so_far) = (self.settings.width, self.so_far());
        self.with_others(game, control, |problem, scenarios| {
            best_among(problem, scenarios, (game, turns, width), rest, control, &so_far)
        })
    }
}

/// Returns the best plan over all scenarios, starting from `rest` if it still is the best.
fn best_among(
    problem: &mut MultiAgent<'_, '_>,
    scenarios: &[Scenario],
    (game, turns, width): (&Game, usize, usize),
    rest: Vec<Move>,
    control: &Control<'_>,
    so_far: &SoFar,
) -> Option<Found<Move>> {
    let state = scenarios[0].state;
    let (first, narrow) = FIRST_AMONG;
    let first = Configuration { width: narrow, turns: first.min(turns), first_complete: false };
    let found = Beam::default().search(problem, state, first, control);
    control.arm();
    let rest = if rest.is_empty() { found.actions.clone() } else { rest };
    note(so_far, game, &found);
    let configuration = Configuration { width: FIRST_WIDTH, turns: AMONG.min(turns), first_complete: false };
    let shares: Vec<f64> = scenarios.iter().map(|scenario| scenario.share).collect();
    let widening = Widening { configuration, width, shares: &shares };
    let enter = |problem: &mut MultiAgent<'_, '_>, scenario: usize| {
        problem.policies = scenarios[scenario].policies;
        scenarios[scenario].state
    };
    let note = |found: &Found<Move>| note(so_far, game, found);
    let best = widening.search(problem, enter, &rest, control, note).unwrap_or(found);
    // If the opponents are expected to take everything, the player still goes to the nearest mussel: the prediction may
    // be wrong.
    let (end, done) = follow(problem, state, &best.actions);
    let hopeless = done == best.actions.len() && problem.play_out(&end, done).points[0] <= state.points[0];
    if hopeless
        && let Some((mv, ..)) =
            policy::turn(problem.maze, problem.margins, HOPES, &mut { state.joint }, 0, problem.count)
    {
        return Some(Found { actions: vec![mv], ..best });
    }
    Some(best)
}

fn note(so_far: &SoFar, game: &Game, found: &Found<Move>) {
    if let Some(&first) = found.actions.first() {
        so_far.note(game.turns(), first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Settings as Map;
    use scenarios::SCENARIOS;
    use search_core::Stopwatch;

    #[test]
    fn a_walk_does_not_go_on_to_an_item_of_another_list() {
        let game = |tiles: &str, x: usize| {
            let line = format!("11x3/D-D-D-D-D-D-D-D-D-D-D-D-{tiles}-D-D-D-D-D-D-D-D-D-D-D-D/1-{x},1");
            Game::new(line.parse().unwrap(), None)
        };
        for objective in [Objective::Nearest, Objective::Stubborn] {
            let policy = Policy { objective, drinks: Drinks::Never, jumps: Jumps::Never };
            let mut planner = Planner::new(Settings::default());
            let mut walk =
                |game: Game| planner.walk(&game, Limits::default(), policy).map(|mv| mv.to_string());
            // First to the third mussel of three. Then one is left. In the second match the farther of two comes first.
            assert_eq!(walk(game("10-20-S-30-S-S-S-S-S", 5)).as_deref(), Some("O"));
            assert_eq!(walk(game("S-S-S-S-S-S-S-10-S", 4)).as_deref(), Some("E"));
            assert_eq!(walk(game("S-10-S-S-S-20-S-S-S", 5)).as_deref(), Some("E"));
        }
    }

    #[test]
    fn strangers_are_planned_against_in_several_scenarios() {
        let map = Map { players: 4, maze_seed: 3, item_seed: 3, ..Map::default() };
        let game = Game::new(map.generate().unwrap(), Some(500));
        let mut maze = Maze::new(&game);
        let (mut tours, mut margins) = (Tours::new(&maze), MarginValues::new(&maze));
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let scenarios = scenarios(&OpponentModel::default(), &maze, &game);
        assert_eq!(scenarios.len(), SCENARIOS);
        assert!(scenarios.windows(2).all(|pair| pair[0].share >= pair[1].share));
        let mut plans = SinglePlans::new(&maze, &mut tours, &control);
        let mut predicted = PredictedPlans::new(&mut plans);
        let Scenario { policies, .. } = scenarios[0];
        let mut problem = MultiAgent {
            maze: &mut maze,
            margins: &mut margins,
            predicted: &mut predicted,
            policies,
            wrong: [0.2; MAX_PLAYERS],
            count: 4,
        };
        let configuration = Configuration { width: 16, turns: 30, first_complete: false };
        let shares: Vec<f64> = scenarios.iter().map(|scenario| scenario.share).collect();
        let enter = |problem: &mut MultiAgent<'_, '_>, scenario: usize| {
            problem.policies = scenarios[scenario].policies;
            scenarios[scenario].state
        };
        let widening = Widening { configuration, width: 16, shares: &shares };
        let best = widening.search(&mut problem, enter, &[], &control, |_| {}).unwrap();
        // A plan's value is the mean over the scenarios.
        let in_one = |problem: &mut MultiAgent<'_, '_>, scenario: usize, actions: &[Move]| {
            let one = Widening { shares: &[1.0], ..widening };
            let value = one.value(problem, |problem, _| enter(problem, scenario), actions);
            value.map(|found| found.value as f64)
        };
        let total: f64 = shares.iter().sum();
        let mean: f64 =
            (0..3).map(|s| shares[s] / total * in_one(&mut problem, s, &best.actions).unwrap()).sum();
        assert!((mean - best.value as f64).abs() < 2.0, "{mean} {}", best.value);
        // A plan that can be followed in part has the value of that part. A plan whose first move is impossible has
        // none.
        let mut broken = best.actions[..2].to_vec();
        broken.push(Move::Stay);
        let begun = in_one(&mut problem, 0, &broken[..2]);
        assert_eq!(in_one(&mut problem, 0, &broken), begun);
        assert_eq!(in_one(&mut problem, 0, &broken[2..]), None);
    }
}
