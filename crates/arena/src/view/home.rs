//! The first page: a game, its players, its start; and the page for files.

use super::{Visitor, address, shell};
use anyhow::ensure;
use courses::drawing::Language;
use courses::french::french;
use courses::play;
use courses::play::BoardView;
use courses::registry::{self, Game};
use courses::sandbox::Sandbox;
use maud::{Markup, PreEscaped, html};
use std::time::Duration;

/// A player given at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// The game it plays; `None` means any.
    pub game: Option<Game>,
    /// The name.
    pub name: String,
    /// The player as on the command line.
    pub text: String,
    /// The sandbox that it starts in, unless it is one of the project's own programs.
    pub sandbox: Option<Sandbox>,
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The name of its room.
    pub id: String,
    /// The game.
    pub game: Game,
    /// The number of moves.
    pub length: usize,
    /// The players.
    pub names: Vec<String>,
    /// True if the visitor takes part.
    pub is_own: bool,
    /// True if the visitor can only watch it.
    pub is_watched: bool,
    /// The points of each seat, if the game is over.
    pub points: Option<Vec<f64>>,
    /// The time of the latest use, since 1970.
    pub used: Duration,
}

/// The choices of the first page.
#[derive(Debug, Clone, Default)]
pub struct Home<'a> {
    /// Players beside the project's own.
    pub guests: &'a [Guest],
    /// Open and saved games.
    pub games: Vec<Listed>,
    /// Games that cannot be chosen, because they are not here.
    pub absent: &'a [Game],
}

/// The query of a link to the first page.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(default)]
pub struct Wish {
    /// The game.
    pub game: String,
    /// The start.
    pub start: String,
    /// The players of a maze.
    pub seats: String,
    /// The language.
    pub lang: String,
}

impl Wish {
    /// Returns the address of the page without the language.
    #[must_use]
    pub fn address(&self) -> String {
        address("/", &[("game", &self.game), ("seats", &self.seats), ("start", &self.start)])
    }

    /// Returns true if the game does not exist.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        !self.game.is_empty() && registry::find(&self.game).is_none()
    }

    /// Returns the number of players of a maze, 2 by default.
    fn count(&self) -> usize {
        self.seats.parse().ok().filter(|count| (1..=4).contains(count)).unwrap_or(2)
    }
}

/// Returns a number of moves in words.
pub fn moves(count: usize, language: Language) -> String {
    play::counted(count as u32, language, ["coup", "coups"], ["move", "moves"])
}

/// Draws an opening.
fn picture(game: Game, opening: &str, seats: usize, language: Language) -> anyhow::Result<String> {
    let play = play::open(game, opening, seats)?;
    Ok(play.draw(&BoardView { language, ..BoardView::default() }))
}

/// Returns the address of a game's rules.
pub(super) fn rules(game: Game) -> String {
    format!("/puzzles?game={}&level=rules", game.name())
}

