//! The part of a room's page that changes: board, seats, what can be done, analysis, moves.

use super::graph::graph;
use super::home::moves as moves_of;
use crate::analysis::LINES;
use crate::engine::BUSY;
use crate::room::{Fault, Inner, Seat};
use crate::words::french;
use courses::drawing::Language;
use courses::play;
use courses::play::{Ending, Look};
use courses::registry::Game;
use maud::{Markup, PreEscaped, html};
use wire::analysis::{Info, Value};

/// A visitor's view of a room.
#[derive(Debug, Clone, Default)]
pub struct Eye {
    /// Ply shown; `None` means the latest.
    pub at: Option<usize>,
    /// Clicks so far.
    pub path: Vec<String>,
    /// Their language.
    pub language: Language,
    /// The reason for which the last click was refused.
    pub refused: Option<String>,
}

/// A value as a person reads it.
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
    match value {
        Value::Points(points) => format!("{points:+.2}"),
        Value::Exact(margin) => format!("{} {margin:+}", language.choose("exact", "exact")),
        Value::Win(Some(plies)) => format!("{win} {}", within(plies)),
        Value::Loss(Some(plies)) => format!("{loss} {}", within(plies)),
        Value::Win(None) => win.to_owned(),
        Value::Loss(None) => loss.to_owned(),
        Value::Draw => language.choose("nulle prouvée", "proven draw").to_owned(),
    }
}

fn short(value: Value) -> String {
    match value {
        Value::Points(points) => format!("{points:+.1}"),
        Value::Exact(margin) => format!("{margin:+}"),
        Value::Win(plies) => plies.map_or_else(|| "+#".to_owned(), |plies| format!("+#{plies}")),
        Value::Loss(plies) => plies.map_or_else(|| "−#".to_owned(), |plies| format!("−#{plies}")),
        Value::Draw => "=".to_owned(),
    }
}

/// Returns the part of a room's page that changes.
#[must_use]
pub fn view(inner: &Inner, version: u64, eye: &Eye) -> String {
    let length = inner.play.moves().len();
    let at = eye.at.unwrap_or(length).min(length);
    let say = |french: &'static str, english: &'static str| eye.language.choose(french, english);
    let may_press = inner.may_press(at);
    let next = if may_press { inner.play.next(at, &eye.path) } else { Vec::new() };
    let status = eye.refused.clone().unwrap_or_else(|| status(inner, at, eye.language));
    let path = eye.path.join(" ");
    html! {
        main #view
            data-version=(version)
            data-length=(length)
            data-at=(at)
            data-path=(path)
            data-game=(inner.play.game().name())
            data-keys=[Some(inner.play.keys()).filter(|keys| !keys.is_empty())]
            data-engines=(!inner.manner.seats.iter().all(|seat| *seat == Seat::Person))
            data-study=(inner.study.is_some())
            data-replay=(!inner.manner.names.is_empty())
            data-say=(aloud(inner, at, eye))
        {
            h1.said { (inner.title(eye.language)) }
            section.stage {
                div.boardbox { (PreEscaped(board(inner, at, eye, may_press))) }
                p.status.refused[eye.refused.is_some()] {
                    @if let (Some(hint), None) = (hint(inner, at, eye.language), &eye.refused) { (hint) " · " }
                    (status)
                }
                @if let Some(why) = &inner.unkept { p.warning { (unkept(why, eye.language)) } }
                (words(inner, &next, &eye.path, eye.language))
            }
            aside {
                (seats(inner, at, eye.language))
                (controls(inner, at, eye.language))
                (browse(inner, at, eye.language))
                @if inner.study.is_some() { (study(inner, at, eye.language)) }
                (moves(inner, at, eye.language))
                (share(inner, at, say))
            }
        }
    }
    .into_string()
}

