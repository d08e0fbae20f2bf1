//! Tests the robots: their search against plain min-max, their invariants, and whole games.

use gounki::evaluation::Evaluation;
use gounki::player::{Board, Exact, Player, Robot, Settings};
use gounki::rules::{Colour, Configuration, Game, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::testing::{
    aborts_cleanly, agrees_with_negamax, conforms, random_positions, repeats_exactly, threads_agree_with_one,
};
use search_core::{Crew, Limits, Options, Position as _, Score, Stopwatch};

fn start() -> Board {
    Board(Position::initial())
}

fn exact(_: &Board) -> Exact {
    Exact::new(Evaluation::default())
}

fn white(men: &[(usize, &str)]) -> Position {
    let mut codes = ["V0"; 64];
    for &(cell, code) in men {
        codes[cell] = code;
    }
    Configuration::from_codes(codes).unwrap().position(Colour::White)
}

#[test]
fn the_laws_of_a_position_hold_for_what_robots_see() {
    conforms(&start(), 3, 10, 400);
}

#[test]
fn every_value_preserving_search_returns_plain_negamax() {
    agrees_with_negamax(&random_positions(&start(), 1, 40, 90), 1..=3, exact);
    agrees_with_negamax(&random_positions(&start(), 2, 3, 90), 4..=4, exact);
}

#[test]
fn threads_return_the_value_of_one_at_a_fixed_depth() {
    for threads in [2, 3] {
        let positions = random_positions(&start(), threads as u64, 1, 90);
        threads_agree_with_one(&Crew::new(threads), &positions, 5, exact);
    }
}

#[test]
fn the_same_node_limit_gives_the_same_report() {
    repeats_exactly(&random_positions(&start(), 4, 6, 90), 4_000, Options::STRONG, exact);
}

#[test]
fn a_stop_at_any_node_leaves_the_position_as_it_was() {
    aborts_cleanly(&random_positions(&start(), 5, 2, 90), 400, Options::STRONG, exact);
}

#[test]
fn every_evaluation_sees_both_sides_alike() {
    let mut tempo = None;
    for Board(position) in random_positions(&start(), 6, 100, 100) {
        for &evaluation in Evaluation::ALL {
            let exchanged =
                Position::new(position.enemy().reversed(), position.own().reversed(), Colour::Black);
            let as_white = Position::new(*position.own(), *position.enemy(), Colour::White);
            assert_eq!(evaluation.evaluate(&exchanged), evaluation.evaluate(&as_white), "{evaluation}");
            let [own, other] =
                [position, position.other_view()].map(|view| evaluation.evaluate(&view).value());
            // The learned evaluation gives the mover the same small bonus in every position.
            let bonus = match evaluation {
                Evaluation::Learned => *tempo.get_or_insert(own + other),
                // The network's bonus for the move depends on the position.
                Evaluation::Network => own + other,
                _ => 0,
            };
            assert_eq!(own + other, bonus, "{evaluation}: {position:?}");
            let shown = evaluation.heuristic(&position);
            assert!(shown > 0 && shown < Evaluation::MAX);
        }
    }
}

#[test]
fn a_defeat_is_shown_as_nothing() {
    let mut lost = white(&[(56, "B2"), (63, "N1")]);
    let exit = lost.find(&"a8#".parse().unwrap()).unwrap();
    lost.play(exit);
    assert!(Evaluation::ALL.iter().all(|evaluation| evaluation.heuristic(&lost) == 0));
}

#[test]
fn every_robot_wins_at_once_when_it_can() {
    // The two rounds on h7 can leave the board by way of the free cell g8.
    let position = white(&[(55, "B4"), (56, "N1"), (1, "B1"), (40, "N6")]);
    for name in ["robot", "robot:glouton", "robot:minimax:2", "robot:alphabeta:3:percee", "robot:niveau:10"] {
        let report =
            Player::new(name.parse().unwrap()).think(&position, Limits::nodes(3_000), &Stopwatch::start());
        assert_eq!(report.best.unwrap().to_string(), "h7#", "{name}");
        assert_eq!(report.score, Score::win_in(1), "{name}");
    }
}

#[test]
fn minimax_and_alpha_beta_find_the_same_value() {
    for Board(position) in random_positions(&start(), 8, 6, 90) {
        for evaluation in ["armee", "percee", "defense", "isoles", "somme", "appris", "reseau"] {
            let [minimax, alpha_beta] = ["minimax", "alphabeta"].map(|kind| {
                let name = format!("robot:{kind}:2:{evaluation}");
                Player::new(name.parse().unwrap())
                    .think(&position, Limits::default(), &Stopwatch::start())
                    .score
            });
            assert_eq!(minimax, alpha_beta, "{evaluation}: {position:?}");
        }
    }
}

#[test]
fn a_robot_avoids_a_third_repetition_when_another_move_exists() {
    let mut game = Game::new(white(&[(18, "B1"), (45, "N1")]));
    for text in ["c3-d3", "f6-e6", "d3-c3", "e6-f6", "c3-d3", "f6-e6", "d3-c3"] {
        let mv = game.position().find(&text.parse().unwrap()).unwrap();
        game.play(mv);
    }
    let avoided = game.third_repetitions();
    assert_eq!(avoided.len(), 1);
    for (index, name) in
        ["robot", "robot:aleatoire", "robot:alphabeta:3", "robot:minimax:1"].iter().enumerate()
    {
        for seed in 0..20 {
            let settings = Settings { seed, ..name.parse().unwrap() };
            let best = Player::new(settings).think_in(&game, Limits::nodes(300), &Stopwatch::start()).best;
            assert!(!avoided.contains(&best.unwrap()), "{name}");
            if index != 1 {
                break;
            }
        }
    }
}

#[test]
fn a_third_repetition_is_avoided_in_a_lost_position_too() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(31);
    let clock = Stopwatch::start();
    let mut lost = 0;
    while lost < 60 {
        let men: Vec<(usize, &str)> = (0..6)
            .map(|nth| (random.random_range(0..64), ["B1", "N1", "B1", "N4", "N2", "N5"][nth]))
            .collect();
        let mut game = Game::new(white(&men));
        // Both sides step sideways and back as long as possible.
        let aside = |game: &Game| game.position().move_list().into_iter().find(|mv| mv.can_repeat());
        let Some(there) = aside(&game) else { continue };
        let (here, to) = (there.notation().to_string(), |text: &str| text.parse().ok());
        let Some((from, cell)) = here.split_once('-') else { continue };
        let back = format!("{cell}-{from}");
        game.play(there);
        let Some(answer) = aside(&game) else { continue };
        let answer = answer.notation().to_string();
        let Some((from, cell)) = answer.split_once('-') else { continue };
        let answers = [answer.clone(), format!("{cell}-{from}")];
        let shuffle = [&answers[0], &back, &answers[1], &here, &answers[0], &back, &answers[1]];
        let mut play = |text: &&String| {
            let found = to(text).and_then(|notation| game.position().find(&notation).ok());
            found.map(|mv| game.play(mv)).is_some()
        };
        if !shuffle.iter().all(&mut play) {
            continue;
        }
        let avoided = game.third_repetitions();
        let report = Player::new(Settings { table_bytes: 1 << 16, ..Settings::default() }).think_in(
            &game,
            Limits::depth(4),
            &clock,
        );
        if !avoided.is_empty() && avoided.len() < game.position().move_list().len() {
            assert!(!avoided.contains(&report.best.unwrap()), "{men:?}");
            lost += usize::from(report.score.is_loss());
        }
    }
}

