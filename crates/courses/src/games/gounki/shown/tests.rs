//! Boards in several forms, with marks, and what is no board.

use super::*;
use ::gounki::rules::Colour;

const LOOKS: [(&str, &str); 4] = [("B1", "[]"), ("B2", "()"), ("N1", "##"), ("N2", "%%")];

/// Draws a board in one of six forms: the second with the first rank at the top, the last from the mover's side.
fn drawn(position: &Position, form: usize) -> Vec<String> {
    let codes: Vec<String> =
        Configuration::of(position).to_string().split_whitespace().map(str::to_owned).collect();
    let look = |code: &String| {
        if form == 3 {
            return if code == "V0" { "..".to_owned() } else { code.clone() };
        }
        let known = LOOKS.iter().find(|(of, _)| of == code).map(|(_, look)| (*look).to_owned());
        known.unwrap_or_else(|| if code == "V0" { " .".to_owned() } else { code.to_lowercase() })
    };
    let is_turned = form == 5 && position.to_move() == Colour::Black;
    let row = |rank: usize| {
        let mut cells: Vec<String> = codes[8 * rank - 8..8 * rank].iter().map(look).collect();
        if is_turned {
            cells.reverse();
        }
        match form {
            0 => format!("{rank} |{}| {rank}", cells.join("|")),
            1 => format!("   {}   {rank}", cells.join("  ")),
            // A code may end with the rank's figure.
            3 => format!("{rank}  {}", cells.join("  ")),
            4 => format!("{rank}\t{}", cells.join("\t").replace('.', " ")),
            5 => format!("{rank} {}", cells.join(" ").replace(" .", ".")),
            // Empty cells are blank, so only the letters show the columns.
            _ => format!("{rank}  {}", cells.join("  ").replace('.', " ")),
        }
    };
    let letters = match form {
        4 => "\ta\tb\tc\td\te\tf\tg\th",
        _ if is_turned => "   h   g   f   e   d   c   b   a",
        _ => "   a   b   c   d   e   f   g   h",
    };
    let mut lines: Vec<String> = (1..=8).rev().map(row).collect();
    if form == 1 || is_turned {
        lines.reverse();
    }
    lines.insert(if form % 2 == 1 { 8 } else { 0 }, letters.to_owned());
    lines
}

#[test]
fn a_move_is_read_off_two_boards_of_any_form() {
    for form in 0..6 {
        let start = Position::initial();
        let mut boards = Boards::default();
        let mut position = start;
        for line in drawn(&start, form) {
            assert!(!matches!(boards.hear(&line, &start, &start, &[]), Some(Shown::Move(_))));
        }
        // Long enough for stacks, captures and deployments.
        for nth in 0..40 {
            let moves = position.move_list();
            let moves: Vec<&Move> = moves.iter().filter(|mv| !mv.is_null()).collect();
            let mv = *moves[(7 * nth + 3) % moves.len()];
            let mut next = position;
            next.play(mv);
            if next.outcome().is_some() {
                break;
            }
            let mut found = None;
            let count = format!("Nombre de coups : {}", nth % 9);
            for line in
                ["4".to_owned(), count, "Au tour du joueur 2".to_owned()].iter().chain(&drawn(&next, form))
            {
                found = found.or(boards.hear(line, &start, &position, &[]));
            }
            let Some(Shown::Move(found)) = found else { panic!("form {form}, {mv} was not found") };
            let mut reached = position;
            reached.play(found);
            assert_eq!(Configuration::of(&reached).to_string(), Configuration::of(&next).to_string());
            // The same board again gives no move.
            let again: Vec<Shown> =
                drawn(&next, form).iter().filter_map(|line| boards.hear(line, &start, &next, &[])).collect();
            assert_eq!(again, [Shown::Before]);
            position = next;
        }
    }
}

/// The squares and rounds of the codes from 1 to 9.
const STACKS: [[u8; 2]; 9] = [[1, 0], [0, 1], [2, 0], [0, 2], [3, 0], [0, 3], [1, 1], [2, 1], [1, 2]];

