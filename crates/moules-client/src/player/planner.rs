//! The planner: a beam over one's own turns, wider and wider while there is time; alone, or among others who go on as
//! they were seen to go.

use super::courses::Courses;
use super::crowd::{self, AFTER, Crowd, State};
use super::errand::Errand;
use super::finale;
use super::habits::Habits;
use super::walker::{self, Aim, Drinks, Habit, Jumps, NONE};
use super::{Ai, Settings, SoFar};
use crate::board::Board;
use crate::evaluation::{Evaluation, Spot, Tours, Worth};
use crate::rules::{Game, MAX_PLAYERS, Move};
use search_core::beam::{Beam, Found, Plan, Shape};
use search_core::{Clock, Control, Limits, Line, Report, Score};
use smallvec::SmallVec;

/// Distances tabulated in a new maze for each second that may be thought: a quarter of what a slow core does.
const DISTANCES: f64 = 5e6;
/// Turns looked ahead at most.
const HORIZON: usize = 400;
/// Turns looked ahead among others; what lies beyond is played out by habit.
const AMONG: usize = 60;
/// How much wider each beam is than the one before.
const WIDEN: usize = 3;
/// The first beam of a player who looks at itself only; it always runs to its end.
const FIRST_WIDTH: usize = 32;
/// The first beam among others: turns and width. It always runs to its end.
const FIRST_AMONG: (usize, usize) = (6, 2);

/// Ways in which the others may play together that are looked at, and how likely beside the likeliest they must be.
const WORLDS: usize = 3;
const LEAST: f64 = 0.15;

/// How one walks who can only hope that the others falter.
const HOPES: Habit = Habit { aim: Aim::Nearest, drinks: Drinks::AtOnce, jumps: Jumps::Planned };

/// A planner and what it keeps from turn to turn.
#[derive(Debug)]
pub struct Planner {
    settings: Settings,
    board: Option<(Board, Tours)>,
    /// The plan of the last turn, what is left of it.
    plan: Vec<Move>,
    habits: Habits,
    /// The item that [`walk`](Self::walk) leads to.
    aim: u8,
    so_far: SoFar,
}

