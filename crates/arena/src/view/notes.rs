//! Notes on moves: beside the move in the list, below the board, and the dialog that writes them.

use crate::session::View;
use courses::drawing::Language;
use courses::note::{LABEL, Note, Symbol, TEXT};
use courses::record::About;
use maud::{Markup, html};

/// Draws the symbol and the label of a move in the list.
pub fn sign(note: Option<&Note>, language: Language) -> Markup {
    html! {
        @if let Some(note) = note {
            @if let Some(symbol) = note.symbol { b title=(symbol.meaning(language)) { " " (symbol.sign()) } }
            @if !note.label().is_empty() { " " small { (note.label()) } }
            @if note.symbol.is_none() && note.label().is_empty() { " " small title=(language.choose("commentaire", "comment")) { "…" } }
        }
    }
}

/// Returns the note on the last move shown.
fn shown<'a>(view: &'a View<'_>) -> Option<&'a Note> {
    view.note(view.at.checked_sub(1)?)
}

/// Returns the note on the last move shown, for the live region.
pub fn aloud(view: &View<'_>, language: Language) -> String {
    let Some(note) = shown(view) else { return String::new() };
    let meaning = note.symbol.map(|symbol| symbol.meaning(language).to_owned());
    let parts = meaning.into_iter().chain([note.comment()]).filter(|part| !part.is_empty());
    parts.map(|part| format!("{part}. ")).collect()
}

/// Draws what the file of another program says about the game, at its beginning.
fn about(view: &View<'_>, language: Language) -> Markup {
    let About { date, comment, .. } = view.about;
    let result = view.about.result_in_words(|seat| view.play.seat_name(seat, language), language);
    let result = Some(result).filter(|result| !result.is_empty());
    let result =
        result.map(|result| format!("{}{}{result}", language.choose("résultat", "result"), language.colon()));
    let facts = [date.clone(), result.unwrap_or_default()];
    let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    html! {
        @if view.at == 0 && !view.about.is_empty() {
            div.note {
                @if !facts.is_empty() { p { (facts.join(" · ")) } }
                @if !comment.is_empty() { p.comment { (comment) } }
            }
        }
    }
}

/// Draws the note on the last move shown, and the button that opens [`dialog`].
pub fn note(view: &View<'_>, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let empty = Note::default();
    let note = shown(view).unwrap_or(&empty);
    let mv = view.at.checked_sub(1).map(|nth| view.play.worded(&view.play.moves()[nth], language));
    let is_writer = view.controls.takes_part && mv.is_some();
    let mv = mv.unwrap_or_default();
    html! {
        (about(view, language))
        @if is_writer || !note.is_empty() {
            div.note {
                @if !note.is_empty() {
                    p { b { (mv) " " @if let Some(symbol) = note.symbol { span title=(symbol.meaning(language)) { (symbol.sign()) } } @if !note.label().is_empty() { " " (note.label()) } } }
                    @if !note.text().is_empty() { p.comment { (note.text()) } }
                }
                @if is_writer { button.quiet type="button" data-note="1" data-move=(mv) data-symbol=(note.symbol.map_or("", Symbol::sign)) data-label=(note.label()) data-text=(note.text()) aria-haspopup="dialog" { (if note.is_empty() { say("annoter ce coup", "note this move") } else { say("modifier la note", "change the note") }) } }
            }
        }
    }
}

/// Draws the dialog that writes a note, as a template of the page: no picture of the room sends it again.
pub fn dialog(language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    html! {
        template #writes {
            dialog.noting aria-labelledby="noting" {
                form method="dialog" {
                    h2 #noting { (say("Note sur", "Note on")) " " span {} }
                    fieldset {
                        legend { (say("symbole", "symbol")) }
                        label { input type="radio" name="symbol" value="" checked; (say("aucun", "none")) }
                        @for symbol in Symbol::ALL {
                            label title=(symbol.meaning(language)) { input type="radio" name="symbol" value=(symbol.sign()) aria-label=(format!("{} {}", symbol.sign(), symbol.meaning(language))); (symbol.sign()) }
                        }
                    }
                    label { (say("nom de la position", "name of the position")) input type="text" name="label" maxlength=(LABEL) autocomplete="off"; }
                    label { (say("commentaire", "comment")) textarea name="text" rows="4" maxlength=(TEXT) {} }
                    p.unit { (say("Vous seul la voyez ; elle est dans le fichier téléchargé.", "Only you see it; it is in the file that you download.")) }
                    p.go { button.primary type="submit" value="save" { (say("garder", "keep")) } button type="button" data-close="1" { (say("fermer", "close")) } }
                }
            }
        }
    }
}
