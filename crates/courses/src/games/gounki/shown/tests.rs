//! Boards in several forms, with marks, and what is no board.

use super::*;

const LOOKS: [(&str, &str); 4] = [("B1", "[]"), ("B2", "()"), ("N1", "##"), ("N2", "%%")];

/// Draws a board in one of four forms, the second one with the first rank at the top.
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
    let row = |rank: usize| {
        let cells: Vec<String> = codes[8 * rank - 8..8 * rank].iter().map(look).collect();
        match form {
            0 => format!("{rank} |{}| {rank}", cells.join("|")),
            1 => format!("   {}   {rank}", cells.join("  ")),
            // A code may end with the rank's figure.
            3 => format!("{rank}  {}", cells.join("  ")),
            // Empty cells are blank, so only the letters show the columns.
            _ => format!("{rank}  {}", cells.join("  ").replace('.', " ")),
        }
    };
    let letters = "   a   b   c   d   e   f   g   h".to_owned();
    let mut lines: Vec<String> = (1..=8).rev().map(row).collect();
    if form == 1 {
        lines.reverse();
    }
    lines.insert(if form % 2 == 1 { 8 } else { 0 }, letters);
    lines
}

#[test]
fn a_move_is_read_off_two_boards_of_any_form() {
    for form in 0..4 {
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

/// Squares and rounds on lines of their own: with the number above, with the number below, and with a line between ranks.
#[test]
fn a_move_is_read_off_boards_whose_ranks_have_two_lines() {
    for form in 0..3 {
        let drawn = |position: &Position| {
            let codes = Configuration::of(position).to_string();
            let codes: Vec<&str> = codes.split_whitespace().collect();
            let rank = |rank: usize| {
                let row = &codes[8 * rank - 8..8 * rank];
                // A colour with the squares, and the rounds.
                let cell = |code: &str| match code[1..].parse::<usize>() {
                    Ok(kind @ 1..) => {
                        let [squares, rounds] = STACKS[kind - 1];
                        [format!("{} {squares}", &code[..1]), format!(" {rounds} ")]
                    }
                    _ => [const { String::new() }; 2],
                };
                let line =
                    |nth: usize| row.iter().map(|code| cell(code)[nth].clone() + "|").collect::<String>();
                let [colour, kind] = [0, 1].map(line);
                let (numbered, other) = (format!("{rank} |{colour}"), format!("  |{kind}"));
                match form {
                    0 => vec![numbered, other],
                    1 => vec![other, numbered],
                    _ => vec![numbered, other, "  +---+---+---+---+---+---+---+---+".to_owned()],
                }
            };
            let mut lines = vec!["Nombre de coups : 8".to_owned(), String::new()];
            lines.extend((1..=8).rev().flat_map(rank));
            lines.push("    a   b   c   d   e   f   g   h".to_owned());
            lines
        };
        let start = Position::initial();
        let (mut boards, mut position) = (Boards::default(), start);
        let mut hear = |shown: &Position, before: &Position| {
            let told = drawn(shown);
            told.iter().filter_map(|line| boards.hear(line, &start, before, &[])).collect::<Vec<_>>()
        };
        assert_eq!(hear(&start, &start), [Shown::Before], "form {form}");
        for nth in 0..30 {
            let moves = position.move_list();
            let moves: Vec<&Move> = moves.iter().filter(|mv| !mv.is_null()).collect();
            let (before, mv) = (position, *moves[(7 * nth + 3) % moves.len()]);
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
            let [Shown::Move(found)] = hear(&position, &before)[..] else { panic!("form {form}, {mv}") };
            let mut reached = before;
            reached.play(found);
            assert_eq!(Configuration::of(&reached).to_string(), Configuration::of(&position).to_string());
        }
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
    assert_eq!(rank("8 |N1|N2|N1|N2|"), Some(8));
    assert_eq!(rank("  B1  B2  .  .    1"), Some(1));
    for other in
        ["3", "  | 1 | 0 | 1 |", "Coup 12 : a2-b3", "a b c d e f g h", "------------------", "12 coups joués"]
    {
        assert_eq!(rank(other), None, "{other}");
    }
    assert_eq!(letters(" a b c d e f g h").unwrap()[1], 3);
    assert_eq!(letters("abcdefg"), None);
}
