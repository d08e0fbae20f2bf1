//! Fits the evaluation of the Java class that the course's framework loads: a few counts, weighted by stage.
//!
//! Counts are the mover's minus the opponent's. Each stage of ten plies has its own weighted least squares fit, by the
//! normal equations. In addition the state of each edge has a value, by its eight squares in base three, the same at
//! every stage. Mirror images have equal values, and exchanging the colours negates them. Counts and edge states are
//! fitted alternately, each to the other's residuals.

use super::samples::{self, Sample, nearness};
use clap::Args;
use othello_player::rules::Position;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Number of features, each a count.
pub const COUNTS: usize = 16;
/// Number of game stages with weights of their own.
pub const STAGES: usize = 6;
/// Units of the weights in one disc.
const UNITS: f64 = 100.0;
/// Added to the diagonal of the normal equations, in equivalent samples.
const RIDGE: f64 = 20.0;

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;
const CORNERS: u64 = 0x8100_0000_0000_0081;
const BORDER: u64 = 0xff81_8181_8181_81ff;
/// The squares next to a corner: on an edge, and on the diagonal.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The symmetry classes of squares: a1, b1, c1, d1, b2, c2, d2, c3, d3, d4.
const CLASSES: [u64; 10] = [
    CORNERS,
    C_SQUARES,
    0x2400_8100_0081_0024,
    0x1800_0081_8100_0018,
    X_SQUARES,
    0x0024_4200_0042_2400,
    0x0018_0042_4200_1800,
    0x0000_2400_0024_0000,
    0x0000_1824_2418_0000,
    0x0000_0018_1800_0000,
];

/// Number of states of an edge.
const EDGES: usize = 6561;
/// Units of an edge's value in one disc. The Java class stores them as characters, with an offset.
const EDGE_UNITS: f64 = 5.0;
const EDGE_MIDDLE: i32 = 80;
const EDGE_MOST: i32 = 45;
/// Number of alternations between fits of counts and of edge states.
const ROUNDS: usize = 12;

/// The name of each count in the Java class.
const NAMES: [&str; COUNTS] = [
    "moves", "frontier", "a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4", "open C", "open X",
    "firm", "turn",
];

/// Returns the squares and their eight neighbours.
fn spread(squares: u64) -> u64 {
    let rows = squares | (squares & !H_FILE) << 1 | (squares & !A_FILE) >> 1;
    rows | rows << 8 | rows >> 8
}

/// Returns the discs connected to a corner of the same colour along an edge.
fn firm(discs: u64) -> u64 {
    let mut firm = discs & CORNERS;
    for _ in 0..6 {
        firm |= ((firm & !H_FILE) << 1 | (firm & !A_FILE) >> 1 | firm << 8 | firm >> 8) & discs & BORDER;
    }
    firm
}

/// Returns the counts of a position.
#[must_use]
pub fn counts(position: &Position) -> [f64; COUNTS] {
    let (own, opponent) = (position.own(), position.opponent());
    let empty = !(own | opponent);
    let open = spread(empty & CORNERS);
    let difference = |one: u64, other: u64| f64::from(one.count_ones()) - f64::from(other.count_ones());
    let of = |squares: u64| difference(own & squares, opponent & squares);
    let mut counts = [1.0; COUNTS];
    counts[0] = difference(position.legal(), position.opponent_legal());
    counts[1] = difference(spread(opponent) & empty, spread(own) & empty);
    for (count, class) in counts[2..12].iter_mut().zip(CLASSES) {
        *count = of(class);
    }
    counts[12] = of(C_SQUARES & open);
    counts[13] = of(X_SQUARES & open);
    counts[14] = difference(firm(own), firm(opponent));
    counts
}

