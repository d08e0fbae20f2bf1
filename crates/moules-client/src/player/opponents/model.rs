//! The opponent model: each opponent's policy, inferred from its moves.
//!
//! Each hypothesis, a fixed objective or a margin policy, predicts the opponent's next cell, and gains belief when it
//! is right. The use of beers and frites is estimated separately.
//!
//! Source: Albrecht & Stone, "Reasoning about hypothetical agent behaviours and their parameters" (2017).

use super::forecast::PredictedPlans;
use super::margin::{MARGINS, MarginValues};
use super::policy::{self, Drinks, Jumps, Objective, Policy};
use super::state::{Agent, JointState, NONE};
use crate::maze::{FAR, Maze, NOWHERE};
use crate::rules::{Game, MAX_PLAYERS};

/// The fixed objectives, considered in addition to the margin policies.
const FIXED: [Objective; 4] = [Objective::Nearest, Objective::Stubborn, Objective::Rate, Objective::Plans];
/// The index of [`Objective::Plans`] in [`FIXED`].
const PLANS: usize = 3;
/// The number of hypotheses for a player: the fixed objectives, and one for each margin policy.
const HYPOTHESES: usize = FIXED.len() + MARGINS;
/// The prior log-likelihood of each fixed objective.
const BEFORE: [f64; FIXED.len()] = [0.0, -0.7, -0.5, -0.3];
const BEFORE_MARGIN: f64 = -0.2;
/// The weight of the past in the beliefs at each turn.
const MEMORY: f64 = 0.97;
/// Log-likelihoods of a move: predicted; not predicted, but nearer to the hypothesis' target; neither.
const FORESEEN: f64 = -0.05;
const TOWARDS: f64 = -1.5;
const AWAY: f64 = -3.0;
/// The prior rate of mispredicted moves, and the weight of the past in it at each turn.
const MISSED: f64 = 0.25;
const MISSED_MEMORY: f64 = 0.93;
/// The hypotheses on when a player drinks beers and uses frites.
const DRINKS: [Drinks; 4] = [Drinks::AtOnce, Drinks::Whole, Drinks::ToArrive, Drinks::Never];
const JUMPS: [Jumps; 3] = [Jumps::Straight, Jumps::Never, Jumps::Planned];

/// The number of kinds of hypotheses: each fixed objective, and all margin policies together.
const KINDS: usize = FIXED.len() + 1;
/// The prior evidence against a use of bonuses, in moves. A player with a margin policy does not spend a bonus without
/// a gain.
const UNUSUAL: f64 = 0.5;

/// A player's use of bonuses under one kind of hypothesis: the evidence against each way, recent moves weighing more.
#[derive(Debug, Clone, Copy)]
struct BonusUse {
    drinks: [f64; DRINKS.len()],
    jumps: [f64; JUMPS.len()],
}

impl BonusUse {
    /// Returns the prior for a kind of hypothesis.
    const fn before(kind: usize) -> Self {
        if kind == FIXED.len() {
            Self { drinks: [UNUSUAL, UNUSUAL, 0.0, UNUSUAL], jumps: [UNUSUAL, UNUSUAL, 0.0] }
        } else {
            Self { drinks: [0.0; DRINKS.len()], jumps: [0.0; JUMPS.len()] }
        }
    }

    /// Returns the likeliest way, the first among equals.
    fn likeliest(&self) -> (Drinks, Jumps) {
        let least =
            |errors: &[f64]| (0..errors.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0);
        (DRINKS[least(&self.drinks)], JUMPS[least(&self.jumps)])
    }

    /// Updates the evidence from one move towards `item`.
    fn learn(&mut self, maze: &Maze, before: &Agent, after: &Agent, item: usize, objective: Objective) {
        let distance = maze.distance(before.cell, item, 0);
        let drunk = after.beers < before.beers;
        if before.beers > 0 {
            for (errors, drinks) in self.drinks.iter_mut().zip(DRINKS) {
                *errors = *errors * MEMORY + f64::from(u8::from(drinks.now(before.beers, distance) != drunk));
            }
        }
        if before.frites > 0 && !drunk {
            let jumped = after.frites < before.frites;
            for (errors, jumps) in self.jumps.iter_mut().zip(JUMPS) {
                let jump = jumps.now(maze, before.cell, item, before.frites, objective.turning());
                *errors = *errors * MEMORY + f64::from(u8::from(jump.is_some() != jumped));
            }
        }
    }
}

/// The beliefs about one player.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// The log-likelihood of each hypothesis.
    beliefs: [f64; HYPOTHESES],
    /// The target item under each hypothesis.
    targets: [u8; HYPOTHESES],
    /// The predicted next cell of a player that plans.
    planned: u32,
    /// The use of bonuses under each kind of hypothesis.
    bonuses: [BonusUse; KINDS],
    /// The rate of mispredicted moves.
    missed: f64,
}

