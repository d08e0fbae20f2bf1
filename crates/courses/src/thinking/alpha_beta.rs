//! Alpha-beta, recorded: nodes with their windows, cuts, table hits, killers, and the principal variation.

mod words;

use super::scene::{Chip, Row, Scene, State, score};
use super::tree::Tree;
use super::{DEPTH, NODES, Subject, no_time};
use crate::drawing::Language;
use search_core::alpha_beta::{NodeKind, Order, Origin};
use search_core::{
    Bound, Control, Depth, Heuristics, Limits, Options, Position, Score, Search, Table, Window, alpha_beta,
};

/// The steps of an alpha-beta search.
#[derive(Debug, Default)]
pub struct Log {
    pub(super) steps: Vec<Step>,
    /// The tree of each iteration.
    trees: Vec<Tree>,
    /// The principal variation at the end.
    line: Vec<String>,
    score: Score,
    is_proven: bool,
}

/// A step: a node is entered, or left, or both if it has no moves to try. The last step is neither: the search is over.
#[derive(Debug)]
pub(super) struct Step {
    /// The index of the iteration's tree.
    tree: usize,
    /// The node in that tree.
    node: usize,
    entered: Option<Entered>,
    left: Option<Left>,
}

/// The beginning of a node.
#[derive(Debug)]
struct Entered {
    /// The move into the node; empty at the root.
    mv: String,
    kind: NodeKind,
    window: Window,
    depth: Depth,
    order: Order,
    /// True if the node is searched again after a null window.
    is_again: bool,
    /// The number of legal moves.
    legal: usize,
}

/// The end of a node.
#[derive(Debug, Clone, Copy)]
struct Left {
    /// The value for whoever moved into the node; at the root, for the mover.
    value: Score,
    bound: Bound,
    by: Origin,
    effect: Effect,
}

/// The effect of a value on the node above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It is not better than what the node has.
    Worse,
    /// It raises alpha.
    Best,
    /// It reaches beta.
    Cut,
    /// The move is searched again.
    Again,
}

/// A node on the path of the recorder.
struct Open {
    node: usize,
    window: Window,
    /// The move that is tried, with its place in the order.
    tried: (String, Order),
    /// True once the node after that move was entered.
    is_entered: bool,
}

/// Heuristics that write down every step.
struct Recorder<'a, P: Position> {
    subject: &'a Subject<P>,
    log: Log,
    path: Vec<Open>,
}

impl<P: Position> Recorder<'_, P> {
    fn entered(&mut self, position: &P, kind: NodeKind, window: Window, depth: Depth) {
        let since = self.log.steps.len() + 1;
        if kind == NodeKind::Root {
            self.log.trees.push(Tree::new(since));
        }
        let Some(tree) = self.log.trees.len().checked_sub(1) else { return };
        let mut entered = Entered {
            mv: String::new(),
            kind,
            window,
            depth,
            order: Order::Rank,
            is_again: false,
            legal: position.move_list().len(),
        };
        let mut node = 0;
        if let Some(parent) = self.path.last_mut() {
            (entered.mv, entered.order) = parent.tried.clone();
            entered.is_again = std::mem::replace(&mut parent.is_entered, true);
            node = self.log.trees[tree].child(parent.node, &entered.mv, since);
            if entered.is_again {
                self.amend(Effect::Again);
            }
        }
        self.log.steps.push(Step { tree, node, entered: Some(entered), left: None });
        self.path.push(Open { node, window, tried: (String::new(), Order::Rank), is_entered: false });
    }

    fn left(&mut self, score: Score, by: Origin) {
        let Some(Open { node, window, .. }) = self.path.pop() else { return };
        let is_exact = matches!(by, Origin::Outcome | Origin::Leaf);
        let bound = if is_exact { Bound::Exact } else { Bound::of(score, window) };
        let (value, bound) = if self.path.is_empty() { (score, bound) } else { (-score, turned(bound)) };
        let left = Some(Left { value, bound, by, effect: Effect::Worse });
        match self.log.steps.last_mut() {
            Some(step) if by != Origin::Moves && step.left.is_none() => step.left = left,
            _ => {
                let tree = self.log.trees.len().saturating_sub(1);
                self.log.steps.push(Step { tree, node, entered: None, left });
            }
        }
    }

    /// Sets the effect of the value found last.
    fn amend(&mut self, effect: Effect) {
        let since = self.log.steps.len();
        if let Some(Step { tree, node, left: Some(left), .. }) = self.log.steps.last_mut() {
            left.effect = effect;
            if effect == Effect::Cut {
                self.log.trees[*tree].cut(*node, since);
            }
        }
    }
}

impl<P: Position> Heuristics for Recorder<'_, P> {
    type Position = P;
    type Frame = ();
    const OBSERVES: bool = true;

    fn observe(search: &mut Search<'_, Self>, step: alpha_beta::Step<P::Move>) {
        let (recorder, position) = (&mut search.heuristics, &search.position);
        match step {
            alpha_beta::Step::Entered { kind, window, depth } => {
                recorder.entered(position, kind, window, depth);
            }
            alpha_beta::Step::Tried { mv, order, .. } => {
                let text = (recorder.subject.write)(position, mv);
                if let Some(node) = recorder.path.last_mut() {
                    (node.tried, node.is_entered) = ((text, order), false);
                }
            }
            alpha_beta::Step::Raised { score, .. } => {
                let beta = recorder.path.last().map_or(Score::INFINITY, |node| node.window.beta);
                recorder.amend(if score >= beta { Effect::Cut } else { Effect::Best });
            }
            alpha_beta::Step::Left { score, by } => recorder.left(score, by),
            alpha_beta::Step::Found(_) => {}
        }
    }

    fn evaluate(&mut self, position: &P) -> Score {
        (self.subject.evaluate)(position)
    }
}

