//! The page on which a position is set up by hand, and its changing part.

use super::{Visitor, encoded, shell, spaces};
use courses::drawing::{Language, Marks};
use courses::editor::Editor;
use courses::french::french;
use courses::play::{self, Play};
use courses::registry::{self, Game};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

/// A request about a position that is set up, as the fields of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The game's name, as in addresses.
    pub game: String,
    /// The position so far, or any start as typed; empty for the beginning of a game.
    pub start: String,
    /// The change: `put`, `take`, `turn`, `clear` or `begin`; empty for none.
    pub act: String,
    /// The cell of `put` and `take`.
    pub cell: String,
    /// The piece in hand; `none` takes pieces away.
    pub piece: String,
    /// The seat that is to move, of `turn`.
    pub seat: String,
    /// The size of the board, of `begin`.
    pub size: String,
}

/// Returns the games whose positions can be set up.
fn games() -> impl Iterator<Item = (Game, &'static dyn Editor)> {
    registry::all().into_iter().filter_map(|game| Some((game, game.assignment().editor()?)))
}

/// Returns the address of the page for a game.
pub(super) fn link(game: Game) -> String {
    format!("/setup?game={}", game.name())
}

/// Returns the address of the page for a position of a game; `None` if positions of the game are not set up.
pub(super) fn address(game: Game, position: &str) -> Option<String> {
    game.assignment().editor()?;
    Some(format!("{}&start={}", link(game), encoded(position)))
}

/// Returns the position of a text as [`Play::position`] writes it.
fn read(game: Game, text: &str) -> anyhow::Result<String> {
    let seats = *game.seats().start();
    let play = play::open(game, &play::start(game, text, seats)?, seats)?;
    Ok(play.position(0))
}

/// Returns the position that is asked for.
fn position(game: Game, editor: &dyn Editor, asked: &Asked) -> anyhow::Result<String> {
    if asked.act == "begin" {
        let start = game.beginning(&asked.size, 0).unwrap_or_default();
        return read(game, &start);
    }
    // One that the rules refuse is on its way to another.
    let before = read(game, &asked.start).or_else(|error| {
        editor.draw(&asked.start, &Marks::default()).map(|_| asked.start.clone()).map_err(|_| error)
    })?;
    let seat = asked.seat.parse().unwrap_or_default();
    match asked.act.as_str() {
        "put" if asked.piece != "none" => editor.put(&before, &asked.cell, &asked.piece),
        "put" | "take" => editor.put(&before, &asked.cell, ""),
        "clear" => editor.cleared(&before),
        "turn" => Ok(editor.turned(&before, seat).unwrap_or(before)),
        _ => Ok(before),
    }
}

fn told(error: &anyhow::Error, language: Language) -> String {
    match language {
        Language::French => french(&error.to_string()),
        Language::English => error.to_string(),
    }
}

/// Returns the words for whose turn it is in a position, or how the game ended there.
fn turn(play: &dyn Play, language: Language) -> String {
    let Some(mover) = play.mover(0) else {
        return format!(
            "{} ({})",
            language.choose("partie finie", "the game is over"),
            play.reason(0, language)
        );
    };
    let (name, bound) = (play.seat_name(mover, language), play.bound(0, language));
    let bound =
        bound.map_or_else(String::new, |bound| format!(", {} {bound}", language.choose("dans", "in")));
    match language {
        Language::French => format!("au tour de {name}{bound}"),
        Language::English => format!("to move: {name}{bound}"),
    }
}