/// A likely policy of a player.
#[derive(Debug, Clone, Copy)]
pub struct Likely {
    /// Its probability among the policies returned with it.
    pub share: f64,
    /// The policy that the player may follow.
    pub policy: Policy,
    /// The player's target item under this policy, or [`NONE`].
    pub target: u8,
}

/// The beliefs about all players.
#[derive(Debug, Clone)]
pub struct OpponentModel {
    seen: [Seen; MAX_PLAYERS],
    /// The match at our last turn, players by number.
    last: Option<JointState>,
}

impl Default for OpponentModel {
    fn default() -> Self {
        let mut beliefs = [BEFORE_MARGIN; HYPOTHESES];
        beliefs[..FIXED.len()].copy_from_slice(&BEFORE);
        let seen = Seen {
            beliefs,
            targets: [NONE; HYPOTHESES],
            planned: NOWHERE,
            bonuses: std::array::from_fn(BonusUse::before),
            missed: MISSED,
        };
        Self { seen: [seen; MAX_PLAYERS], last: None }
    }
}

/// Returns the objective of a hypothesis.
fn objective(hypothesis: usize) -> Objective {
    match hypothesis.checked_sub(FIXED.len()) {
        Some(number) => Objective::Margin(number as u8),
        None => FIXED[hypothesis],
    }
}

/// Returns the kind of a hypothesis.
fn kind(hypothesis: usize) -> usize {
    hypothesis.min(FIXED.len())
}

impl OpponentModel {
    /// Updates the beliefs from the moves since our last turn.
    pub fn observe(
        &mut self,
        maze: &mut Maze,
        margins: &mut MarginValues,
        predicted: &mut PredictedPlans<'_>,
        game: &Game,
    ) {
        let (me, count) = (game.to_move(), game.player_count());
        let now = JointState::of(maze, game, 0);
        // The match as each player saw it: those before it in the order of play have moved.
        let mut then = self.last.take();
        for player in (0..count).map(|order| (me + order) % count) {
            if let Some(then) = &mut then {
                if player != me {
                    self.seen[player].compare(maze, margins, then, &now, player, count);
                }
                then.agents[player] = now.agents[player];
                then.left &= now.left | !maze.bit(now.agents[player].cell);
            }
            if player != me {
                let seen = &mut self.seen[player];
                let outlook = predicted.outlook(maze, &now.agents[player], now.left);
                seen.planned = outlook.map_or(NOWHERE, |(cell, _)| cell);
                seen.targets[PLANS] = outlook.and_then(|(_, item)| item).map_or(NONE, |item| item as u8);
            }
        }
        self.last = Some(now);
    }

    /// Returns the recent rate of mispredicted moves of `player`.
    #[must_use]
    pub fn missed(&self, player: usize) -> f64 {
        self.seen[player].missed
    }

    /// Returns the two likeliest policies of `player`, the likeliest first. At most one of them is a margin policy.
    #[must_use]
    pub fn likely(&self, player: usize) -> [Likely; 2] {
        let seen = &self.seen[player];
        let first = seen.likeliest(|_| true);
        let second = seen.likeliest(|hypothesis| kind(hypothesis) != kind(first));
        let share = 1.0 / (1.0 + (seen.beliefs[second] - seen.beliefs[first]).exp());
        let of = |share, hypothesis: usize| Likely {
            share,
            policy: seen.policy(hypothesis),
            target: seen.targets[hypothesis],
        };
        [of(share, first), of(1.0 - share, second)]
    }
}

impl Seen {
    /// Returns the likeliest of some hypotheses, the first among equals.
    fn likeliest(&self, among: impl Fn(usize) -> bool) -> usize {
        let by_belief = |&a: &usize, &b: &usize| self.beliefs[a].total_cmp(&self.beliefs[b]);
        (0..HYPOTHESES).rev().filter(|&hypothesis| among(hypothesis)).max_by(by_belief).unwrap_or(0)
    }

    /// Returns the player's policy under `hypothesis`.
    fn policy(&self, hypothesis: usize) -> Policy {
        let (drinks, jumps) = self.bonuses[kind(hypothesis)].likeliest();
        Policy { objective: objective(hypothesis), drinks, jumps }
    }