fn turned(bound: Bound) -> Bound {
    match bound {
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
        Bound::Exact => Bound::Exact,
    }
}

/// Records a search of a position.
pub(super) fn record<P: Position>(subject: &Subject<P>) -> Log {
    let table = Table::with_bytes(1 << 18);
    let limits = Limits { depth: Some(DEPTH), nodes: Some(NODES), ..Limits::default() };
    let control = Control::new(limits, &no_time);
    let recorder = Recorder { subject, log: Log::default(), path: Vec::new() };
    let mut search = Search::new(recorder, subject.start.clone(), &table, &control, Options::EXACT);
    let report = search.think(&mut |_| {});
    let mut log = search.heuristics.log;
    let mut position = subject.start.clone();
    for mv in report.principal_variation {
        log.line.push((subject.write)(&position, mv));
        position.play(mv);
    }
    (log.score, log.is_proven) = (report.score, report.proven);
    let tree = log.trees.len().saturating_sub(1);
    log.steps.push(Step { tree, node: 0, entered: None, left: None });
    log
}

/// A node of the path while the steps are followed.
struct Node {
    mv: String,
    window: Window,
    depth: Depth,
    legal: usize,
    chips: Vec<Chip>,
    is_cut: bool,
    line: Vec<String>,
}

impl Node {
    fn row(&self, language: Language) -> Row {
        let depth = language.choose("profondeur", "depth");
        let Window { alpha, beta } = self.window;
        Row {
            head: format!("α {} · β {} · {depth} {}", score(alpha), score(beta), self.depth),
            chips: self.chips.clone(),
            rest: self.legal.saturating_sub(self.chips.len()),
            is_cut: self.is_cut,
        }
        .shorten()
    }

    /// Takes over the value of the move tried last, with the line after it.
    fn take(&mut self, left: &Left, line: &[String]) {
        let Some(chip) = self.chips.last_mut() else { return };
        chip.note = words::bounded(left);
        chip.state = match left.effect {
            Effect::Cut => State::Cut,
            Effect::Best => State::Best,
            Effect::Worse | Effect::Again => State::Known,
        };
        if left.effect == Effect::Best {
            let last = self.chips.len() - 1;
            let before = self.chips[..last].iter_mut().filter(|chip| chip.state == State::Best);
            before.for_each(|chip| chip.state = State::Known);
            self.window.alpha = left.value;
            self.line = std::iter::once(self.chips[last].text.clone()).chain(line.iter().cloned()).collect();
        }
        self.is_cut |= left.effect == Effect::Cut;
    }
}

/// The search while its steps are followed.
#[derive(Default)]
struct Followed {
    nodes: Vec<Node>,
    line: Vec<String>,
    /// The node that the last step left, if it was entered in the same step.
    leaf: Option<String>,
}

impl Followed {
    fn follow(&mut self, step: &Step) {
        self.leaf = None;
        if let Some(entered) = &step.entered {
            if entered.kind == NodeKind::Root {
                self.nodes.clear();
            }
            if let Some(parent) = self.nodes.last_mut() {
                if !entered.is_again {
                    let text = entered.mv.clone();
                    parent.chips.push(Chip { text, note: String::new(), state: State::Path });
                } else if let Some(chip) = parent.chips.last_mut() {
                    chip.state = State::Path;
                }
            }
            self.nodes.push(Node {
                mv: entered.mv.clone(),
                window: entered.window,
                depth: entered.depth,
                legal: entered.legal,
                chips: Vec::new(),
                is_cut: false,
                line: Vec::new(),
            });
        }
        if let Some(left) = &step.left
            && self.nodes.len() > 1
            && let Some(node) = self.nodes.pop()
        {
            self.leaf = step.entered.is_some().then(|| node.mv.clone());
            if let Some(parent) = self.nodes.last_mut() {
                parent.take(left, &node.line);
            }
        }
        if let Some(root) = self.nodes.first().filter(|root| !root.line.is_empty()) {
            self.line.clone_from(&root.line);
        }
    }
}

impl Log {
    pub(super) fn scene(&self, at: usize, language: Language) -> Scene {
        let mut followed = Followed::default();
        self.steps[..at].iter().for_each(|step| followed.follow(step));
        let mut sentence = words::beginning(language);
        let mut picture = String::new();
        if let Some(step) = at.checked_sub(1).and_then(|last| self.steps.get(last)) {
            let parent = followed.nodes.last();
            sentence = words::sentence(self, step, parent, language);
            picture = self.trees[step.tree].draw(at, step.node, words::picture(language));
        }
        if at == self.steps.len() {
            followed.line.clone_from(&self.line);
        }
        let is_cut = |step: &Step| step.left.is_some_and(|left| left.effect == Effect::Cut);
        let next_cut = self.steps[at..].iter().position(is_cut).map(|nth| at + nth + 1);
        let inner = followed.nodes.iter().skip(1).map(|node| node.mv.clone());
        Scene {
            at,
            count: self.steps.len(),
            path: inner.chain(followed.leaf.clone()).collect(),
            rows: followed.nodes.iter().map(|node| node.row(language)).collect(),
            sentence,
            line: followed.line,
            next_cut,
            picture,
        }
    }
}
