//! Othello by GTP for tests: the first legal move, by file and rank.

use std::io::{BufRead, Write};

type Discs = [[u8; 8]; 8];

fn start() -> Discs {
    let mut discs = [[0; 8]; 8];
    (discs[3][3], discs[4][4], discs[3][4], discs[4][3]) = (b'w', b'w', b'b', b'b');
    discs
}

/// The discs that a move turns.
fn turned(discs: &Discs, me: u8, x: usize, y: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    if discs[x][y] != 0 {
        return all;
    }
    for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let mut line = Vec::new();
        let (mut i, mut j) = (x as i32 + dx, y as i32 + dy);
        while (0..8).contains(&i) && (0..8).contains(&j) {
            match discs[i as usize][j as usize] {
                0 => break,
                disc if disc == me => {
                    all.append(&mut line);
                    break;
                }
                _ => line.push((i as usize, j as usize)),
            }
            (i, j) = (i + dx, j + dy);
        }
    }
    all
}

fn play(discs: &mut Discs, me: u8, x: usize, y: usize) {
    for (i, j) in turned(discs, me, x, y).into_iter().chain([(x, y)]) {
        discs[i][j] = me;
    }
}

fn main() {
    let mut discs = start();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let line = line.to_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut answer = String::new();
        match words[..] {
            ["clear_board"] => discs = start(),
            ["play", colour, at] if at != "pass" => {
                let at = at.as_bytes();
                play(&mut discs, colour.as_bytes()[0], usize::from(at[0] - b'a'), usize::from(at[1] - b'1'));
            }
            ["genmove", colour] => {
                let me = colour.as_bytes()[0];
                let found = (0..64).find(|i| !turned(&discs, me, i / 8, i % 8).is_empty());
                if let Some(i) = found {
                    play(&mut discs, me, i / 8, i % 8);
                }
                let name = |i: usize| format!("{}{}", char::from(b'a' + (i / 8) as u8), i % 8 + 1);
                answer = found.map_or("pass".to_owned(), name);
            }
            _ => {}
        }
        print!("= {answer}\n\n");
        std::io::stdout().flush().expect("an open pipe");
        if words[..] == ["quit"] {
            return;
        }
    }
}
