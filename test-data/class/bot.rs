//! Connect5 for a class of tests: BEHAVIOUR says what the program does with a position.

use std::io::{self, BufRead, Write};

const BEHAVIOUR: &str = "first";
const WAYS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

type Grid = Vec<Vec<u8>>;

fn run(grid: &Grid, at: (usize, usize), stone: u8) -> i64 {
    let count = |(dr, dc): (isize, isize)| {
        (1..)
            .take_while(|step| {
                let row = at.0.checked_add_signed(dr * step).and_then(|r| grid.get(r));
                let cell = row.zip(at.1.checked_add_signed(dc * step)).and_then(|(row, c)| row.get(c));
                cell == Some(&stone)
            })
            .count() as i64
    };
    WAYS.iter().map(|&(r, c)| 1 + count((r, c)) + count((-r, -c))).max().unwrap_or(0)
}

fn choose(grid: &Grid, seed: &mut u64) -> (usize, usize) {
    let cells = || grid.iter().enumerate().flat_map(|(r, row)| (0..row.len()).map(move |c| (r, c)));
    let count = |stone: u8| grid.iter().flatten().filter(|&&cell| cell == stone).count();
    let (own, other) = if count(b'N') == count(b'B') { (b'N', b'B') } else { (b'B', b'N') };
    let mut free = cells().filter(|&(r, c)| grid[r][c] == b'0');
    let mut taken = cells().filter(|&(r, c)| grid[r][c] != b'0');
    let near = |(r, c): (usize, usize)| {
        -(2 * r as i64 - grid.len() as i64).abs() - (2 * c as i64 - grid[0].len() as i64).abs()
    };
    let chosen = match BEHAVIOUR {
        "cheat" => taken.next().or_else(|| free.next()),
        "nearest" => free.rev().max_by_key(|&at| near(at)),
        "win" => free.rev().max_by_key(|&at| {
            let (mine, theirs) = (run(grid, at, own), run(grid, at, other));
            (mine == 5, theirs == 5, mine.max(theirs), near(at))
        }),
        "random" => {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let all: Vec<_> = free.collect();
            Some(all[(*seed >> 33) as usize % all.len()])
        }
        _ => free.next(),
    };
    chosen.expect("a free cell")
}

fn main() {
    println!("Class\nREADY");
    let (mut lines, mut asked, mut seed) = (io::stdin().lock().lines().map_while(Result::ok), 0, 1);
    while let Some(size) = lines.next().filter(|line| !line.starts_with('0')) {
        let rows = size.split(' ').next().and_then(|text| text.parse().ok()).expect("a size");
        let grid: Grid = lines.by_ref().take(rows).map(|line| line.trim().as_bytes().to_vec()).collect();
        lines.next();
        asked += 1;
        assert!(BEHAVIOUR != "crash" || asked <= 5, "a mistake in the program");
        while BEHAVIOUR == "hang" && asked > 5 {
            std::thread::park();
        }
        while BEHAVIOUR == "flood" {
            println!("thinking thinking thinking thinking thinking thinking");
        }
        let (row, column) = choose(&grid, &mut seed);
        println!("{row} {column}");
        io::stdout().flush().expect("an open pipe");
    }
}
