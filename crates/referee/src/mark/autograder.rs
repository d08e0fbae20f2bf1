//! The archive that makes Gradescope mark each submission with this referee.
//!
//! Gradescope unpacks it to `/autograder/source`, runs `setup.sh` once, copies `run_autograder` to `/autograder` and runs it
//! there for each submission.

use courses::archive::Tree;

/// Returns the archive's files: the two scripts, and the referee that they start with these arguments of `mark`.
#[must_use]
pub fn tree(options: &[String], referee: Vec<u8>) -> Tree {
    let options: Vec<_> = options.iter().map(|word| shell_words::quote(word)).collect();
    let script = include_str!("autograder/run_autograder").replace("{{OPTIONS}}", &options.join(" "));
    let mut tree = Tree::default();
    tree.put_executable("setup.sh", include_str!("autograder/setup.sh"));
    tree.put_executable("run_autograder", script);
    tree.put_executable("referee", referee);
    tree
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;
    use courses::archive::{Bounds, Form};
    use std::process::Command;

    #[test]
    fn the_archive_has_the_scripts_at_its_root_and_marks_as_gradescope_asks() {
        // In place of the referee, a script that shows its arguments.
        let shows = "#!/bin/sh\nprintf '%s\\n' \"$@\" >results/results.json\nexit 1\n";
        let options = ["GAME", "--bin-dir", "a b"].map(str::to_owned);
        let bytes = Form::Zip.pack(&tree(&options, shows.into())).unwrap();
        let unpacked = Form::Zip.unpack(&bytes, Bounds::STUDENT).unwrap();
        assert_eq!(
            unpacked.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            ["referee", "run_autograder", "setup.sh"]
        );
        assert!(unpacked.iter().all(|(_, file)| file.executable && file.bytes.starts_with(b"#!")));
        let place = tempfile::tempdir().unwrap();
        let place = place.path();
        for folder in ["results", "submission"] {
            std::fs::create_dir(place.join(folder)).unwrap();
        }
        unpacked.write(&place.join("source")).unwrap();
        std::fs::copy(place.join("source/run_autograder"), place.join("run_autograder")).unwrap();
        let run = || Command::new(place.join("run_autograder")).current_dir("/").status().unwrap();
        assert!(run().success());
        let words = std::fs::read_to_string(place.join("results/results.json")).unwrap();
        let expected =
            "mark\nGAME\n--bin-dir\na b\n--folder\nsubmission\n--gradescope\nresults/results.json\n";
        assert_eq!(words, expected);
        // Without results the run has failed.
        std::fs::write(place.join("source/referee"), "#!/bin/sh\nexit 2\n").unwrap();
        assert!(!run().success());
    }
}
