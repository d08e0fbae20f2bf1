//! Cards as JUnit XML: a suite for each program, a test case for each criterion.

use super::Gradebook;
use courses::drawing::Language;
use courses::french::say;
use courses::marking::Item;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// Returns the cards as XML. A criterion with all its points passes, and one that a person marks is skipped.
///
/// # Errors
/// The writer's error.
pub fn xml(gradebook: &Gradebook<'_>) -> Result<String, quick_junit::SerializeError> {
    let language = gradebook.language;
    let mut report = Report::new(gradebook.title);
    for marked in gradebook.marked {
        let mut suite = TestSuite::new(marked.player.name.as_str());
        for item in &marked.card.items {
            let mut case = TestCase::new(say(&item.name, language), status(item, language));
            case.set_classname(marked.player.name.as_str());
            if !item.notes.is_empty() && matches!(case.status, TestCaseStatus::Success { .. }) {
                case.set_system_out(item.notes_in(language).join("\n"));
            }
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    Ok(without_skipped(legible(&report.to_string()?)))
}

/// Replaces the two characters that XML does not have, and that the library leaves.
fn legible(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Removes the number of skipped cases from the root element, where the schema of Jenkins' xUnit plugin has none.
fn without_skipped(mut text: String) -> String {
    const ATTRIBUTE: &str = " skipped=\"";
    // Quotes in a name are escaped, so that the first match is the root's attribute.
    if let Some(start) = text.find(ATTRIBUTE)
        && let Some(length) = text[start + ATTRIBUTE.len()..].find('"')
    {
        text.replace_range(start..=start + ATTRIBUTE.len() + length, "");
    }
    text
}

fn status(item: &Item, language: Language) -> TestCaseStatus {
    let notes = item.notes_in(language).join("\n");
    let Some(points) = item.points else {
        let mut skipped = TestCaseStatus::skipped();
        skipped.set_message(language.choose("à noter par une personne", "marked by a person"));
        skipped.set_description(notes);
        return skipped;
    };
    if points >= item.of {
        return TestCaseStatus::success();
    }
    let mut failure = TestCaseStatus::non_success(NonSuccessKind::Failure);
    failure.set_type("points").set_message(super::points_of(points, item.of, language));
    failure.set_description(notes);
    failure
}

#[cfg(test)]
mod tests {
    use super::super::tests::{book, class};
    use super::*;
    use quick_xml::events::Event;

    /// An element: name, attributes, those required, and children.
    type Element = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

    /// The elements of the schema `junit-10.xsd` of Jenkins' xUnit plugin.
    const SCHEMA: [Element; 9] = [
        ("testsuites", &["name", "time", "tests", "failures", "errors"], &[], &["testsuite"]),
        (
            "testsuite",
            &[
                "name",
                "tests",
                "failures",
                "errors",
                "group",
                "time",
                "skipped",
                "timestamp",
                "hostname",
                "id",
            ],
            &["name", "tests", "failures", "errors"],
            &["testsuite", "properties", "testcase", "system-out", "system-err"],
        ),
        (
            "testcase",
            &["name", "time", "classname", "group"],
            &["name"],
            &["skipped", "error", "failure", "system-out", "system-err"],
        ),
        ("failure", &["type", "message"], &[], &[]),
        ("error", &["type", "message"], &[], &[]),
        ("skipped", &["type", "message"], &[], &[]),
        ("system-out", &[], &[], &[]),
        ("system-err", &[], &[], &[]),
        ("properties", &[], &[], &["property"]),
    ];

    #[test]
    fn every_element_and_attribute_is_one_of_the_schema() {
        let class = class(&[("Ana \u{1b}[1m<&>\u{fffe}\u{ffff}", &[]), ("Bo", &[])]);
        let text = xml(&book(&class)).unwrap();
        let mut reader = quick_xml::Reader::from_str(&text);
        let (mut open, mut seen) = (Vec::<String>::new(), Vec::<String>::new());
        loop {
            let event = reader.read_event().unwrap();
            match event {
                Event::Start(ref tag) | Event::Empty(ref tag) => {
                    let name = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
                    let of = |name: &str| SCHEMA.iter().find(|(known, ..)| *known == name);
                    let (_, attributes, required, _) =
                        of(&name).unwrap_or_else(|| panic!("no element {name}"));
                    let given: Vec<String> = tag
                        .attributes()
                        .map(|one| String::from_utf8(one.unwrap().key.as_ref().to_vec()).unwrap())
                        .collect();
                    assert!(given.iter().all(|one| attributes.contains(&one.as_str())), "{name}: {given:?}");
                    assert!(
                        required.iter().all(|one| given.iter().any(|has| has == one)),
                        "{name}: {given:?}"
                    );
                    if let Some(parent) = open.last() {
                        let (.., children) = of(parent).unwrap();
                        assert!(children.contains(&name.as_str()), "{name} in {parent}");
                    }
                    seen.push(name.clone());
                    if matches!(event, Event::Start(_)) {
                        open.push(name);
                    }
                }
                Event::End(_) => drop(open.pop()),
                Event::Eof => break,
                _ => {}
            }
        }
        let count = |name: &str| seen.iter().filter(|of| *of == name).count();
        assert_eq!((count("testsuite"), count("testcase"), count("failure"), count("skipped")), (2, 4, 2, 2));
        assert!(!text.contains(['\u{1b}', '\u{fffe}', '\u{ffff}']), "XML has no such characters");
    }
}
