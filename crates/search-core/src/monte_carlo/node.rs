use crate::position::Outcome;
use crate::score::Score;

/// A position in the tree, with values for the player who moved into it. Its children are adjacent in the arena.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The code of the move that leads to this node.
    pub word: u32,
    /// The index of the first child; 0, the root's index, if there are no children.
    pub first: u32,
    pub count: u16,
    pub proof: Option<Proof>,
    pub visits: u32,
    /// The sum of the values of all visits, and of the initial evaluation, which counts as one visit.
    pub sum: f32,
    /// The value of the best line.
    pub best: f32,
    pub prior: f32,
}

const _: () = assert!(size_of::<Node>() == 32);

impl Node {
    /// A node of the arena that belongs to no tree.
    pub const FREE: Self =
        Self { word: 0, first: u32::MAX, count: 0, proof: None, visits: 0, sum: 0.0, best: 0.0, prior: 0.0 };

    pub fn new(word: u32, prior: f32, value: f32) -> Self {
        Self { word, first: 0, count: 0, proof: None, visits: 0, sum: value, best: value, prior }
    }

    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.count != 0
    }

    pub fn is_free(&self) -> bool {
        self.first == u32::MAX
    }

    /// The indices of the children.
    #[inline]
    pub fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }

    #[inline]
    pub fn mean(&self) -> f32 {
        self.sum / (self.visits as f32 + 1.0)
    }

    pub fn value(&self, best_line: f32) -> f32 {
        best_line * self.best + (1.0 - best_line) * self.mean()
    }

    /// Sets the values to the proven result.
    pub fn prove(&mut self, proof: Proof) {
        self.proof = Some(proof);
        self.best = proof.end.value();
        self.sum = self.best * (self.visits as f32 + 1.0);
    }
}

/// A proven result: loss, draw or win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Loss,
    Draw,
    Win,
}

impl End {
    /// Only the sign of a margin counts.
    fn of_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Loss => Self::Loss,
            Outcome::Draw => Self::Draw,
            Outcome::Win => Self::Win,
            Outcome::Margin(points) => match points.signum() {
                -1 => Self::Loss,
                0 => Self::Draw,
                _ => Self::Win,
            },
        }
    }

    fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    fn value(self) -> f32 {
        match self {
            Self::Loss => -1.0,
            Self::Draw => 0.0,
            Self::Win => 1.0,
        }
    }
}

/// A proven result and its distance in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Proof {
    pub end: End,
    pub plies: u16,
}

impl Proof {
    pub fn of_outcome(outcome: Outcome) -> Self {
        Self { end: End::of_outcome(outcome), plies: 0 }
    }

    pub fn reversed(self) -> Self {
        Self { end: self.end.reversed(), plies: self.plies }
    }

    /// The proof of a parent from those of its children, whose player chooses among them. One win suffices; a draw or
    /// loss needs all children. The soonest win and the latest loss count.
    pub fn of_parent(children: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        let mut all = true;
        let mut best: Option<Self> = None;
        for child in children {
            match child {
                None => all = false,
                Some(proof) if best.is_none_or(|best| proof.rank() > best.rank()) => best = Some(proof),
                Some(_) => {}
            }
        }
        let best = best.filter(|best| all || best.end == End::Win)?;
        Some(Self { end: best.end.reversed(), plies: best.plies + 1 })
    }

    /// Ranks proofs for the player who can choose: higher is better.
    pub fn rank(self) -> i32 {
        self.score().value()
    }

    pub fn score(self) -> Score {
        match self.end {
            End::Loss => Score::loss_in(self.plies.into()),
            End::Draw => Score::DRAW,
            End::Win => Score::win_in(self.plies.into()),
        }
    }
}
