//! Two games small enough for an exhaustive search.

pub use search_core::testing::Take;
use search_core::{Heuristics, MoveCode, Outcome, Position, Score, Sink};

/// A row of squares from which players take one or two; whoever takes the last one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corner {
    pub squares: u32,
}

impl Position for Corner {
    type Move = Take;
    type Undo = ();

    fn moves<S: Sink<Take>>(&self, sink: &mut S) {
        sink.push_all((1..=self.squares.min(2)).map(Take).collect::<Vec<_>>().into_iter());
    }
    fn is_legal(&self, mv: Take) -> bool {
        (1..=2).contains(&mv.0) && mv.0 <= self.squares
    }
    fn play(&mut self, mv: Take) {
        self.squares -= mv.0;
    }
    fn undo(&mut self, mv: Take, (): ()) {
        self.squares += mv.0;
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.squares == 0).then_some(Outcome::Loss)
    }
    fn key(&self) -> u64 {
        mix(u64::from(self.squares))
    }
}

#[derive(Debug)]
pub struct CornerHeuristics;

impl Heuristics for CornerHeuristics {
    type Position = Corner;
    type Frame = ();
    fn evaluate(&mut self, _: &Corner) -> Score {
        Score::DRAW
    }
}

/// A walk through levels of few nodes, drawn by a hash. It has many transpositions, forced moves (passes), wins,
/// losses, draws, margins, and misleading evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DagGame {
    seed: u64,
    level: u32,
    node: u64,
}

const NODES: u64 = 24;
const LEVELS: u32 = 14;

impl DagGame {
    pub fn new(seed: u64) -> Self {
        Self { seed, level: 0, node: 0 }
    }

    fn draw(&self, what: u64) -> u64 {
        mix(self.seed ^ mix(u64::from(self.level) << 32 | self.node << 8 | what))
    }

    fn degree(&self) -> u32 {
        if self.outcome().is_some() { 0 } else { [1, 2, 3, 5, 7][(self.draw(0) % 5) as usize] }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge(u8);

impl MoveCode for Edge {
    fn to_code(self) -> u32 {
        self.0.into()
    }
    fn from_code(word: u32) -> Self {
        Self(word as u8)
    }
}

impl Position for DagGame {
    type Move = Edge;
    type Undo = Self;

    fn moves<S: Sink<Edge>>(&self, sink: &mut S) {
        for edge in 0..self.degree() {
            sink.push(Edge(edge as u8));
        }
    }
    fn is_legal(&self, mv: Edge) -> bool {
        u32::from(mv.0) < self.degree()
    }
    fn play(&mut self, mv: Edge) -> Self {
        let before = *self;
        self.node = self.draw(100 + u64::from(mv.0)) % NODES;
        self.level += 1;
        before
    }
    fn undo(&mut self, _: Edge, before: Self) {
        *self = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        let margin = Outcome::Margin((self.draw(2) % 64) as i16 - 32);
        if self.level == LEVELS {
            return Some(margin);
        }
        match self.draw(1) % 40 {
            0 if self.level > 1 => Some(Outcome::Loss),
            1 if self.level > 1 => Some(Outcome::Draw),
            2 if self.level > 1 => Some(Outcome::Win),
            3 if self.level > 1 => Some(margin),
            _ => None,
        }
    }
    fn key(&self) -> u64 {
        mix(u64::from(self.level) << 32 | self.node)
    }
}

#[derive(Debug)]
pub struct DagHeuristics;

impl Heuristics for DagHeuristics {
    type Position = DagGame;
    type Frame = ();
    const REDUCES: bool = true;
    fn evaluate(&mut self, position: &DagGame) -> Score {
        Score::new((position.draw(3) % 200) as i32 - 100)
    }
}

/// SplitMix64's finaliser.
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
