use super::{CERTAIN, playout};
use crate::limits::Control;
use crate::position::{Outcome, Position};
use crate::report::Report;
use crate::score::Score;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Monte-Carlo search without a tree. Plays a winning move if there is one; otherwise gives every move `samples` random
/// playouts and returns the best mean. Moves are sampled in turn, so an early limit leaves them with about equal
/// numbers of playouts.
pub fn flat<P: Position>(position: &P, samples: u32, seed: u64, control: &Control<'_>) -> Report<P::Move> {
    if let Some(outcome) = position.outcome() {
        return Report { score: Score::of_outcome(outcome, 0), proven: true, ..Report::empty() };
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let moves = position.move_list();
    let after = moves.iter().map(|&mv| {
        let mut next = position.clone();
        next.play(mv);
        next
    });
    let after: Vec<P> = after.collect();
    let wins = |next: &P| match next.outcome() {
        Some(Outcome::Margin(points)) => points < 0,
        outcome => outcome == Some(Outcome::Loss),
    };
    let mut report = Report { depth: 1, ..Report::empty() };
    if let Some(winning) = after.iter().position(wins) {
        report.best = Some(moves[winning]);
        report.score = Score::win_in(1);
        report.proven = true;
    } else {
        let mut sums = vec![0.0; moves.len()];
        let mut taken = vec![0_u32; moves.len()];
        'sampling: for _ in 0..samples {
            for (nth, next) in after.iter().enumerate() {
                if control.tick().is_err() {
                    break 'sampling;
                }
                sums[nth] -= playout(next, &mut random);
                taken[nth] += 1;
            }
            control.arm();
        }
        let mean = |nth: usize| sums[nth] / taken[nth].max(1) as f32;
        // The first of equals.
        let best = (0..moves.len()).rev().max_by(|&a, &b| mean(a).total_cmp(&mean(b))).unwrap_or(0);
        report.best = Some(moves[best]);
        report.score = Score::new((mean(best) * CERTAIN as f32) as i32);
    }
    report.principal_variation.extend(report.best);
    report.nodes = control.nodes();
    report.elapsed = control.elapsed();
    report
}
