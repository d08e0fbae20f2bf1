//! The search for a win by continuous threats: every move of the attacker makes a four or threatens an open four, so
//! that the defender has a few replies each time, until nothing answers any more.
//!
//! It is a depth-first proof-number search (df-pn, Nagai 2002) over those moves only. The attacker may leave out what it
//! likes; the defender may not: it is given every four of its own and every stone that stops the threat, and any other
//! stone loses to the open four. So a win that is found is one against every defence, while a win that is not found
//! may still exist.

use super::candidates::candidates;
use super::glance::Glance;
use crate::patterns::{Class, Patterns};
use crate::rules::{Cell, Color, Position};
use search_core::{Control, Line, Position as _, Searched, Stop};
use smallvec::SmallVec;

/// A win by continuous threats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreatWin {
    /// Plies to the five at most, the five included.
    pub plies: usize,
    /// The first moves of both sides against the longest defence, at least one.
    pub line: Line<Cell>,
}

/// What is missing to prove that a node's mover reaches its goal, and that it does not: numbers of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    /// For the mover's goal: the attacker's is to win, the defender's not to lose to threats.
    own: u32,
    /// For the contrary.
    other: u32,
    /// Once it is certain that the attacker wins: plies to the five at most.
    plies: u32,
}

impl Numbers {
    /// It cannot be done any more.
    const NEVER: u32 = (1 << 24) - 1;
    const UNLIMITED: Self = Self { own: Self::NEVER, other: Self::NEVER, plies: 0 };

    /// Of a node whose mover is the one that `wins`, or is not.
    const fn settled(reached: bool, plies: u32) -> Self {
        let (own, other) = if reached { (0, Self::NEVER) } else { (Self::NEVER, 0) };
        Self { own, other, plies }
    }

    const fn is_settled(self) -> bool {
        self.own == 0 || self.other == 0
    }
}

/// A threat so many plies from the first is not followed: each costs stack.
const DEEPEST: usize = 200;
/// The moves of a win that are told of at most.
const LONGEST_LINE: usize = 40;

/// The lowest bit of a key that chooses its slot.
const SLOT: u32 = 20;

/// A move at a node, with what is known of the position behind it.
#[derive(Debug, Clone, Copy)]
struct Child {
    cell: Cell,
    numbers: Numbers,
}

type Children = SmallVec<[Child; 24]>;

/// The search and what it has found so far, of any position: it can be asked again, and goes on where it was.
#[derive(Debug, Clone)]
pub struct ThreatSearch {
    /// For each slot, a key and the numbers: 24 bits each, and 16 for the plies.
    table: Vec<[u64; 2]>,
    slots: usize,
    /// Below `slots`: stands in a kept key in place of the bits that choose the slot.
    generation: usize,
    /// Who attacks.
    attacker: Color,
    /// The last node that may be visited.
    last_node: u64,
    /// The first move of the win that was found last: the table may have lost it.
    first: Option<Cell>,
}

impl ThreatSearch {
    /// A search that remembers nothing yet, and never more than fits into `bytes`.
    pub fn new(bytes: usize) -> Self {
        let slots = (bytes / size_of::<[u64; 2]>()).max(1);
        let slots = 1 << slots.ilog2();
        Self { table: Vec::new(), slots, generation: 0, attacker: Color::Black, last_node: 0, first: None }
    }

    /// Forgets everything, at no cost.
    pub fn forget(&mut self) {
        self.generation += 1;
        if self.generation == self.slots {
            self.generation = 0;
            self.table.fill([0; 2]);
        }
    }

    /// A win of the mover by continuous threats, if `nodes` more positions show one. The position is afterwards as it
    /// was.
    ///
    /// # Errors
    /// [`Stop`] when the control says so.
    pub fn prove(
        &mut self,
        position: &mut Position,
        patterns: &mut Patterns,
        control: &Control<'_>,
        nodes: u64,
    ) -> Searched<Option<ThreatWin>> {
        self.attacker = position.mover();
        self.last_node = control.nodes() + nodes;
        let numbers = match self.search(position, patterns, control, Numbers::UNLIMITED, 0) {
            Ok(numbers) => numbers,
            Err(Stop) if control.is_stopped() => return Err(Stop),
            Err(Stop) => return Ok(None),
        };
        if numbers.own > 0 {
            return Ok(None);
        }
        Ok(Some(ThreatWin { plies: numbers.plies as usize, line: self.line(position, patterns) }))
    }

