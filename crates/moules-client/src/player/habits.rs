//! How each opponent seems to choose where it goes, learnt from where it went.

use super::courses::Courses;
use super::walker::{self, Aim, Drinks, Habit, Jumps, NONE, Scene, Walker};
use crate::board::{Board, FAR, NOWHERE};
use crate::rules::{Game, MAX_PLAYERS};
use smallvec::SmallVec;

/// The ways of choosing that an opponent is compared with.
const AIMS: [Aim; 5] = [Aim::Nearest, Aim::Stubborn, Aim::Rate, Aim::Margin, Aim::Plans];
/// The number of [`Aim::Plans`] among them.
const PLANS: usize = 4;
/// How likely each is before anything was seen, as logarithms.
const BEFORE: [f64; AIMS.len()] = [0.0, -0.7, -0.5, -0.2, -0.2];
/// The share of the past in what is believed at each turn.
const MEMORY: f64 = 0.97;
/// The logarithms of the chance of a turn as foreseen, of another that comes nearer to the item that a way of choosing
/// leads to, and of one that does not.
const FORESEEN: f64 = -0.05;
const TOWARDS: f64 = -1.5;
const AWAY: f64 = -3.0;
/// The share of turns not foreseen, before anything was seen, and the share of the past in it at each turn.
const MISSED: f64 = 0.25;
const MISSED_MEMORY: f64 = 0.93;
/// When beers are drunk and frites used, the likeliest first.
const DRINKS: [Drinks; 4] = [Drinks::AtOnce, Drinks::Whole, Drinks::ToArrive, Drinks::Never];
const JUMPS: [Jumps; 3] = [Jumps::Straight, Jumps::Never, Jumps::Planned];

/// What was seen of one player.
#[derive(Debug, Clone, Copy)]
struct Seen {
    beliefs: [f64; AIMS.len()],
    /// Where each way of choosing leads it.
    aims: [u8; AIMS.len()],
    /// The next place of who plans.
    planned: u32,
    /// Turns in which it used its bonuses otherwise.
    drinks: [f64; DRINKS.len()],
    jumps: [f64; JUMPS.len()],
    /// The share of its turns that were not foreseen.
    missed: f64,
}

/// What was seen of everybody so far.
#[derive(Debug, Clone)]
pub struct Habits {
    seen: [Seen; MAX_PLAYERS],
    /// The match at our last turn, players in their own numbers.
    last: Option<Scene>,
}

impl Default for Habits {
    fn default() -> Self {
        let seen = Seen {
            beliefs: BEFORE,
            aims: [NONE; AIMS.len()],
            planned: NOWHERE,
            drinks: [0.0; DRINKS.len()],
            jumps: [0.0; JUMPS.len()],
            missed: MISSED,
        };
        Self { seen: [seen; MAX_PLAYERS], last: None }
    }
}

impl Habits {
    /// Takes in where everybody went since our last turn.
    pub fn observe(&mut self, board: &mut Board, courses: &mut Courses<'_>, game: &Game) {
        let (me, count) = (game.to_move(), game.player_count());
        let scene = scene(board, game);
        // The match as each saw it: those before it have moved.
        let mut then = self.last.take();
        for player in (0..count).map(|order| (me + order) % count) {
            if let Some(then) = &mut then {
                if player != me {
                    self.seen[player].compare(board, then, &scene, player, count);
                }
                then.walkers[player] = scene.walkers[player];
                then.left &= scene.left | !board.bit(scene.walkers[player].cell);
            }
            if player != me {
                let seen = &mut self.seen[player];
                let outlook = courses.outlook(board, &scene.walkers[player], scene.left);
                seen.planned = outlook.map_or(NOWHERE, |(cell, _)| cell);
                seen.aims[PLANS] = outlook.and_then(|(_, item)| item).map_or(NONE, |item| item as u8);
            }
        }
        self.last = Some(scene);
    }

    /// The share of `player`'s turns that were not foreseen of late.
    pub fn missed(&self, player: usize) -> f64 {
        self.seen[player].missed
    }

    /// The ways in which `player` may play, the likeliest first: how likely each is, how it plays, and the item that it
    /// walks to then.
    pub fn likely(&self, player: usize) -> SmallVec<[(f64, Habit, u8); 2]> {
        let seen = &self.seen[player];
        let first = seen.likeliest();
        let second = (0..AIMS.len()).filter(|&way| way != first);
        let second =
            second.rev().max_by(|&a, &b| seen.beliefs[a].total_cmp(&seen.beliefs[b])).unwrap_or(first);
        let share = 1.0 / (1.0 + (seen.beliefs[second] - seen.beliefs[first]).exp());
        let of = |share, way: usize| (share, seen.habit(way), seen.aims[way]);
        SmallVec::from_slice(&[of(share, first), of(1.0 - share, second)])
    }
}

impl Seen {
    /// The number of the likeliest way of choosing.
    fn likeliest(&self) -> usize {
        // Of equally likely ones the first.
        (0..AIMS.len()).rev().max_by(|&a, &b| self.beliefs[a].total_cmp(&self.beliefs[b])).unwrap_or(0)
    }

    /// How it plays if it chooses by way number `way`.
    fn habit(&self, way: usize) -> Habit {
        let least =
            |errors: &[f64]| (0..errors.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0);
        Habit { aim: AIMS[way], drinks: DRINKS[least(&self.drinks)], jumps: JUMPS[least(&self.jumps)] }
    }