/// Returns the changing part of the page. `None` if positions of the game are not set up.
#[must_use]
pub fn setup(asked: &Asked, language: Language) -> Option<String> {
    let is_meant = |game: &Game| asked.game.is_empty() || game.name() == asked.game;
    let (game, editor) = games().find(|(game, _)| is_meant(game))?;
    let (position, refused) = match position(game, editor, asked) {
        Ok(position) => (position, None),
        Err(error) => {
            let same = Asked { act: String::new(), ..asked.clone() };
            let before = position(game, editor, &same).or_else(|_| read(game, "")).ok()?;
            (before, Some(told(&error, language)))
        }
    };
    let marks = Marks { interactive: true, language, ..Marks::default() };
    let board = editor.draw(&position, &marks).ok()?;
    let opened = play::open(game, &position, *game.seats().start());
    let state = match &opened {
        Ok(play) => turn(play.as_ref(), language),
        Err(error) => told(error, language),
    };
    let mover = opened.as_ref().ok().and_then(|play| play.mover(0));
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let shown = html! {
        section.setup data-game=(game.name()) data-start=(position) data-say=(refused.as_ref().unwrap_or(&state)) data-refused=[refused.as_ref().map(|_| "1")] {
            div.stage {
                div.boardbox { (PreEscaped(board)) }
                p.status.refused[refused.is_some() || opened.is_err()] { (refused.as_ref().unwrap_or(&state)) }
            }
            div.tools {
                (pieces(editor, &asked.piece, language))
                @if editor.turned(&position, 0).is_some() {
                    fieldset { legend { (say("au trait", "to move")) }
                        @for (seat, name) in seats(game, language).iter().enumerate() {
                            label { input #(format!("seat-{seat}")) type="radio" name="seat" value=(seat) checked[mover == Some(seat)]; (name) }
                        }
                    }
                }
                div.controls role="group" aria-label=(say("plateau", "board")) {
                    button type="button" data-act="undo" { (say("annuler", "undo")) }
                    button type="button" data-act="clear" { (say("vider", "clear")) }
                    button type="button" data-act="begin" { (say("position de départ", "start of a game")) }
                }
                @if game.has_size() {
                    label.size { (say("taille", "size")) " " input #size type="text" name="size" size="7" placeholder="15x15" pattern="[0-9]+x[0-9]+"; }
                }
                label { (say("position", "position")) input type="text" readonly value=(position) data-copy="1"; }
                p.go {
                    button.primary type="button" data-enter="study" disabled[opened.is_err()] { (say("analyser", "analyse")) }
                    @if opened.is_ok() { a href=(format!("/?game={}&start={}", game.name(), encoded(&position))) { (say("jouer à partir d'ici", "play from here")) } }
                }
            }
        }
    };
    Some(spaces::text(shown, language))
}

/// Returns the names of the players.
fn seats(game: Game, language: Language) -> Vec<String> {
    let play = play::open(game, "", *game.seats().start());
    play.map_or_else(
        |_| Vec::new(),
        |play| (0..play.seats()).map(|seat| play.seat_name(seat, language)).collect(),
    )
}

/// Draws the pieces to choose from, and the hand that takes one away.
fn pieces(editor: &dyn Editor, chosen: &str, language: Language) -> Markup {
    let pieces = editor.pieces();
    let is_known = chosen == "none" || pieces.iter().any(|piece| piece.name == chosen);
    let choice = |nth: usize, name: &'static str, words: &'static str, swatch: &'static str| {
        let is_chosen = if is_known { name == chosen } else { nth == 0 };
        html! {
            label {
                input #(format!("piece-{name}")) type="radio" name="piece" value=(name) data-key=(nth + 1) checked[is_chosen];
                @if !swatch.is_empty() { span class={ "swatch " (swatch) } {} }
                (words) " " kbd { (nth + 1) }
            }
        }
    };
    html! {
        fieldset.pieces { legend { (language.choose("à poser", "to put")) }
            @for (nth, piece) in pieces.iter().enumerate() { (choice(nth, piece.name, piece.words(language), piece.swatch)) }
            (choice(pieces.len(), "none", language.choose("rien", "nothing"), ""))
        }
    }
}

/// Returns the page on which positions are set up.
#[must_use]
pub fn page(visitor: &Visitor) -> String {
    let title = visitor.say("Composer une position", "Set up a position");
    let body = html! {
        main #view {
            h1 { (title) }
            form #wanted {
                label { (visitor.say("jeu", "game")) " "
                    select name="game" { @for (game, _) in games() { option value=(game.name()) { (game.title(visitor.language)) } } }
                }
            }
            div #setup {}
            p.unit { (visitor.say("Un clic pose la pièce choisie.", "A click puts the chosen piece.")) " " kbd { "← ↑ → ↓" } " " (visitor.say("case voisine", "next cell")) " · " kbd { "⏎" } " " (visitor.say("poser", "put")) " · " kbd { "1 2 3" } " " (visitor.say("choisir", "choose")) " · " kbd { "⌫" } " " (visitor.say("enlever", "take away")) " · " kbd { "U" } " " (visitor.say("annuler", "undo")) }
        }
    };
    shell(visitor, title, &["setup.js"], &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(game: Game, act: &str, start: &str) -> Asked {
        Asked {
            game: game.name().to_owned(),
            act: act.to_owned(),
            start: start.to_owned(),
            ..Asked::default()
        }
    }

    /// The value of an attribute of the part.
    fn data(html: &str, name: &str) -> String {
        let text = html.split(&format!("data-{name}=\"")).nth(1).unwrap_or_default();
        text.split('"').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn every_piece_is_put_on_a_board_and_taken_away_and_the_rules_read_the_text() {
        for (game, editor) in games() {
            let empty = setup(&asked(game, "clear", ""), Language::English).unwrap();
            let start = data(&empty, "start");
            let cells: Vec<&str> =
                empty.split("data-cell=\"").skip(1).map(|at| at.split('"').next().unwrap()).collect();
            let mut texts = vec![start.clone()];
            for (piece, cell) in editor.pieces().iter().zip(&cells) {
                let put = Asked {
                    cell: (*cell).to_owned(),
                    piece: piece.name.to_owned(),
                    ..asked(game, "put", &texts[texts.len() - 1])
                };
                let html = setup(&put, Language::French).unwrap();
                assert!(html.contains(&format!("value=\"{}\" data-key", piece.name)), "{html}");
                if data(&html, "refused").is_empty() {
                    let text = data(&html, "start");
                    assert!(!texts.contains(&text), "{game} {piece:?}: {text}");
                    assert_eq!(read(game, &text).unwrap(), text, "{game}");
                    texts.push(text);
                } else {
                    assert_eq!(piece.name, "last", "{game}: {html}");
                }
            }
            assert!(texts.len() > 2, "{game}");
            let last = texts.pop().unwrap();
            let cell = cells[texts.len() - 1].to_owned();
            let away = Asked { cell, ..asked(game, "take", &last) };
            assert_ne!(data(&setup(&away, Language::English).unwrap(), "start"), last, "{game}");
            for (act, start) in [("put", last.as_str()), ("", "zz"), ("put", "@"), ("turn", "zz")] {
                let wrong =
                    Asked { cell: "z99".to_owned(), piece: "queen".to_owned(), ..asked(game, act, start) };
                assert_eq!(
                    data(&setup(&wrong, Language::English).unwrap(), "refused"),
                    "1",
                    "{game} {act} {start}"
                );
            }
        }
        let mut others = registry::all().into_iter().filter(|game| game.assignment().editor().is_none());
        assert!(others.all(|game| setup(&asked(game, "", ""), Language::English).is_none()));
    }
}
