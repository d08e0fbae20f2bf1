//! Gounki on the page: labels, positions as text, reasons for refused clicks.

use super::Gounki;
use super::assignment::Stacks;
use super::refused;
use crate::drawing::Language;
use crate::play::counted;
use crate::play::duel::DuelPage;
use crate::registry::Game;
use ::gounki::rules::{self as gounki_rules, Refusal};

impl DuelPage for Gounki {
    fn game() -> Game {
        Game::of(&Stacks)
    }

    fn unit(language: Language) -> &'static str {
        language.choose("pions", "men")
    }

    fn seat_name(seat: usize, language: Language) -> String {
        if seat == 0 { language.choose("blanc", "white") } else { language.choose("noir", "black") }
            .to_owned()
    }

    fn analysed(&self, position: &gounki_rules::Position) -> String {
        crate::games::gounki::codes(position)
    }

    fn tally(position: &gounki_rules::Position, seat: usize, language: Language) -> String {
        let colour = if seat == 0 { gounki_rules::Colour::White } else { gounki_rules::Colour::Black };
        let army = if position.to_move() == colour { position.own() } else { position.enemy() };
        counted(army.men(), language, ["pion", "pions"], ["man", "men"])
    }

    fn reason(position: &gounki_rules::Position, language: Language) -> &'static str {
        match position.escaped() {
            true => language.choose("un pion sort de l'échiquier", "a man leaves the board"),
            false => language.choose("tous les pions adverses sont pris", "everything is captured"),
        }
    }

    fn buttons() -> &'static [(&'static str, &'static str, &'static str)] {
        &[("+", "déployer (+)", "deploy (+)"), ("#", "sortir", "leave the board")]
    }

    fn guide(position: &gounki_rules::Position, path: &[String], language: Language) -> Option<String> {
        let (from, rest) = path.split_first()?;
        let cell =
            |name: &str| gounki_rules::Cell::from_name(*name.as_bytes().first()?, *name.as_bytes().get(1)?);
        let height = position.at(cell(from)?)?.1.height();
        if rest.is_empty() {
            return Some(match (language, height) {
                (Language::French, 1) => format!("{from} est choisi : où va-t-il ?"),
                (Language::French, _) => format!("{from} est choisi : où va la pile ?"),
                (Language::English, 1) => format!("{from} is chosen: where does it go?"),
                (Language::English, _) => format!("{from} is chosen: where does the stack go?"),
            });
        }
        let nth = rest.len();
        Some(match language {
            Language::French => format!("déploiement de {from} : où va le pion {nth} sur {height} ?"),
            Language::English => format!("{from} is deployed: where does man {nth} of {height} go?"),
        })
    }

    fn refuse(
        &self,
        position: &gounki_rules::Position,
        path: &[String],
        click: &str,
        language: Language,
    ) -> String {
        let cell = |name: &str| match name.as_bytes() {
            &[file, rank] => gounki_rules::Cell::from_name(file, rank),
            _ => None,
        };
        let said = |refusal: &Refusal| refused::said(refusal, language);
        let owner = cell(click).and_then(|cell| position.at(cell)).map(|(colour, _)| colour);
        match (path, owner) {
            ([], None) => language.choose("il n'y a pas de pion ici", "nobody stands here").to_owned(),
            ([], Some(colour)) if colour != position.to_move() => {
                language.choose("ce pion est à l'adversaire", "this man is the opponent's").to_owned()
            }
            ([], Some(_)) => language.choose("ce pion ne peut pas bouger", "this man cannot move").to_owned(),
            ([from], _) if click != crate::games::gounki::DEPLOY => {
                let text = format!("{from}-{click}");
                let refusal =
                    text.parse::<gounki_rules::Notation>().ok().and_then(|text| position.find(&text).err());
                let impossible =
                    || language.choose("ce coup est impossible", "the stack cannot go there").to_owned();
                refusal.as_ref().map_or_else(impossible, said)
            }
            _ => {
                // After the stack and the button.
                let cells = path.iter().skip(2).map(String::as_str).chain([click]).map(cell);
                let cells: Option<Vec<gounki_rules::Cell>> = cells.collect();
                let from = path.first().and_then(|from| cell(from));
                let refusal = from.zip(cells).and_then(|(from, cells)| position.refuse_laying(from, &cells));
                let in_line = || {
                    language
                        .choose("les pions se posent un à un, en ligne", "men are laid one by one, in line")
                        .to_owned()
                };
                refusal.as_ref().map_or_else(in_line, said)
            }
        }
    }
}

/// Converts a typed opening: the codes of a configuration, or moves.
#[must_use]
pub fn start(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_code =
        |word: &&str| matches!(word.as_bytes(), [b'V' | b'B' | b'N', digit] if digit.is_ascii_digit());
    if words.len() < 64 || !words[..64].iter().all(is_code) {
        return text.to_owned();
    }
    let mover = words.get(64).copied().unwrap_or("blanc");
    format!("@{}:{mover}", words[..64].concat())
}
