//! Compares search-core with the libraries `minimax` and `board-game` on connect four and breakthrough: the speed of
//! their searches, and their strength at equal time.
//!
//! ```text
//! cargo run --release --manifest-path crates/search-core/comparison/Cargo.toml [GAMES] [MILLISECONDS] [tune [OPTION]]
//! ```
//!
//! `tune` tries the options of `minimax` one by one, or those whose name begins with a word given after it. The lines of a user are those of `adapters.rs` and of the player, without
//! comments and blank lines: all that a library asks for where the rules are functions already.

#![forbid(unsafe_code)]

mod adapters;
#[allow(dead_code)]
#[path = "../../examples/breakthrough.rs"]
mod breakthrough;
#[allow(dead_code)]
#[path = "../../examples/connect_four.rs"]
mod connect_four;

use adapters::{By, Evaluate, ForBoards, ForMinimax};
use board_game::ai::mcts::mcts_build_tree;
use minimax::{
    IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, ParallelOptions, ParallelSearch,
    Replacement, Strategy as _,
};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use search_core::monte_carlo::{Configuration, MonteCarlo, Playouts};
use search_core::testing::random_positions;
use search_core::{
    Control, Crew, Evaluation, Limits, MoveCode, Options, Outcome, Position, Search, Stopwatch, Table,
};
use std::time::{Duration, Instant};

/// Bytes of each transposition table.
const TABLE: usize = 16 << 20;
/// The threads of a search on several.
const THREADS: usize = 2;

/// A player, by its name and the way it finds a move within a time.
type Player<P> = (&'static str, Box<dyn FnMut(&P, Duration) -> <P as Position>::Move>);

/// A move for a player that found none in its time.
fn any<P: Position>(position: &P) -> P::Move {
    position.move_list()[0]
}

// Lines for search-core.

fn alpha_beta<P: Evaluate>() -> Player<P> {
    let table = Table::in_large_pages(TABLE);
    let think = move |position: &P, time| {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::time(time), &clock);
        let heuristics = Evaluation::new(P::evaluate);
        let mut search = Search::new(heuristics, position.clone(), &table, &control, Options::STRONG);
        search.think(&mut |_| {}).best.expect("the game goes on")
    };
    ("search-core, alpha-beta", Box::new(think))
}

// Lines for nobody.

fn alpha_beta_on_threads<P: Evaluate>() -> Player<P> {
    let (table, crew) = (Table::in_large_pages(TABLE), Crew::new(THREADS));
    let think = move |position: &P, time| {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::time(time), &clock);
        let heuristics = || Evaluation::new(P::evaluate);
        let mut search = Search::new(heuristics(), position.clone(), &table, &control, Options::STRONG);
        search.think_with(&crew, heuristics, &mut |_| {}).best.expect("the game goes on")
    };
    ("search-core, two threads", Box::new(think))
}

fn monte_carlo<P: Evaluate>() -> Player<P> {
    let configuration = Configuration { exploration: 1.0, best_line: 0.0 };
    let mut tree = MonteCarlo::new(Playouts::<P>::new(1), configuration, 4 * TABLE);
    let think = move |position: &P, time| {
        let clock = Stopwatch::start();
        tree.think(position, &Control::new(Limits::time(time), &clock)).best.expect("the game goes on")
    };
    ("search-core, Monte-Carlo", Box::new(think))
}

/// A change of the options of `minimax`.
type Change = fn(IterativeOptions) -> IterativeOptions;

/// The options that `minimax` documents.
const CHANGES: [(&str, Change); 21] = [
    ("none", |options| options),
    ("countermoves", IterativeOptions::with_countermoves),
    ("countermove history", IterativeOptions::with_countermove_history),
    ("both", |options| options.with_countermoves().with_countermove_history()),
    ("singular extension", IterativeOptions::with_singular_extension),
    ("aspiration window of 2", |options| options.with_aspiration_window(2)),
    ("aspiration window of 8", |options| options.with_aspiration_window(8)),
    ("MTD(f)", IterativeOptions::with_mtdf),
    ("steps of two plies", IterativeOptions::with_double_step_increment),
    ("null move, 2 plies less", |options| options.with_null_move_depth(2)),
    ("null move, 3 plies less", |options| options.with_null_move_depth(3)),
    ("null move, 4 plies less", |options| options.with_null_move_depth(4)),
    ("null move, 4 plies less, steps of two", |options| {
        options.with_null_move_depth(4).with_double_step_increment()
    }),
    ("null move, 2 plies less, countermove history", |options| {
        options.with_null_move_depth(2).with_countermove_history()
    }),
    ("null move, 3 plies less, countermove history", |options| {
        options.with_null_move_depth(3).with_countermove_history()
    }),
    ("quiescence, 4 plies", |options| options.with_quiescence_search_depth(4)),
    ("no null windows", |options| options.with_null_window_search(false)),
    ("replace always", |options| options.with_replacement_strategy(Replacement::Always)),
    ("replace shallower", |options| options.with_replacement_strategy(Replacement::DepthPreferred)),
    ("table of 1 MiB", |options| options.with_table_byte_size(1 << 20)),
    ("table of 64 MiB", |options| options.with_table_byte_size(64 << 20)),
];