/// Draws boards whose ranks have several lines, in four forms: squares and rounds on lines of their own; men from the top or
/// from the bottom, one a line; and these with a line between the ranks. The rank's number is on its line `numbered`.
fn drawn_tall(position: &Position, form: usize, numbered: usize) -> Vec<String> {
    let codes = Configuration::of(position).to_string();
    let codes: Vec<&str> = codes.split_whitespace().collect();
    let cell = |code: &str| -> Vec<String> {
        let Ok(kind @ 1..) = code[1..].parse::<usize>() else { return vec![" ".to_owned(); 3] };
        let men = STACKS[kind - 1];
        let colour = &code[..1];
        if form == 0 {
            return vec![format!("{colour} {}", men[0]), format!(" {} ", men[1])];
        }
        let men =
            ["C", "R"].iter().zip(men).flat_map(|(man, count)| vec![format!("{man}{colour}"); count.into()]);
        let blank = || std::iter::repeat(String::new());
        let mut lines: Vec<String> = men.chain(blank()).take(3).collect();
        if form == 2 {
            lines.reverse();
        }
        lines
    };
    let rank = |rank: usize| {
        let cells: Vec<Vec<String>> = codes[8 * rank - 8..8 * rank].iter().map(|code| cell(code)).collect();
        let line = |nth| {
            let number = if nth == numbered { rank.to_string() } else { " ".to_owned() };
            format!("{number} |{}", cells.iter().map(|cell| format!("{:3}|", cell[nth])).collect::<String>())
        };
        let mut lines: Vec<String> = (0..if form == 0 { 2 } else { 3 }).map(line).collect();
        lines.extend((form == 3).then(|| "  +---+---+---+---+---+---+---+---+".to_owned()));
        lines
    };
    let mut lines = vec!["Nombre de coups : 8".to_owned(), String::new()];
    lines.extend((1..=8).rev().flat_map(rank));
    lines.push("    a   b   c   d   e   f   g   h".to_owned());
    lines
}

#[test]
fn a_move_is_read_off_boards_whose_ranks_have_several_lines() {
    for (form, numbered) in (0..4).flat_map(|form| (0..3).map(move |numbered| (form, numbered))) {
        if form == 0 && numbered == 2 {
            continue;
        }
        let start = Position::initial();
        let (mut boards, mut position) = (Boards::default(), start);
        let mut hear = |shown: &Position, before: &Position, written: &[Move]| {
            let told = drawn_tall(shown, form, numbered);
            told.iter().filter_map(|line| boards.hear(line, &start, before, written)).collect::<Vec<_>>()
        };
        assert_eq!(hear(&start, &start, &[]), [Shown::Before], "form {form}");
        for nth in 0..30 {
            let moves = position.move_list();
            let moves: Vec<&Move> = moves.iter().filter(|mv| !mv.is_null()).collect();
            let (before, mv) = (position, *moves[(7 * nth + 3) % moves.len()]);
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
            let written = if nth % 5 == 4 { &[mv][..] } else { &[] };
            let [Shown::Move(found)] = hear(&position, &before, written)[..] else {
                panic!("form {form}, the number on line {numbered}, {nth}: {mv}")
            };
            let mut reached = before;
            reached.play(found);
            assert_eq!(Configuration::of(&reached).to_string(), Configuration::of(&position).to_string());
        }
    }
}

#[test]
fn a_first_board_may_follow_a_written_move() {
    let start = Position::initial();
    let mv = start.find(&"a2-b3".parse().unwrap()).unwrap();
    let mut next = start;
    next.play(mv);
    for (shown, told) in [(&start, Shown::Before), (&next, Shown::Move(mv))] {
        let mut boards = Boards::default();
        let lines = drawn(shown, 0);
        let heard: Vec<Shown> =
            lines.iter().filter_map(|line| boards.hear(line, &start, &start, &[mv])).collect();
        assert_eq!(heard, [told]);
    }
}

/// Brackets, or reversed colours, around the two cells of a move. The first board may follow the first move.
#[test]
fn a_move_whose_cells_are_marked_is_read_off_the_board() {
    let moves = [("a2-b3", [8, 17]), ("g7-g6", [54, 46]), ("b3-a4", [17, 24]), ("h8-h7", [63, 55])];
    let start = Position::initial();
    for ((open, close), silent) in
        [(("[", "]"), 0), (("[", "]"), 1), (("\u{1b}[7m", "\u{1b}[0m"), 0), (("\u{1b}[7m", "\u{1b}[0m"), 1)]
    {
        let (mut boards, mut position, mut last) = (Boards::default(), start, None);
        let mut hear = |shown: &Position, before: &Position, marked: Option<[usize; 2]>| {
            let codes = Configuration::of(shown).to_string();
            let cell = |(at, code)| match marked.is_some_and(|cells| cells.contains(&at)) {
                true => format!("{open}{code}{close}"),
                false => format!(" {code} "),
            };
            let cells: Vec<String> = codes.split_whitespace().enumerate().map(cell).collect();
            let row = |rank: usize| format!("{rank} |{}| {rank}", cells[8 * rank - 8..8 * rank].join("|"));
            (1..=8).rev().filter_map(|rank| boards.hear(&row(rank), &start, before, &[])).last()
        };
        for (nth, (text, cells)) in moves.into_iter().enumerate() {
            if nth == silent {
                assert_eq!(hear(&position, &position, last), Some(Shown::Before), "{open} {silent}");
            }
            let mv = position.find(&text.parse().unwrap()).unwrap();
            let before = position;
            position.play(mv);
            last = Some(cells);
            if nth >= silent {
                assert_eq!(hear(&position, &before, last), Some(Shown::Move(mv)), "{open} {silent}");
                assert_eq!(hear(&position, &position, last), Some(Shown::Before), "{open} {silent}");
            }
        }
    }
}

