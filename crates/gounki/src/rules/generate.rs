//! Move generation: single men all at once by shifts of whole boards, stacks one by one along their lines.

use super::{Army, Cell, Colour, Heading, Move, Position, Shape, Stack, Step, ray};
use search_core::Sink;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_8: u64 = 0xff << 56;

/// Generates every legal move once.
#[inline]
pub(super) fn moves<S: Sink<Move>>(position: &Position, sink: &mut S) {
    simple_moves(position, sink);
    let mut stacks = stacks(&position.own);
    while stacks != 0 {
        let from = Cell(stacks.trailing_zeros() as u8);
        stacks &= stacks - 1;
        stack_moves(position, from, sink);
    }
}

/// Generates every capture once. Deployments never capture.
#[inline]
pub(super) fn captures<S: Sink<Move>>(position: &Position, sink: &mut S) {
    let enemy = position.enemy.occupied();
    simple_steps(position, enemy, sink);
    let mut stacks = stacks(&position.own);
    while stacks != 0 {
        let from = Cell(stacks.trailing_zeros() as u8);
        stacks &= stacks - 1;
        let lines = Lines::new(&position.own, &position.enemy, from);
        for shape in [Shape::Square, Shape::Round] {
            let reach = lines.stack.count(shape);
            for &heading in Heading::of(shape) {
                for landing in lines.landings(shape, heading, reach) {
                    if let Landing::On(to) = landing
                        && enemy & to.bit() != 0
                    {
                        sink.push(Move::step(position.colour, from, to));
                    }
                }
            }
        }
    }
}

/// Generates the moves of the man or stack on one of the mover's cells.
pub(super) fn moves_from<S: Sink<Move>>(position: &Position, from: Cell, sink: &mut S) {
    if stacks(&position.own) & from.bit() != 0 {
        stack_moves(position, from, sink);
    } else {
        let mut alone = *position;
        let stack = position.own.at(from);
        alone.own.clear(from);
        let full = alone.own.full();
        alone.own = Army::default();
        alone.own.add(from, stack);
        simple_moves_on(&alone, !full, sink);
    }
}

/// True if a man of `own` can leave the board now.
pub(super) fn can_exit(own: &Army, enemy: &Army) -> bool {
    let occupied = own.occupied();
    if occupied & RANK_8 != 0 {
        return true;
    }
    let mut near = stacks(own) & (RANK_8 >> 8 | RANK_8 >> 16);
    while near != 0 {
        let from = Cell(near.trailing_zeros() as u8);
        near &= near - 1;
        if Lines::new(own, enemy, from).exits() {
            return true;
        }
    }
    false
}

/// The cells with two or three men.
#[inline]
fn stacks(own: &Army) -> u64 {
    let [_, high] = own.heights();
    high
}

#[inline]
fn simple_moves<S: Sink<Move>>(position: &Position, sink: &mut S) {
    simple_moves_on(position, !position.own.full(), sink);
}

/// Generates the moves of single men onto cells of `allowed` (free, enemy or friend), and their exits.
#[inline]
fn simple_moves_on<S: Sink<Move>>(position: &Position, allowed: u64, sink: &mut S) {
    let men = simple_steps(position, allowed, sink);
    let leaving = men & RANK_8;
    if leaving != 0 {
        sink.push_all(Exits { colour: position.colour, from: leaving });
    }
}

/// Generates the steps of single men onto cells of `allowed`; returns the cells of single men.
#[inline]
fn simple_steps<S: Sink<Move>>(position: &Position, allowed: u64, sink: &mut S) -> u64 {
    let own = &position.own;
    let colour = position.colour;
    let stacks = stacks(own);
    let squares = own.squares[0] & !stacks;
    let rounds = own.rounds[0] & !stacks;
    let mut push = |targets: u64, shift: i8| {
        sink.push_all(Steps { colour, targets: targets & allowed, shift });
    };
    push(squares << 8, 8);
    push((squares & !FILE_A) >> 1, -1);
    push((squares & !FILE_H) << 1, 1);
    push((rounds & !FILE_A) << 7, 7);
    push((rounds & !FILE_H) << 9, 9);
    squares | rounds
}

/// Steps of single men by one shift; they can be counted or visited.
struct Steps {
    colour: Colour,
    targets: u64,
    shift: i8,
}