    /// Works on the position until one of its numbers reaches its limit.
    fn search(
        &mut self,
        position: &mut Position,
        patterns: &mut Patterns,
        control: &Control<'_>,
        limits: Numbers,
        depth: usize,
    ) -> Searched<Numbers> {
        control.tick()?;
        if control.nodes() > self.last_node {
            return Err(Stop);
        }
        let key = self.key(position.key());
        if let Some(numbers) = self.glance(position, patterns) {
            self.remember(key, numbers);
            return Ok(numbers);
        }
        if depth == DEEPEST {
            return Ok(Numbers::settled(position.mover() != self.attacker, 0));
        }
        let mut children = self.children(position, patterns);
        // Against a stone that does not stop the threat: that stone, the open four, any other, the five.
        let others = if self.must_stop_threat(position, patterns) { 4 } else { 0 };
        loop {
            let (numbers, best, second) = self.gather(&children, position.mover(), others);
            if numbers.is_settled() || numbers.own >= limits.own || numbers.other >= limits.other {
                if depth == 0 {
                    self.first = shortest(&children).map(|child| child.cell);
                }
                self.remember(key, numbers);
                return Ok(numbers);
            }
            // The child's roles are exchanged. It is left once another child is easier by a quarter, or once this node
            // has become too hard for the contrary.
            let child = children[best];
            let limits = Numbers {
                own: limits.other.saturating_sub(numbers.other - child.numbers.own).min(Numbers::NEVER),
                other: limits.own.min(second + second / 4 + 1),
                plies: 0,
            };
            position.play(child.cell);
            patterns.played(child.cell, position);
            let searched = self.search(position, patterns, control, limits, depth + 1);
            patterns.undone();
            position.undo(child.cell, ());
            children[best].numbers = searched?;
        }
    }

    /// What one look decides.
    fn glance(&self, position: &Position, patterns: &Patterns) -> Option<Numbers> {
        let attacks = position.mover() == self.attacker;
        let denied = Numbers::settled(!attacks, 0);
        if position.outcome().is_some() {
            // A five is seen before it is made: the grid is full.
            return Some(denied);
        }
        match Glance::at(patterns, position.mover()) {
            Glance::Win(_, plies) if attacks => Some(Numbers::settled(true, plies as u32)),
            Glance::Lost(_) if !attacks => Some(Numbers::settled(false, 2)),
            Glance::Win(..) | Glance::Lost(_) => Some(denied),
            Glance::Forced(_) | Glance::Open => {
                let threatens = attacks
                    || !patterns.fives(self.attacker).is_empty()
                    || !patterns.open_fours(self.attacker).is_empty();
                (!threatens).then_some(denied)
            }
        }
    }

    /// Whether the mover defends, against an open four to come.
    fn must_stop_threat(&self, position: &Position, patterns: &Patterns) -> bool {
        position.mover() != self.attacker && patterns.fives(self.attacker).is_empty()
    }

    /// The attacker's threats, or all that the defender can do about one.
    fn children(&self, position: &Position, patterns: &Patterns) -> Children {
        let mover = position.mover();
        let attacks = mover == self.attacker;
        let must_answer_five = !patterns.fives(mover.other()).is_empty();
        let mut children = Children::new();
        candidates(position, patterns, |cell| {
            let class = patterns.class(cell, mover);
            if !attacks || must_answer_five || class >= Class::Three {
                let known = self.recall(self.key(position.key_after(cell)));
                children.push(Child { cell, numbers: known.unwrap_or_else(|| guess(attacks, class)) });
            }
        });
        children
    }

