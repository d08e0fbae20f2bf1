//! The result of a class in each format.
//!
//! [`json`], [`csv`] and [`page`] are the project's own; [`moodle`], [`gradescope`], [`junit`] and [`github`] write what
//! other systems read.

pub mod github;
pub mod gradescope;
pub mod junit;
pub mod moodle;

use super::svg::escape;
use crate::mark::Marked;
use courses::drawing::preformatted;
use courses::marking::{Card, Item};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The column with a student's number in a Moodle assignment, in lower case.
pub const PARTICIPANT: &str = "participant";

/// The result of a class.
#[derive(Debug, Clone, Copy)]
pub struct Gradebook<'a> {
    /// The title of the assignment.
    pub title: &'a str,
    /// The programs with their cards.
    pub marked: &'a [Marked],
}

/// Returns the points earned in criteria that a program marks, and their maximum.
fn total(card: &Card) -> (f64, f64) {
    let marked = card.items.iter().filter_map(|item| Some((item.points?, item.of)));
    marked.fold((0.0, 0.0), |(earned, of), (points, most)| (earned + points, of + most))
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
        let mut row = vec![marked.player.name.clone()];
        row.extend(carried.iter().map(|column| text_of(marked, column).to_owned()));
        row.extend(names.iter().map(|name| points(of(name)).unwrap_or_default()));
        row.extend([format!("{earned:.1}"), format!("{most:.0}"), marked.crashes.to_string()]);
        table.write_record(row)?;
    }
    finished(table)
}

/// Returns the text of a table.
fn finished(table: csv::Writer<Vec<u8>>) -> Result<String, csv::Error> {
    let bytes = table.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// Returns all cards on one page.
#[must_use]
pub fn page(class: &[Marked]) -> String {
    let mut html = String::from(
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>The class</title><style>\
         body{font:15px/1.45 system-ui,sans-serif;max-width:860px;margin:2rem auto;padding:0 1rem}\
         table{border-collapse:collapse}td,th{padding:.3rem .7rem;text-align:left}\
         pre{overflow-x:auto}</style></head><body><h1>The class</h1>\
         <table><tr><th>name</th>",
    );
    let carried = carried(class);
    for column in &carried {
        let _ = write!(html, "<th>{}</th>", escape(column));
    }
    html.push_str("<th>points</th><th>of</th><th>crashes</th></tr>");
    for marked in class {
        let (earned, of) = total(&marked.card);
        let name = escape(&marked.player.name);
        let crashes = marked.crashes;
        let _ = write!(html, "<tr><td><a href='#{name}'>{name}</a></td>");
        for column in &carried {
            let _ = write!(html, "<td>{}</td>", escape(text_of(marked, column)));
        }
        let _ = write!(html, "<td>{earned:.1}</td><td>{of:.0}</td><td>{crashes}</td></tr>");
    }
    html.push_str("</table>");
    for marked in class {
        let name = escape(&marked.player.name);
        let _ =
            write!(html, "<h2 id='{name}'>{name}</h2><pre>{}</pre>", preformatted(&marked.card.to_string()));
    }
    html + "</body></html>\n"
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
        Marked { player, card: Card::new("t".into(), items), crashes: 0 }
    }

    pub(super) fn class(students: &[(&str, &[(&str, &str)])]) -> Vec<Marked> {
        students.iter().map(|(name, columns)| marked(name, columns)).collect()
    }

    #[test]
    fn the_gradebook_carries_the_columns_of_the_players_file() {
        let item = Item { name: "a".into(), points: Some(1.0), of: 2.0, notes: Vec::new() };
        let marked = |name: &str, columns: &[(&str, &str)]| {
            let columns = columns.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            let player = Entry { columns, ..Entry::new(name, "./x") };
            Marked { player, card: Card::new("t".into(), vec![item.clone()]), crashes: 0 }
        };
        let class = [marked("Ana", &[("id", "007"), ("mail", "a@x.org")]), marked("Bo", &[("id", "8")])];
        assert_eq!(
            csv(&class).unwrap(),
            "name,id,mail,a,total,of,crashes\nAna,007,a@x.org,1.0,1.0,2,0\nBo,8,,1.0,1.0,2,0\n"
        );
        let page = page(&class);
        for text in [
            "<th>id</th><th>mail</th><th>points</th>",
            "<td>007</td><td>a@x.org</td><td>1.0</td>",
            "<td>8</td><td></td>",
        ] {
            assert!(page.contains(text), "{text}: {page}");
        }
    }

    #[test]
    fn a_page_keeps_the_lines_of_a_card() {
        let item = Item { name: "a <b>".into(), points: Some(1.0), of: 2.0, notes: vec!["first".into()] };
        let card = Card::new("t".into(), vec![item]);
        let entry = Entry::new("Ana", "./ana");
        let page = page(&[Marked { player: entry, card: card.clone(), crashes: 0 }]);
        let pre = page.split_once("<pre>").unwrap().1.split_once("</pre>").unwrap().0;
        assert_eq!(pre.lines().count(), card.to_string().lines().count());
        assert!(pre.contains("a &lt;b&gt; ") && !page.contains('\u{fffd}'), "{page}");
    }
}