impl Iterator for Steps {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.targets == 0 {
            return None;
        }
        let to = self.targets.trailing_zeros() as u8;
        self.targets &= self.targets - 1;
        Some(Move::step(self.colour, Cell((to as i8 - self.shift) as u8), Cell(to)))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.targets.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Steps {}

/// Exits of single men on the last rank.
struct Exits {
    colour: Colour,
    from: u64,
}

impl Iterator for Exits {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.from == 0 {
            return None;
        }
        let from = self.from.trailing_zeros() as u8;
        self.from &= self.from - 1;
        Some(Move::exit(self.colour, Cell(from)))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.from.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Exits {}

/// Generates the moves and deployments of one stack, with its own cell as empty. All its ways off the board are one
/// move.
#[inline]
fn stack_moves<S: Sink<Move>>(position: &Position, from: Cell, sink: &mut S) {
    let lines = Lines::new(&position.own, &position.enemy, from);
    let colour = position.colour;
    let mut exit = false;
    let height = lines.stack.height();
    for shape in [Shape::Square, Shape::Round] {
        let reach = lines.stack.count(shape);
        if reach == 0 {
            continue;
        }
        for &heading in Heading::of(shape) {
            for landing in lines.landings(shape, heading, reach) {
                match landing {
                    Landing::Off => exit = true,
                    Landing::On(to) => sink.push(Move::step(colour, from, to)),
                }
            }
        }
        let counts = [reach, height - reach];
        for &heading in Heading::of(shape) {
            let (first, last) = match lines.lay(shape, heading, reach, from, Laid::default()) {
                Laying::Off => {
                    exit = true;
                    continue;
                }
                Laying::Refused => continue,
                Laying::Done(laid, last) => (laid, last),
            };
            if counts[1] == 0 {
                sink.push(Move::deploy(colour, from, shape, counts, [heading, Heading::Left]));
                continue;
            }
            for &second in Heading::of(shape.other()) {
                match lines.lay(shape.other(), second, counts[1], last, first) {
                    Laying::Off => exit = true,
                    Laying::Refused => {}
                    Laying::Done(..) => {
                        sink.push(Move::deploy(colour, from, shape, counts, [heading, second]));
                    }
                }
            }
        }
    }
    if exit {
        sink.push(Move::exit(colour, from));
    }
}

/// The board without one stack, for the moves of that stack.
struct Lines {
    stack: Stack,
    from: Cell,
    own: u64,
    enemy: u64,
    /// The cells with room for at least one, two and three more men.
    room: [u64; 3],
    /// The cells where the whole stack may end.
    takes_stack: u64,
}

/// The end of a stack's move.
enum Landing {
    On(Cell),
    Off,
}

/// The result of laying one group of men.
enum Laying {
    /// All men are laid, the last one on this cell.
    Done(Laid, Cell),
    /// A man leaves the board.
    Off,
    /// An enemy, a full stack or the side of the board is in the way.
    Refused,
}

/// The cells where this deployment has laid one man, and two.
#[derive(Clone, Copy, Default)]
struct Laid {
    once: u64,
    twice: u64,
}

impl Lines {
    #[inline]
    fn new(own: &Army, enemy: &Army, from: Cell) -> Self {
        let stack = own.at(from);
        let here = from.bit();
        let [low, high] = own.heights();
        let (low, high) = (low & !here, high & !here);
        let enemy = enemy.occupied();
        // Heights of at most two, at most one, and zero; never on an enemy.
        let room = [!(low & high) & !enemy, !high & !enemy, !(low | high) & !enemy];
        let takes_stack = room[stack.height() as usize - 1] | enemy;
        Self { stack, from, own: low | high, enemy, room, takes_stack }
    }

    /// The cells where the whole stack may end if it moves as `shape` by up to `reach` steps. A rebound along a rank
    /// returns over cells already reached, so it adds only the move to the edge and back.
    #[inline]
    fn landings(&self, shape: Shape, heading: Heading, reach: u8) -> impl Iterator<Item = Landing> + '_ {
        let mut stopped = false;
        let mut before = self.from;
        ray(shape, heading, self.from)[..reach as usize].iter().filter_map(move |step| {
            if stopped {
                return None;
            }
            match *step {
                Step::Wall => {
                    stopped = true;
                    None
                }
                Step::Off => {
                    stopped = true;
                    Some(Landing::Off)
                }
                Step::To(to) => {
                    let back = shape == Shape::Square
                        && to.file().abs_diff(self.from.file()) < {
                            before.file().abs_diff(self.from.file())
                        };
                    before = to;
                    stopped = back || (self.own | self.enemy) & to.bit() != 0;
                    let stops_here = if back { to == self.from } else { self.takes_stack & to.bit() != 0 };
                    stops_here.then_some(Landing::On(to))
                }
            }
        })
    }

    /// Lays `count` men of `shape` in a line from `start`, on top of the men that this deployment has laid before.
    #[inline]
    fn lay(&self, shape: Shape, heading: Heading, count: u8, start: Cell, mut laid: Laid) -> Laying {
        let mut last = start;
        for step in &ray(shape, heading, start)[..count as usize] {
            let to = match *step {
                Step::Wall => return Laying::Refused,
                Step::Off => return Laying::Off,
                Step::To(to) => to,
            };
            let bit = to.bit();
            // The number of men that this deployment has laid on the cell before.
            let level = usize::from(laid.once & bit != 0) + usize::from(laid.twice & bit != 0);
            if self.room[level] & bit == 0 {
                return Laying::Refused;
            }
            laid.twice |= laid.once & bit;
            laid.once |= bit;
            last = to;
        }
        Laying::Done(laid, last)
    }

    /// True if a move or deployment of this stack leaves the board.
    fn exits(&self) -> bool {
        for shape in [Shape::Square, Shape::Round] {
            let reach = self.stack.count(shape);
            if reach == 0 {
                continue;
            }
            for &heading in Heading::of(shape) {
                if self.landings(shape, heading, reach).any(|landing| matches!(landing, Landing::Off)) {
                    return true;
                }
                match self.lay(shape, heading, reach, self.from, Laid::default()) {
                    Laying::Off => return true,
                    Laying::Refused => {}
                    Laying::Done(laid, last) => {
                        let other = shape.other();
                        let rest = self.stack.count(other);
                        if rest > 0
                            && Heading::of(other).iter().any(|&second| {
                                matches!(self.lay(other, second, rest, last, laid), Laying::Off)
                            })
                        {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }
}
