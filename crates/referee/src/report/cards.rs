//! The result of a class in each format.
//!
//! [`json()`], [`csv()`], [`page`] and [`games`] are the project's own; [`moodle`], [`gradescope`], [`junit`] and
//! [`github`] write files that other systems read.

pub mod games;
pub mod github;
pub mod gradescope;
pub mod junit;
pub mod moodle;
pub mod page;

use super::table::decimal;
use crate::mark::Marked;
use courses::drawing::Language;
use courses::marking::{Card, Item};
use serde_json::{Value, json};

/// The result of a class.
#[derive(Debug, Clone, Copy)]
pub struct Gradebook<'a> {
    /// The title of the assignment.
    pub title: &'a str,
    /// The programs with their cards.
    pub marked: &'a [Marked],
    /// The language of what a person reads.
    pub language: Language,
}

/// Returns the points earned in criteria that a program marks, and their maximum.
fn total(card: &Card) -> (f64, f64) {
    let marked = card.items.iter().filter_map(|item| Some((item.points?, item.of)));
    marked.fold((0.0, 0.0), |(earned, of), (points, most)| (earned + points, of + most))
}

/// Returns the points of a criterion or a card in words.
fn points_of(points: f64, of: f64, language: Language) -> String {
    let points = decimal(points, 1, language);
    language
        .choose(&format!("{points} points sur {of:.0}"), &format!("{points} of {of:.0} points"))
        .to_owned()
}

/// Returns all cards as JSON.
#[must_use]
pub fn json(class: &[Marked]) -> Value {
    let one = |marked: &Marked| {
        let (points, of) = total(&marked.card);
        json!({ "player": marked.player, "card": marked.card, "points": points, "of": of, "crashes": marked.crashes })
    };
    class.iter().map(one).collect()
}

/// Returns the names of the other columns of the players file.
fn carried(class: &[Marked]) -> Vec<&str> {
    let mut carried: Vec<&str> = Vec::new();
    for (column, _) in class.iter().flat_map(|marked| &marked.player.columns) {
        if !carried.contains(&column.as_str()) {
            carried.push(column);
        }
    }
    carried
}

/// Returns a player's text in another column of the players file, empty if it has none.
fn text_of<'a>(marked: &'a Marked, column: &str) -> &'a str {
    marked.player.columns.iter().find(|(name, _)| name == column).map_or("", |(_, text)| text)
}

/// Returns the gradebook: one line a player, one column a criterion.
///
/// # Errors
/// The writer's error.
pub fn csv(class: &[Marked]) -> Result<String, csv::Error> {
    let mut names: Vec<&str> = Vec::new();
    for item in class.iter().flat_map(|marked| &marked.card.items) {
        if item.points.is_some() && !names.contains(&item.name.as_str()) {
            names.push(&item.name);
        }
    }
    let mut table = csv::Writer::from_writer(Vec::new());
    // Other columns of the players file follow the name unchanged.
    let carried = carried(class);
    let header = ["name"].into_iter().chain(carried.iter().copied()).chain(names.iter().copied());
    let header = header.chain(["total", "of", "crashes"]);
    table.write_record(header)?;
    for marked in class {
        let of = |name: &&str| marked.card.items.iter().find(|item| item.name == **name);
        let points =
            |item: Option<&Item>| item.and_then(|item| item.points).map(|points| format!("{points:.1}"));
        let (earned, most) = total(&marked.card);
        let mut row = vec![not_a_formula(&marked.player.name)];
        row.extend(carried.iter().map(|column| text_of(marked, column).to_owned()));
        row.extend(names.iter().map(|name| points(of(name)).unwrap_or_default()));
        row.extend([format!("{earned:.1}"), format!("{most:.0}"), marked.crashes.to_string()]);
        table.write_record(row)?;
    }
    finished(table)
}

/// Returns a name that no spreadsheet takes for a formula: a student may choose the name of an archive.
fn not_a_formula(name: &str) -> String {
    let mark = if name.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("{mark}{name}")
}

/// Returns the text of a table.
fn finished(table: csv::Writer<Vec<u8>>) -> Result<String, csv::Error> {
    let bytes = table.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mark::class::Entry;

    /// A program with these columns, 1.5 of 3 points and a criterion to be marked by a person.
    pub(super) fn marked(name: &str, columns: &[(&str, &str)]) -> Marked {
        let columns = columns.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let player = Entry { columns, ..Entry::new(name, "./x") };
        let item = |name: &str, points| Item {
            name: name.into(),
            points,
            of: 3.0,
            notes: vec!["a <b> & \u{1b}[1m%".into()],
        };
        let items = vec![item("rules", Some(1.5)), item("style", None)];
        Marked { player, card: Card::new("t".into(), items), crashes: 0, games: Vec::new() }
    }

    /// The cards of a class in English.
    pub(super) fn book(marked: &[Marked]) -> Gradebook<'_> {
        Gradebook { title: "t", marked, language: Language::English }
    }

    pub(super) fn class(students: &[(&str, &[(&str, &str)])]) -> Vec<Marked> {
        students.iter().map(|(name, columns)| marked(name, columns)).collect()
    }

    #[test]
    fn a_name_is_no_formula_in_the_gradebook() {
        let names = ["=1+1", "@SUM(A1)", "+1", "-1", "Ana=B"];
        let students = names.map(|name| (name, &[][..]));
        let text = csv(&class(&students)).unwrap();
        let cells: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        assert_eq!(cells, ["'=1+1", "'@SUM(A1)", "'+1", "'-1", "Ana=B"]);
    }

    #[test]
    fn the_gradebook_carries_the_columns_of_the_players_file() {
        let item = Item { name: "a".into(), points: Some(1.0), of: 2.0, notes: Vec::new() };
        let marked = |name: &str, columns: &[(&str, &str)]| {
            let columns = columns.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            let player = Entry { columns, ..Entry::new(name, "./x") };
            Marked { player, card: Card::new("t".into(), vec![item.clone()]), crashes: 0, games: Vec::new() }
        };
        let class = [marked("Ana", &[("id", "007"), ("mail", "a@x.org")]), marked("Bo", &[("id", "8")])];
        assert_eq!(
            csv(&class).unwrap(),
            "name,id,mail,a,total,of,crashes\nAna,007,a@x.org,1.0,1.0,2,0\nBo,8,,1.0,1.0,2,0\n"
        );
    }
}
