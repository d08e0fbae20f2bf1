//! Openings: cells with or without blanks, offsets from the middle, grids; problems as JSON lines.

use super::{column_name, names, psq};
use crate::course::POSITION;
use crate::fault::excerpt;
use crate::openings::OpeningNotation;
use crate::suite::Problem;
use anyhow::{Context, bail};
use serde_json::Value;

/// The texts of openings.
pub struct Openings;

impl OpeningNotation for Openings {
    fn split(&self, line: &str) -> Option<Vec<String>> {
        Some(names(line).into_iter().map(str::to_owned).collect())
    }

    /// The run has its own size.
    fn of_game(&self, opening: String, (rows, columns): (usize, usize)) -> anyhow::Result<String> {
        let (size, rest) = opening.split_once(' ').unwrap_or((&opening, ""));
        if !size.is_empty() && size != format!("{rows}x{columns}") {
            bail!("a game on {}, not on {rows}x{columns}", excerpt(size));
        }
        Ok(rest.to_owned())
    }

    fn line(&self, line: &str, size: Option<(usize, usize)>) -> anyhow::Result<String> {
        if let Some(size) = size.filter(|_| psq::is_offsets(line)) {
            return Ok(psq::offsets(line, size)?);
        }
        if line.starts_with('{') {
            let value: Value = serde_json::from_str(line)?;
            let rows = value["board"].as_array().context("no board")?;
            let rows: Option<Vec<&str>> = rows.iter().map(|row| row.as_str()).collect();
            return Ok(format!("@{}", rows.context("no board")?.join("/")));
        }
        // Coordinates may be in capitals.
        Ok(if line.contains(POSITION) { line.to_owned() } else { line.to_ascii_lowercase() })
    }

    /// JSON lines with `rows`, `cols`, `board` and the winning `first` cells.
    fn problem(&self, line: &str) -> anyhow::Result<Option<Problem>> {
        if !line.starts_with('{') {
            return Ok(None);
        }
        let value: Value = serde_json::from_str(line)?;
        let number = |name: &str| value[name].as_u64().with_context(|| format!("no {name}"));
        let (rows, columns) = (number("rows")?, number("cols")?);
        let cell = |cell: &Value| {
            let (row, column) = (cell[0].as_u64()?, cell[1].as_u64()?);
            (row < rows && column < columns && columns <= 1023)
                .then(|| format!("{}{}", column_name(column as usize), row + 1))
        };
        let first = value["first"].as_array().context("no first")?;
        let best =
            first.iter().map(cell).collect::<Option<Vec<_>>>().context("a first cell outside the grid")?;
        let name = value["vcf_moves"].as_u64().map(|moves| format!("win in {moves}")).unwrap_or_default();
        let opening = format!("{rows}x{columns} {}", self.line(line, None)?);
        Ok(Some(Problem { name, opening, best }))
    }
}