impl Planner {
    /// A planner that has seen nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            board: None,
            plan: Vec::new(),
            habits: Habits::default(),
            aim: NONE,
            so_far: SoFar::default(),
        }
    }

    /// Where the best turn found so far is noted.
    pub fn so_far(&self) -> SoFar {
        self.so_far.clone()
    }

    /// The board of `game`: the one of the last turn if it still fits.
    pub fn board(&mut self, game: &Game, limits: Limits) -> &mut Board {
        &mut self.prepared(game, limits).0
    }

    fn prepared(&mut self, game: &Game, limits: Limits) -> &mut (Board, Tours) {
        if self.board.as_ref().is_none_or(|(board, _)| !board.fits(&game.state)) {
            self.plan.clear();
            self.habits = Habits::default();
            self.aim = NONE;
            let distances = limits.hard.map_or(usize::MAX, |hard| (hard.as_secs_f64() * DISTANCES) as usize);
            let board = Board::within(game, distances);
            let tours = Tours::new(&board);
            self.board = Some((board, tours));
        }
        self.board.as_mut().expect("just made")
    }

    /// A turn of who plays by `habit`, or none when nothing can be reached.
    pub fn walk(&mut self, game: &Game, limits: Limits, habit: Habit) -> Option<Move> {
        self.prepared(game, limits);
        let (board, _) = self.board.as_ref().expect("prepared");
        let mut aims = [NONE; MAX_PLAYERS];
        aims[0] = self.aim;
        let mut scene = State::of(board, game, aims).scene;
        let turn = walker::turn(board, habit, &mut scene, 0, game.player_count());
        self.aim = scene.walkers[0].aim;
        turn.map(|(mv, ..)| mv)
    }

    /// The best first turn, or none when nothing can be reached.
    pub fn think(&mut self, game: &Game, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        let (board, _) = self.prepared(game, limits);
        if board.left(&game.state) & board.mussels == 0 {
            return Report::empty();
        }
        let control = Control::new(limits, clock);
        let turns = game.turns_left(game.to_move()).map_or(HORIZON, |turns| turns as usize);
        let turns = turns.clamp(1, HORIZON);
        let among = matches!(self.settings.ai, Ai::Full | Ai::Finale) && game.player_count() > 1;
        let best = if among {
            self.among_others(game, turns, &control)
        } else {
            self.by_itself(game, turns, &control)
        };
        // The others' turns are searched too where that reaches the end; the plan is kept for what lies beyond.
        if self.settings.ai == Ai::Finale
            && let Some((board, _)) = &self.board
            && let Some(mv) = finale::best(board, game, &control)
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

    /// What is left of the last plan.
    fn rest(&mut self) -> Vec<Move> {
        let mut plan = std::mem::take(&mut self.plan);
        if !plan.is_empty() {
            plan.remove(0);
        }
        plan
    }

    /// The best plan if the others did not exist.
    fn by_itself(&mut self, game: &Game, turns: usize, control: &Control<'_>) -> Option<Found<Move>> {
        let rest = self.rest();
        let settings = self.settings;
        let alone = game.player_count() == 1;
        let evaluation = if alone { Evaluation::Tour } else { settings.evaluation };
        let (board, tours) = self.board.as_mut().expect("prepared");
        let spot = Spot::of(board, game, game.to_move());
        let worth = Worth::alone(board, turns + 1);
        let mut errand = Errand { board, worth: &worth, tours, evaluation };
        let shape = Shape { width: FIRST_WIDTH, turns, first_complete: evaluation.counts_turns() };
        let note = |found: &Found<Move>| note(&self.so_far, game, found);
        widen(&mut errand, spot, &rest, shape, settings.width, control, note)
    }

    /// The best answer to how the others are believed to play.
    fn among_others(&mut self, game: &Game, turns: usize, control: &Control<'_>) -> Option<Found<Move>> {
        let rest = self.rest();
        let width = self.settings.width;
        let (board, tours) = self.board.as_mut().expect("prepared");
        let (me, count) = (game.to_move(), game.player_count());
        let mut courses = Courses::new(board, tours, control);
        self.habits.observe(board, &mut courses, game);
        let mut wrong = [0.0; MAX_PLAYERS];
        for (order, wrong) in wrong.iter_mut().enumerate().take(count).skip(1) {
            *wrong = crowd::wrong(self.habits.missed((me + order) % count));
        }
        let worlds = worlds(&self.habits, board, game);
        let World { habits, state, .. } = worlds[0];
        let mut crowd = Crowd { board, courses: &mut courses, habits, wrong, count };
        let (first, narrow) = FIRST_AMONG;
        let first = Shape { width: narrow, turns: first.min(turns), first_complete: false };
        let found = Beam::default().search(&mut crowd, state, first, control);
        control.arm();
        let rest = if rest.is_empty() { found.actions.clone() } else { rest };
        let shape = Shape { width: FIRST_WIDTH, turns: AMONG.min(turns), first_complete: false };
        note(&self.so_far, game, &found);
        let note = |found: &Found<Move>| note(&self.so_far, game, found);
        let best = if worlds.len() > 1 {
            hedge(&mut crowd, &worlds, &rest, shape, width, control, note)
        } else {
            widen(&mut crowd, state, &rest, shape, width, control, note)
        };
        let best = best.unwrap_or(found);
        // When others are expected to take all that is left, one walks to the nearest all the same: they may not.
        let end = after(&mut crowd, state, &best.actions);
        let gains = |end: State, crowd: &mut Crowd<'_, '_>| {
            crowd.play_out(&end, best.actions.len()).points[0] > state.points[0]
        };
        if end.is_some_and(|end| !gains(end, &mut crowd))
            && let Some((mv, ..)) = walker::turn(crowd.board, HOPES, &mut { state.scene }, 0, count)
        {
            return Some(Found { actions: vec![mv], ..best });
        }
        Some(best)
    }
}

/// A way in which all the others may play.
#[derive(Debug, Clone, Copy)]
struct World {
    /// How likely it is beside the others kept.
    share: f64,
    habits: [Habit; MAX_PLAYERS],
    state: State,
}