/// Men in letters that do not tell the side, and the last move's cells in brackets or on another background.
#[test]
fn a_move_is_read_off_boards_where_colours_tell_the_side_and_mark_the_last_move() {
    for (brackets, game) in (0..8).map(|nth| (nth % 2 == 0, nth)) {
        let start = Position::initial();
        let (mut boards, mut position) = (Boards::default(), start);
        let mut hear = |shown: &Position, before: &Position| {
            let [old, new] = [before, shown].map(|position| Configuration::of(position).to_string());
            let codes: Vec<(&str, &str)> = new.split_whitespace().zip(old.split_whitespace()).collect();
            let cell = |at: usize| {
                let (code, old) = codes[at];
                let men = code[1..]
                    .parse::<usize>()
                    .ok()
                    .filter(|&kind| kind > 0)
                    .map_or([0, 0], |kind| STACKS[kind - 1]);
                let men: String =
                    ["C", "R"].iter().zip(men).map(|(man, count)| man.repeat(count.into())).collect();
                let is_dark = (at / 8 + at % 8) % 2;
                let (background, [open, close]) = match (code != old, brackets) {
                    (true, true) => (40 + 4 * is_dark, ["[", "]"]),
                    (true, false) => (42 + is_dark, [" "; 2]),
                    (false, _) => (40 + 4 * is_dark, [" "; 2]),
                };
                let letters = match &code[..1] {
                    "B" => "\u{1b}[97m",
                    "N" => "\u{1b}[31m",
                    _ => "",
                };
                format!("\u{1b}[{background}m{letters}{open}{men:^3}{close}\u{1b}[0m")
            };
            let row = |rank: usize| (8 * rank - 8..8 * rank).map(cell).collect::<Vec<_>>().join("│");
            let lines = (1..=8).rev().map(|rank| format!("{rank} │{}│", row(rank)));
            lines.filter_map(|line| boards.hear(&line, &start, before, &[])).collect::<Vec<_>>()
        };
        assert_eq!(hear(&start, &start), [Shown::Before]);
        for nth in 0..40 {
            let moves = position.move_list();
            let moves: Vec<&Move> = moves.iter().filter(|mv| !mv.is_null()).collect();
            let (before, mv) = (position, *moves[(7 * nth + 11 * game + 3) % moves.len()]);
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
            let [Shown::Move(found)] = hear(&position, &before)[..] else {
                panic!("game {game}, {nth}: {mv}")
            };
            let mut reached = before;
            reached.play(found);
            let [reached, shown] =
                [&reached, &position].map(|position| Configuration::of(position).to_string());
            assert_eq!(reached, shown, "game {game}, {nth}: {found} for {mv}");
        }
    }
}

#[test]
fn a_board_that_no_move_explains_is_no_answer() {
    let start = Position::initial();
    let mut boards = Boards::default();
    for line in drawn(&start, 0) {
        boards.hear(&line, &start, &start, &[]);
    }
    let mut two = start;
    for text in ["a2-b3", "g7-g6", "b2-b3"] {
        let mv = two.find(&text.parse().unwrap()).unwrap();
        two.play(mv);
    }
    for line in drawn(&two, 0) {
        assert_eq!(boards.hear(&line, &start, &start, &[]), None);
    }
}

#[test]
fn ranks_and_letters_are_told_from_other_lines() {
    assert_eq!(text::rank("8 |N1|N2|N1|N2|"), Some(8));
    assert_eq!(text::rank("  B1  B2  .  .    1"), Some(1));
    for other in
        ["3", "  | 1 | 0 | 1 |", "Coup 12 : a2-b3", "a b c d e f g h", "------------------", "12 coups joués"]
    {
        assert_eq!(text::rank(other), None, "{other}");
    }
    assert_eq!(letters(" a b c d e f g h").unwrap()[1], 3);
    assert_eq!(letters("abcdefg"), None);
}