/// Returns the eight bits of each edge, a corner first: rows 1 and 8, files a and h.
fn edges(discs: u64) -> [usize; 4] {
    // The multiplication collects the bits of a file in the top row.
    let file = |discs: u64| (discs & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    [discs & 0xff, discs >> 56, file(discs), file(discs >> 7)].map(|bits| bits as usize)
}

/// Converts a row's bits to a number in base three.
const fn ternary(bits: usize) -> usize {
    let (mut sum, mut power, mut at) = (0, 1, 0);
    while at < 8 {
        sum += (bits >> at & 1) * power;
        power *= 3;
        at += 1;
    }
    sum
}

/// Returns the states of a position's edges: 0 empty, 1 the mover's, 2 the opponent's.
#[must_use]
pub fn states(position: &Position) -> [usize; 4] {
    let (own, opponent) = (edges(position.own()), edges(position.opponent()));
    std::array::from_fn(|edge| ternary(own[edge]) + 2 * ternary(opponent[edge]))
}

/// Returns a state's mirror image, and the state with exchanged colours.
fn images(state: usize) -> (usize, usize) {
    let (mut mirror, mut changed, mut power) = (0, 0, 1);
    for at in 0..8 {
        let digit = state / 3_usize.pow(at) % 3;
        mirror += digit * 3_usize.pow(7 - at);
        changed += (3 - digit) % 3 * power;
        power *= 3;
    }
    (mirror, changed)
}

/// Returns the representative of a state's images, and the sign of its value there.
fn representative(state: usize) -> (usize, f64) {
    let (mirror, changed) = images(state);
    let other = images(mirror).1.min(changed);
    let same = state.min(mirror);
    match same.cmp(&other) {
        std::cmp::Ordering::Less => (same, 1.0),
        std::cmp::Ordering::Equal => (same, 0.0),
        std::cmp::Ordering::Greater => (other, -1.0),
    }
}

/// Returns the stage of a position.
#[must_use]
pub fn stage_of(empties: u32) -> usize {
    (60_usize.saturating_sub(empties as usize) / 10).min(STAGES - 1)
}

/// The fitted weights.
#[derive(Debug, Clone)]
pub struct Worths {
    /// The weights of the counts at each stage, in 1/100 disc.
    pub counts: [[i32; COUNTS]; STAGES],
    /// The values of the edge states, in 1/5 disc.
    pub edges: Vec<i32>,
}

/// A sample's features and target.
#[derive(Debug)]
struct Row {
    stage: usize,
    counts: [f64; COUNTS],
    states: [usize; 4],
    target: f64,
    weight: f64,
}

impl Row {
    fn new(sample: &Sample) -> Self {
        Self {
            stage: stage_of(sample.position.empties()),
            counts: counts(&sample.position),
            states: states(&sample.position),
            target: f64::from(sample.target),
            weight: f64::from(sample.weight * nearness(sample.target)),
        }
    }
}

/// The normal equations of a stage.
#[derive(Debug, Clone)]
struct Equations {
    matrix: [[f64; COUNTS]; COUNTS],
    right: [f64; COUNTS],
}

impl Equations {
    fn new() -> Self {
        let mut matrix = [[0.0; COUNTS]; COUNTS];
        for (row, line) in matrix.iter_mut().enumerate() {
            line[row] = RIDGE;
        }
        Self { matrix, right: [0.0; COUNTS] }
    }

    fn add(&mut self, counts: &[f64; COUNTS], target: f64, weight: f64) {
        for (row, count) in counts.iter().enumerate() {
            self.right[row] += weight * count * target;
            for (cell, other) in self.matrix[row].iter_mut().zip(counts) {
                *cell += weight * count * other;
            }
        }
    }

    /// Solves by Gaussian elimination. The ridge makes every pivot positive, so no pivoting is needed.
    fn solve(mut self) -> [f64; COUNTS] {
        for pivot in 0..COUNTS {
            let (line, right) = (self.matrix[pivot], self.right[pivot]);
            for row in (0..COUNTS).filter(|&row| row != pivot) {
                let factor = self.matrix[row][pivot] / line[pivot];
                for (cell, above) in self.matrix[row].iter_mut().zip(line) {
                    *cell -= factor * above;
                }
                self.right[row] -= factor * right;
            }
        }
        std::array::from_fn(|row| self.right[row] / self.matrix[row][row])
    }
}

impl Worths {
    /// Fits the weights to the samples that are not held out.
    pub fn fit(samples: &[Sample]) -> Self {
        let train: Vec<_> = samples.iter().filter(|sample| !sample.held_out).map(Row::new).collect();
        let mut counts = [[0.0; COUNTS]; STAGES];
        let mut edges = vec![0.0; EDGES];
        let stands: Vec<_> = (0..EDGES).map(representative).collect();
        let of_edges = |row: &Row, edges: &[f64]| -> f64 {
            row.states.iter().map(|&state| stands[state].1 * edges[stands[state].0]).sum()
        };
        for _ in 0..ROUNDS {
            let mut equations = vec![Equations::new(); STAGES];
            for row in &train {
                equations[row.stage].add(&row.counts, row.target - of_edges(row, &edges), row.weight);
            }
            for (stage, equations) in counts.iter_mut().zip(equations) {
                *stage = equations.solve();
            }
            // A step of Jacobi's method, divided among the four edges that change at once.
            let mut sums = vec![(0.0, RIDGE); EDGES];
            for row in &train {
                let of_counts: f64 = row.counts.iter().zip(&counts[row.stage]).map(|(a, b)| a * b).sum();
                let left = row.target - of_counts - of_edges(row, &edges);
                for (state, sign) in row.states.map(|state| stands[state]) {
                    sums[state].0 += row.weight * sign * left;
                    sums[state].1 += row.weight * sign * sign;
                }
            }
            for (worth, (left, weight)) in edges.iter_mut().zip(sums) {
                *worth += (left - RIDGE * *worth) / weight / 2.0;
            }
        }
        let whole = |units: f64| move |worth: f64| (units * worth).round() as i32;
        let edge = |state: usize| {
            let (stands, sign) = stands[state];
            whole(EDGE_UNITS)(sign * edges[stands]).clamp(-EDGE_MOST, EDGE_MOST)
        };
        Self { counts: counts.map(|stage| stage.map(whole(UNITS))), edges: (0..EDGES).map(edge).collect() }
    }

    /// Returns the value of a position, in discs.
    #[must_use]
    pub fn value(&self, position: &Position) -> f64 {
        let worths = &self.counts[stage_of(position.empties())];
        let counts = counts(position);
        let of_counts: f64 = counts.iter().zip(worths).map(|(count, &worth)| count * f64::from(worth)).sum();
        let of_edges: i32 = states(position).map(|state| self.edges[state]).iter().sum();
        of_counts / UNITS + f64::from(of_edges) / EDGE_UNITS
    }

    /// Returns the number of held-out samples of each stage, and the root mean square error on them, weighted towards
    /// close scores.
    #[must_use]
    pub fn errors(&self, samples: &[Sample]) -> [(usize, f64); STAGES] {
        let mut sums = [(0, 0.0, 0.0); STAGES];
        for sample in samples.iter().filter(|sample| sample.held_out) {
            let (samples, squares, weights) = &mut sums[stage_of(sample.position.empties())];
            let weight = f64::from(sample.weight * nearness(sample.target));
            *samples += 1;
            *squares += weight * (self.value(&sample.position) - f64::from(sample.target)).powi(2);
            *weights += weight;
        }
        sums.map(|(samples, squares, weights)| (samples, (squares / weights).sqrt()))
    }

    /// Formats the table for the Java class.
    fn to_java(&self) -> String {
        let mut text = String::new();
        let line = |cells: &[String]| cells.iter().map(|cell| format!("{cell:>9}")).collect::<String>();
        let _ = writeln!(text, "        // {}", line(&NAMES.map(str::to_owned)));
        for row in &self.counts {
            let cells = row.map(|worth| format!("{worth},"));
            let _ = writeln!(text, "        {{ {} }},", line(&cells).trim().trim_end_matches(','));
        }
        // One character for each representative state, in ascending order.
        let stand = (0..EDGES).filter(|&state| representative(state) == (state, 1.0));
        let worths = stand.map(|state| (EDGE_MIDDLE + self.edges[state]) as u8 as char).collect::<Vec<_>>();
        for line in worths.chunks(96) {
            let line: String = line.iter().collect();
            let _ = writeln!(text, "            + \"{}\"", line.replace('\\', "\\\\"));
        }
        text
    }
}

/// Arguments of `course`.
#[derive(Debug, Args)]
pub struct Course {
    /// Files of labelled positions.
    #[arg(long, required = true)]
    labelled: Vec<PathBuf>,
}

impl Course {
    /// Fits and prints the table.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut labelled = Vec::new();
        for path in &self.labelled {
            labelled.extend(samples::read(path)?);
        }
        let worths = Worths::fit(&labelled);
        for (stage, (held_out, error)) in worths.errors(&labelled).into_iter().enumerate() {
            let (first, last) = (10 * stage, 10 * stage + 9);
            wire::print_line(format_args!(
                "plies {first:>2} to {last:>2}: {held_out:>6} held out, error {error:.2} discs"
            ))?;
        }
        Ok(wire::print(worths.to_java())?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::Next;
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use search_core::Position as _;

    /// Returns positions of random games, with the values of `truth`.
    fn samples(truth: &Worths) -> Vec<Sample> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut samples = Vec::new();
        for game in 0..400 {
            let mut position = Position::START;
            while position.outcome().is_none() {
                let moves = position.move_list();
                position = position.after(moves[random.random_range(0..moves.len())]);
                let target = truth.value(&position) as f32;
                let (held_out, next) = (game % 20 == 0, Next::Another);
                samples.push(Sample { position, target, weight: 1.0, held_out, next });
            }
        }
        samples
    }

    #[test]
    fn it_finds_the_worths_that_made_the_targets() {
        let mut truth = Worths { counts: [[0; COUNTS]; STAGES], edges: vec![0; EDGES] };
        for (stage, row) in truth.counts.iter_mut().enumerate() {
            for (count, worth) in row.iter_mut().enumerate() {
                *worth = 10 * (stage as i32 + 1) - 7 * count as i32;
            }
        }
        for (state, worth) in truth.edges.iter_mut().enumerate() {
            let (stands, sign) = representative(state);
            *worth = (sign * (stands % 9) as f64) as i32 - (4.0 * sign) as i32;
        }
        let samples = samples(&truth);
        let fitted = Worths::fit(&samples);
        let nothing = Worths { counts: [[0; COUNTS]; STAGES], edges: vec![0; EDGES] };
        let errors = fitted.errors(&samples).into_iter().zip(nothing.errors(&samples));
        for (stage, ((held_out, error), (_, before))) in errors.enumerate() {
            assert!(held_out > 0 && error < 0.1 + before / 4.0, "stage {stage}: {error} of {before}");
        }
    }

    #[test]
    fn every_square_is_of_one_class() {
        assert_eq!(CLASSES.iter().fold(0, |all, class| all | class), u64::MAX);
        assert_eq!(CLASSES.iter().map(|class| class.count_ones()).sum::<u32>(), 64);
    }

    #[test]
    fn an_edge_s_state_is_read_from_each_side_alike() {
        // a1 is the mover's, h1 and a8 the opponent's, so the top and the left edge have the same state.
        let position = Position::new(1, 1 << 7 | 1 << 56).unwrap();
        assert_eq!(states(&position), [1 + 2 * 2187, 2, 1 + 2 * 2187, 2]);
        assert_eq!(images(1 + 2 * 2187), (2 + 2187, 2 + 2187));
        assert_eq!(representative(1 + 2 * 2187).1, 0.0, "a state that is its own image with colours changed");
        assert_eq!(
            (representative(1), representative(2), representative(4374)),
            ((1, 1.0), (1, -1.0), (1, -1.0))
        );
    }

    #[test]
    fn the_java_class_has_a_character_for_every_state_that_stands_for_its_images() {
        let class = include_str!("../../../othello-player/java/Participants/OthelloPlayer/AlphaBeta.java");
        let lines = class.lines().filter_map(|line| line.trim().strip_prefix("+ \"")?.split('"').next());
        let characters = lines.map(|line| line.replace("\\\\", "\\").len()).sum::<usize>();
        let stand = (0..EDGES).filter(|&state| representative(state) == (state, 1.0));
        assert_eq!(characters, stand.count());
        assert!(class.contains(&format!("EDGE_MIDDLE = '{}'", EDGE_MIDDLE as u8 as char)));
        assert!(class.contains(&format!("EDGE_UNIT = {}", (UNITS / EDGE_UNITS) as i32)));
    }

    #[test]
    fn discs_in_a_row_from_a_corner_are_firm() {
        let row = 0b0001_0111_u64;
        assert_eq!(firm(row), 0b111, "a gap ends the row");
        assert_eq!(firm(0b0111_1110), 0, "no corner");
        assert_eq!(firm(A_FILE), A_FILE);
        assert_eq!(firm(0b1 | 0b1 << 9), 0b1, "not into the middle");
    }
}