/// The likeliest ways in which the others play together, the first of them the likeliest.
fn worlds(habits: &Habits, board: &Board, game: &Game) -> SmallVec<[World; 8]> {
    let (me, count) = (game.to_move(), game.player_count());
    let state = State::of(board, game, [NONE; MAX_PLAYERS]);
    let mut worlds: SmallVec<[World; 8]> =
        SmallVec::from_slice(&[World { share: 1.0, habits: [AFTER; MAX_PLAYERS], state }]);
    for order in 1..count {
        let likely = habits.likely((me + order) % count);
        let more = worlds.iter().flat_map(|&world| {
            likely.iter().map(move |&(share, habit, aim)| {
                let mut world = world;
                world.share *= share;
                world.habits[order] = habit;
                world.state.scene.walkers[order].aim = aim;
                world
            })
        });
        worlds = more.collect();
    }
    worlds.sort_by(|a, b| b.share.total_cmp(&a.share));
    worlds.truncate(WORLDS);
    let least = LEAST * worlds[0].share;
    worlds.retain(|world| world.share >= least);
    worlds
}

/// The plan of beams wider and wider, one in each of `worlds`, that is worth most on average over them.
fn hedge(
    crowd: &mut Crowd<'_, '_>,
    worlds: &[World],
    known: &[Move],
    mut shape: Shape,
    width: usize,
    control: &Control<'_>,
    note: impl Fn(&Found<Move>),
) -> Option<Found<Move>> {
    let total: f64 = worlds.iter().map(|world| world.share).sum();
    let worth = |crowd: &mut Crowd<'_, '_>, actions: &[Move]| {
        let values = worlds.iter().map(|world| {
            crowd.habits = world.habits;
            world.share * as_far(crowd, world.state, actions) as f64
        });
        (values.sum::<f64>() / total) as i64
    };
    let mut beam = Beam::default();
    let mut best: Option<Found<Move>> = None;
    let consider = |crowd: &mut Crowd<'_, '_>, best: &mut Option<Found<Move>>, found: Found<Move>| {
        if found.actions.is_empty() || best.as_ref().is_some_and(|best| best.actions == found.actions) {
            return;
        }
        let value = worth(crowd, &found.actions);
        if best.as_ref().is_none_or(|best| value > best.value) {
            let found = Found { value, ..found };
            note(&found);
            *best = Some(found);
        }
    };
    consider(crowd, &mut best, Found { actions: known.to_vec(), value: 0, complete: false });
    shape.width = shape.width.min(width);
    loop {
        for world in worlds {
            crowd.habits = world.habits;
            let found = beam.search(crowd, world.state, shape, control);
            if best.is_none() || !control.is_stopped() {
                consider(crowd, &mut best, found);
            }
            control.arm();
        }
        crowd.habits = worlds[0].habits;
        if shape.width >= width || !control.may_deepen() {
            return best;
        }
        shape.width = (shape.width * WIDEN).min(width);
    }
}

/// What a plan gives from `root`, followed as far as it goes.
fn as_far(crowd: &mut Crowd<'_, '_>, root: State, actions: &[Move]) -> i64 {
    let (mut state, mut turns) = (root, 0);
    let mut made = Vec::new();
    for &action in actions {
        if crowd.is_complete(&state) {
            break;
        }
        made.clear();
        crowd.successors(&state, turns, &mut made);
        let Some(&(_, next)) = made.iter().find(|(made, _)| *made == action) else { break };
        (state, turns) = (next, turns + 1);
    }
    crowd.estimate(&state, turns)
}

fn note(so_far: &SoFar, game: &Game, found: &Found<Move>) {
    if let Some(&first) = found.actions.first() {
        so_far.note(game.turns(), first);
    }
}

