//! Puzzles: the page, and its changing part for a puzzle as a visitor sees it.
//!
//! Nothing is kept between two requests: [`Asked`] has the puzzle, the moves played from it, and the click.

mod shown;

use super::lessons::lesson;
use super::room::words;
use super::{Visitor, encoded, shell, spaces};
use courses::drawing::Language;
use courses::play::BoardView;
use courses::puzzle::Level;
use courses::registry::{self, Game};
use maud::{Markup, PreEscaped, html};
#[cfg(test)]
pub(super) use shown::clicks;
use shown::{Hint, Shown, Told};

pub use super::asked::Asked;

/// Returns the changing part of the page. `None` if the game has no such puzzle.
#[must_use]
pub fn puzzle(game: Game, asked: &Asked, language: Language) -> Option<String> {
    if !asked.rule.is_empty() {
        return lesson(game, asked, language);
    }
    Some(spaces::text(Shown::of(game, asked, language)?.draw(), language))
}

impl Shown {
    fn say<'a>(&self, french: &'a str, english: &'a str) -> &'a str {
        self.language.choose(french, english)
    }

    fn board(&self) -> String {
        let mut board = BoardView {
            at: self.at,
            path: self.path.clone(),
            interactive: self.play.mover(self.at).is_some(),
            language: self.language,
            ..BoardView::default()
        };
        if self.is_open {
            let rest = &self.play.moves()[self.at..];
            (board.best, board.line) = (rest.first().cloned(), rest.to_vec());
        }
        if let Some(Hint::OneOf(cells)) = &self.hint {
            // The first value is drawn as the best one; here none is.
            let marks = cells.iter().map(|cell| (cell.clone(), "?".to_owned()));
            board.values = std::iter::once((String::new(), String::new())).chain(marks).collect();
        }
        self.play.draw(&board)
    }

    fn worded(&self, moves: &[String]) -> String {
        self.play.worded(&moves.join(" "), self.language)
    }

    fn status(&self) -> String {
        let goal = self.puzzle.goal;
        match &self.told {
            Told::Refused(why) => return why.clone(),
            Told::Wrong(text) => {
                let text = self.play.worded(text, self.language);
                return format!("{text}{}{}", self.say(" : ", ": "), goal.failure(self.language));
            }
            Told::Right => {
                return format!(
                    "{} {}",
                    self.say("juste :", "right:"),
                    self.worded(std::slice::from_ref(&self.puzzle.best))
                );
            }
            Told::Nothing => {}
        }
        if let Some(Hint::OneOf(cells)) = &self.hint {
            return format!("{} {}", self.say("l'un de ceux-ci :", "one of these:"), self.worded(cells));
        }
        if let Some(Hint::First(click)) = &self.hint {
            let click = self.play.worded(click, self.language);
            return format!("{} {click}", self.say("cela commence par", "it begins with"));
        }
        match self.play.mover(self.at) {
            None => self.play.reason(self.at, self.language).to_owned(),
            Some(mover) if self.is_open => {
                format!(
                    "{} {}",
                    self.say("au tour de", "to move:"),
                    self.play.seat_name(mover, self.language)
                )
            }
            Some(mover) => {
                let seat = self.play.seat_name(mover, self.language);
                format!("{seat}{} {}", self.say(" :", ":"), self.puzzle.task(self.language))
            }
        }
    }

