//! Grades for Moodle, as CSV: its grade import by ID number or e-mail address, and its offline grading worksheet.
//!
//! The names of the columns are those of Moodle's own exports in English. The import into the gradebook asks for the
//! meaning of each column, and the worksheet's upload looks for `Identifier`, `Grade` and `Last modified (grade)`.

use super::Gradebook;
use crate::mark::class::{Entry, PARTICIPANT};
use courses::drawing::preformatted;

/// Names of the class's columns with a student's number, in lower case.
const NUMBER: [&str; 6] = ["id", "id number", "idnumber", "number", "matricule", "numéro d'identification"];
/// Names of the class's columns with an e-mail address, in lower case.
const MAIL: [&str; 6] = ["e-mail", "email", "mail", "email address", "courriel", "adresse de courriel"];

/// Returns a player's text in the first column with one of these names.
fn text_of<'a>(player: &'a Entry, names: &[&str]) -> Option<&'a str> {
    let mut columns = player.columns.iter();
    columns.find(|(name, _)| names.contains(&name.to_lowercase().as_str())).map(|(_, text)| text.as_str())
}

/// Returns the first student that Moodle could not recognise: without number, address and participant.
#[must_use]
pub fn unknown(class: &[Entry]) -> Option<&str> {
    let names = [&NUMBER[..], &MAIL, &[PARTICIPANT]].concat();
    let is_known = |player: &&Entry| text_of(player, &names).is_some_and(|text| !text.is_empty());
    class.iter().find(|player| !is_known(player)).map(|player| player.name.as_str())
}

/// Returns the grades with the cards as feedback, one line a student.
///
/// # Errors
/// The writer's error.
pub fn csv(gradebook: &Gradebook<'_>) -> Result<String, csv::Error> {
    let class = gradebook.marked;
    let has = |names: &[&str]| class.iter().any(|marked| text_of(&marked.player, names).is_some());
    let (participants, numbers, mails) = (has(&[PARTICIPANT]), has(&NUMBER), has(&MAIL));
    let chosen = |cells: [(bool, String); 8]| {
        cells.into_iter().filter_map(|(is_there, text)| is_there.then_some(text))
    };
    let head = [
        (participants, "Identifier"),
        (true, "Full name"),
        (numbers, "ID number"),
        (mails, "Email address"),
        (true, "Grade"),
        (true, "Maximum grade"),
        (participants, "Last modified (grade)"),
        (true, "Feedback comments"),
    ];
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(chosen(head.map(|(is_there, text)| (is_there, text.to_owned()))))?;
    for marked in class {
        let (points, of) = super::total(&marked.card);
        let cell = |names: &[&str]| text_of(&marked.player, names).unwrap_or_default().to_owned();
        let participant =
            text_of(&marked.player, &[PARTICIPANT]).map(|number| format!("Participant {number}"));
        // Moodle shows feedback as HTML.
        let feedback = format!("<pre>{}</pre>", preformatted(&marked.card.text(gradebook.language)));
        table.write_record(chosen([
            (participants, participant.unwrap_or_default()),
            (true, marked.player.name.clone()),
            (numbers, cell(&NUMBER)),
            (mails, cell(&MAIL)),
            (true, format!("{points:.2}")),
            (true, format!("{of:.2}")),
            (participants, "-".to_owned()),
            (true, feedback),
        ]))?;
    }
    super::finished(table)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{book, class, marked};
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let head = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
        std::iter::once(head).chain(rows).collect()
    }

    /// Every column is one that Moodle's user mapping, its grade mapping or its worksheet knows.
    #[test]
    fn the_columns_are_those_of_moodles_import() {
        let class =
            class(&[("Ana", &[("Matricule", "007"), ("E-mail", "a@x.org")]), ("Bo", &[("matricule", "8")])]);
        let rows = rows(&csv(&book(&class)).unwrap());
        let head = ["Full name", "ID number", "Email address", "Grade", "Maximum grade", "Feedback comments"];
        assert_eq!(rows[0], head);
        assert_eq!(rows[1][..5], ["Ana", "007", "a@x.org", "1.50", "3.00"]);
        assert_eq!(rows[2][..3], ["Bo", "8", ""]);
        assert!(rows[1][5].starts_with("<pre>") && rows[1][5].contains("a &lt;b&gt;"), "{}", rows[1][5]);
    }

    #[test]
    fn a_moodle_export_gives_its_own_worksheet_back() {
        let class = class(&[("Ana", &[("participant", "12345")])]);
        let rows = rows(&csv(&book(&class)).unwrap());
        for needed in ["Identifier", "Grade", "Last modified (grade)"] {
            assert!(rows[0].iter().any(|name| name == needed), "{needed}: {:?}", rows[0]);
        }
        // The number follows the word for a hidden user.
        assert_eq!(rows[1][0].strip_prefix("Participant ").unwrap().parse::<u32>(), Ok(12345));
    }

    #[test]
    fn a_student_without_any_mark_of_identity_is_named() {
        let known = marked("Ana", &[("Id Number", "7")]).player;
        assert_eq!(unknown(std::slice::from_ref(&known)), None);
        assert_eq!(unknown(&[known, marked("Bo", &[("id", "")]).player]), Some("Bo"));
    }
}
