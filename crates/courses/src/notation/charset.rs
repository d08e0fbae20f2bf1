//! Decodes files of games. SGF names its character set in `CA`, and all other files are decoded by [`wire::text`].

use super::tree::Tree;
use crate::fault::excerpt;
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use wire::text;

/// The character set of an SGF game is unknown, and the game has text outside ASCII.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("CA[{label}]: unknown character set; expected one such as UTF-8, ISO-8859-1, Big5, GBK or Shift_JIS")]
pub struct UnknownCharset {
    /// The text of the property `CA`, shortened.
    label: String,
}

/// Decodes a file or an upload. Each game of SGF has its own character set. A game without one has that of the game
/// before it.
///
/// # Errors
/// [`UnknownCharset`].
pub fn decode(bytes: &[u8]) -> Result<String, UnknownCharset> {
    let plain = text::decode(bytes);
    if text::is_marked(bytes) || bytes.is_ascii() || Tree::of(&plain) != Some(Tree::Numbered) {
        return Ok(plain);
    }
    let mut whole = String::new();
    let mut charset = Ok(None);
    for game in games(bytes) {
        if let Some(name) = property(game) {
            charset = encoding(&text::decode(name));
        }
        match &charset {
            Ok(None) => whole += &text::decode(game),
            Ok(Some(encoding)) => whole += &encoding.decode_without_bom_handling(game).0,
            Err(_) if game.is_ascii() => whole += &text::decode(game),
            Err(error) => return Err(error.clone()),
        }
    }
    Ok(whole)
}

/// Returns the encoding of a label, or `None` for UTF-8 and Latin-1, which [`text::decode`] tells apart.
fn encoding(label: &str) -> Result<Option<&'static Encoding>, UnknownCharset> {
    // Code pages of Windows that the WHATWG Encoding Standard has under other labels only.
    const PAGES: [(&str, &str); 4] =
        [("cp932", "shift_jis"), ("cp936", "gbk"), ("cp949", "euc-kr"), ("cp950", "big5")];
    let label = label.trim();
    if label.is_empty() {
        return Ok(None);
    }
    let page = PAGES.iter().find(|(page, _)| label.eq_ignore_ascii_case(page));
    let found = Encoding::for_label(page.map_or(label, |(_, label)| label).as_bytes());
    match found.filter(|found| ![REPLACEMENT, X_USER_DEFINED].contains(found)) {
        None => Err(UnknownCharset { label: excerpt(label) }),
        // The label can be read, so the file is not UTF-16.
        Some(found) => {
            Ok(Some(found).filter(|found| ![UTF_8, WINDOWS_1252, UTF_16BE, UTF_16LE].contains(found)))
        }
    }
}

/// Splits a text before each game and each variation. No encoding of several bytes has an opening parenthesis or a
/// semicolon in its characters.
fn games(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let begins = |&at: &usize| {
        bytes[at] == b'(' && bytes[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b';')
    };
    let mut starts = vec![0];
    starts.extend((1..bytes.len()).filter(begins));
    starts.push(bytes.len());
    (1..starts.len()).map(move |nth| &bytes[starts[nth - 1]..starts[nth]])
}

/// Returns the value of the first `CA` that stands after the beginning of a node or another property.
fn property(game: &[u8]) -> Option<&[u8]> {
    let is_property = |&at: &usize| {
        let before = game[..at].iter().rfind(|byte| !byte.is_ascii_whitespace());
        game[at..].starts_with(b"CA") && before.is_none_or(|byte| b";](".contains(byte))
    };
    let value = |at: usize| {
        let rest = game[at + 2..].trim_ascii_start().strip_prefix(b"[")?;
        rest.iter().position(|&byte| byte == b']').map(|end| &rest[..end])
    };
    (0..game.len()).filter(is_property).find_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;

    /// Returns the first player of each game of a file.
    fn players(bytes: &[u8]) -> Vec<String> {
        let text = decode(bytes).unwrap();
        let games = notation::of(&text).expect("a notation").read(&text, 9);
        games
            .unwrap_or_else(|error| panic!("{error}: {text}"))
            .into_iter()
            .map(|mut game| game.names.remove(0))
            .collect()
    }

    /// Returns a game with a player's name in some encoding.
    fn game(label: &str, name: &[u8]) -> Vec<u8> {
        [format!("(;GM[4]SZ[9]\nCA [{label}]PB[").as_bytes(), name, b"];B[aa];W[bb])\n"].concat()
    }

    #[test]
    fn a_player_has_the_same_name_in_every_encoding() {
        // In Big5 and Shift_JIS the second byte of these characters is a bracket or a backslash.
        let big5: [(&str, &[u8], &str); 3] = [
            ("Big5", b"\xb3\x5c\xa5\x5c\xbb\x5c", "許功蓋"),
            ("big5", b"\xa5\x5d", "包"),
            ("CP950", b"\xbf\x5b", "璟"),
        ];
        let others: [(&str, &[u8], &str); 10] = [
            ("GBK", b"\xb9\xc5\xc1\xa6", "古力"),
            ("gb2312", b"\xb9\xc5\xc1\xa6", "古力"),
            ("GB18030", b"\x81\x5b", "乕"),
            ("Shift_JIS", b"\x83\x5c\x83\x5d", "ソゾ"),
            ("EUC-JP", b"\xb0\xe6\xbb\xb3", "井山"),
            ("EUC-KR", b"\xc0\xcc", "이"),
            ("ISO-8859-2", b"Luk\xe1\xb9", "Lukáš"),
            ("koi8-r", b"\xe9\xd7\xc1\xce", "Иван"),
            ("ISO-8859-1", b"Andr\xe9", "André"),
            ("UTF-8", b"Andr\xc3\xa9", "André"),
        ];
        for (label, bytes, name) in big5.into_iter().chain(others) {
            assert_eq!(players(&game(label, bytes)), [name], "{label}");
        }
        assert_eq!(players(&game("", b"Andr\xe9")), ["André"]);
        assert_eq!(players(b"(;GM[4]PB[Andr\xe9];B[aa])"), ["André"], "the default of SGF is Latin-1");
    }

    #[test]
    fn each_game_has_its_own_character_set() {
        let file = [game("Big5", b"\xa5\x5d"), game("GBK", b"\xb9\xc5"), game("utf-8", b"\xc3\xa9")].concat();
        assert_eq!(players(&file), ["包", "古", "é"]);
        let wide: Vec<u8> =
            "\u{feff}(;GM[4]CA[Big5]PB[包];B[aa])".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(players(&wide), ["包"], "a byte order mark says more than a label");
    }

    #[test]
    fn an_unknown_character_set_is_named_where_it_matters() {
        let error = |label: &str| decode(&game(label, b"\xe9")).unwrap_err().to_string();
        let known = "unknown character set; expected one such as UTF-8, ISO-8859-1, Big5, GBK or Shift_JIS";
        assert_eq!(error("Klingon"), format!("CA[Klingon]: {known}"));
        assert_eq!(error("iso-2022-kr"), format!("CA[iso-2022-kr]: {known}"));
        assert_eq!(players(&game("Klingon", b"Ana")), ["Ana"]);
        assert_eq!(decode(b"f5d6 \xe9\n").unwrap(), "f5d6 é\n");
    }
}
