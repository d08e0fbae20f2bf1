//! Measures the cost of search-core's traits: Othello's perft and its fixed-depth search through them, against the same
//! two written by hand for Othello alone. Both versions do the same work: their path and node counts are equal.
//!
//! Times are criterion's. Instructions are counted by callgrind, which does not support AVX-512:
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=x86-64-v3" cargo bench -p benches --bench othello_abstraction -- --instructions
//! ```
//!
//! The bench fails if the traits cost more than 5 %.

use criterion::Criterion;
use othello_player::evaluation::{Evaluate, Mobility};
use othello_player::player::rank;
use othello_player::rules::{Move, Position, Squares, bitboard};
use search_core::testing::random_positions;
use search_core::{
    Bound, Control, Depth, Entry, Heuristics, Limits, MoveCode, Node, Options, Position as _, Score, Search,
    Stopwatch, Table, Window,
};
use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::Duration;

const PERFT_DEPTH: u32 = 8;
const SEARCH_DEPTH: Depth = 8;
const TABLE_BYTES: usize = 1 << 20;
const MOST_PERCENT: f64 = 5.0;

/// A workload; returns its path or node count.
type Workload = fn() -> u64;

/// The compared workloads: name, through the traits, by hand.
const PAIRS: [(&str, Workload, Workload); 2] =
    [("perft", perft_generic, perft_by_hand), ("search", search_generic, search_by_hand)];

fn positions() -> Vec<Position> {
    random_positions(&Position::START, 77, 6, 40)
}

fn perft_generic() -> u64 {
    search_core::perft(black_box(&Position::START), PERFT_DEPTH)
}

fn perft_by_hand() -> u64 {
    let start = black_box(Position::START);
    count(start.own(), start.opponent(), start.legal(), PERFT_DEPTH)
}

/// The number of paths of exactly `depth` moves, the last ply counted in bulk.
fn count(own: u64, opponent: u64, legal: u64, depth: u32) -> u64 {
    if legal == 0 {
        let theirs = bitboard::moves(opponent, own);
        return match (theirs, depth) {
            (0, _) => 0,
            (_, 1) => 1,
            _ => count(opponent, own, theirs, depth - 1),
        };
    }
    if depth == 1 {
        return legal.count_ones().into();
    }
    let mut lines = 0;
    let mut rest = legal;
    while rest != 0 {
        let square = rest.trailing_zeros() as u8;
        rest &= rest - 1;
        let flips = bitboard::flips(square, own, opponent);
        let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ 1 << square);
        lines += count(next_own, next_opponent, bitboard::moves(next_own, next_opponent), depth - 1);
    }
    lines
}

/// Othello's heuristics for search-core, without the player's additions.
struct Plain(Mobility);

impl Heuristics for Plain {
    type Position = Position;
    type Frame = ();
    const TABLE_FROM: Depth = 2;

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        self.0.evaluate(position)
    }

    #[inline]
    fn candidates(search: &mut Search<'_, Self>, node: &Node<Move>) {
        let position = search.position;
        if position.legal() == 0 {
            search.picker.add(Move::PASS, 0);
        }
        for square in Squares(position.legal()) {
            let order = rank(&mut search.heuristics.0, &position, square, node.depth);
            search.picker.add(square.into(), order);
        }
    }
}

fn search_generic() -> u64 {
    let clock = Stopwatch::start();
    let search = |position: &Position| {
        let control = Control::new(Limits::depth(SEARCH_DEPTH), &clock);
        let table = Table::with_bytes(TABLE_BYTES);
        Search::new(Plain(Mobility::new(position)), *position, &table, &control, Options::EXACT)
            .think(&mut |_| {})
            .nodes
    };
    positions().iter().map(search).sum()
}

fn search_by_hand() -> u64 {
    positions().iter().map(|position| Hand::new(position).think(position)).sum()
}

