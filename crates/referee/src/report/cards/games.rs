//! The games of one program on a page, each with all its boards.

use crate::mark::Marked;
use crate::mark::replay::Replay;
use courses::drawing::{Language, escape, preformatted};
use courses::french::say;
use serde_json::json;
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("games.js");

/// Returns the page of a program's games. Each has a slider over its boards, and shows the last one without scripts.
#[must_use]
pub fn page(marked: &Marked, language: Language) -> String {
    let name = escape(&marked.player.name);
    let mut html = format!(
        "<!DOCTYPE html><html lang='{}'><head><meta charset='utf-8'><title>{name}{games}</title>\
         <meta name='viewport' content='width=device-width'><style>{STYLE}</style></head>\
         <body><h1>{name}{games}</h1>",
        language.code(),
        games = language.choose(" : parties", ": games"),
    );
    let [back, step, forward] = match language {
        Language::French => ["reculer", "coup", "avancer"],
        Language::English => ["back", "move", "forward"],
    };
    for (nth, game) in marked.games.iter().enumerate() {
        let last = game.boards.len().saturating_sub(1);
        let (heading, end) = (escape(&heading(game, language)), escape(&game.end_in(language)));
        let board = preformatted(&game.board(last));
        let data = json!({ "lines": game.lines, "boards": game.boards, "moves": game.moves });
        // No text may end the element that holds the data.
        let data = data.to_string().replace('<', "\\u003c");
        let _ = write!(
            html,
            "<section id='g{nth}'><h2>{heading}</h2><p>{}. {end}</p>\
             <p class='steps'><button type='button' aria-label='{back}'>◀</button> \
             <input type='range' min='0' max='{last}' value='{last}' aria-label='{step}'> \
             <button type='button' aria-label='{forward}'>▶</button> <output></output></p>\
             <pre>{board}</pre><script type='application/json'>{data}</script></section>",
            escape(&say(&game.setting, language))
        );
    }
    let _ = writeln!(html, "<script>{SCRIPT}</script></body></html>");
    html
}

/// Returns a game's number and players.
pub(super) fn heading(game: &Replay, language: Language) -> String {
    let (name, number) = (language.choose("partie", "game"), game.number + 1);
    format!("{name} {number}{}{}", language.colon(), game.names.join(" – "))
}

#[cfg(test)]
mod tests {
    use super::super::tests::marked;
    use super::*;
    use courses::options::GameOptions;
    use courses::record::{Played, Record};

    #[test]
    fn a_page_holds_every_board_of_a_game() {
        // A game whose moves are clicks.
        let is_wanted = |game: &courses::registry::Game| {
            game.open("", 2).is_ok_and(|mut play| {
                let first = play.next(0, &[]).remove(0);
                play.play(&first).is_ok()
            })
        };
        let game = courses::registry::all().into_iter().find(is_wanted).unwrap();
        let mut moves = Vec::new();
        for at in 0..2 {
            let mut play = game.open("", 2).unwrap();
            moves.iter().for_each(|text: &String| play.play(text).unwrap());
            moves.push(play.next(at, &[]).remove(at));
        }
        let course = GameOptions::default().course(game, 2).unwrap();
        let record = Record {
            game: 3,
            group: 0,
            course: game.name().into(),
            seats: vec![0, 1],
            names: vec!["Ana </script>".into(), "random".into()],
            opening: String::new(),
            seed: 1,
            played: Played {
                moves: moves.clone(),
                movers: vec![0, 1],
                end: "a test".into(),
                ..Played::default()
            },
        };
        let replay = Replay::of(&*course, &record).unwrap();
        let texts = course.replay("", &record.played).unwrap();
        assert_eq!(texts.len(), 3);
        for (nth, text) in texts.iter().enumerate() {
            assert_eq!(replay.board(nth).trim_end(), text.trim_end());
        }
        let mut marked = marked("Ana </script>", &[]);
        marked.games = vec![replay];
        let page = page(&marked, Language::English);
        assert!(page.contains("<section id='g0'><h2>game 4: Ana &lt;/script&gt; – random</h2>"), "{page}");
        assert_eq!(page.matches("</script>").count(), 2, "the data and the script: {page}");
        let data = page.split_once("application/json'>").unwrap().1.split_once("</script>").unwrap().0;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!((data["boards"].as_array().unwrap().len(), &data["moves"][1]), (3, &json!(moves[1])));
    }
}