    /// Takes in that `player` went from its place in `then` to its place in `now`.
    fn compare(&mut self, board: &Board, then: &Scene, now: &Scene, player: usize, count: usize) {
        let (before, after) = (&then.walkers[player], &now.walkers[player]);
        if before.cell == after.cell {
            return;
        }
        let likeliest = self.likeliest();
        for (way, aim) in AIMS.into_iter().enumerate() {
            let mut scene = *then;
            scene.walkers[player].aim = self.aims[way];
            scene.walkers[player].budget = u8::MAX;
            let foreseen = match aim {
                Aim::Plans => self.planned == after.cell,
                _ => {
                    let turn = walker::turn(board, self.habit(way), &mut scene, player, count);
                    turn.is_some_and(|(_, cell, _)| cell == after.cell)
                }
            };
            let aim = scene.walkers[player].aim;
            if way == likeliest {
                self.missed =
                    self.missed * MISSED_MEMORY + (1.0 - MISSED_MEMORY) * f64::from(u8::from(!foreseen));
                if aim != NONE {
                    self.learn_bonuses(board, before, after, usize::from(aim), AIMS[way]);
                }
            }
            let distance = |cell| if aim == NONE { FAR } else { board.distance(cell, usize::from(aim), 0) };
            let came = distance(after.cell) < distance(before.cell) && distance(before.cell) != FAR;
            self.beliefs[way] = self.beliefs[way] * MEMORY
                + match (foreseen, came) {
                    (true, _) => FORESEEN,
                    (false, true) => TOWARDS,
                    (false, false) => AWAY,
                };
            self.aims[way] = if foreseen || came { aim } else { NONE };
        }
    }

    /// Takes in whether it drank or jumped on its way to `aim`.
    fn learn_bonuses(&mut self, board: &Board, before: &Walker, after: &Walker, item: usize, aim: Aim) {
        let distance = board.distance(before.cell, item, 0);
        let drunk = after.beers < before.beers;
        if before.beers > 0 {
            for (errors, drinks) in self.drinks.iter_mut().zip(DRINKS) {
                *errors = *errors * MEMORY + f64::from(u8::from(drinks.now(before.beers, distance) != drunk));
            }
        }
        if before.frites > 0 && !drunk {
            let jumped = after.frites < before.frites;
            for (errors, jumps) in self.jumps.iter_mut().zip(JUMPS) {
                let jump = jumps.now(board, before.cell, item, before.frites, aim.turning());
                *errors = *errors * MEMORY + f64::from(u8::from(jump.is_some() != jumped));
            }
        }
    }
}

/// Everybody's places and bonuses, players in their own numbers.
fn scene(board: &Board, game: &Game) -> Scene {
    let mut scene = Scene { left: board.left(&game.state), walkers: [Walker::new(0, 0, 0); MAX_PLAYERS] };
    for (player, (place, purse)) in game.state.players.iter().zip(&game.purses).enumerate() {
        scene.walkers[player] = Walker::new(place.0, purse.frites, purse.beers);
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Tours;
    use crate::player::{Ai, Player, Settings};
    use crate::rules::{Command, Settings as Map};
    use search_core::{Control, Limits, Stopwatch};

    /// How the first of four players sees the others after so many rounds, when they are all `ai`.
    fn seen(ai: Ai, seed: i64, rounds: usize) -> Vec<(Habit, f64)> {
        let map = Map { players: 4, maze_seed: seed, item_seed: seed, ..Map::default() };
        let mut game = Game::new(map.generate().unwrap(), None);
        let mut players: Vec<Player> =
            (0..4).map(|_| Player::new(Settings { ai, width: 32, ..Settings::default() })).collect();
        let mut board = Board::new(&game);
        let mut tours = Tours::new(&board);
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let mut habits = Habits::default();
        for _ in 0..rounds {
            let mut courses = Courses::new(&board, &mut tours, &control);
            habits.observe(&mut board, &mut courses, &game);
            for player in &mut players {
                if game.end().is_none() {
                    let best = player.think(&game, Limits::default(), &clock).best.unwrap();
                    game.play(Command::from(best));
                }
            }
        }
        (1..4).map(|player| (habits.likely(player)[0].1, habits.missed(player))).collect()
    }

    #[test]
    fn who_walks_to_the_nearest_mussel_is_known_by_its_walk() {
        for (habit, _) in seen(Ai::Thirsty, 3, 25) {
            assert_eq!((habit.aim, habit.drinks), (Aim::Nearest, Drinks::AtOnce));
        }
    }

    #[test]
    fn who_weighs_is_known_and_who_walks_or_weighs_is_foreseen() {
        for (habit, _) in seen(Ai::Careful, 3, 25) {
            assert_eq!(habit.aim, Aim::Margin);
        }
        for ai in [Ai::Thirsty, Ai::Stubborn, Ai::Careful] {
            for (habit, missed) in seen(ai, 3, 25) {
                assert!(missed < 0.1, "{ai}: {habit:?}, {missed}");
            }
        }
    }

    #[test]
    fn two_ways_of_playing_are_likely_before_anything_is_seen() {
        let likely = Habits::default().likely(1);
        let [(first, habit, _), (second, other, _)] = likely[..] else { panic!("{likely:?}") };
        assert!((first + second - 1.0).abs() < 1e-9 && first >= second && second > 0.3, "{first} {second}");
        assert_eq!((habit.aim, other.aim), (Aim::Nearest, Aim::Margin));
    }

    #[test]
    fn who_plans_is_not_taken_for_a_walker() {
        let habits = seen(Ai::Planner, 3, 25);
        let weighs = |(habit, _): &&(Habit, f64)| matches!(habit.aim, Aim::Margin | Aim::Plans);
        assert!(habits.iter().filter(weighs).count() >= 2, "{habits:?}");
    }
}
