//! The changing part of a session's page: board, seats, actions, analysis, moves.

use super::encoded;
use super::graph::graph;
use super::home::{ladder, moves as moves_of, rules};
use super::lines::line;
use super::notes;
use super::review::review;
use super::seats::{asked, invitation, seats};
use super::setup;
use super::spaces;
use super::status::{aloud, ended, hint, known, status};
use crate::session::{Hint, Occupant, Refusal, SeatView, Status, Strength, Study, StudyView, Threads, View};
use courses::drawing::Language;
use courses::french::french;
use courses::play;
use courses::play::{BoardView, Play};
use courses::registry::Game;
use courses::review::bounded;
use maud::{Markup, PreEscaped, html};
use wire::analysis::{Info, Value};

/// Number of lines of the analysis shown in words, and of the moves of each.
const LINES: usize = 3;
const MOVES: usize = 12;

/// Returns a value in words.
pub fn value(game: Game, value: Value, language: Language) -> String {
    let [win, loss] = match game.proves_values() {
        false => [language.choose("gagné", "won"), language.choose("perdu", "lost")],
        true => {
            [language.choose("gain prouvé", "proven win"), language.choose("perte prouvée", "proven loss")]
        }
    };
    let within = |plies: u32| {
        let plies = play::counted(plies, language, ["demi-coup", "demi-coups"], ["ply", "plies"]);
        format!("{} {plies}", language.choose("en", "in"))
    };
    match bounded(game, value) {
        Value::Points(points) => language.number(&format!("{points:+.2}")),
        Value::Exact(margin) => language.number(&format!("exact {margin:+}")),
        Value::Win(Some(plies)) => format!("{win} {}", within(plies)),
        Value::Loss(Some(plies)) => format!("{loss} {}", within(plies)),
        Value::Win(None) => win.to_owned(),
        Value::Loss(None) => loss.to_owned(),
        Value::Draw => language.choose("nulle prouvée", "proven draw").to_owned(),
    }
}

/// Returns true for an exact result, which was not found at a depth.
fn is_exact(info: &Info) -> bool {
    matches!(info.value, Value::Exact(_))
}

/// Returns true for a line that is shorter than what is shown of one and than the depth of its search.
fn is_cut(info: &Info) -> bool {
    matches!(info.value, Value::Points(_)) && info.line.len() < MOVES.min(info.depth as usize)
}

fn short(game: Game, value: Value, language: Language) -> String {
    match bounded(game, value) {
        Value::Points(points) => language.number(&format!("{points:+.1}")),
        Value::Exact(margin) => language.number(&format!("{margin:+}")),
        Value::Win(plies) => plies.map_or_else(|| "+#".to_owned(), |plies| format!("+#{plies}")),
        Value::Loss(plies) => plies.map_or_else(|| "−#".to_owned(), |plies| format!("−#{plies}")),
        Value::Draw => "=".to_owned(),
    }
}

