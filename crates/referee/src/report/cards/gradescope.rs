//! Results of one program for Gradescope (`results.json`).
//!
//! The fields are those of Gradescope's autograder specification.

use super::total;
use crate::mark::Marked;
use courses::drawing::Language;
use courses::french::say;
use serde_json::{Value, json};

/// Returns the results of a program: a test for each criterion, and a leaderboard by points.
#[must_use]
pub fn results(marked: &Marked, language: Language) -> Value {
    let card = &marked.card;
    let (points, of) = total(card);
    let test = |(number, item): (usize, &courses::marking::Item)| {
        let mut test = json!({
            "name": say(&item.name, language),
            "number": number.to_string(),
            "output": item.notes_in(language).join("\n"),
            "visibility": "visible",
        });
        // A criterion that a person marks has no points here.
        if let Some(points) = item.points {
            test["score"] = json!(points);
            test["max_score"] = json!(item.of);
        }
        test
    };
    json!({
        "score": points,
        "output": card.head(language),
        "visibility": "visible",
        "tests": (1..).zip(&card.items).map(test).collect::<Vec<_>>(),
        "leaderboard": [
            { "name": "points", "value": points },
            { "name": "crashes", "value": marked.crashes, "order": "asc" },
        ],
        "extra_data": { "of": of, "crashes": marked.crashes },
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::marked;
    use super::*;

    /// The fields of an object and their types, with true for those that must be there.
    type Fields<'a> = &'a [(&'a str, fn(&Value) -> bool, bool)];

    const RESULTS: Fields<'_> = &[
        ("score", Value::is_number, true),
        ("execution_time", Value::is_number, false),
        ("output", Value::is_string, false),
        ("visibility", is_visibility, false),
        ("stdout_visibility", is_visibility, false),
        ("extra_data", Value::is_object, false),
        ("tests", Value::is_array, true),
        ("leaderboard", Value::is_array, false),
    ];
    const TEST: Fields<'_> = &[
        ("score", Value::is_number, false),
        ("max_score", Value::is_number, false),
        ("name", Value::is_string, false),
        ("number", Value::is_string, false),
        ("output", Value::is_string, false),
        ("tags", Value::is_array, false),
        ("visibility", is_visibility, false),
        ("extra_data", Value::is_object, false),
    ];
    const LEADERBOARD: Fields<'_> =
        &[("name", Value::is_string, true), ("value", is_value, true), ("order", is_order, false)];

    fn is_visibility(value: &Value) -> bool {
        ["hidden", "after_due_date", "after_published", "visible"].iter().any(|known| value == known)
    }

    fn is_value(value: &Value) -> bool {
        value.is_number() || value.is_string()
    }

    fn is_order(value: &Value) -> bool {
        value == "asc" || value == "desc"
    }

    fn check(object: &Value, fields: Fields<'_>) {
        let object = object.as_object().unwrap();
        for (name, value) in object {
            let field = fields.iter().find(|(known, ..)| known == name);
            let (_, is_right, _) = field.unwrap_or_else(|| panic!("no field {name}"));
            assert!(is_right(value), "{name}: {value}");
        }
        for (name, ..) in fields.iter().filter(|(.., is_needed)| *is_needed) {
            assert!(object.contains_key(*name), "{name} is missing");
        }
    }

    #[test]
    fn every_field_is_one_of_the_specification() {
        let results = results(&marked("Ana", &[]), Language::English);
        check(&results, RESULTS);
        let tests = results["tests"].as_array().unwrap();
        tests.iter().for_each(|test| check(test, TEST));
        results["leaderboard"].as_array().unwrap().iter().for_each(|line| check(line, LEADERBOARD));
        assert_eq!((results["score"].as_f64(), tests.len()), (Some(1.5), 2));
        assert!(tests[1].get("score").is_none(), "a person marks it");
    }
}