/// Alpha-beta for Othello alone, with search-core's methods: principal variation search, table, killers and history.
struct Hand {
    table: Table<Move>,
    evaluation: Mobility,
    killers: [[Option<Move>; 2]; 128],
    history: [[i16; 65]; 2],
    lines: [Vec<Move>; 32],
    nodes: u64,
    horizon: bool,
}

/// The outcome of the moves tried so far in a node.
struct Best {
    alpha: Score,
    score: Score,
    mv: Option<Move>,
    tried: usize,
}

impl Hand {
    fn new(position: &Position) -> Self {
        Self {
            table: Table::with_bytes(TABLE_BYTES),
            evaluation: Mobility::new(position),
            killers: [[None; 2]; 128],
            history: [[0; 65]; 2],
            lines: std::array::from_fn(|_| Vec::new()),
            nodes: 0,
            horizon: false,
        }
    }

    fn think(&mut self, position: &Position) -> u64 {
        self.table.new_search();
        for depth in 1..=SEARCH_DEPTH {
            self.horizon = false;
            black_box(self.node::<true>(position, Window::FULL, depth, 0));
            if !self.horizon {
                break;
            }
        }
        self.nodes
    }

    fn node<const PV: bool>(
        &mut self,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Score {
        self.nodes += 1;
        if PV {
            self.lines[ply].clear();
        }
        let opponent_legal = if position.legal() == 0 { position.opponent_legal() } else { 1 };
        if opponent_legal == 0 {
            return Score::new(i32::from(position.margin()) * Score::POINT);
        }
        if depth <= 0 {
            self.horizon = true;
            return self.evaluation.evaluate(position);
        }
        let keyed = depth >= 2;
        let key = if keyed { position.key() } else { 0 };
        let entry = if keyed { self.table.probe(key, ply) } else { None };
        if let Some(entry) = entry
            && !PV
            && entry.depth == depth
            && entry.bound.settles(entry.score, window)
        {
            self.horizon = true;
            return entry.score;
        }

        let mut best = Best { alpha: window.alpha, score: -Score::INFINITY, mv: None, tried: 0 };
        self.moves::<PV>(position, window.beta, depth, ply, entry, &mut best);
        if keyed {
            let bound = Bound::of(best.score, window);
            let mv = if bound == Bound::Upper { None } else { best.mv };
            self.table.store(key, ply, Entry { best: mv, score: best.score, depth, bound });
        }
        best.score
    }

    fn moves<const PV: bool>(
        &mut self,
        position: &Position,
        beta: Score,
        depth: Depth,
        ply: usize,
        entry: Option<Entry<Move>>,
        best: &mut Best,
    ) {
        let known = entry.and_then(|entry| entry.best).filter(|&mv| position.is_legal(mv));
        if let Some(mv) = known
            && self.attempt::<PV>(position, beta, depth, ply, mv, best)
        {
            self.cut(mv, ply, depth, &[]);
            return;
        }
        let mut list = [(0, Move::PASS); 64];
        let mut len = 0;
        let mut add = |mv: Move, rank: i32| {
            let killers = &self.killers[ply];
            let killer = if killers[0] == Some(mv) {
                1 << 15
            } else if killers[1] == Some(mv) {
                (1 << 15) - 1
            } else {
                0
            };
            list[len] = (rank + killer + i32::from(self.history[ply & 1][mv.to_code() as usize]), mv);
            len += 1;
        };
        if position.legal() == 0 {
            add(Move::PASS, 0);
        }
        for square in Squares(position.legal()) {
            add(square.into(), rank(&mut self.evaluation, position, square, depth));
        }
        for index in 0..len {
            let mut first = index;
            for other in index + 1..len {
                if list[other].0 > list[first].0 {
                    first = other;
                }
            }
            list.swap(index, first);
            let mv = list[index].1;
            if Some(mv) != known && self.attempt::<PV>(position, beta, depth, ply, mv, best) {
                self.cut(mv, ply, depth, &list[..index]);
                return;
            }
        }
    }

    fn attempt<const PV: bool>(
        &mut self,
        position: &Position,
        beta: Score,
        depth: Depth,
        ply: usize,
        mv: Move,
        best: &mut Best,
    ) -> bool {
        let next = position.after(mv);
        let alpha = best.alpha;
        let score = if best.tried == 0 {
            -self.node::<PV>(&next, -Window::new(alpha, beta), depth - 1, ply + 1)
        } else {
            let scout = -self.node::<false>(&next, -Window::above(alpha), depth - 1, ply + 1);
            if PV && scout > alpha && scout < beta {
                -self.node::<true>(&next, -Window::new(alpha, beta), depth - 1, ply + 1)
            } else {
                scout
            }
        };
        best.tried += 1;
        if score > best.score {
            best.score = score;
            if score > alpha {
                best.mv = Some(mv);
                best.alpha = score;
                if PV {
                    let (upper, lower) = self.lines.split_at_mut(ply + 1);
                    upper[ply].clear();
                    upper[ply].push(mv);
                    upper[ply].extend_from_slice(&lower[0]);
                }
            }
        }
        score >= beta
    }

    fn cut(&mut self, mv: Move, ply: usize, depth: Depth, failed: &[(i32, Move)]) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).min(400);
        let reward = |count: &mut i16, bonus: i32| {
            let old = i32::from(*count);
            *count = (old + bonus - old * bonus.abs() / (1 << 14)) as i16;
        };
        reward(&mut self.history[ply & 1][mv.to_code() as usize], bonus);
        for (_, failed) in failed {
            reward(&mut self.history[ply & 1][failed.to_code() as usize], -bonus);
        }
    }
}