/// Returns the changing part of a session's page, with the reason for a refusal.
#[must_use]
pub fn session(view: &View<'_>, version: u64, refused: Option<&str>, language: Language) -> String {
    let is_over = matches!(view.status, Status::Over { .. });
    let state = status(view, language);
    let page = html! {
        main #view
            data-version=(version)
            data-length=(view.length)
            data-at=(view.at)
            data-path=(view.path.join(" "))
            data-game=(view.play.game().name())
            data-keys=[Some(view.play.keys()).filter(|keys| !keys.is_empty())]
            data-engines=(view.controls.has_engine)
            data-study=(view.study.is_some())
            data-replay=(view.is_replay)
            data-again=(language.choose("touchez {} encore une fois pour jouer", "tap {} again to play it"))
            data-say=(aloud(view, refused, language))
            data-gone=[view.study.is_some().then(|| language.choose("l'analyse s'est arrêtée\u{a0}; la touche S la relance", "the analysis has ended; key S starts it again"))]
            data-ended=[is_over.then_some("1")]
            data-value=[known(view, language)]
            data-title=(format!("{state} · {} · Arena", view.play.game().title(language)))
            data-beaten=[against(view, true)]
            data-lost=[against(view, false)]
        {
            h1.said { (view.play.game().title(language)) }
            section.stage {
                div.boardbox { (PreEscaped(board(view, language))) }
                p.status.refused[refused.is_some()] tabindex=[is_over.then_some("-1")] {
                    @if let (Some(hint), None) = (hint(view, language), refused) { (hint) " · " }
                    // A refusal does not hide whose turn it is.
                    @if let Some(why) = refused { (why) " · " }
                    (state)
                }
                // Where the list of moves is out of view.
                p.unit.latest { (latest(view, language)) }
                @if against(view, true).or_else(|| against(view, false)).is_some() {
                    (ladder(language))
                    p.unit.ended { a href=(format!("/?game={}", view.play.game().name())) { (language.choose("une autre partie", "another game")) } }
                }
                @if let Some(why) = view.unkept { p.warning { (unkept(why, language)) } }
                @if let Some(ended) = ended(view, language) { p.unit.ended { (ended) } }
                (asked(view, language))
                (words(view.play, &view.next, view.path, language))
                // Below the buttons, which stay where they are.
                (notes::note(view, language))
            }
            aside {
                (seats(view, language))
                @if view.controls.may_invite() { (invitation(view, language)) }
                (controls(view, language))
                (browse(view, language))
                (moves(view, language))
                (review(view, language))
                @if let Some(found) = &view.study { (study(view, found, language)) }
                (share(view, language))
            }
        }
    };
    spaces::text(page, language)
}

fn board(view: &View<'_>, language: Language) -> String {
    let mut board = BoardView {
        at: view.at,
        path: view.path.to_vec(),
        interactive: view.may_press,
        explored: true,
        language,
        ..BoardView::default()
    };
    if let Hint::Move(text) = view.hint {
        board.best = Some(text.to_owned());
    }
    if let Some(mistake) = view.review.and_then(|review| review.at(view.at)) {
        board.best = mistake.better.first().cloned();
        board.line.clone_from(&mistake.better);
    }
    if let Some(StudyView { lines, .. }) = view.study {
        let first = |info: &Info| info.line.first().cloned();
        // A hint stays until the analysis has searched as long: then it is that of the analysis.
        if !matches!(view.hint, Hint::Move(_)) {
            board.best = lines.first().and_then(first).or(board.best);
            board.line = lines.first().map_or(board.line, |info| info.line.clone());
        }
        board.values = lines
            .iter()
            .filter_map(|info| {
                Some((
                    view.play.cell_of(view.at, &first(info)?)?,
                    short(view.play.game(), info.value, language),
                ))
            })
            .collect();
    }
    view.play.draw(&board)
}

/// Returns the last move before the position shown, with its number and its player.
fn latest(view: &View<'_>, language: Language) -> String {
    let Some(nth) = view.at.checked_sub(1) else { return String::new() };
    let (play, colon) = (view.play, language.colon());
    let name = play.seat_name(play.by(nth), language);
    format!("{}. {name}{colon}{}", view.at, play.worded(&play.moves()[nth], language))
}

/// Returns the warning that the game's latest state is not saved.
fn unkept(why: &str, language: Language) -> String {
    match language {
        Language::French => format!("cette partie n'est pas gardée : {}", french(why)),
        Language::English => format!("this game is not kept: {why}"),
    }
}

/// Returns the lowest level of the project's own players that a person alone has beaten here, or lost against.
fn against(view: &View<'_>, has_won: bool) -> Option<u8> {
    let Status::Over { ending, given_up: _ } = &view.status else { return None };
    let level = |seat: &SeatView<'_>| match seat.occupant {
        Occupant::Engine(spec) if spec.player.is_none() => match spec.strength {
            Strength::Level(level) => Some(level),
            Strength::Millis(_) => None,
        },
        _ => None,
    };
    let mut persons = (0..view.seats.len()).filter(|&seat| view.seats[seat].is_person);
    let (Some(person), None) = (persons.next(), persons.next()) else { return None };
    if !view.controls.takes_part {
        return None;
    }
    let others = (0..view.seats.len()).filter(|&seat| seat != person);
    let is_so = match has_won {
        true => others.clone().all(|seat| ending.points[seat] < ending.points[person]),
        false => others.clone().any(|seat| ending.points[seat] > ending.points[person]),
    };
    let levels: Option<Vec<u8>> = others.map(|seat| level(&view.seats[seat])).collect();
    levels.filter(|_| is_so && view.length > 0 && view.at == view.length)?.into_iter().min()
}