fn minimax_options() -> IterativeOptions {
    IterativeOptions::new().with_table_byte_size(TABLE)
}

// Lines for minimax.

fn minimax_alpha_beta<P: Evaluate>(options: IterativeOptions) -> Player<P> {
    let mut search = IterativeSearch::new(By::<P>::default(), options);
    let think = move |position: &P, time| {
        search.set_timeout(time);
        search.choose_move(&ForMinimax(position.clone())).unwrap_or_else(|| any(position))
    };
    ("minimax, alpha-beta", Box::new(think))
}

// Lines for nobody.

/// Nodes of at most `serial` plies are not shared among the threads.
fn minimax_on_threads<P: Evaluate>(options: IterativeOptions, serial: u8) -> Player<P> {
    let threads = ParallelOptions::new().with_num_threads(THREADS).with_serial_cutoff_depth(serial);
    let mut search = ParallelSearch::new(By::<P>::default(), options, threads);
    let think = move |position: &P, time| {
        search.set_timeout(time);
        search.choose_move(&ForMinimax(position.clone())).unwrap_or_else(|| any(position))
    };
    ("minimax, two threads", Box::new(think))
}

fn minimax_monte_carlo<P: Evaluate>() -> Player<P> {
    let mut search = MonteCarloTreeSearch::<By<P>>::new(MCTSOptions::default().with_num_threads(1));
    let think = move |position: &P, time| {
        search.set_timeout(time);
        search.choose_move(&ForMinimax(position.clone())).unwrap_or_else(|| any(position))
    };
    ("minimax, Monte-Carlo", Box::new(think))
}

// Lines for board-game.

/// It has no limit by time: the number of iterations follows from the time of those before.
fn board_game_monte_carlo<P: Evaluate>() -> Player<P> {
    let mut random = SmallRng::seed_from_u64(1);
    let (mut made, mut took) = (1_000, Duration::from_millis(2));
    let think = move |position: &P, time: Duration| {
        let iterations = (made as f64 * time.as_secs_f64() / took.as_secs_f64()).max(10.0) as u64;
        let start = Instant::now();
        let mv = mcts_build_tree(&ForBoards::new(position.clone()), iterations, 1.4, &mut random).best_move();
        (made, took) = (made + iterations, took + start.elapsed());
        P::Move::from_code(mv.0)
    };
    ("board-game, Monte-Carlo", Box::new(think))
}

// Lines for nobody.

/// Plays one game from `position`. Returns the points of the first of the players: 0, ½ or 1. Adds to `used` the moves
/// and the time of each.
fn game<P: Evaluate>(
    mut position: P,
    players: [&mut Player<P>; 2],
    time: Duration,
    used: [&mut (u32, Duration); 2],
) -> f64 {
    let mut side = 0;
    loop {
        match position.outcome() {
            Some(Outcome::Draw) => return 0.5,
            // Of the player to move.
            Some(outcome) => return f64::from((outcome == Outcome::Win) == (side == 0)),
            None => {}
        }
        let start = Instant::now();
        let mv = (players[side].1)(&position, time);
        *used[side] = (used[side].0 + 1, used[side].1 + start.elapsed());
        assert!(position.is_legal(mv), "{}", players[side].0);
        position.play(mv);
        side = 1 - side;
    }
}

/// Plays pairs of games from random openings. Prints the share of points of the first player, and the mean times of a move.
fn duel<P: Evaluate>(mut one: Player<P>, mut other: Player<P>, start: &P, games: usize, time: Duration) {
    let mut points = 0.0;
    let [mut ours, mut theirs] = [(0, Duration::ZERO); 2];
    for position in random_positions(start, 1, games / 2, 4) {
        points += game(position.clone(), [&mut one, &mut other], time, [&mut ours, &mut theirs]);
        points += 1.0 - game(position, [&mut other, &mut one], time, [&mut theirs, &mut ours]);
    }
    let (games, share) = (games / 2 * 2, 100.0 * points / (games / 2 * 2) as f64);
    let [ours, theirs] =
        [ours, theirs].map(|(moves, took)| 1e3 * took.as_secs_f64() / f64::from(moves.max(1)));
    println!(
        "  {} against {}: {share:.1} % of {games} games, {ours:.1} and {theirs:.1} ms a move",
        one.0, other.0
    );
}