/// Runs one workload in this process and prints its count.
fn run(name: &str) -> Option<u64> {
    PAIRS.iter().find_map(|&(pair, generic, by_hand)| match name.strip_prefix(pair)? {
        "/search-core" => Some(generic()),
        "/by-hand" => Some(by_hand()),
        _ => None,
    })
}

/// The number of instructions of a workload; `None` if valgrind cannot be started.
fn instructions(name: &str) -> Option<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.arg(std::env::current_exe().ok()?).args(["--run", name]);
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = text.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok());
    if collected.is_none() {
        eprintln!("{text}");
    }
    collected
}

fn compare_instructions() -> ExitCode {
    let mut worst = f64::MIN;
    for (pair, ..) in PAIRS {
        let [generic, by_hand] =
            ["search-core", "by-hand"].map(|which| instructions(&format!("{pair}/{which}")));
        let (Some(generic), Some(by_hand)) = (generic, by_hand) else {
            eprintln!("no instructions were counted: is valgrind here, and is the build for x86-64-v3?");
            return ExitCode::FAILURE;
        };
        let percent = 100.0 * (generic as f64 / by_hand as f64 - 1.0);
        println!("{pair:<8} search-core {generic:>13}   by hand {by_hand:>13}   {percent:>+5.1} %");
        worst = worst.max(percent);
    }
    if worst > MOST_PERCENT { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--instructions") {
        return compare_instructions();
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--run") {
        let counted = arguments.get(at + 1).and_then(|name| run(name));
        return counted.map_or(ExitCode::FAILURE, |counted| {
            println!("{counted}");
            ExitCode::SUCCESS
        });
    }
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    for (pair, generic, by_hand) in PAIRS {
        let counted = generic();
        assert_eq!(counted, by_hand(), "{pair}: both must do the same work");
        println!("abstraction/{pair}: {counted} lines or nodes");
        let mut group = criterion.benchmark_group(format!("abstraction/{pair}"));
        group.bench_function("search-core", |bencher| bencher.iter(generic));
        group.bench_function("by hand", |bencher| bencher.iter(by_hand));
        group.finish();
    }
    criterion.final_summary();
    ExitCode::SUCCESS
}
