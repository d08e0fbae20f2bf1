//! Hard spaces of French: no line of a page begins with a colon or a question mark.

use courses::drawing::Language;
use maud::Markup;

/// Signs that a space before them keeps to their word.
const SIGNS: [char; 5] = [':', ';', '?', '!', '»'];

/// Returns HTML as text. In French the spaces before double signs and within quotes are hard ones; attributes and what
/// somebody typed stay as they are.
pub fn text(html: Markup, language: Language) -> String {
    let html = html.into_string();
    if language != Language::French {
        return html;
    }
    let mut all = String::with_capacity(html.len() + 64);
    for (nth, part) in html.split('<').enumerate() {
        if nth > 0 {
            all.push('<');
        }
        let (tag, words) = part.split_at(part.find('>').map_or(0, |end| end + 1));
        all.push_str(tag);
        if tag.starts_with("textarea") {
            all.push_str(words);
        } else {
            harden(words, &mut all);
        }
    }
    all
}

fn harden(words: &str, all: &mut String) {
    let mut letters = words.chars().peekable();
    let mut before = None;
    while let Some(letter) = letters.next() {
        let is_hard =
            letter == ' ' && (before == Some('«') || letters.peek().is_some_and(|next| SIGNS.contains(next)));
        all.push(if is_hard { '\u{a0}' } else { letter });
        before = Some(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maud::html;

    #[test]
    fn a_colon_keeps_to_its_word_in_french_alone() {
        let page = || html! { p title="a : b" { "« a » : b ? " b { "c" } " : d" } textarea { "e : f" } };
        let wanted = "<p title=\"a : b\">«\u{a0}a\u{a0}»\u{a0}: b\u{a0}? <b>c</b>\u{a0}: d</p><textarea>e : f</textarea>";
        assert_eq!(text(page(), Language::French), wanted);
        assert_eq!(text(page(), Language::English), wanted.replace('\u{a0}', " "));
    }
}
