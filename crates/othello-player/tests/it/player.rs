//! Tests the player against plain search, on strict depths and on repeatability.

use crate::data;
use othello_player::endgame::Goal;
use othello_player::evaluation::{Discs, Evaluation, Mobility, Patterns, Positional};
use othello_player::player::{NearEquals, OthelloHeuristics, Player, Settings};
use othello_player::rules::{Game, Position, obf};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::testing::{
    aborts_cleanly, agrees_with, agrees_with_negamax, random_positions, repeats_exactly,
    threads_agree_with_one,
};
use search_core::{Control, Crew, Limits, Options, Position as _, Score, Stopwatch};

/// Random positions from all stages of the game, and problems with imminent passes.
fn positions(count: usize) -> Vec<Position> {
    let mut positions = random_positions(&Position::START, 7, count, 58);
    let problems = data("ffo40-59.obf");
    positions.extend(
        problems
            .lines()
            .filter_map(|line| obf::parse(line).unwrap())
            .map(|problem| problem.board.position)
            .take(2),
    );
    positions
}

fn agrees<V: NearEquals>(positions: &[Position], depth: i32) {
    if V::TOLERANCE == 0 {
        return agrees_with_negamax(positions, 1..=depth, OthelloHeuristics::<V>::new);
    }
    let value = |position: &Position, depth| value::<V>(position, depth).0;
    agrees_with(positions, 1..=depth, OthelloHeuristics::<V>::new, value);
}

/// The value of an inner node by plain search: minimax, with the M & N backup near the horizon. The flag tells whether
/// an evaluation contributes to it.
fn value<V: NearEquals>(position: &Position, depth: i32) -> (Score, bool) {
    if let Some(outcome) = position.outcome() {
        return (Score::of_outcome(outcome, 0), false);
    }
    if depth == 0 {
        return (V::new(position).evaluate(position), true);
    }
    let mut best = -Score::INFINITY;
    let mut open = Vec::new();
    for &mv in &position.move_list() {
        let (score, is_open) = value::<V>(&position.after(mv), depth - 1);
        best = best.max(-score);
        if is_open {
            open.push(-score);
        }
    }
    if let Some(&best_open) = open.iter().max()
        && depth <= 2
    {
        let within = |score: Score| (score.value() - best_open.value() + V::TOLERANCE).max(0);
        let near =
            open.iter().map(|&score| within(score) * within(score) * 256 / V::TOLERANCE.pow(2)).sum::<i32>();
        let choice = best_open + V::BONUS * (near - 256) / (near + 256);
        best = best.max(choice.min(Score::new(64 * Score::POINT)));
    }
    (best, !open.is_empty())
}

#[test]
fn threads_return_the_value_of_one_at_a_fixed_depth() {
    for threads in [2, 3] {
        threads_agree_with_one(&Crew::new(threads), &positions(20), 8, OthelloHeuristics::<Discs>::new);
    }
}

#[test]
fn every_value_preserving_option_set_returns_what_visiting_everything_does() {
    let all = positions(33);
    agrees::<Discs>(&all, 4);
    agrees::<Positional>(&all, 4);
    agrees::<Mobility>(&all, 4);
    agrees::<Patterns>(&all, 4);
    agrees::<Patterns>(&positions(4), 5);
}

#[test]
fn threads_find_the_value_of_one() {
    for position in positions(6) {
        let score = |threads, depth| {
            let mut player = Player::new(Settings { threads, table_bytes: 1 << 20, ..Settings::default() });
            player.think(&position, Limits::depth(depth), &Stopwatch::start()).score
        };
        for threads in [2, 3] {
            assert_eq!(score(threads, 7), score(1, 7), "{threads} threads: {position:?}");
        }
    }
}

#[test]
fn threads_solve_what_one_solves() {
    let clock = Stopwatch::start();
    let mut solved = 0;
    for position in random_positions(&Position::START, 8, 80, 47) {
        if !(14..=17).contains(&position.empties()) {
            continue;
        }
        let solve = |threads, goal| {
            let mut player = Player::new(Settings { threads, table_bytes: 1 << 20, ..Settings::default() });
            let control = Control::new(Limits::default(), &clock);
            player.solve(&position, goal, &control).expect("nothing stops it")
        };
        for goal in [Goal::Score, Goal::Winner] {
            let report = solve(2 + solved % 3, goal);
            assert_eq!(report.score, solve(1, goal).score, "{position:?}");
            assert!(report.proven && position.is_legal(report.best.expect("the game goes on")));
        }
        solved += 1;
    }
    assert!(solved > 2, "{solved} positions");
}