/// Draws the buttons for clicks without a cell: a pass, a deployment, bonuses and their directions. `next` are the clicks
/// that may follow those of `path`.
pub(super) fn words(play: &dyn Play, next: &[String], path: &[String], language: Language) -> Markup {
    let is_next = |word: &str| next.iter().any(|next| next == word);
    html! {
        p.words {
            @for (word, label) in play.buttons(next, language) {
                @if is_next(&word) { button type="button" data-click=(word) { (label) } }
                @else { button type="button" disabled { (label) } }
            }
        }
        // On a line of its own, so that no button moves.
        p.path {
            @if !path.is_empty() {
                @if play.spells_path() { span { (play.worded(&path.join(" – "), language)) } }
                button.quiet type="button" data-clear="1" { (language.choose("effacer", "cancel")) }
            }
        }
    }
}

fn controls(view: &View<'_>, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let can = &view.controls;
    let button = |what: &'static str, text: &'static str, on: bool| {
        html! { button type="button" data-do=(what) disabled[!on] { (text) } }
    };
    html! {
        @if !can.takes_part { p.watching { (Refusal::Watching.text(language)) } }
        div.controls role="group" aria-label=(say("partie", "game")) {
            @if can.takes_part && !view.is_replay {
                (button("undo", say("annuler", "undo"), can.undo))
                @if !can.is_shared { (button("redo", say("rétablir", "redo"), can.redo)) }
            }
            @if can.has_person { (button("hint", say("conseil", "hint"), !can.is_over)) }
            @if can.has_person && can.takes_part && can.is_played {
                button type="button" data-do="resign" data-twice=(say("encore pour abandonner", "again to resign")) disabled[can.is_over] { (say("abandonner", "resign")) }
                @if can.has_engine && !can.is_shared { (button("swap", say("échanger", "swap"), !can.is_over)) }
            }
            // Several people wait for each other, not for one of them to let the engines go on.
            @if can.has_engine && can.takes_part && !can.is_shared {
                (button("pause", if can.is_paused { say("continuer", "go on") } else { say("pause", "pause") }, !can.is_over))
                (button("step", say("avancer d'un coup", "step"), !can.is_over))
            }
            @if can.is_stopped && can.takes_part { (button("retry", say("réessayer", "try again"), true)) }
            button type="button" data-do="study" data-on=(view.study.is_none()) aria-pressed=(view.study.is_some()) { (say("analyse", "analysis")) }
            @if can.is_played { button type="button" data-new="1" { (say("revanche", "rematch")) } }
            @if !view.play.game().assignment().lessons().is_empty() { a.arena href=(rules(view.play.game())) { (say("règles", "rules")) } }
        }
        @if can.has_engine && !can.has_person && can.takes_part {
            label.pace { (say("rythme", "pace"))
                input type="range" min="0" max="2000" step="50" value=(can.pace) data-pace="1";
                output { (can.pace) " ms" }
            }
        }
    }
}

fn browse(view: &View<'_>, language: Language) -> Markup {
    let (at, length) = (view.at, view.length);
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    html! {
        div.browse role="group" aria-label=(say("coups", "moves")) {
            button type="button" data-at="0" aria-label=(say("début", "start")) disabled[at == 0] { "«" }
            button type="button" data-at=(at.saturating_sub(1)) aria-label=(say("coup précédent", "previous move")) disabled[at == 0] { "‹" }
            input #slider type="range" min="0" max=(length) value=(at) aria-label=(say("coup", "move"));
            button type="button" data-at=((at + 1).min(length)) aria-label=(say("coup suivant", "next move")) disabled[at == length] { "›" }
            button type="button" data-at=(length) data-live="1" aria-label=(say("fin", "end")) disabled[at == length] { "»" }
            button type="button" data-run="1" aria-label=(say("défiler", "run")) disabled[length == 0] { "▷▷" }
            select #speed aria-label=(say("vitesse", "speed")) {
                @for (millis, name) in [(1000, "1/s"), (500, "2/s"), (200, "5/s"), (50, "20/s")] { option value=(millis) selected[millis == 500] { (name) } }
            }
        }
    }
}