/// Prints for each option of `minimax`, and for those chosen, the search to a depth and the points against none. Then the
/// same for two threads.
fn tune<P: Evaluate>(name: &str, start: &P, depth: u8, games: usize, time: Duration, only: &str) {
    println!("{name}: options of minimax");
    let counted = random_positions(&adapters::Counted(start.clone()), 2, 20, 6);
    let all = CHANGES.into_iter().chain([("chosen", P::tuned as Change)]);
    for (name, change) in all.filter(|(name, _)| name.starts_with(only)) {
        let options = change(minimax_options());
        speed(&format!("{name}, depth {depth}"), &counted, |position| {
            let mut search = IterativeSearch::new(By::default(), options);
            search.set_max_depth(depth);
            search.choose_move(&ForMinimax(position.clone()));
        });
        if games > 1 {
            duel(minimax_alpha_beta(options), minimax_alpha_beta(minimax_options()), start, games, time);
        }
    }
    for serial in [1, 4].into_iter().filter(|_| games > 1 && "two threads".starts_with(only)) {
        println!("  two threads, nodes of {serial} plies on one");
        let options = P::tuned(minimax_options());
        duel(minimax_on_threads(options, serial), minimax_alpha_beta(options), start, games, time);
    }
}

/// The lines that a user of `library` writes: those of the sections that name it, without comments and blank lines.
fn lines(library: &str) -> usize {
    let mut is_counted = false;
    let mut count = 0;
    for line in concat!(include_str!("adapters.rs"), include_str!("main.rs")).lines().map(str::trim) {
        if let Some(whose) = line.strip_prefix("// Lines for ") {
            is_counted = whose.contains(library);
        }
        count += usize::from(is_counted && !line.is_empty() && !line.starts_with("//"));
    }
    count
}

/// Seconds that this thread has had a processor, so that a busy machine does not matter; without Linux, all seconds.
fn processor_seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Searches some positions to a depth. Prints the moves played in the searches, a second, and the time.
fn speed<P: Evaluate>(name: &str, positions: &[P], mut search: impl FnMut(&P)) {
    adapters::PLAYED.set(0);
    let start = Instant::now();
    let before = processor_seconds(start);
    positions.iter().for_each(&mut search);
    let (played, took) = (adapters::PLAYED.get() as f64, processor_seconds(start) - before);
    println!(
        "  {name:<40} {:>7.3} million moves in {took:>5.2} s: {:>5.1} million a second",
        played / 1e6,
        played / took / 1e6
    );
}

fn compare<P: Evaluate>(name: &str, start: &P, depth: u8, shallow: u32, games: usize, time: Duration) {
    println!("{name}");
    let counted = random_positions(&adapters::Counted(start.clone()), 2, 20, 6);
    let limits = Limits::depth(i32::from(depth));
    for (name, options) in [("search-core, exact", Options::EXACT), ("search-core, strong", Options::STRONG)]
    {
        speed(&format!("{name}, depth {depth}"), &counted, |position| {
            let (clock, table) = (Stopwatch::start(), Table::in_large_pages(TABLE));
            let control = Control::new(limits, &clock);
            let heuristics = Evaluation::new(adapters::Counted::evaluate);
            Search::new(heuristics, position.clone(), &table, &control, options).think(&mut |_| {});
        });
    }
    speed(&format!("minimax, depth {depth}"), &counted, |position| {
        let mut search = IterativeSearch::new(By::default(), P::tuned(minimax_options()));
        search.set_max_depth(depth);
        search.choose_move(&ForMinimax(position.clone()));
    });
    let mut random = SmallRng::seed_from_u64(1);
    speed(&format!("board-game, depth {shallow}"), &counted, |position| {
        board_game::ai::minimax::minimax(
            &ForBoards::new(position.clone()),
            &By::default(),
            shallow,
            &mut random,
        );
    });
    if games < 2 {
        return;
    }
    duel(alpha_beta(), minimax_alpha_beta(P::tuned(minimax_options())), start, games, time);
    let two_threads = minimax_on_threads(P::tuned(minimax_options()), P::SERIAL);
    duel(alpha_beta_on_threads(), two_threads, start, games, time);
    duel(monte_carlo(), minimax_monte_carlo(), start, games, time);
    duel(monte_carlo(), board_game_monte_carlo(), start, games, time);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let games = numbers.first().copied().unwrap_or(100);
    let time = Duration::from_millis(numbers.get(1).copied().unwrap_or(20) as u64);
    if let Some(at) = words.iter().position(|word| word == "tune") {
        let only = words.get(at + 1).map_or("", |word| word);
        tune("connect four", &connect_four::Board::default(), 12, games, time, only);
        tune("breakthrough, 5 × 5", &breakthrough::Board::START, 10, games, time, only);
        return;
    }
    for library in ["search-core", "minimax", "board-game"] {
        println!("{library}: {} lines of a user", lines(library));
    }
    compare("connect four", &connect_four::Board::default(), 14, 9, games, time);
    compare("breakthrough, 5 × 5", &breakthrough::Board::START, 11, 7, games, time);
}
