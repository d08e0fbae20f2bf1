//! Examples in Markdown: fenced blocks in which a line begins with `$ `.
//!
//! All commands of a block form one script, and the other lines are its expected output. In that output, `…` stands for
//! any text, or for any lines if it is alone. Blocks fenced as `text` are not examples: they show programs that wait
//! for each other.

/// A fenced block with commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The line of the first command in the document, from 1.
    pub line: usize,
    /// The commands, a line each; a command continues after a backslash.
    pub script: String,
    /// The expected output, line by line.
    pub output: Vec<String>,
}

/// The examples of a document.
#[must_use]
pub fn examples(document: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let mut block: Option<Example> = None;
    let mut inside = false;
    let (mut shown, mut goes_on) = (false, false);
    for (number, line) in document.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            found.extend(block.take());
            inside = !inside;
            shown = line.trim() == "```text";
        } else if inside && !shown {
            let command = line.strip_prefix("$ ").or(goes_on.then_some(line));
            match (command, &mut block) {
                (Some(command), block) => {
                    let empty = || Example { line: number + 1, script: String::new(), output: Vec::new() };
                    let example = block.get_or_insert_with(empty);
                    example.script.push_str(command);
                    example.script.push('\n');
                    goes_on = command.ends_with('\\');
                }
                (None, Some(example)) => example.output.push(line.trim_end().to_owned()),
                (None, None) => {}
            }
        }
    }
    found
}

/// Returns true if the printed lines match the document's.
#[must_use]
pub fn is_as_told(told: &[String], printed: &[String]) -> bool {
    match told.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line.trim() == "…" => {
            (0..=printed.len()).any(|skipped| is_as_told(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| is_line_as_told(line, first) && is_as_told(rest, others)),
    }
}

/// Compares a printed line with the document's, ignoring blanks at the end.
fn is_line_as_told(told: &str, printed: &str) -> bool {
    let mut parts = told.trim_end().split('…');
    let Some(mut left) = parts.next().and_then(|first| printed.trim_end().strip_prefix(first)) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(before) = last.replace(part) {
            let Some((_, behind)) = left.split_once(before) else { return false };
            left = behind;
        }
    }
    last.map_or(left.is_empty(), |end| left.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_block_with_commands_is_an_example() {
        let text = "```\nusage\n```\ntext\n```\n$ one \\\n    more\nprinted\n$ two\nprinted, too \n```\n```text\n$ three\n```\n";
        let [example] = &examples(text)[..] else { panic!() };
        assert_eq!((example.line, example.script.as_str()), (6, "one \\\n    more\ntwo\n"));
        assert_eq!(example.output, ["printed", "printed, too"]);
    }

    #[test]
    fn dots_stand_for_any_text_and_any_lines() {
        let told = lines("a … ms, … of 3\n…\nend");
        assert!(is_as_told(&told, &lines("a 12 ms, 3 of 3\nx\ny\nend")));
        assert!(is_as_told(&told, &lines("a 12 ms, 3 of 3\nend  ")));
        assert!(!is_as_told(&told, &lines("a 12 ms, 3 of 4\nend")));
        assert!(!is_as_told(&told, &lines("a 12 s, 3 of 3\nend")));
        assert!(!is_as_told(&told, &lines("a 12 ms, 3 of 3\nx\ny")));
        assert!(!is_as_told(&lines("a"), &lines("a\nb")) && !is_as_told(&lines("a"), &[]));
    }
}