/// Returns the first page.
#[must_use]
pub fn home(visitor: &Visitor, offered: &Home<'_>, wish: &Wish) -> String {
    let is_here = |game: &Game| !offered.absent.contains(game);
    let wished = registry::find(&wish.game).into_iter().chain([registry::first_offered()]);
    let chosen = wished.chain(registry::all()).find(is_here).unwrap_or_else(registry::first_offered);
    let language = visitor.language;
    let asked = (!wish.start.is_empty() || wish.is_unknown()).then(|| -> anyhow::Result<String> {
        ensure!(!wish.is_unknown(), "no such game");
        let opening = play::start(chosen, &wish.start, wish.count())?;
        picture(chosen, &opening, wish.count(), language)
    });
    let body = html! {
        main #view.home {
            h1.said { (visitor.say("Cinq jeux", "Five games")) }
            form #new {
                fieldset.games {
                    legend { (visitor.say("Un jeu", "A game")) }
                    @for game in registry::all() {
                        label.card {
                            input type="radio" name="game" value=(game.name()) checked[game == chosen] disabled[!is_here(&game)] data-typed=(game.typed(language)) data-set[game.assignment().editor().is_some()] data-sized[game.has_size()] data-seats=[Some(*game.seats().end()).filter(|most| *most > 2)];
                            span.picture aria-hidden="true" { (PreEscaped(picture(game, game.sample(), 4, language).unwrap_or_default())) }
                            b { (game.title(language)) }
                            small { @if is_here(&game) { (game.summary(language)) } @else { (visitor.say("n'est pas dans ce dossier", "not in this folder")) } }
                            @if is_here(&game) && !game.assignment().lessons().is_empty() { a.rules href=(rules(game)) { (visitor.say("règles", "rules")) span.said { " " (game.title(language)) } } }
                        }
                    }
                }
                @match &asked {
                    Some(Ok(svg)) => div.asked { (PreEscaped(svg)) },
                    Some(Err(error)) => p.refused { @if language == Language::French { (french(&error.to_string())) } @else { (error) } },
                    None => {},
                }
                (seats(visitor, offered.guests, wish.count()))
                fieldset {
                    legend { (visitor.say("Départ", "Start")) }
                    label { input type="radio" name="from" value="text" checked; (visitor.say("position ou coups (vide : le début)", "position or moves (empty: the beginning)")) }
                    textarea name="start" rows="2" spellcheck="false" aria-label=(visitor.say("position ou coups", "position or moves")) placeholder=(chosen.typed(language)) { (wish.start) }
                    p.unit { a #compose href=(super::setup::link(chosen)) hidden[chosen.assignment().editor().is_none()] { (visitor.say("la composer sur un plateau", "set it up on a board")) } }
                    label { input type="radio" name="from" value="drawn"; (visitor.say("une ouverture tirée au sort", "a random opening")) }
                    label.size { (visitor.say("taille", "size")) input type="text" name="size" size="7" placeholder="15x15" pattern="[0-9]+x[0-9]+"; }
                }
                div.go {
                    // On a phone the seats are out of view.
                    (strength(visitor, "strength", visitor.say("force de notre moteur", "strength of our engine")))
                    button.primary type="submit" value="play" { (visitor.say("Jouer", "Play")) }
                    button type="submit" value="study" { (visitor.say("Étudier", "Study")) }
                    button type="submit" value="watch" { (visitor.say("Regarder deux moteurs", "Watch two engines")) }
                    p.status {}
                }
            }
            @if !offered.games.is_empty() {
                section.lists {
                    h2 { (visitor.say("Parties", "Games")) }
                    (list(&offered.games, visitor.token.is_some(), language))
                }
            }
        }
    };
    shell(visitor, visitor.say("Cinq jeux", "Five games"), &["forms.js"], &body)
}

fn seats(visitor: &Visitor, guests: &[Guest], count: usize) -> Markup {
    let language = visitor.language;
    let names = [
        visitor.say("premier", "first"),
        visitor.say("second", "second"),
        visitor.say("troisième", "third"),
        visitor.say("quatrième", "fourth"),
    ];
    html! {
        fieldset.players {
            legend { (visitor.say("Joueurs", "Players")) }
            @for (seat, name) in names.iter().enumerate() {
                div.player data-many=[(seat >= 2).then_some("1")] {
                    label for=(format!("seat{seat}")) { (name) }
                    select id=(format!("seat{seat}")) name=(format!("seat{seat}")) {
                        @if seat >= 1 { option value="" selected[seat >= count] data-many="1" { "–" } }
                        option value="person" selected[seat == 0] { (visitor.say("une personne", "a person")) }
                        option value="own" selected[(1..count).contains(&seat)] { (visitor.say("notre moteur", "our engine")) }
                        @for guest in guests { option value=(guest.name) data-game=[guest.game.map(|game| game.name())] { (guest.name) } }
                    }
                    (strength(visitor, &format!("strength{seat}"), &format!("{} · {name}", visitor.say("force", "strength"))))
                }
            }
            (super::name(visitor))
            label { (visitor.say("temps", "time"))
                input type="text" name="time" size="12" list="times" spellcheck="false" autocomplete="off" placeholder=(visitor.say("sans limite", "no limit"));
                datalist #times {
                    @for seconds in [5, 15, 60] { option value=(format!("{seconds}s")) { (seconds) " s " (visitor.say("par coup", "a move")) } }
                    @for (minutes, seconds) in [(1, 0), (1, 2), (3, 2), (5, 0), (10, 5)] {
                        option value=(format!("{minutes}+{seconds}")) { (minutes) " min" @if seconds > 0 { " + " (seconds) " s" } }
                    }
                }
                small { (visitor.say("« 5+3 » : 5 min et 3 s de plus par coup ; « 10s » : 10 s par coup", "“5+3”: 5 min, 3 s more a move; “10s”: 10 s a move")) }
            }
            (ladder(language))
        }
    }
}