    fn draw(&self) -> Markup {
        let (status, puzzles) = (self.status(), self.game.assignment().puzzles());
        let (count, level, ends) = (puzzles.len(), Level::of(puzzles, self.nth), Level::ends(puzzles));
        let length = self.play.moves().len();
        let state = match &self.told {
            Told::Right => "right",
            Told::Wrong(_) => "wrong",
            _ if self.is_open => "open",
            _ => "asked",
        };
        let is_bad = matches!(self.told, Told::Wrong(_) | Told::Refused(_));
        let next = self.play.next(self.at, &self.path);
        html! {
            section.puzzle
                data-game=(self.game.name())
                data-n=(self.nth + 1)
                data-count=(count)
                data-name=(self.puzzle.name)
                data-level=(level.name())
                data-ends=(ends.map(|end| end.to_string()).join(" "))
                data-state=(state)
                data-path=(self.path.join(" "))
                data-moves=(self.play.moves().join(" "))
                data-at=(self.at)
                data-length=(length)
                data-keys=(self.play.keys())
                data-say=(status)
            {
                div.stage {
                    div.boardbox { (PreEscaped(self.board())) }
                    p.status.refused[is_bad].right[matches!(self.told, Told::Right)] {
                        @if matches!(self.told, Told::Right) { b aria-hidden="true" { "✓ " } }
                        @if matches!(self.told, Told::Wrong(_)) { b aria-hidden="true" { "✗ " } }
                        (status)
                    }
                    // Below the board, where it is seen at once.
                    @if self.is_open { (self.answered()) }
                    (words(self.play.as_ref(), &next, &self.path, self.language))
                }
                aside {
                    h2 { (self.game.title(self.language)) " · " (self.say("problème", "puzzle")) " " (self.nth + 1) " " (self.say("sur", "of")) " " (count) }
                    p { (self.task()) }
                    p.unit { (self.say("niveau :", "level:")) " " (level.title(self.language)) (self.rating(level)) }
                    @if self.is_open { (self.solution()) }
                    @else {
                        p.unit { (self.say("Un coup est le seul bon, et c'est prouvé. À vous de le trouver.", "One move alone is right, by proof. Find it.")) }
                        div.controls {
                            button type="button" data-show="hint" { (self.say("conseil", "hint")) }
                            button type="button" data-show="solution" { (self.say("solution", "solution")) }
                            button type="button" data-next="1" { (self.say("problème suivant", "next puzzle")) }
                        }
                    }
                }
            }
        }
    }

    /// Draws what follows an answer: the next puzzle and the proof.
    fn answered(&self) -> Markup {
        html! {
            div.answered {
                button.primary type="button" data-next="1" { (self.say("problème suivant", "next puzzle")) }
                p { b { (self.say("Pourquoi ?", "Why?")) } " " (self.puzzle.goal.proof(self.language)) }
            }
        }
    }

    /// Returns the number of positions that decides the level of a puzzle that is not easy, in words.
    fn rating(&self, level: Level) -> String {
        // At least eight, so that the plural is right.
        let nodes = self.puzzle.nodes;
        match self.language {
            _ if level == Level::Easy => String::new(),
            Language::French => format!(" ; notre moteur trouve après {nodes} positions"),
            Language::English => format!("; our engine finds it after {nodes} positions"),
        }
    }

    fn task(&self) -> String {
        let mover = self.play.mover(0).map(|seat| self.play.seat_name(seat, self.language));
        format!("{}{} {}", mover.unwrap_or_default(), self.say(" :", ":"), self.puzzle.task(self.language))
    }

    /// Draws the line of the solution, move by move, and what is proven of it.
    fn solution(&self) -> Markup {
        let (at, moves) = (self.at, self.play.moves());
        html! {
            div.browse role="group" aria-label=(self.say("coups", "moves")) {
                button type="button" data-at="0" aria-label=(self.say("début", "start")) disabled[at == 0] { "«" }
                button type="button" data-at=(at.saturating_sub(1)) aria-label=(self.say("coup précédent", "previous move")) disabled[at == 0] { "‹" }
                button type="button" data-at=((at + 1).min(moves.len())) aria-label=(self.say("coup suivant", "next move")) disabled[at == moves.len()] { "›" }
                button type="button" data-run="1" aria-label=(self.say("défiler", "run")) disabled[moves.is_empty()] { "▷▷" }
            }
            ol.moves aria-label=(self.say("la solution", "the solution")) {
                @for (nth, text) in moves.iter().enumerate() {
                    li { button.here[nth + 1 == at] aria-current=[(nth + 1 == at).then_some("step")] type="button" data-at=(nth + 1) { (self.play.worded(text, self.language)) } }
                }
            }
            @if self.play.seats() > 1 && self.play.mover(1).is_some() {
                p.unit { (self.say("Essayez une autre défense sur le plateau : notre moteur y répond.", "Try another defence on the board: our engine answers it.")) }
            }
            p { a href=(format!("/?game={}&seats={}&start={}", self.game.name(), self.play.seats(), encoded(&self.puzzle.opening))) { (self.say("jouer ou étudier cette position", "play or study this position")) } }
        }
    }
}