fn study(view: &View<'_>, found: &StudyView<'_>, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let best = found.lines.first();
    let speed = best.map(|info| info.nodes as f64 / (info.millis.max(1) as f64 / 1000.0));
    html! {
        section.study aria-label=(say("analyse", "analysis")) {
            h2.said { (say("Analyse", "Analysis")) }
            p.figures {
                @match best {
                    Some(info) => {
                        @if is_exact(info) { b { "exact" } } @else { (say("profondeur", "depth")) " " b { (info.depth) } }
                        " · " b { (grouped(info.nodes)) } " " (say("positions", "nodes"))
                        " · " b { (grouped(speed.unwrap_or(0.0) as u64)) } "/s"
                    }
                    None if view.play.analysed(view.at).is_none() => { (say("la partie est finie ici", "the game is over here")) }
                    None if found.study.whole => { (say("l'analyse de toute la partie passe ici bientôt", "the analysis of the whole game comes here soon")) }
                    None if found.study.at != view.at => {
                        (say("l'analyse est ailleurs :", "the analysis is elsewhere:")) " "
                        button.quiet type="button" data-at=(found.study.at) { (moves_of(found.study.at, language)) }
                    }
                    None => { (say("le moteur démarre, ou attend le processeur…", "the engine starts, or waits for the processor…")) }
                }
                @if view.play.analysed(view.at).is_some() { " · " (threads(view, found.threads, language)) }
            }
            table {
                thead { tr { th { (say("valeur", "value")) } th { (say("prof.", "depth")) } th { (say("suite", "line")) } } }
                tbody {
                    @for info in found.lines.iter().take(LINES) {
                        tr { td { (value(view.play.game(), info.value, language)) } td { @if is_exact(info) { "–" } @else { (info.depth) } } td.line { (line(view.play, view.at, &info.line, MOVES, language)) } }
                    }
                }
            }
            @if found.lines.iter().take(LINES).any(is_cut) {
                p.unit { (say("Une suite finit où la table connaît déjà la valeur : la recherche va plus loin.", "A line ends where the table knows the value already: the search goes further.")) }
            }
            @if let (Some(mover), None) = (view.play.mover(view.at), view.play.values(language)) {
                p.unit { (say("tableau et cases : pour", "table and squares: for")) " " b { (view.play.seat_name(mover, language)) } (say(", au trait.", ", to move.")) }
            }
            @match view.play.values(language) {
                Some(values) => p.unit { (values) },
                None => {
                    (graph(view.play, found.study, view.at, language))
                    (whole(view, found.study, language))
                }
            }
        }
    }
}

/// Draws the number of threads of the analysis, with buttons for one less and one more.
fn threads(view: &View<'_>, threads: Threads, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let Threads { used, chosen, most } = threads;
    let button = |to: usize, sign: &str, name: &str| {
        html! { button type="button" data-do="threads" data-nth=(to) aria-label=(name) title=(name) disabled[!(1..=most).contains(&to)] { (sign) } }
    };
    html! {
        span.threads {
            @if most > 1 { (button(chosen - 1, "−", say("un thread de moins", "one thread less"))) " " }
            b { (used) } " " (if used == 1 { "thread" } else { "threads" }) " "
            @if most > 1 { (button(chosen + 1, "+", say("un thread de plus", "one thread more"))) }
            @if used < chosen {
                " (" (chosen) " "
                @if view.controls.has_engine && !view.controls.is_over { (say("quand le moteur de cette partie ne joue plus", "once the engine of this game plays no more")) }
                @else { (say("quand le moteur ne joue plus dans", "once no engine plays in")) " " a href="/watch" { (say("une autre partie", "another game")) } }
                ")"
            }
        }
    }
}