    /// Updates the beliefs about `player` from its move between `then` and `now`.
    fn compare(
        &mut self,
        maze: &Maze,
        margins: &mut MarginValues,
        then: &JointState,
        now: &JointState,
        player: usize,
        count: usize,
    ) {
        let (before, after) = (&then.agents[player], &now.agents[player]);
        if before.cell == after.cell {
            return;
        }
        let likeliest = self.likeliest(|_| true);
        let margin = self.likeliest(|hypothesis| kind(hypothesis) == FIXED.len());
        let policies: [Policy; HYPOTHESES] = std::array::from_fn(|hypothesis| self.policy(hypothesis));
        for (hypothesis, policy) in policies.into_iter().enumerate() {
            let mut state = *then;
            state.agents[player].target = self.targets[hypothesis];
            state.agents[player].budget = u8::MAX;
            let foreseen = match policy.objective {
                Objective::Plans => self.planned == after.cell,
                _ => {
                    let turn = policy::turn(maze, margins, policy, &mut state, player, count);
                    turn.is_some_and(|(_, cell, _)| cell == after.cell)
                }
            };
            let target = state.agents[player].target;
            if hypothesis == likeliest {
                self.missed =
                    self.missed * MISSED_MEMORY + (1.0 - MISSED_MEMORY) * f64::from(u8::from(!foreseen));
            }
            if target != NONE && (hypothesis < FIXED.len() || hypothesis == margin) {
                let bonuses = &mut self.bonuses[kind(hypothesis)];
                bonuses.learn(maze, before, after, usize::from(target), policy.objective);
            }
            let distance =
                |cell| if target == NONE { FAR } else { maze.distance(cell, usize::from(target), 0) };
            let came = distance(after.cell) < distance(before.cell) && distance(before.cell) != FAR;
            self.beliefs[hypothesis] = self.beliefs[hypothesis] * MEMORY
                + match (foreseen, came) {
                    (true, _) => FORESEEN,
                    (false, true) => TOWARDS,
                    (false, false) => AWAY,
                };
            self.targets[hypothesis] = if foreseen || came { target } else { NONE };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::margin;
    use super::*;
    use crate::evaluation::AgentState;
    use crate::player::opponents::forecast::Foresight;
    use crate::player::{Ai, Player, Settings};
    use crate::rules::{Command, Move, Settings as Map};
    use search_core::{Limits, Stopwatch};

    /// A planner that finds no plan.
    #[derive(Debug)]
    struct Nothing;

    impl Foresight for Nothing {
        fn plan(&mut self, _: &mut Maze, _: AgentState) -> Option<Vec<(Move, AgentState)>> {
            None
        }
    }

    /// Returns the first player's model of the three others after `rounds` rounds, when all four are `ai`.
    fn seen(ai: Ai, seed: i64, rounds: usize) -> Vec<(Policy, f64)> {
        let map = Map { players: 4, maze_seed: seed, item_seed: seed, ..Map::default() };
        let mut game = Game::new(map.generate().unwrap(), None);
        let mut players: Vec<Player> =
            (0..4).map(|_| Player::new(Settings { ai, width: 32, ..Settings::default() })).collect();
        let mut maze = Maze::new(&game);
        let mut margins = MarginValues::new(&maze);
        let clock = Stopwatch::start();
        let mut model = OpponentModel::default();
        for _ in 0..rounds {
            let mut nothing = Nothing;
            let mut predicted = PredictedPlans::new(&mut nothing);
            model.observe(&mut maze, &mut margins, &mut predicted, &game);
            for player in &mut players {
                if game.end().is_none() {
                    let best = player.think(&game, Limits::default(), &clock).best.unwrap();
                    game.play(Command::from(best));
                }
            }
        }
        (1..4).map(|player| (model.likely(player)[0].policy, model.missed(player))).collect()
    }

    #[test]
    fn who_walks_to_the_nearest_mussel_is_known_by_its_walk() {
        for (policy, _) in seen(Ai::Thirsty, 3, 25) {
            assert_eq!((policy.objective, policy.drinks), (Objective::Nearest, Drinks::AtOnce));
        }
    }

    #[test]
    fn who_has_a_margin_is_known_and_who_walks_or_weighs_is_foreseen() {
        for (policy, _) in seen(Ai::Careful, 3, 25) {
            assert!(matches!(policy.objective, Objective::Margin(_)), "{policy:?}");
        }
        // The first of the 25 rounds shows nothing. A fixed walk is predicted from its first move on, a margin policy
        // from the move after the one that reveals it.
        let none = MISSED * MISSED_MEMORY.powi(24) + 1e-9;
        for (ai, most) in
            [(Ai::Thirsty, none), (Ai::Stubborn, none), (Ai::Careful, none + (1.0 - MISSED_MEMORY))]
        {
            for (policy, missed) in seen(ai, 3, 25) {
                assert!(missed <= most, "{ai}: {policy:?}, {missed}");
            }
        }
    }

    #[test]
    fn who_plans_is_not_taken_for_a_walker() {
        let seen = seen(Ai::Planner, 3, 25);
        let weighs = |(policy, _): &&(Policy, f64)| policy.objective != Objective::Nearest;
        assert!(seen.iter().filter(weighs).count() >= 2, "{seen:?}");
    }

    #[test]
    fn two_ways_of_playing_are_likely_before_anything_is_seen() {
        let [first, second] = OpponentModel::default().likely(1);
        assert!((first.share + second.share - 1.0).abs() < 1e-9);
        assert!(first.share >= second.share && second.share > 0.3, "{} {}", first.share, second.share);
        assert_eq!(first.policy.objective, Objective::Nearest);
        assert_eq!(second.policy.objective, Objective::Margin(margin::USUAL));
    }
}
