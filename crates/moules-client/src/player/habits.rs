//! How each opponent seems to choose where it goes, learnt from where it went.

use super::courses::Courses;
use super::walker::{self, Aim, Drinks, Habit, Jumps, NONE, Scene, Walker};
use crate::board::{Board, FAR, NOWHERE};
use crate::rules::{Game, MAX_PLAYERS};

/// The ways of choosing that an opponent is compared with.
const AIMS: [Aim; 5] = [Aim::Nearest, Aim::Stubborn, Aim::Rate, Aim::Margin, Aim::Plans];
/// How likely each is before anything was seen, as logarithms.
const BEFORE: [f64; AIMS.len()] = [0.0, -0.7, -0.5, -0.2, -0.2];
/// The share of the past in what is believed at each turn.
const MEMORY: f64 = 0.97;
/// The logarithms of the chance of a step towards, and away from, the item that a way of choosing leads to.
const TOWARDS: f64 = -0.1;
const AWAY: f64 = -2.3;
/// When beers are drunk and frites used, the likeliest first.
const DRINKS: [Drinks; 3] = [Drinks::AtOnce, Drinks::ToArrive, Drinks::Never];
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
            drinks: [0.0; 3],
            jumps: [0.0; 3],
        };
        Self { seen: [seen; MAX_PLAYERS], last: None }
    }
}

impl Habits {
    /// Takes in where everybody went since our last turn, and chooses anew for each.
    pub fn observe(&mut self, board: &mut Board, courses: &mut Courses<'_>, game: &Game) {
        let count = game.player_count();
        let scene = scene(board, game);
        for player in (0..count).filter(|&player| player != game.to_move()) {
            let seen = &mut self.seen[player];
            if let Some(last) = &self.last {
                seen.compare(board, &last.walkers[player], &scene.walkers[player]);
            }
            for (aim, kept) in AIMS.iter().zip(&mut seen.aims) {
                let gone = *kept == NONE || matches!(aim, Aim::Margin | Aim::Plans) || {
                    let there = scene.left >> *kept & 1 != 0;
                    let arrived = board.items()[usize::from(*kept)].cell == scene.walkers[player].cell;
                    !there && (*aim != Aim::Stubborn || arrived)
                };
                if gone {
                    let chosen = match aim {
                        Aim::Margin => walker::by_margin(board, &scene, player, count, 4),
                        Aim::Plans => {
                            let outlook = courses.outlook(board, &scene.walkers[player], scene.left);
                            seen.planned = outlook.map_or(NOWHERE, |(cell, _)| cell);
                            outlook.and_then(|(_, item)| item)
                        }
                        _ => walker::choose(board, *aim, &scene, player, count).map(|(item, _)| item),
                    };
                    *kept = chosen.map_or(NONE, |item| item as u8);
                }
            }
        }
        self.last = Some(scene);
    }

    /// How `player` is believed to play, and the item it is believed to walk to.
    pub fn of(&self, player: usize) -> (Habit, u8) {
        let seen = &self.seen[player];
        let best = (0..AIMS.len()).max_by(|&a, &b| seen.beliefs[a].total_cmp(&seen.beliefs[b])).unwrap_or(0);
        let least = |errors: &[f64; 3]| (0..3).min_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0);
        let (drinks, jumps) = (DRINKS[least(&seen.drinks)], JUMPS[least(&seen.jumps)]);
        (Habit { aim: AIMS[best], drinks, jumps }, seen.aims[best])
    }
}

impl Seen {
    fn compare(&mut self, board: &Board, before: &Walker, now: &Walker) {
        if before.cell == now.cell {
            return;
        }
        let likeliest =
            (0..AIMS.len()).max_by(|&a, &b| self.beliefs[a].total_cmp(&self.beliefs[b])).unwrap_or(0);
        let aim = self.aims[likeliest];
        if aim != NONE {
            let distance = board.distance(before.cell, usize::from(aim), 0);
            let drunk = now.beers < before.beers;
            if before.beers > 0 {
                for (errors, drinks) in self.drinks.iter_mut().zip(DRINKS) {
                    *errors =
                        *errors * MEMORY + f64::from(u8::from(drinks.now(before.beers, distance) != drunk));
                }
            }
            if before.frites > 0 && !drunk {
                let jumped = now.frites < before.frites;
                for (errors, jumps) in self.jumps.iter_mut().zip(JUMPS) {
                    let expected = jumps.now(board, before.cell, usize::from(aim), before.frites).is_some();
                    *errors = *errors * MEMORY + f64::from(u8::from(expected != jumped));
                }
            }
        }
        for ((belief, aim), way) in self.beliefs.iter_mut().zip(&mut self.aims).zip(AIMS) {
            *belief *= MEMORY;
            if *aim == NONE {
                continue;
            }
            let distance = |cell| board.distance(cell, usize::from(*aim), 0);
            let came = distance(now.cell) < distance(before.cell) && distance(before.cell) != FAR;
            if came || (way == Aim::Plans && now.cell == self.planned) {
                *belief += TOWARDS;
            } else {
                *belief += AWAY;
                *aim = NONE;
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
    fn seen(ai: Ai, seed: i64, rounds: usize) -> Vec<Habit> {
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
        (1..4).map(|player| habits.of(player).0).collect()
    }

    #[test]
    fn who_walks_to_the_nearest_mussel_is_known_by_its_walk() {
        for habit in seen(Ai::Thirsty, 3, 25) {
            assert_eq!((habit.aim, habit.drinks), (Aim::Nearest, Drinks::AtOnce));
        }
    }

    #[test]
    fn who_weighs_or_plans_is_not_taken_for_a_walker() {
        for ai in [Ai::Careful, Ai::Planner] {
            let habits = seen(ai, 3, 25);
            let weighs = |habit: &&Habit| matches!(habit.aim, Aim::Margin | Aim::Plans);
            assert!(habits.iter().filter(weighs).count() >= 2, "{ai}: {habits:?}");
        }
    }
}
