//! Pages as HTML, and boards as SVG. Texts of players are always escaped.
//!
//! - [`home`]: the first page and that for files; [`room`], [`seats`], [`status`]: the changing part of a session's page.
//! - [`graph`]: the evaluation over a game; [`tables`]: games that are played elsewhere; [`puzzles`]: positions to
//!   solve; [`lessons`]: rules as cards; [`review`]: costly moves; [`notes`]: notes on moves; [`lines`]: lines of an
//!   analysis; [`thinking`]: searches to watch; [`setup`]: positions set up by hand; [`spaces`]: hard spaces of French.

mod asked;
mod graph;
mod home;
mod lessons;
mod lines;
mod notes;
pub mod puzzles;
mod review;
mod room;
mod seats;
pub mod setup;
mod spaces;
mod status;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod thinking;

pub use home::{Guest, Home, Listed, Wish, home, open};
pub use lines::ahead;
pub use room::session;

use courses::drawing::{self, Language};
use courses::registry;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The visitor of a page.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// The language of the page.
    pub language: Language,
    /// The token of requests that change something; `None` if the visitor can only watch.
    pub token: Option<String>,
    /// The address of the page without the language.
    pub path: String,
    /// True on the pages of a run, which are no whole arena.
    pub is_run: bool,
}

impl Visitor {
    /// Returns the address of this page in a language.
    fn in_language(&self, language: &str) -> String {
        format!("{}{}lang={language}", self.path, if self.path.contains('?') { "&" } else { "?" })
    }

    /// Returns the text in the visitor's language.
    #[must_use]
    pub fn say<'a>(&self, french: &'a str, english: &'a str) -> &'a str {
        self.language.choose(french, english)
    }
}

/// Returns the style sheet of pages and drawings.
#[must_use]
pub fn style() -> String {
    include_str!("../assets/style.css").to_owned() + &drawing::style()
}

/// The modules of the pages' script, by name.
pub const SCRIPTS: [(&str, &str); 17] = [
    ("address.js", include_str!("../assets/address.js")),
    ("main.js", include_str!("../assets/main.js")),
    ("ahead.js", include_str!("../assets/ahead.js")),
    ("board.js", include_str!("../assets/board.js")),
    ("forms.js", include_str!("../assets/forms.js")),
    ("ladder.js", include_str!("../assets/ladder.js")),
    ("invitation.js", include_str!("../assets/invitation.js")),
    ("moves.js", include_str!("../assets/moves.js")),
    ("note.js", include_str!("../assets/note.js")),
    ("picture.js", include_str!("../assets/picture.js")),
    ("puzzles.js", include_str!("../assets/puzzles.js")),
    ("setup.js", include_str!("../assets/setup.js")),
    ("skip.js", include_str!("../assets/skip.js")),
    ("streams.js", include_str!("../assets/streams.js")),
    ("thinking.js", include_str!("../assets/thinking.js")),
    ("twice.js", include_str!("../assets/twice.js")),
    ("wire.js", include_str!("../assets/wire.js")),
];

/// Returns the modules that scripts need, which a page loads at once with them: those after one of `words` in the
/// `text` of a script.
pub fn imports(
    scripts: &[&'static str],
    text: impl Fn(&str) -> &'static str,
    words: &[&str],
) -> Vec<&'static str> {
    let mut names = scripts.to_vec();
    let mut next = 0;
    while let Some(name) = names.get(next) {
        let text = text(name);
        for part in words.iter().flat_map(|word| text.split(word).skip(1)) {
            let import = part.split('\'').next().unwrap_or_default();
            if !names.contains(&import) {
                names.push(import);
            }
        }
        next += 1;
    }
    names.split_off(scripts.len())
}

/// Returns the text of a script; empty if there is none of this name.
fn script(name: &str) -> &'static str {
    SCRIPTS.iter().find(|(script, _)| *script == name).map_or("", |(_, text)| text)
}

/// Returns a whole page with these scripts and this body.
#[must_use]
pub fn shell(visitor: &Visitor, title: &str, scripts: &[&'static str], body: &Markup) -> String {
    let french = visitor.language == Language::French;
    let is_arena = visitor.token.is_some() && !visitor.is_run;
    let page = html! {
        (DOCTYPE)
        html lang=(visitor.language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(token) = &visitor.token { meta name="token" content=(token); }
                title { (title) " · Arena" }
                link rel="icon" href="/icon.svg";
                link rel="stylesheet" href="/style.css";
                @for name in scripts { script type="module" src=(format!("/{name}")) {} }
                script type="module" src="/skip.js" {}
                @for name in imports(scripts, script, &[" from './"]) { link rel="modulepreload" href=(format!("/{name}")); }
            }
            body.of-run[visitor.is_run] {
                a.skip href="#view" { (visitor.say("aller au plateau", "skip to the board")) }
                header {
                    a.brand href="/" { "Arena" }
                    nav {
                        @if is_arena { a href="/" { (visitor.say("Jouer", "Play")) } a href="/puzzles" { (visitor.say("Problèmes", "Puzzles")) } a href="/search" { (visitor.say("Réflexion", "Thinking")) } }
                        a href="/watch" { (visitor.say("Regarder", "Watch")) }
                        @if is_arena { a href="/open" { (visitor.say("Revoir", "Replay")) } }
                    }
                    span.languages {
                        a href=(visitor.in_language("fr")) lang="fr" aria-current=[french.then_some("true")] { "FR" }
                        a href=(visitor.in_language("en")) lang="en" aria-current=[(!french).then_some("true")] { "EN" }
                    }
                }
                p #away.warning hidden role="alert" { (visitor.say("Le serveur ne répond pas ; cette page continue dès qu'il répond.", "The server does not answer; this page goes on when it does.")) }
                (body)
                p #say.said role="status" aria-live="polite" {}
            }
        }
    };
    spaces::text(page, visitor.language)
}