/// Returns the page of the puzzles.
#[must_use]
pub fn puzzles(visitor: &Visitor) -> String {
    let games: Vec<Game> =
        registry::all().into_iter().filter(|game| !game.assignment().puzzles().is_empty()).collect();
    let choices =
        [("rules", visitor.say("les règles", "the rules")), ("day", visitor.say("du jour", "of the day"))];
    let levels = Level::ALL.map(|level| (level.name(), level.title(visitor.language)));
    let levels = choices.into_iter().chain(levels);
    let body = html! {
        main #view {
            h1 { (visitor.say("Problèmes", "Puzzles")) }
            form #wanted {
                label { span { (visitor.say("jeu", "game")) } " "
                    select name="game" { @for game in &games { option value=(game.name()) { (game.title(visitor.language)) } } }
                }
                label { span { (visitor.say("problème", "puzzle")) } " "
                    select name="level" { @for (value, name) in levels { option value=(value) selected[value == "day"] { (name) } } }
                }
                p.streak
                    data-row=(visitor.say("{} de suite", "{} in a row"))
                    data-days=(visitor.say("{} jours de suite", "{} days in a row"))
                    data-solved=(visitor.say("{} résolus sur {of}", "{} of {of} solved"))
                    data-again=(visitor.say("déjà résolu", "solved before")) {}
                details.scale open {
                    summary { (visitor.say("niveaux", "levels")) }
                    p.unit {
                        (visitor.say(
                            "Facile : le but est à un ou deux coups, à quelques cases ou à quelques pas. Moyen, difficile : selon le nombre de positions que notre moteur examine avant de trouver, indiqué à chaque problème.",
                            "Easy: the goal is a move or two, a few squares or a few steps away. Medium, hard: by the number of positions that our engine visits before it finds the solution, told at each puzzle.",
                        ))
                    }
                }
            }
            div #puzzles {}
        }
    };
    shell(visitor, visitor.say("Problèmes", "Puzzles"), &["puzzles.js"], &body)
}

#[cfg(test)]
mod tests {
    use super::shown::{clicks, hint};
    use super::*;
    use courses::play::{self, Clicked};
    use courses::puzzle::{Goal, Puzzle};

    fn asked(fields: &[(&str, &str)]) -> Asked {
        let fields: serde_json::Map<String, serde_json::Value> =
            fields.iter().map(|&(name, text)| (name.to_owned(), text.into())).collect();
        serde_json::from_value(fields.into()).unwrap()
    }

    fn data(text: &str, name: &str) -> String {
        text.split_once(&format!("data-{name}=\"")).unwrap().1.split('"').next().unwrap().to_owned()
    }

    fn english(game: Game, fields: &[(&str, &str)]) -> String {
        puzzle(game, &asked(fields), Language::English).unwrap()
    }

    #[test]
    fn the_solution_is_right_and_another_legal_move_is_wrong_in_every_game() {
        for game in registry::all() {
            let puzzle = &game.puzzles()[0];
            let play = play::open(game, &puzzle.opening, *game.seats().start()).unwrap();
            let path = clicks(play.as_ref(), &[], &puzzle.best).unwrap();
            let (last, first) = path.split_last().unwrap();
            let text = english(game, &[("n", "1"), ("path", &first.join(" ")), ("click", last)]);
            assert_eq!(
                (data(&text, "state"), data(&text, "at")),
                ("right".to_owned(), "1".to_owned()),
                "{game}"
            );
            assert_eq!(data(&text, "moves"), puzzle.line.join(" "));
            assert!(text.contains("Why?"));
            let wrong = play.next(0, &[]).into_iter().find_map(|click| {
                match play.press(0, &[], &click, Language::English) {
                    Clicked::Move(text) if text != puzzle.best => Some(click),
                    _ => None,
                }
            });
            // Some games have no move of one click.
            let Some(wrong) = wrong else { continue };
            let text = english(game, &[("n", "1"), ("click", &wrong)]);
            assert_eq!(
                (data(&text, "state"), data(&text, "moves")),
                ("wrong".to_owned(), String::new()),
                "{game}"
            );
            assert!(!text.contains("Why?"), "the proof would tell the solution");
        }
    }

