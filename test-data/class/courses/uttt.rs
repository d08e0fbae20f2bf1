//! Ultimate tic-tac-toe for tests: `p POSITION` prints the position; POSITION alone plays the first legal move.

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const BITS: usize = 169;

struct Position([usize; BITS]);

impl Position {
    /// Halves a decimal number once for each bit.
    fn read(text: &str) -> Self {
        let mut digits: Vec<usize> = text.bytes().map(|digit| usize::from(digit - b'0')).collect();
        Self(std::array::from_fn(|_| {
            digits.iter_mut().fold(0, |rest, digit| {
                let value = 10 * rest + *digit;
                *digit = value / 2;
                value % 2
            })
        }))
    }

    /// Doubles a decimal number once for each bit.
    fn decimal(&self) -> String {
        let mut digits = vec![0; 52];
        for &bit in self.0.iter().rev() {
            digits.iter_mut().fold(bit, |carry, digit| {
                let value = 2 * *digit + carry;
                *digit = value % 10;
                value / 10
            });
        }
        let text: String = digits.iter().rev().map(|digit| digit.to_string()).collect();
        text.trim_start_matches('0').to_owned()
    }

    fn cell(&self, i: usize) -> usize {
        self.0[160 - 2 * i] + 2 * self.0[161 - 2 * i]
    }

    fn last(&self) -> usize {
        self.0[162..].iter().rev().fold(0, |number, bit| 2 * number + bit)
    }

    fn is_closed(&self, board: usize) -> bool {
        let at = |i: usize| self.cell(9 * board + i);
        LINES.iter().any(|&[a, b, c]| at(a) != 0 && at(a) == at(b) && at(a) == at(c)) || (0..9).all(|i| at(i) != 0)
    }

    fn is_empty(&self) -> bool {
        (0..81).all(|i| self.cell(i) == 0)
    }

    fn print(&self) {
        for row in 0..9 {
            if row > 0 && row % 3 == 0 {
                println!("{}", "-".repeat(29));
            }
            let mut line = String::new();
            for column in 0..9 {
                let at = 9 * (row / 3 * 3 + column / 3) + row % 3 * 3 + column % 3;
                let signs = if !self.is_empty() && at == self.last() { b".XO" } else { b".xo" };
                line.push_str(if column > 0 && column % 3 == 0 { "| " } else { " " });
                line.push(char::from(signs[self.cell(at)]));
                line.push(' ');
            }
            println!("{line}");
        }
    }

    fn play(&mut self) {
        let empty = self.is_empty();
        let me = if empty { 1 } else { 3 - self.cell(self.last()) };
        let board = Some(self.last() % 9).filter(|&board| !empty && !self.is_closed(board));
        let is_legal =
            |&i: &usize| self.cell(i) == 0 && !self.is_closed(i / 9) && board.is_none_or(|board| i / 9 == board);
        let Some(i) = (0..81).find(is_legal) else { return };
        self.0[160 - 2 * i] = me % 2;
        self.0[161 - 2 * i] = me / 2;
        for bit in 162..BITS {
            self.0[bit] = i >> (bit - 162) & 1;
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [word, position] if word == "p" => Position::read(position).print(),
        [position] => {
            let mut position = Position::read(position);
            position.play();
            println!("{}", position.decimal());
        }
        _ => std::process::exit(1),
    }
}