fn repeats<V: NearEquals>() {
    repeats_exactly(&positions(3), 10_000, Options::EXACT, OthelloHeuristics::<V>::new);
    aborts_cleanly(&positions(1)[..1], 600, Options::STRONG, OthelloHeuristics::<V>::new);
}

#[test]
fn the_same_node_limit_gives_the_same_report_and_a_stop_leaves_no_trace() {
    repeats::<Discs>();
    repeats::<Positional>();
    repeats::<Mobility>();
    repeats::<Patterns>();
}

#[test]
fn at_depth_d_it_looks_d_plies_ahead_and_no_further() {
    // Entries of deeper searches must not let a shallow search know more.
    for position in positions(12) {
        let mut warm = Player::new(Settings::default());
        warm.think(&position, Limits::depth(6), &Stopwatch::start());
        for depth in 1..=4 {
            let cold =
                Player::new(Settings::default()).think(&position, Limits::depth(depth), &Stopwatch::start());
            let again = warm.think(&position, Limits::depth(depth), &Stopwatch::start());
            assert_eq!(again.score, cold.score, "{position:?}");
            assert!(cold.depth <= depth && again.depth <= depth);
        }
    }
}

#[test]
fn a_strict_search_rests_on_nothing_that_one_by_the_clock_found() {
    let a_minute = Limits::time(std::time::Duration::from_secs(60));
    let settings = Settings { table_bytes: 1 << 13, ..Settings::default() };
    for position in positions(6) {
        let think = |player: &mut Player, limits| player.think(&position, limits, &Stopwatch::start());
        let mut warm = Player::new(settings);
        think(&mut warm, Limits { nodes: Some(20_000), ..a_minute });
        let by_depth = Limits { depth: Some(4), ..a_minute };
        let (cold, again) = (think(&mut Player::new(settings), by_depth), think(&mut warm, by_depth));
        assert!(again.agrees_with(&cold) && again.nodes == cold.nodes, "{position:?}: {again:?}, {cold:?}");
    }
}

#[test]
fn the_principal_variation_leads_to_the_score() {
    for &evaluation in Evaluation::ALL {
        let mut player = Player::new(Settings { evaluation, ..Settings::default() });
        for root in positions(20) {
            for depth in 1..=5 {
                let report = player.think(&root, Limits::depth(depth), &Stopwatch::start());
                let end = report.principal_variation.iter().fold(root, |position, &mv| position.after(mv));
                let plies = report.principal_variation.len() as i32;
                assert!(plies == depth || end.outcome().is_some(), "{evaluation}, depth {depth}: {root:?}");
                let there = end.outcome().map(|outcome| Score::of_outcome(outcome, 0));
                let there = there.unwrap_or_else(|| evaluation.evaluate(&end));
                let sign = if plies % 2 == 0 { 1 } else { -1 };
                // The M & N backup adds a little to the value of the line.
                let apart = (report.score.value() - sign * there.value()).abs();
                let most = if evaluation == Evaluation::Patterns { 5 * Score::POINT } else { 0 };
                assert!(apart <= most, "{evaluation}, depth {depth}, {apart}: {root:?}");
            }
        }
    }
}

#[test]
fn probcut_saves_nodes_and_seldom_changes_the_score_much() {
    let (mut plain, mut cut, mut apart) = (0, 0, 0);
    let positions = random_positions(&Position::START, 11, 12, 34);
    for position in &positions {
        let settings = Settings { table_bytes: 1 << 20, ..Settings::default() };
        let think = |probcut| {
            let settings = Settings { probcut, ..settings };
            Player::new(settings).think(position, Limits::depth(7), &Stopwatch::start())
        };
        let (exact, daring) = (think(Some(false)), think(Some(true)));
        assert!(think(None).agrees_with(&exact), "a depth is strict unless it is asked otherwise");
        assert!(daring.best.is_none_or(|mv| position.is_legal(mv)));
        plain += exact.nodes;
        cut += daring.nodes;
        apart += u64::from((exact.score.value() - daring.score.value()).abs() > 2 * Score::POINT);
    }
    assert!(cut < plain && apart <= positions.len() as u64 / 3, "{cut} and {plain} nodes, {apart} far apart");
}

