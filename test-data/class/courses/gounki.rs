//! Gounki for tests: the test mode alone, in which it knows the colours of the cells and no other rule.

/// Reads a move's cells, by row and column. `None` for text that is none.
fn cells(text: &str) -> Option<Vec<(usize, usize)>> {
    let (is_exit, text) = (text.ends_with('#'), text.strip_suffix('#').unwrap_or(text).as_bytes());
    let cell = |at: &[u8]| {
        let is_one = at.len() == 2 && (b'a'..=b'h').contains(&at[0]) && (b'1'..=b'8').contains(&at[1]);
        is_one.then(|| (usize::from(at[1] - b'1'), usize::from(at[0] - b'a')))
    };
    let mut all = vec![cell(text.get(..2)?)?];
    let signs = text.get(2..).unwrap_or_default();
    for (nth, step) in signs.chunks(3).enumerate() {
        let is_sign = if nth == 0 { b"+*-".contains(&step[0]) } else { step[0] == b'-' && signs[0] != b'-' };
        all.push(cell(&step[1..]).filter(|_| is_sign)?);
    }
    (all.len() > 1 || is_exit).then_some(all)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments != ["-t"] {
        std::process::exit(1);
    }
    let mut colours = [*b"BBBBBBBB", *b"BBBBBBBB", [b'.'; 8], [b'.'; 8], [b'.'; 8], [b'.'; 8], *b"NNNNNNNN", *b"NNNNNNNN"];
    for (number, line) in (1..).zip(std::io::stdin().lines().map_while(Result::ok)) {
        let me = if number % 2 == 1 { b'B' } else { b'N' };
        let Some(cells) = cells(&line).filter(|cells| colours[cells[0].0][cells[0].1] == me) else {
            std::process::exit(1);
        };
        for (nth, (row, column)) in cells.into_iter().enumerate() {
            colours[row][column] = if nth == 0 { b'.' } else { me };
        }
        println!("Coup {number}\n  a b c d e f g h");
        for (row, colours) in colours.iter().enumerate().rev() {
            let signs: Vec<String> = colours.iter().map(|&sign| char::from(sign).to_string()).collect();
            println!("{} {}", row + 1, signs.join(" "));
        }
    }
}
