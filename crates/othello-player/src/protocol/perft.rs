//! The `perft` command.

use crate::rules::{self, Position};
use std::fmt::Write as _;
use std::io::Write;
use std::time::Instant;
use wire::{Failure, put_line};

/// Prints the number of move sequences of 1 to `deepest` moves, one depth per line. A game that ends earlier counts as
/// one sequence.
///
/// # Errors
/// Those of the output.
pub fn run(deepest: u32, output: &mut dyn Write) -> Result<(), Failure> {
    put_line(output, "depth                nodes    seconds   Mnodes/s")?;
    for depth in 1..=deepest {
        let start = Instant::now();
        let nodes = rules::perft(&Position::START, depth);
        let seconds = start.elapsed().as_secs_f64();
        let mut line = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            line,
            "{depth:>5} {nodes:>20} {seconds:>10.3} {:>10.1}",
            nodes as f64 / seconds.max(1e-9) / 1e6
        );
        put_line(output, &line)?;
    }
    Ok(())
}