    #[test]
    fn a_puzzle_tells_its_level_and_where_the_others_are() {
        for game in registry::all() {
            let puzzles = game.puzzles();
            let ends = Level::ends(puzzles);
            for (n, level) in [(1, "easy"), (ends[0] + 1, "medium"), (ends[2], "hard")] {
                let text = english(game, &[("n", &n.to_string())]);
                assert_eq!(data(&text, "level"), level, "{game} {n}");
                assert_eq!(data(&text, "ends"), ends.map(|end| end.to_string()).join(" "));
                let told = match n {
                    1 => "level: easy<".to_owned(),
                    _ => format!(
                        "level: {level}; our engine finds it after {} positions<",
                        puzzles[n - 1].nodes
                    ),
                };
                assert!(text.contains(&told), "{told}: {text}");
                assert!(text.contains(&format!("puzzle {n} of {}<", puzzles.len())), "{text}");
            }
        }
    }

    #[test]
    fn a_hint_keeps_the_solution_among_what_it_names() {
        for game in registry::all() {
            let (mut named, mut asked) = (Vec::new(), 0);
            for (nth, puzzle) in game.puzzles().iter().enumerate().step_by(40) {
                let play = play::open(game, &puzzle.opening, *game.seats().start()).unwrap();
                let path = clicks(play.as_ref(), &[], &puzzle.best).unwrap();
                match hint(play.as_ref(), puzzle).unwrap() {
                    Hint::First(click) => assert!(click == path[0] && path.len() > 1, "{game} {nth}"),
                    Hint::OneOf(among) => {
                        assert!(among.contains(&path[0]) && among.len() > 1, "{game} {nth}: {among:?}");
                        named.extend(among.into_iter().filter(|click| *click != path[0]));
                        asked += 1;
                    }
                }
            }
            // No cell stands in each hint.
            let most = named.iter().map(|one| named.iter().filter(|other| *other == one).count()).max();
            assert!(asked < 4 || most < Some(asked), "{game}: {named:?}");
        }
    }

    #[test]
    fn another_defence_is_answered_until_the_game_is_over() {
        // A win in three moves of two clicks each.
        let is_wanted = |game: Game, puzzle: &Puzzle| {
            let play = play::open(game, &puzzle.opening, 2).unwrap();
            puzzle.goal == Goal::WinWithin(5)
                && clicks(play.as_ref(), &[], &puzzle.best).is_some_and(|path| path.len() == 2)
        };
        let games = registry::all().into_iter().filter(|game| game.seats().contains(&2));
        let mut found = games.filter_map(|game| {
            let mut puzzles = game.puzzles().iter().enumerate();
            Some((game, puzzles.find(|(_, puzzle)| is_wanted(game, puzzle))?))
        });
        let (game, (nth, puzzle)) = found.next().unwrap();
        let number = (nth + 1).to_string();
        let mut moves = puzzle.best.clone();
        for _ in 0..4 {
            let play = {
                let mut play = play::open(game, &puzzle.opening, 2).unwrap();
                moves.split(' ').for_each(|text| play.play(text).unwrap());
                play
            };
            let at = play.moves().len();
            if play.mover(at).is_none() {
                let points = play.ending(at).unwrap().points;
                assert!(points[play.by(0)] > 0.9, "{moves}: {points:?}");
                return;
            }
            // The last click of the list first: seldom the move of the line.
            let first = play.next(at, &[]).pop().unwrap();
            let second = play.next(at, std::slice::from_ref(&first)).pop().unwrap();
            let text =
                english(game, &[("n", &number), ("moves", &moves), ("path", &first), ("click", &second)]);
            assert!(data(&text, "length").parse::<usize>().unwrap() > at, "{text}");
            moves = data(&text, "moves");
        }
        panic!("no win within five plies: {moves}");
    }

    #[test]
    fn requests_from_elsewhere_are_bounded() {
        let game = registry::all()[0];
        let count = game.puzzles().len().to_string();
        for n in ["0", "99999", "99999999999999999999999"] {
            let shown = puzzle(game, &asked(&[("n", n)]), Language::French);
            assert_eq!(shown.is_some(), n.len() > 20, "{n}");
        }
        let long = "9 ".repeat(5000);
        for (name, text) in
            [("moves", long.as_str()), ("path", &long), ("click", &long), ("at", "x"), ("day", "x")]
        {
            let text = puzzle(game, &asked(&[("n", &count), (name, text)]), Language::French).unwrap();
            assert!(text.len() < 60_000);
        }
    }
}