    /// A node's numbers, its easiest child, and how hard the second easiest one is.
    fn gather(&self, children: &[Child], mover: Color, others: u32) -> (Numbers, usize, u32) {
        let attacks = mover == self.attacker;
        let (mut easiest, mut second, mut best) = (Numbers::NEVER, Numbers::NEVER, 0);
        let mut contrary = 0;
        let mut longest = others;
        let mut shortest = u32::MAX;
        for (nth, child) in children.iter().enumerate() {
            let Numbers { own, other, plies } = child.numbers;
            if other < easiest {
                (second, easiest, best) = (easiest, other, nth);
            } else if other < second {
                second = other;
            }
            contrary = (contrary + own).min(Numbers::NEVER);
            longest = longest.max(plies + 1);
            if other == 0 {
                shortest = shortest.min(plies + 1);
            }
        }
        if contrary == Numbers::NEVER && easiest > 0 {
            // Not settled: only some child is.
            contrary -= 1;
        }
        let plies = match (attacks, easiest, contrary) {
            (true, 0, _) => shortest,
            (false, _, 0) => longest,
            _ => 0,
        };
        (Numbers { own: easiest, other: contrary, plies }, best, second)
    }

    /// The moves of the win from here, as far as they are remembered.
    fn line(&self, position: &mut Position, patterns: &mut Patterns) -> Line<Cell> {
        let mut line = Line::new();
        let mut played = 0;
        while line.len() < LONGEST_LINE {
            let attacks = position.mover() == self.attacker;
            if self.glance(position, patterns).is_some() {
                if let Glance::Win(cell, _) = Glance::at(patterns, position.mover())
                    && attacks
                {
                    line.push(cell);
                }
                break;
            }
            let children = self.children(position, patterns);
            let next = if attacks {
                let first = self.first.filter(|_| played == 0);
                shortest(&children).map(|child| child.cell).or(first)
            } else {
                let lost = children.iter().filter(|child| child.numbers.own == 0);
                lost.max_by_key(|child| child.numbers.plies).map(|child| child.cell)
            };
            let Some(next) = next else { break };
            line.push(next);
            position.play(next);
            patterns.played(next, position);
            played += 1;
        }
        for &cell in line[..played].iter().rev() {
            patterns.undone();
            position.undo(cell, ());
        }
        line
    }

    /// Names a position and who attacks in it.
    #[inline]
    fn key(&self, key: u64) -> u64 {
        match self.attacker {
            Color::Black => key,
            Color::White => !key,
        }
    }

    #[inline]
    fn recall(&self, key: u64) -> Option<Numbers> {
        let [stored, numbers] = *self.table.get(self.slot(key))?;
        (stored == self.tag(key) && numbers != 0).then_some(Numbers {
            own: numbers as u32 & Numbers::NEVER,
            other: (numbers >> 24) as u32 & Numbers::NEVER,
            plies: (numbers >> 48) as u32,
        })
    }

    #[inline]
    fn remember(&mut self, key: u64, numbers: Numbers) {
        if self.table.is_empty() {
            self.table = vec![[0; 2]; self.slots];
        }
        let Numbers { own, other, plies } = numbers;
        let slot = self.slot(key);
        self.table[slot] = [self.tag(key), u64::from(own) | u64::from(other) << 24 | u64::from(plies) << 48];
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        (key >> SLOT) as usize & (self.slots - 1)
    }

    /// What is kept of a key.
    #[inline]
    fn tag(&self, key: u64) -> u64 {
        key & !((self.slots as u64 - 1) << SLOT) | (self.generation as u64) << SLOT
    }
}

/// The attacker's move that wins soonest, if one is known to win.
fn shortest(children: &[Child]) -> Option<&Child> {
    children.iter().filter(|child| child.numbers.other == 0).min_by_key(|child| child.numbers.plies)
}

/// How many positions settle what stands behind a move nothing is known of: a four has one answer.
#[inline]
fn guess(attacks: bool, class: Class) -> Numbers {
    let other = if attacks && class < Class::Four { 3 } else { 1 };
    Numbers { own: 1, other, plies: 0 }
}
