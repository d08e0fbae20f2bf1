//! Tests play mode on a screen of 24 lines.

use gounki::protocol::play;
use gounki::rules::{Game, Position};

/// A person at a screen. It records the screen before each prompt.
struct Screen {
    entries: Vec<play::Entry>,
    shown: std::rc::Rc<std::cell::RefCell<Vec<u8>>>,
    screens: Vec<String>,
}

/// The output of a session, shared with the test.
struct Shared(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl play::Input for Screen {
    fn ask(&mut self, prompt: &str, _: &mut dyn std::io::Write) -> Result<play::Entry, wire::Failure> {
        let shown = String::from_utf8(self.shown.borrow().clone()).unwrap();
        let last = shown.rsplit("\x1b[2J").next().unwrap();
        self.screens.push(format!("{last}{prompt}"));
        Ok(self.entries.remove(0))
    }

    fn screen(&mut self) -> Option<play::Size> {
        Some(play::Size { rows: 24, columns: 80 })
    }
}

/// Runs a session of two persons; returns the screen at each prompt and the result.
fn screens(entries: &[&str], end: play::Entry) -> (Vec<String>, Result<(), wire::Failure>) {
    let (mut screens, ended) = screens_and_last(entries, end);
    screens.pop();
    (screens, ended)
}

/// As [`screens`], with the screen that is left at the end.
fn screens_and_last(entries: &[&str], end: play::Entry) -> (Vec<String>, Result<(), wire::Failure>) {
    let (screens, _, ended) = session(play::Seat::Human, entries, end);
    (screens, ended)
}

/// Runs a session of a person and this opponent. Returns the screen at each prompt and the last one, the whole output,
/// and the result.
fn session(
    black: play::Seat,
    entries: &[&str],
    end: play::Entry,
) -> (Vec<String>, String, Result<(), wire::Failure>) {
    let shown: std::rc::Rc<std::cell::RefCell<Vec<u8>>> = std::rc::Rc::default();
    let lines = entries.iter().map(|entry| play::Entry::Line((*entry).to_owned()));
    let entries = lines.chain([end]).collect();
    let mut input = Screen { entries, shown: std::rc::Rc::clone(&shown), screens: Vec::new() };
    let options = play::Options {
        search_log: wire::SearchLog::Nothing,
        limits: search_core::Limits::nodes(10),
        heuristic: Some(gounki::evaluation::Evaluation::default()),
        style: gounki::protocol::board::Style::Unicode { colour: false },
        save: None,
    };
    let game = Game::new(Position::initial());
    let ended = play::Session::new(
        game,
        [play::Seat::Human, black],
        options,
        &mut input,
        &mut Shared(std::rc::Rc::clone(&shown)),
    )
    .run();
    let all = String::from_utf8(shown.borrow().clone()).unwrap();
    input.screens.push(all.rsplit("\x1b[2J").next().unwrap().to_owned());
    (input.screens, all, ended)
}

#[test]
fn a_screen_shows_the_board_behind_a_move_while_a_robot_thinks() {
    let settings = "robot:niveau:1".parse().unwrap();
    let robot = play::Seat::Robot(Box::new(gounki::player::Player::new(settings)), "robot:niveau:1".into());
    let (_, all, _) = session(robot, &["a2-b3"], play::Entry::Line("quitter".into()));
    let screens: Vec<_> = all.split("\x1b[2J").collect();
    let thinking = screens.iter().position(|screen| screen.contains("Coup 2, noir réfléchit…")).unwrap();
    let is_moved = |screen: &str| screen.lines().any(|line| line.starts_with("  3 │") && line.contains('○'));
    assert!(is_moved(screens[thinking]) && !is_moved(screens[thinking - 1]), "{all:?}");
    let next = screens[thinking + 1];
    assert!(next.contains("Coup 1 (blanc) : a2-b3") && next.contains("Coup 2 (noir) : "), "{next}");
}

#[test]
fn the_board_is_whole_on_a_screen_of_24_lines_whatever_was_entered() {
    let entries =
        ["zut", "coups", "b8-b7", "aide", "a2-b3", "historique", "zut", "coups h7", "conseil", "plateau"];
    let (screens, _) = screens(&entries, play::Entry::Line("quitter".into()));
    assert_eq!(screens.len(), entries.len() + 1);
    for screen in &screens {
        let rows: usize = screen.lines().map(|line| line.chars().count().div_ceil(80).max(1)).sum();
        assert!(rows <= 24, "{screen}");
        for rank in 1..=8 {
            assert!(screen.lines().any(|line| line.starts_with(&format!("  {rank} │"))), "{screen}");
        }
    }
    let moves = |screen: &String| screen.matches('-').count();
    assert!(screens[2].contains("36 coups possibles :") && moves(&screens[2]) >= 36, "{}", screens[2]);
    assert!(screens[0].contains('┤') && screens[0].contains('┬') && !screens[0].contains("┼\n"));
    assert!(screens[5].contains("Coup 1 (blanc) : a2-b3"), "{}", screens[5]);
}

#[test]
fn a_screen_is_left_with_the_last_move_below_its_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gagne.txt");
    std::fs::write(&path, "partie de gounki\ncoups\n").unwrap();
    let mut codes = ["V0"; 64];
    (codes[56], codes[7]) = ("B1", "N1");
    std::fs::write(&path, codes.join("\n")).unwrap();
    let load = format!("charger {}", path.display());
    let (screens, ended) = screens_and_last(&[&load], play::Entry::Line("a8#".into()));
    assert!(ended.is_ok());
    let last = screens.last().unwrap();
    let (above, below) = last.rsplit_once("a8#").unwrap_or_else(|| panic!("{last}"));
    assert!(above.matches("  1 │").count() == 2 && below.contains("gagnent."), "{last}");
    let (screens, _) = screens_and_last(&[], play::Entry::Line("quitter".into()));
    assert_eq!(screens.last().unwrap().matches("  1 │").count(), 1, "nothing was said: one board is enough");
}

#[test]
fn ctrl_c_is_told_from_the_end_of_input() {
    let (_, ended) = screens(&[], play::Entry::Interrupted);
    assert!(ended.unwrap_err().to_string().contains("partie interrompue (Ctrl-C)"));
    let (_, ended) = screens(&[], play::Entry::End);
    assert!(ended.unwrap_err().to_string().contains("fin de l'entrée"));
}