/// Draws the button for the analysis of the whole game. While it runs, the button stops it, after its progress.
fn whole(view: &View<'_>, study: &Study, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    html! {
        @if study.whole {
            @let (done, all) = study.progress(view.play);
            progress max=(all) value=(done) aria-label=(say("positions analysées", "positions analysed")) {}
            " " (done) " " (say("sur", "of")) " " (all) " "
        }
        button type="button" data-do="graph" data-on=(!study.whole) {
            (if study.whole { say("arrêter", "stop") } else { say("toute la partie", "the whole game") })
        }
    }
}

/// Returns a number with a narrow space every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

fn moves(view: &View<'_>, language: Language) -> Markup {
    // A long game shows a part of its moves; the slider reaches the others.
    const SHOWN: usize = 200;
    let moves = view.play.moves();
    let end = moves.len().min(view.at + SHOWN / 2).max(SHOWN.min(moves.len()));
    let start = end.saturating_sub(SHOWN);
    let missed = view.play.missed();
    let is_costly = |nth: &usize| view.review.is_some_and(|review| review.costly().contains(nth));
    // Tab comes to the move shown, arrows to the others.
    let stop = view.at.clamp(start + 1, end.max(start + 1));
    let why = |nth: usize| missed.iter().find(|(missed, _)| *missed == nth).map(|(_, why)| *why);
    html! {
        h2.said { (language.choose("Coups", "Moves")) }
        @if let Some(name) = view.play.opening_name(view.at, language) { p.opening { (language.choose("ouverture :", "opening:")) " " b { (name) } } }
        ol.moves start=(start + 1) aria-label=(language.choose("coups joués", "moves played")) {
            @for (nth, text) in moves.iter().enumerate().take(end).skip(start) {
                li { button.here[nth + 1 == view.at] aria-current=[(nth + 1 == view.at).then_some("step")] tabindex=(if nth + 1 == stop { "0" } else { "-1" }) type="button" data-at=(nth + 1) { (view.play.worded(text, language)) (notes::sign(view.note(nth), language)) @if is_costly(&nth) { b title=(language.choose("un coup cher", "a costly move")) { " ?" } } @if let Some(why) = why(nth) { " " small { (why.say(language)) } } } }
            }
        }
        @if !view.variations.is_empty() {
            ul.variations aria-label=(language.choose("variantes", "variations")) {
                @for (nth, line) in view.variations.iter().enumerate() {
                    li { button type="button" data-do="line" data-nth=(nth) { @if line.is_beginning { (language.choose("sans la suite", "without the rest")) } @else { (line.number) ". " (view.play.worded(line.first, language)) } ", " (moves_of(line.length, language)) @if let Some(label) = line.label { " · " (label) } } }
                }
            }
        }
    }
}

fn share(view: &View<'_>, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let game = view.play.game();
    let position = view.play.position(view.at);
    let (least, most) = game.seats().into_inner();
    let seats = if least == most { String::new() } else { format!("&seats={}", view.play.seats()) };
    let own = game.notations().iter().find_map(|notation| notation.extension());
    let own = own.filter(|_| !view.play.opening().contains('@'));
    html! {
        details.share {
            summary { (say("Position et fichier", "Position and file")) }
            label { (say("position", "position")) input type="text" readonly value=(position) data-copy="1"; }
            label { (say("lien vers ce coup", "link to this move")) input type="text" readonly data-link="1" data-copy="1"; }
            p {
                span.arena {
                    a href=(format!("/?game={}{seats}&start={}", game.name(), encoded(&position))) { (say("lien vers cette position", "link to this position")) }
                    @if let Some(address) = setup::address(game, &position) { " · " a href=(address) { (say("modifier la position", "edit the position")) } }
                    " · "
                }
                button type="button" data-download="record" { (say("télécharger", "download")) }
                @for kind in ["svg", "png"] { " · " button type="button" data-download=(kind) { (say("plateau", "board")) " " (kind.to_uppercase()) } }
                " · " button type="button" data-download="film" { (say("partie animée", "animated game")) }
                @if let Some(own) = own {
                    " · " button type="button" data-download="notation" { (own.to_uppercase()) }
                }
            }
        }
    }
}