fn board(inner: &Inner, at: usize, eye: &Eye, interactive: bool) -> String {
    let mut look =
        Look { at, path: eye.path.clone(), interactive, language: eye.language, ..Look::default() };
    if let Some((behind, text)) = &inner.hint {
        look.best = (*behind == at).then(|| text.clone());
    }
    if let Some(study) = inner.study.as_ref().filter(|study| study.at == at) {
        let first = |info: &Info| info.line.first().cloned();
        look.best = study.lines.first().and_then(first).or(look.best);
        look.line = study.lines.first().map(|info| info.line.clone()).unwrap_or_default();
        look.values = study
            .lines
            .iter()
            .filter_map(|info| Some((inner.play.cell_of(at, &first(info)?)?, short(info.value))))
            .collect();
    }
    inner.play.draw(&look)
}

/// The text of the live region after a change.
fn aloud(inner: &Inner, at: usize, eye: &Eye) -> String {
    if let Some(why) = &eye.refused {
        return why.clone();
    }
    let last = at.checked_sub(1).map(|nth| {
        let seat = inner.play.seat_name(inner.play.by(nth), eye.language);
        format!("{seat} : {}. ", inner.play.worded(&inner.play.moves()[nth], eye.language))
    });
    let hint = hint(inner, at, eye.language).map(|hint| format!("{hint}. "));
    last.unwrap_or_default() + &hint.unwrap_or_default() + &status(inner, at, eye.language)
}

/// The hint for the position that is looked at, in words.
fn hint(inner: &Inner, at: usize, language: Language) -> Option<String> {
    let (_, text) = inner.hint.as_ref().filter(|(after, _)| *after == at)?;
    Some(format!("{} : {}", language.choose("conseil", "hint"), inner.play.worded(text, language)))
}

fn status(inner: &Inner, at: usize, language: Language) -> String {
    let length = inner.play.moves().len();
    if let Some(fault) = inner.fault.as_ref().filter(|_| at == length) {
        let fault = match fault {
            Fault::Busy => return language.choose(&french(BUSY), BUSY).to_owned(),
            Fault::Failed(fault) => courses::fault::excerpt(fault),
        };
        return match language {
            Language::French => format!("le moteur a échoué : {}", french(&fault)),
            Language::English => format!("the engine failed: {fault}"),
        };
    }
    let ending = if at == length { inner.over() } else { inner.play.ending(at) };
    if let Some(ending) = ending {
        return result(inner, at, &ending, language);
    }
    let Some(mover) = inner.play.mover(at) else { return String::new() };
    let name = inner.play.seat_name(mover, language);
    let turn = inner.play.turn(at).map_or_else(String::new, |(turn, of)| {
        let of = of.map_or_else(String::new, |of| format!(" {} {of}", language.choose("sur", "of")));
        format!("{} {turn}{of}{} ", language.choose("tour", "turn"), language.choose(" ;", ";"))
    });
    if at < length {
        return match language {
            Language::French => format!("après {} sur {length} ; trait : {name}", moves_of(at, language)),
            Language::English => format!("after {at} of {}; {name} to move", moves_of(length, language)),
        };
    }
    let now = match (inner.thinking().is_some(), inner.is_hinting()) {
        (true, _) => format!("{name} {}", language.choose("réfléchit…", "thinks…")),
        (_, true) => language.choose("un conseil arrive…", "a hint is coming…").to_owned(),
        _ => format!("{} {name}", language.choose("au tour de", "to move:")),
    };
    turn + &now
}

/// The warning that the game's last state is not on the disk.
fn unkept(why: &str, language: Language) -> String {
    match language {
        Language::French => format!("cette partie n'est pas gardée : {}", french(why)),
        Language::English => format!("this game is not kept: {why}"),
    }
}