/// The robot stops a man about to leave, and sees a won race beyond the depth of its search.
#[test]
fn a_race_to_the_far_side_is_not_lost_by_the_horizon() {
    // White's round on d4 needs five moves, Black's on f7 seven, and neither can be stopped.
    let position = white(&[(27, "B2"), (53, "N2"), (0, "B1")]);
    let mut player = Player::new(Settings::default());
    let report = player.think(&position, Limits::depth(9), &Stopwatch::start());
    assert_eq!(report.score, Score::win_in(9), "five moves of White's and four of Black's");
}

/// Despite reductions and quiescence search, a win or a loss that the robot reports is proven.
#[test]
fn a_decided_score_of_the_best_robot_is_a_proof() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(22);
    let clock = Stopwatch::start();
    let (mut won, mut lost) = (0, 0);
    while won < 40 || lost < 40 {
        let men: Vec<(usize, &str)> = (0..7)
            .map(|nth| (random.random_range(0..64), ["B1", "N1", "B2", "N2", "B4", "N5", "B1"][nth]))
            .collect();
        let position = white(&men);
        let mut player = Player::new(Settings { table_bytes: 1 << 20, ..Settings::default() });
        let score = player.think(&position, Limits::depth(4), &clock).score;
        let Some(plies) = score.plies_to_end().filter(|plies| (3..=6).contains(plies)) else { continue };
        if score.is_win() && won >= 40 || score.is_loss() && lost >= 40 {
            continue;
        }
        let whole = Settings { robot: Robot::AlphaBeta(plies as i32), ..Settings::default() };
        let found = Player::new(whole).think(&position, Limits::default(), &clock).score;
        if score.is_win() {
            won += 1;
            assert!(found >= score, "{found}, not {score}: {position:?}");
        } else {
            lost += 1;
            assert!(found.is_loss() && found <= score, "{found}, not {score}: {position:?}");
        }
    }
}

