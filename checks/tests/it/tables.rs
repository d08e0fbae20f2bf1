//! Checks the tables of experiments and checks, and the length of documents.

use crate::{documents, packages, top};
use std::fs;
use std::path::PathBuf;

/// The TSV files: `docs/data/trust.tsv`, and each package's `EXPERIMENTS.tsv`.
fn tables() -> Vec<PathBuf> {
    let experiments = packages().into_iter().map(|package| package.join("EXPERIMENTS.tsv"));
    experiments.chain([top().join("docs/data/trust.tsv")]).filter(|path| path.is_file()).collect()
}

#[test]
fn every_row_has_a_cell_for_each_column() {
    let tables = tables();
    assert!(tables.len() >= 7);
    for table in tables {
        let text = fs::read_to_string(&table).unwrap();
        let columns = text.lines().next().unwrap().split('\t').count();
        for (line, row) in text.lines().enumerate() {
            assert_eq!(row.split('\t').count(), columns, "{}:{}", table.display(), line + 1);
        }
    }
}

/// The columns `games`, `elo`, `low` and `high` must hold a number or nothing.
#[test]
fn every_figure_of_an_experiment_can_be_read() {
    for table in tables().into_iter().filter(|table| table.ends_with("EXPERIMENTS.tsv")) {
        let text = fs::read_to_string(&table).unwrap();
        let names: Vec<_> = text.lines().next().unwrap().split('\t').collect();
        for (line, row) in text.lines().enumerate().skip(1) {
            for (name, cell) in names.iter().zip(row.split('\t')) {
                let number = ["games", "elo", "low", "high"].contains(name);
                assert!(
                    !number || cell.is_empty() || cell.parse::<f64>().is_ok(),
                    "{}:{}: {name} is {cell:?}",
                    table.display(),
                    line + 1
                );
            }
        }
    }
}

/// Limits the words of documents, counted as by `wc -w`. The sum leaves out CREDITS, GLOSSARY, CHANGELOG and the manual.
#[test]
fn documents_stay_short() {
    let mut sum = 0;
    for document in documents() {
        let name = document.file_stem().unwrap().to_str().unwrap();
        let words = fs::read_to_string(&document).unwrap().split_whitespace().count();
        if !["CREDITS", "GLOSSARY", "CHANGELOG", "manuel"].contains(&name) {
            sum += words;
        }
        let most = match name {
            "EXPERIMENTS" => 450,
            "ARCHITECTURE" => 900,
            "manuel" => 1500,
            "README" if document.parent() == Some(top().as_path()) => 600,
            _ => usize::MAX,
        };
        assert!(words <= most, "{}: {words} words, at most {most}", document.display());
    }
    assert!(sum <= 28_000, "{sum} words in all documents, at most 28,000");
}

#[test]
fn cells_of_tables_stay_short() {
    for document in documents().into_iter().filter(|path| !path.ends_with("CREDITS.md")) {
        let text = fs::read_to_string(&document).unwrap();
        for (line, row) in text.lines().enumerate().filter(|(_, row)| row.starts_with('|')) {
            for cell in row.replace("\\|", "/").split('|').map(str::trim) {
                let length = cell.chars().count();
                assert!(length <= 120, "{}:{}: {length} characters: {cell}", document.display(), line + 1);
            }
        }
    }
}