/// Draws the choice of an engine's strength.
fn strength(visitor: &Visitor, name: &str, label: &str) -> Markup {
    let language = visitor.language;
    html! {
        select name=(name) aria-label=(label) {
            @for level in 1..=10 { option value=(format!("level {level}")) selected[level == 4] { (visitor.say("niveau", "level")) " " (level) } }
            @for (millis, text) in [(200, "0.2 s"), (1000, "1 s"), (3000, "3 s"), (10_000, "10 s")] { option value=(format!("millis {millis}")) { (language.number(text)) " " (visitor.say("par coup", "a move")) } }
        }
    }
}

/// Draws the line on the level to try next, which the browser fills: it remembers the games of its person.
pub(super) fn ladder(language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    html! {
        p.ladder.unit
            data-next=(say("Niveau {} battu ; le niveau {next} vous attend.", "You have beaten level {}; level {next} is next."))
            data-below=(say("Niveau {} vous a battu ; essayez le niveau {next}.", "Level {} has beaten you; try level {next}."))
            data-again=(say("Niveau {} vous a battu ; réessayez-le, avec un conseil ou deux.", "Level {} has beaten you; try it again, with a hint or two."))
            data-all=(say("Tous les niveaux sont battus.", "You have beaten every level.")) {}
    }
}

/// Returns points as a result: `1 – 0`, `½ – ½`.
pub(super) fn result(points: &[f64], language: Language) -> String {
    let text = |points: &f64| {
        if *points == 0.5 {
            "½".to_owned()
        } else {
            language.number(&format!("{}", (points * 100.0).round() / 100.0))
        }
    };
    points.iter().map(text).collect::<Vec<_>>().join(" – ")
}

/// Lists games as links, with their players, results and dates. Games that are over can be deleted.
pub(super) fn list(games: &[Listed], may_delete: bool, language: Language) -> Markup {
    html! {
        ul.list {
            @for Listed { id, game, length, names, is_own, points, used, .. } in games {
                li {
                    a href=(format!("/r/{id}")) { (game.title(language)) ", " (moves(*length, language)) }
                    " " span { (names.join(" – ")) }
                    @if let Some(points) = points { " " b { (result(points, language)) } }
                    " " time data-when=(used.as_secs()) {}
                    @if may_delete && *is_own && points.is_some() { " " button.quiet type="button" data-delete=(id) { (language.choose("effacer", "delete")) } }
                }
            }
        }
    }
}

/// Describes the files that can be opened.
fn files(visitor: &Visitor) -> String {
    let records = visitor.say(
        "un fichier : une partie gardée d'ici, les parties de l'arbitre",
        "a file: a game saved here, the referee's records",
    );
    let servers = registry::all().into_iter().filter_map(|game| game.assignment().server());
    let journals = servers.map(|server| format!(", {}", server.journal(visitor.language)));
    format!("{records}{}, GGF, SGF", journals.collect::<String>())
}

/// Returns the page that opens a file, or one of the visitor's `games`.
#[must_use]
pub fn open(visitor: &Visitor, games: &[Listed]) -> String {
    let body = html! {
        main #view.home {
            h1 { (visitor.say("Revoir une partie", "Replay a game")) }
            form #open {
                p { (files(visitor)) }
                div.go {
                    // The browser's own button speaks the browser's language.
                    label.file { (visitor.say("Choisir un fichier", "Choose a file"))
                        input type="file" name="file" accept=".jsonl,.json,.ggf,.sgf,.txt,.journal" required; }
                    output.named {}
                    button.primary type="submit" { (visitor.say("Ouvrir", "Open")) }
                    p.status {}
                }
            }
            ul #games {}
            @if !games.is_empty() {
                section.lists {
                    h2 { (visitor.say("Vos parties", "Your games")) }
                    (list(games, visitor.token.is_some(), visitor.language))
                }
            }
        }
    };
    shell(visitor, visitor.say("Revoir", "Replay"), &["forms.js"], &body)
}