#[test]
fn threads_find_the_shortest_win_of_one() {
    let clock = Stopwatch::start();
    let position = white(&[(50, "B1"), (8, "N1"), (20, "N2")]);
    let think = |threads| {
        let settings = Settings { table_bytes: 1 << 20, threads, ..Settings::default() };
        Player::new(settings).think(&position, Limits::depth(8), &clock)
    };
    let one = think(1);
    assert!(one.score.is_decided(), "{one:?}");
    for threads in [2, 3, 4] {
        let several = think(threads);
        assert_eq!(several.score, one.score);
        assert!(several.best.is_some());
    }
}

/// The nodes of a fixed search on fixed positions. A commit that changes the search or the evaluation must say so.
#[test]
fn the_signature_of_the_best_robot() {
    let mut nodes = 0;
    for Board(position) in random_positions(&start(), 2014, 20, 80) {
        let mut player = Player::new(Settings { table_bytes: 1 << 20, ..Settings::default() });
        nodes += player.think(&position, Limits::depth(4), &Stopwatch::start()).nodes;
    }
    assert_eq!(nodes, SIGNATURE);
}

const SIGNATURE: u64 = 75_529;

#[test]
fn every_pair_of_robots_plays_legal_games_to_their_end() {
    let names = [
        "robot",
        "robot:aleatoire",
        "robot:glouton:armee",
        "robot:minimax:1:percee",
        "robot:alphabeta:2:isoles",
        "robot:niveau:1",
        "robot:niveau:4",
    ];
    for (index, white) in names.iter().enumerate() {
        for black in names {
            let mut players = [*white, black].map(|name| {
                Player::new(Settings {
                    seed: index as u64,
                    table_bytes: 1 << 16,
                    margin: 5,
                    ..name.parse().unwrap()
                })
            });
            let mut game = Game::new(Position::initial());
            let mut draw = Xoshiro256PlusPlus::seed_from_u64(index as u64);
            while game.position().winner().is_none() {
                assert!(game.number() < 600, "{white} against {black} does not end");
                let mv = if game.number() < 5 {
                    let moves = game.position().move_list();
                    moves[draw.random_range(0..moves.len())]
                } else {
                    let player = &mut players[game.position().to_move() as usize];
                    player.think_in(&game, Limits::nodes(150), &Stopwatch::start()).best.unwrap()
                };
                assert!(game.position().is_legal(mv), "{mv}: {:?}", game.position());
                game.play(mv);
            }
        }
    }
}

#[test]
fn a_level_outside_the_ten_is_no_level() {
    assert!("robot:niveau:0".parse::<Settings>().is_err());
    assert_eq!("robot:niveau:10".parse::<Settings>().unwrap().robot, Robot::Level(10));
}
