use crate::position::{Outcome, Position};

/// A move of the evaluated position, with its value and prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<M> {
    /// The move that is evaluated.
    pub mv: M,
    /// The move's value for the side to move, from −1 (a certain loss) to 1.
    pub value: f32,
    /// The move's prior: the probability that it is best. The priors of all moves add up to 1.
    pub prior: f32,
    /// The outcome for the side that makes the move, if the move ends the game.
    pub outcome: Option<Outcome>,
}

/// A node on the path of a visit, as the visit leaves it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visited<M> {
    /// The move that leads to the node; `None` at the root.
    pub mv: Option<M>,
    /// The number of its visits.
    pub visits: u32,
    /// Its value for the player who moved into it, from −1 to 1.
    pub value: f32,
    /// True if that value is proven.
    pub is_proven: bool,
}

/// Gives a tree search the value and the policy of a position.
///
/// ```
/// use search_core::monte_carlo::{Candidate, Configuration, Evaluator, MonteCarlo};
/// use search_core::testing::{Heap, Take};
/// use search_core::{Control, Limits, Outcome, Position, Stopwatch};
///
/// /// Takes heaps of four for lost, half certain.
/// struct Guess;
///
/// impl Evaluator for Guess {
///     type Position = Heap;
///     fn evaluate(&mut self, heap: &Heap, candidates: &mut Vec<Candidate<Take>>) -> f32 {
///         let value = |heap: &Heap| if heap.0 % 4 == 0 { -0.5 } else { 0.5 };
///         let moves = heap.move_list();
///         candidates.extend(moves.iter().map(|&mv| {
///             let mut next = *heap;
///             next.play(mv);
///             let outcome = next.outcome().map(Outcome::reversed); // of the side that moves
///             let value = if outcome.is_some() { 1.0 } else { -value(&next) };
///             Candidate { mv, value, prior: 1.0 / moves.len() as f32, outcome }
///         }));
///         value(heap)
///     }
/// }
///
/// let configuration = Configuration { exploration: 1.0, best_line: 0.5 };
/// let clock = Stopwatch::start();
/// let control = Control::new(Limits::nodes(100), &clock);
/// let report = MonteCarlo::new(Guess, configuration, 1 << 20).think(&Heap(22), &control);
/// assert_eq!(report.best, Some(Take(2)));
/// ```
pub trait Evaluator {
    /// The position type of the game.
    type Position: Position;

    /// True if [`observe`](Self::observe) is told of every visit. If false, nothing of it is compiled.
    const OBSERVES: bool = false;

    /// Called after a visit, if [`OBSERVES`](Self::OBSERVES) is set: the nodes from the root to the leaf that it expanded,
    /// the leaf's new children, and the leaf's value for its side to move. Not called where several threads grow the tree.
    fn observe(
        &mut self,
        _path: &[Visited<<Self::Position as Position>::Move>],
        _children: &[Candidate<<Self::Position as Position>::Move>],
        _value: f32,
    ) {
    }

    /// Appends every move of an unfinished position to `candidates`, and returns the position's value for the side to
    /// move, from −1 to 1.
    fn evaluate(
        &mut self,
        position: &Self::Position,
        candidates: &mut Vec<Candidate<<Self::Position as Position>::Move>>,
    ) -> f32;
}