/// For each evaluation, the nodes of strict searches of depth 6 from fixed positions, added up.
const SIGNATURE: [(&str, u64); 4] =
    [("discs", 94_614), ("positional", 56_027), ("mobility", 54_871), ("patterns", 66_115)];

#[test]
fn the_signature_is_as_written_down() {
    let start = Position::START;
    let positions: Vec<_> = random_positions(&start, 2024, 12, 50);
    let mut found = Vec::new();
    for &evaluation in Evaluation::ALL {
        let mut nodes = 0;
        for position in &positions {
            let settings = Settings { evaluation, table_bytes: 1 << 20, ..Settings::default() };
            nodes += Player::new(settings).think(position, Limits::depth(6), &Stopwatch::start()).nodes;
        }
        found.push((evaluation.name(), nodes));
    }
    assert_eq!(found, SIGNATURE);
}

#[test]
fn an_evaluation_sees_both_sides_alike_and_every_symmetric_board_alike() {
    for position in positions(100) {
        let mirrored = Position::new(position.own().swap_bytes(), position.opponent().swap_bytes()).unwrap();
        let turned =
            Position::new(position.own().reverse_bits(), position.opponent().reverse_bits()).unwrap();
        for &evaluation in Evaluation::ALL {
            let score = evaluation.evaluate(&position);
            assert!(score < Score::LIMIT && !score.is_decided());
            assert_eq!(evaluation.evaluate(&mirrored), score, "{evaluation} {position:?}");
            assert_eq!(evaluation.evaluate(&turned), score, "{evaluation} {position:?}");
        }
    }
}

#[test]
fn evaluations_are_found_by_their_names() {
    for &evaluation in Evaluation::ALL {
        assert_eq!(evaluation.name().parse(), Ok(evaluation));
    }
    let error = "magic".parse::<Evaluation>().unwrap_err().to_string();
    assert!(
        error.starts_with("unknown evaluation \"magic\"; expected one of: discs, positional, mobility"),
        "{error}"
    );
}

/// Plays one game from two random plies, both sides at `depth`, and checks every move by the rules. Returns black's
/// margin.
fn self_play(evaluations: [Evaluation; 2], depth: i32, random: &mut Xoshiro256PlusPlus) -> i16 {
    let mut game = Game::default();
    let settings =
        evaluations.map(|evaluation| Settings { evaluation, table_bytes: 1 << 18, ..Settings::default() });
    let mut players = settings.map(Player::new);
    while !game.is_over() {
        let board = game.board();
        let moves = board.position.move_list();
        let mv = if game.played().len() < 4 {
            moves[random.random_range(0..moves.len())]
        } else {
            let player = &mut players[board.side as usize];
            player.think(&board.position, Limits::depth(depth), &Stopwatch::start()).best.unwrap()
        };
        game.play(mv).unwrap();
    }
    game.board().margin_of(othello_player::rules::Side::Black)
}

/// The environment variable `OTHELLO_GAMES` sets the number of games.
#[test]
fn self_play_makes_no_illegal_move() {
    let games = std::env::var("OTHELLO_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(1000);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for game in 0..games {
        let pick = |n: usize| Evaluation::ALL[n % Evaluation::ALL.len()];
        self_play([pick(game), pick(game / Evaluation::ALL.len())], 1 + (game % 4) as i32, &mut random);
    }
}

#[test]
fn the_default_evaluation_beats_the_others_at_the_same_depth() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for other in [Evaluation::Discs, Evaluation::Positional] {
        let mut margin = 0;
        for _ in 0..8 {
            margin += i32::from(self_play([Evaluation::default(), other], 3, &mut random));
            margin -= i32::from(self_play([other, Evaluation::default()], 3, &mut random));
        }
        assert!(margin > 0, "{margin} discs against {other}");
    }
}