/// The best plan of beams wider and wider, the first of them of `shape`, up to `width`; `known` is a plan to begin with,
/// `note` hears of each better one.
fn widen<P: Plan<Action = Move>>(
    plan: &mut P,
    root: P::State,
    known: &[Move],
    mut shape: Shape,
    width: usize,
    control: &Control<'_>,
    note: impl Fn(&Found<Move>),
) -> Option<Found<Move>> {
    let mut beam = Beam::default();
    let mut best = follow(plan, root, known);
    best.iter().for_each(&note);
    shape.width = shape.width.min(width);
    loop {
        let found = beam.search(plan, root, shape, control);
        if !found.actions.is_empty()
            && (best.is_none() || !control.is_stopped())
            && best.as_ref().is_none_or(|best| better(&found, best, shape))
        {
            note(&found);
            best = Some(found);
        }
        control.arm();
        if shape.width >= width || !control.may_deepen() {
            return best;
        }
        shape.width = (shape.width * WIDEN).min(width);
    }
}

fn better(found: &Found<Move>, best: &Found<Move>, shape: Shape) -> bool {
    // Where turns are counted an unfinished plan only promises.
    let rank = |plan: &Found<Move>| (plan.complete && shape.first_complete, plan.value);
    rank(found) > rank(best)
}

/// What a plan gives from `root`, if it can still be followed.
fn follow<P: Plan<Action = Move>>(plan: &mut P, root: P::State, actions: &[Move]) -> Option<Found<Move>> {
    if actions.is_empty() {
        return None;
    }
    let state = after(plan, root, actions)?;
    let value = plan.estimate(&state, actions.len());
    Some(Found { actions: actions.to_vec(), value, complete: plan.is_complete(&state) })
}

/// Where `actions` lead from `root`, if they can all be done.
fn after<P: Plan<Action = Move>>(plan: &mut P, root: P::State, actions: &[Move]) -> Option<P::State> {
    let mut state = root;
    let mut made = Vec::new();
    for (turn, action) in actions.iter().enumerate() {
        if plan.is_complete(&state) {
            return None;
        }
        made.clear();
        plan.successors(&state, turn, &mut made);
        state = made.iter().find(|(made, _)| made == action)?.1;
    }
    Some(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Settings as Map;
    use search_core::Stopwatch;

    #[test]
    fn strangers_are_planned_against_in_several_worlds() {
        let map = Map { players: 4, maze_seed: 3, item_seed: 3, ..Map::default() };
        let game = Game::new(map.generate().unwrap(), Some(500));
        let mut board = Board::new(&game);
        let mut tours = Tours::new(&board);
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let worlds = worlds(&Habits::default(), &board, &game);
        assert_eq!(worlds.len(), WORLDS);
        assert!(worlds.windows(2).all(|pair| pair[0].share >= pair[1].share));
        let mut courses = Courses::new(&board, &mut tours, &control);
        let World { habits, state, .. } = worlds[0];
        let wrong = [0.2; MAX_PLAYERS];
        let mut crowd = Crowd { board: &mut board, courses: &mut courses, habits, wrong, count: 4 };
        let shape = Shape { width: 16, turns: 30, first_complete: false };
        let best = hedge(&mut crowd, &worlds, &[], shape, 16, &control, |_| {}).unwrap();
        // What the plan is worth is the mean over the worlds.
        let mut value = |world: &World, actions: &[Move]| {
            crowd.habits = world.habits;
            as_far(&mut crowd, world.state, actions) as f64
        };
        let total: f64 = worlds.iter().map(|world| world.share).sum();
        let mean: f64 = worlds.iter().map(|world| world.share / total * value(world, &best.actions)).sum();
        assert!((mean - best.value as f64).abs() < 2.0, "{mean} {}", best.value);
        // A plan that can be done is worth what following it gives; one that cannot, what its beginning gives.
        crowd.habits = habits;
        let found = Beam::default().search(&mut crowd, state, shape, &control);
        let known = follow(&mut crowd, state, &found.actions).unwrap();
        assert_eq!(as_far(&mut crowd, state, &found.actions), known.value);
        let mut broken = found.actions[..2].to_vec();
        broken.push(Move::Stay);
        let begun = follow(&mut crowd, state, &broken[..2]).unwrap();
        assert_eq!(as_far(&mut crowd, state, &broken), begun.value);
    }
}