/// Returns a page with one message.
#[must_use]
pub fn notice(visitor: &Visitor, title: &str, text: &str) -> String {
    let body = html! { main #view.notice { h1 { (title) } p { (text) } p { a href="/" { (visitor.say("retour", "back")) } } } };
    shell(visitor, title, &[], &body)
}

/// Returns the invitation to a seat, which its ticket gives.
#[must_use]
pub fn invited(visitor: &Visitor, ticket: &str, seat: &str) -> String {
    html! {
        form #sit.invited data-ticket=(ticket) {
            p { (visitor.say("Vous êtes invité à jouer : ", "You are invited to play: ")) b { (seat) } }
            (name(visitor))
            button.primary type="submit" { (visitor.say("prendre cette place", "take this seat")) }
            p.status {}
        }
    }
    .into_string()
}

/// Returns the field for a visitor's name.
fn name(visitor: &Visitor) -> Markup {
    html! { label { (visitor.say("votre nom", "your name")) " " input type="text" name="person" maxlength="40" autocomplete="nickname"; } }
}

/// Returns a line that warns.
#[must_use]
pub fn warning(text: &str) -> String {
    html! { p.warning { (text) } }.into_string()
}

/// Returns the page of a session, with its changing part after an invitation or a warning.
#[must_use]
pub fn room(visitor: &Visitor, id: &str, title: &str, before: &str, view: &str) -> String {
    let body = html! {
        (PreEscaped(before))
        div #room data-room=(id) { (PreEscaped(view)) }
        (notes::dialog(visitor.language))
        (keys(visitor))
    };
    let scripts: &[&str] = if before.is_empty() { &["main.js"] } else { &["main.js", "forms.js"] };
    shell(visitor, title, scripts, &body)
}

fn keys(visitor: &Visitor) -> Markup {
    let own = registry::all().into_iter().flat_map(|game| game.assignment().keys().iter().copied());
    let first: [(&str, &str, &str); 2] = [
        ("← ↑ → ↓", "case voisine ; dans le labyrinthe : un pas", "next cell; in the maze: a step"),
        ("⏎", "jouer la case", "play the cell"),
    ];
    let rest: [(&str, &str, &str); 5] = [
        (
            visitor.say(", ;", ", ."),
            "un coup en arrière, en avant ; ← → en revoyant une partie",
            "one move back, forward; ← → in a replay",
        ),
        (visitor.say("Début Fin", "Home End"), "début, fin de la partie", "start, end of the game"),
        ("U R", "annuler, rétablir", "undo, redo"),
        ("H S T", "un conseil, l'analyse, une note", "a hint, the analysis, a note"),
        ("P", "défiler, pause", "run, pause"),
    ];
    html! {
        details.keys {
            summary { (visitor.say("Touches", "Keys")) }
            dl { @for (key, french, english) in first.into_iter().chain(own).chain(rest) { dt { kbd { (key) } } dd { (visitor.say(french, english)) } } }
        }
    }
}

/// The icon: a disc on a square.
pub const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\"><rect width=\"32\" height=\"32\" rx=\"7\" fill=\"#1f6f4b\"/><circle cx=\"12\" cy=\"16\" r=\"7\" fill=\"#14171c\"/><circle cx=\"20\" cy=\"16\" r=\"7\" fill=\"#f4efe2\"/></svg>";

/// Returns the page of a run, with its changing part.
#[must_use]
pub fn watched(visitor: &Visitor, view: &str) -> String {
    let body = html! { div #room data-watch="1" { (PreEscaped(view)) } };
    shell(visitor, visitor.say("Regarder", "Watch"), &["main.js"], &body)
}

/// Returns the page that lists games to watch, if no run is shown.
#[must_use]
pub fn nothing_on(visitor: &Visitor, games: &[Listed]) -> String {
    let body = html! {
        main #view.home {
            h1 { (visitor.say("Regarder", "Watch")) }
            p { (visitor.say("Un tournoi a sa propre page : « referee … --live » en écrit l'adresse, « referee: live at http://… ». Deux moteurs : page d'accueil, « Regarder deux moteurs ».", "A tournament has a page of its own: “referee … --live” writes its address, “referee: live at http://…”. Two engines: first page, “Watch two engines”.")) }
            @if games.is_empty() {
                p.unit { (visitor.say("Ici, personne ne joue en ce moment.", "Nobody plays here at the moment.")) }
            } @else {
                h2 { (visitor.say("Parties en cours ici", "Games in progress here")) }
                (home::list(games, false, visitor.language))
            }
        }
    };
    shell(visitor, visitor.say("Regarder", "Watch"), &["forms.js"], &body)
}

/// Returns an address with the fields of a query that are not empty.
#[must_use]
pub fn address(path: &str, fields: &[(&str, &String)]) -> String {
    let fields = fields.iter().filter(|(_, text)| !text.is_empty());
    let fields: Vec<String> = fields.map(|(name, text)| format!("{name}={}", encoded(text))).collect();
    if fields.is_empty() { path.to_owned() } else { format!("{path}?{}", fields.join("&")) }
}

/// Returns text as a part of an address.
#[must_use]
pub fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut all, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => all.push(char::from(byte)),
            _ => all.push_str(&format!("%{byte:02X}")),
        }
        all
    })
}