fn result(inner: &Inner, at: usize, ending: &Ending, language: Language) -> String {
    let best = ending.points.iter().copied().fold(0.0, f64::max);
    let winners: Vec<String> = (0..ending.points.len())
        .filter(|&seat| (ending.points[seat] - best).abs() < 1e-9)
        .map(|seat| inner.play.seat_name(seat, language))
        .collect();
    let score: Vec<String> = ending.score.iter().map(|score| format!("{score}")).collect();
    let score = score.join(" – ");
    let who = match winners.as_slice() {
        [winner] if inner.play.seats() > 1 => format!("{winner} {}", language.choose("gagne", "wins")),
        _ => language.choose("partie finie", "the game is over").to_owned(),
    };
    let who = if winners.len() > 1 { language.choose("partie nulle", "a draw").to_owned() } else { who };
    match inner.manner.resigned.filter(|_| at == inner.play.moves().len()) {
        Some(_) => format!("{who} ({})", language.choose("abandon", "resigned")),
        None => format!("{who}, {score} ({})", inner.play.reason(at, language)),
    }
}

/// Buttons for clicks that have no cell: a pass, a deployment, bonuses and their directions.
fn words(inner: &Inner, next: &[String], path: &[String], language: Language) -> Markup {
    let is_next = |word: &str| next.iter().any(|next| next == word);
    html! {
        p.words {
            @if inner.play.spells_path() && !path.is_empty() { span.path { (inner.play.worded(&path.join(" – "), language)) } }
            @for (word, label) in inner.play.buttons(next, language) {
                @if is_next(&word) { button type="button" data-click=(word) { (label) } }
                @else { button type="button" disabled { (label) } }
            }
            @if !path.is_empty() { button.quiet type="button" data-clear="1" { (language.choose("annuler", "cancel")) } }
        }
    }
}

fn clock(time: std::time::Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn seats(inner: &Inner, at: usize, language: Language) -> Markup {
    let mover = inner.play.mover(at);
    let tally = inner.play.tally(at, language);
    html! {
        ul.seats {
            @for seat in 0..inner.play.seats() {
                li.turn[mover == Some(seat)] {
                    @match inner.play.game().badge(seat) {
                        Some(badge) => span.badge { (PreEscaped(badge)) },
                        None => span class={ "swatch " (inner.play.game().swatch(seat)) } {},
                    }
                    span.who { b { (inner.play.seat_name(seat, language)) } " " (inner.name(seat, language)) }
                    span.tally { (tally[seat]) }
                    time.clock data-running=(at == inner.play.moves().len() && inner.is_running(seat)) { (clock(inner.used(seat))) }
                }
            }
        }
    }
}

fn controls(inner: &Inner, at: usize, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let over = inner.over().is_some();
    let has_engine = inner.manner.seats.iter().any(|seat| *seat != Seat::Person);
    let button = |what: &'static str, text: &'static str, off: bool| {
        html! { button type="button" data-do=(what) disabled[off] { (text) } }
    };
    let _ = at;
    html! {
        div.controls role="group" aria-label=(say("partie", "game")) {
            (button("back", say("reprendre", "take back"), inner.play.moves().is_empty()))
            (button("forward", say("rejouer", "play again"), inner.undone.is_empty() || inner.manner.resigned.is_some()))
            @if inner.has_person() {
                (button("hint", say("conseil", "hint"), over))
                (button("resign", say("abandonner", "resign"), over))
                @if has_engine { (button("swap", say("échanger", "swap"), over)) }
            }
            @if has_engine {
                (button("pause", if inner.paused { say("continuer", "go on") } else { say("pause", "pause") }, over))
                (button("step", say("un coup", "one move"), over))
            }
            @if inner.fault.is_some() { (button("retry", say("réessayer", "try again"), false)) }
            button type="button" data-do="study" data-number=(u8::from(inner.study.is_none())) aria-pressed=(inner.study.is_some()) { (say("analyse", "analysis")) }
            button type="button" data-new="1" { (say("nouvelle", "new")) }
        }
        @if has_engine && !inner.has_person() {
            label.pace { (say("rythme", "pace"))
                input type="range" min="0" max="2000" step="50" value=(inner.manner.pace) data-pace="1";
                output { (inner.manner.pace) " ms" }
            }
        }
    }
}

fn browse(inner: &Inner, at: usize, language: Language) -> Markup {
    let length = inner.play.moves().len();
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

fn study(inner: &Inner, at: usize, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let Some(study) = &inner.study else { return html! {} };
    let here = study.at == at;
    let best = study.lines.first().filter(|_| here);
    let speed = best.map(|info| info.nodes as f64 / (info.millis.max(1) as f64 / 1000.0));
    html! {
        section.study aria-label=(say("analyse", "analysis")) {
            p.figures {
                @match best {
                    Some(info) => {
                        (say("profondeur", "depth")) " " b { (info.depth) }
                        " · " b { (grouped(info.nodes)) } " " (say("positions", "nodes"))
                        " · " b { (grouped(speed.unwrap_or(0.0) as u64)) } "/s"
                    }
                    None if inner.play.analysed(at).is_none() => { (say("la partie est finie ici", "the game is over here")) }
                    None => { (say("en attente…", "waiting…")) }
                }
            }
            table {
                thead { tr { th { (say("valeur", "value")) } th { (say("prof.", "depth")) } th { (say("suite", "line")) } } }
                tbody {
                    @for info in study.lines.iter().take(LINES).filter(|_| here) {
                        tr { td { (value(inner.play.game(), info.value, language)) } td { (info.depth) } td.line { (inner.play.worded(&info.line.iter().take(12).cloned().collect::<Vec<_>>().join(" "), language)) } }
                    }
                }
            }
            @match inner.play.values(language) {
                Some(values) => p.unit { (values) },
                None => {
                    (graph(inner.play.as_ref(), study, at, language))
                    button type="button" data-do="graph" { (say("toute la partie", "the whole game")) }
                }
            }
        }
    }
}

/// A number with a narrow space every three digits.
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

fn moves(inner: &Inner, at: usize, language: Language) -> Markup {
    // A long game shows its end: the slider reaches the rest.
    const SHOWN: usize = 200;
    let moves = inner.play.moves();
    let end = moves.len().min(at + SHOWN / 2).max(SHOWN.min(moves.len()));
    let start = end.saturating_sub(SHOWN);
    let missed = inner.play.missed();
    let why = |nth: usize| missed.iter().find(|(missed, _)| *missed == nth).map(|(_, why)| *why);
    html! {
        ol.moves start=(start + 1) aria-label=(language.choose("coups joués", "moves played")) {
            @for (nth, text) in moves.iter().enumerate().take(end).skip(start) {
                li { button.here[nth + 1 == at] type="button" data-at=(nth + 1) { (inner.play.worded(text, language)) @if let Some(why) = why(nth) { " " small { (why.say(language)) } } } }
            }
        }
        @if !inner.variations.is_empty() {
            ul.variations aria-label=(language.choose("variantes", "variations")) {
                @for (nth, line) in inner.variations.iter().enumerate() {
                    li { button type="button" data-do="line" data-number=(nth) { (language.choose("variante", "variation")) " " (nth + 1) ": " (moves_of(line.len(), language)) } }
                }
            }
        }
    }
}

fn share(inner: &Inner, at: usize, say: impl Fn(&'static str, &'static str) -> &'static str) -> Markup {
    let game = inner.play.game();
    let position = inner.play.position(at);
    let (least, most) = game.seats().into_inner();
    let seats = if least == most { String::new() } else { format!("&seats={}", inner.play.seats()) };
    let own = game.notations().iter().find_map(|notation| notation.extension());
    let own = own.filter(|_| !inner.play.opening().contains('@'));
    html! {
        details.share {
            summary { (say("Position et fichier", "Position and file")) }
            label { (say("position", "position")) input type="text" readonly value=(position) data-copy="1"; }
            p {
                a href=(format!("/?game={}{seats}&start={}", game.name(), encoded(&position))) { (say("lien vers cette position", "link to this position")) }
                " · "
                button type="button" data-download="record" { (say("télécharger", "download")) }
                @if let Some(own) = own {
                    " · " button type="button" data-download="notation" { (own.to_uppercase()) }
                }
            }
        }
    }
}

/// Text as a part of an address.
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
