//! Depth-first proof-number search, recorded: the numbers of the moves, and the limits at which a node is left.

use super::scene::{Chip, Row, Scene, State, counted, listed, shortened};
use super::tree::Tree;
use super::{Subject, no_time};
use crate::drawing::Language;
use search_core::proof::{self, Estimate, Goal, INFINITE, Mobility, Prover, Verdict};
use search_core::{Control, Limits, Position};

/// The largest number of positions.
const POSITIONS: u64 = 600;
const MEMORY: usize = 1 << 20;

/// The steps of a proof search.
#[derive(Debug, Default)]
pub struct Log {
    pub(super) steps: Vec<Step>,
    tree: Tree,
    verdict: Option<Verdict>,
    line: Vec<String>,
}

/// A step: a node is entered, or left, or both.
#[derive(Debug)]
pub(super) struct Step {
    node: usize,
    /// The move into the node; empty at the root.
    mv: String,
    entered: Option<Entered>,
    left: Option<[u32; 2]>,
    /// The children of the node above, once this one is left.
    above: Option<Compared>,
}

#[derive(Debug)]
struct Entered {
    goal: Goal,
    limits: [u32; 2],
    own: Option<Compared>,
}

/// The children of a node with their numbers, and its own.
#[derive(Debug, Clone)]
struct Compared {
    children: Vec<(String, [u32; 2])>,
    numbers: [u32; 2],
    best: usize,
}

struct Recorder<'a, P: Position> {
    subject: &'a Subject<P>,
    log: Log,
    /// The nodes of the path, each with the move that it follows next.
    path: Vec<(usize, String)>,
}

impl<P: Position> Estimate<P> for Recorder<'_, P> {
    const OBSERVES: bool = true;

    fn estimate(&self, position: &P, goal: Goal) -> (u32, u32) {
        Mobility.estimate(position, goal)
    }

    fn observe(&mut self, position: &P, step: proof::Step<'_, P::Move>) {
        let since = self.log.steps.len() + 1;
        match step {
            proof::Step::Entered { goal, limits } => {
                let (node, mv) = match self.path.last() {
                    Some((above, mv)) => (self.log.tree.child(*above, mv, since), mv.clone()),
                    None => (0, String::new()),
                };
                self.path.push((node, String::new()));
                let entered = Some(Entered { goal, limits, own: None });
                self.log.steps.push(Step { node, mv, entered, left: None, above: None });
            }
            proof::Step::Compared { children, numbers, best } => {
                let text = |mv| (self.subject.write)(position, mv);
                let children: Vec<_> = children.iter().map(|&(mv, numbers)| (text(mv), numbers)).collect();
                if let Some(node) = self.path.last_mut() {
                    node.1 = children.get(best).map_or_else(String::new, |(mv, _)| mv.clone());
                }
                let compared = Some(Compared { children, numbers, best });
                match self.log.steps.last_mut() {
                    Some(Step { left: None, entered: Some(entered), .. }) => entered.own = compared,
                    Some(step) => step.above = compared,
                    None => {}
                }
            }
            proof::Step::Left { numbers } => {
                let node = self.path.pop().map_or(0, |(node, _)| node);
                match self.log.steps.last_mut() {
                    Some(step) if step.left.is_none() => step.left = Some(numbers),
                    _ => {
                        let mv = self.path.last().map_or_else(String::new, |(_, mv)| mv.clone());
                        let left = Some(numbers);
                        self.log.steps.push(Step { node, mv, entered: None, left, above: None });
                    }
                }
                if numbers.contains(&0) {
                    self.log.tree.cut(node, self.log.steps.len());
                }
            }
        }
    }
}

/// Records a search of a position for a win.
pub(super) fn record<P: Position>(subject: &Subject<P>) -> Log {
    let log = Log { tree: Tree::new(1), ..Log::default() };
    let recorder = Recorder { subject, log, path: Vec::new() };
    let control = Control::new(Limits::default(), &no_time);
    let mut prover = Prover::with_estimate(recorder, MEMORY);
    let mut position = subject.start.clone();
    let verdict = prover.prove(&mut position, Goal::Win, POSITIONS, &control);
    let line = prover.line(&mut position, Goal::Win);
    let mut log = prover.estimate.log;
    log.verdict = Some(verdict);
    for mv in line {
        log.line.push((subject.write)(&position, mv));
        position.play(mv);
    }
    log
}

fn number(number: u32) -> String {
    if number >= INFINITE { "∞".to_owned() } else { number.to_string() }
}

fn pair([proof, disproof]: [u32; 2]) -> String {
    format!("{}/{}", number(proof), number(disproof))
}

/// A node of the path while the steps are followed.
struct Node {
    mv: String,
    goal: Goal,
    limits: [u32; 2],
    compared: Option<Compared>,
}

impl Node {
    fn row(&self, next: Option<&str>, language: Language) -> Row {
        let goal = match self.goal {
            Goal::Win => language.choose("but : gagner", "goal: to win"),
            Goal::Draw => language.choose("but : ne pas perdre", "goal: not to lose"),
        };
        let limits = language.choose("limites", "limits");
        let Some(compared) = &self.compared else {
            return Row { head: goal.to_owned(), ..Row::default() };
        };
        let chip = |(nth, (text, numbers)): (usize, &(String, [u32; 2]))| {
            let state = match next {
                Some(next) if next == text => State::Path,
                _ if numbers.contains(&0) => State::Cut,
                _ if nth == compared.best => State::Best,
                _ => State::Known,
            };
            Chip { text: text.clone(), note: pair(*numbers), state }
        };
        Row {
            head: format!("{goal} · {} · {limits} {}", pair(compared.numbers), pair(self.limits)),
            chips: compared.children.iter().enumerate().map(chip).collect(),
            rest: 0,
            is_cut: false,
        }
        .shorten()
    }
}

impl Log {
    pub(super) fn scene(&self, at: usize, language: Language) -> Scene {
        let mut nodes: Vec<Node> = Vec::new();
        for step in &self.steps[..at] {
            // A node stays until the next step, so that its children are seen.
            if let Some(Entered { goal, limits, own }) = &step.entered {
                nodes.push(Node { mv: step.mv.clone(), goal: *goal, limits: *limits, compared: own.clone() });
            }
            if step.left.is_some() && nodes.len() > 1 {
                nodes.pop();
                if let (Some(node), Some(above)) = (nodes.last_mut(), &step.above) {
                    node.compared = Some(above.clone());
                }
            }
        }
        let step = at.checked_sub(1).and_then(|last| self.steps.get(last));
        let leaf = step.filter(|step| step.entered.is_some() && step.left.is_some() && step.node > 0);
        let row = |nth: usize| nodes[nth].row(nodes.get(nth + 1).map(|node| node.mv.as_str()), language);
        let inner = nodes.iter().skip(1).map(|node| node.mv.clone());
        let settles = |step: &Step| step.left.is_some_and(|numbers| numbers.contains(&0));
        Scene {
            at,
            count: self.steps.len(),
            path: inner.chain(leaf.map(|step| step.mv.clone())).collect(),
            rows: shortened((0..nodes.len()).map(row).collect()),
            sentence: step.map_or_else(|| beginning(language), |step| self.sentence(at, step, language)),
            line: if at == self.steps.len() { self.line.clone() } else { Vec::new() },
            next_cut: self.steps[at..].iter().position(settles).map(|nth| at + nth + 1),
            picture: step.map_or_else(String::new, |step| {
                self.tree.draw(at, step.node, language.choose("l'arbre jusqu'ici", "the tree so far"))
            }),
        }
    }

    fn sentence(&self, at: usize, step: &Step, language: Language) -> String {
        let mv = &step.mv;
        let text = match (&step.entered, step.left) {
            (Some(entered), None) if step.node == 0 => root(entered, language),
            (Some(entered), None) => match language {
                Language::French => format!(
                    "{mv} est le plus facile : on le suit tant que ses nombres restent sous {}.",
                    pair(entered.limits)
                ),
                Language::English => format!(
                    "{mv} is the easiest: it is followed while its numbers stay below {}.",
                    pair(entered.limits)
                ),
            },
            (entered, Some(numbers)) => {
                let answers = entered.as_ref().and_then(|entered| entered.own.as_ref());
                left(mv, answers, numbers, step.above.as_ref(), language)
            }
            (None, None) => String::new(),
        };
        if at == self.steps.len() { format!("{text} {}", self.end(language)) } else { text }
    }

    fn end(&self, language: Language) -> String {
        let line = listed(&self.line);
        match (self.verdict, language) {
            (Some(Verdict::Yes), Language::French) => format!("Le gain est prouvé : {line}."),
            (Some(Verdict::Yes), Language::English) => format!("The win is proven: {line}."),
            (Some(Verdict::No), Language::French) => "Il n'y a pas de gain, c'est prouvé.".to_owned(),
            (Some(Verdict::No), Language::English) => "There is no win, by proof.".to_owned(),
            (_, Language::French) => "Les positions sont épuisées, rien n'est décidé.".to_owned(),
            (_, Language::English) => "The positions are used up, and nothing is decided.".to_owned(),
        }
    }
}

fn root(entered: &Entered, language: Language) -> String {
    let count = entered.own.as_ref().map_or(0, |own| own.children.len());
    match language {
        Language::French => {
            let moves = counted(count, language, ["coup", "coups"], ["", ""]);
            format!("La racine a {moves} : pour le gain il suffit d'un seul, le plus facile d'abord.")
        }
        Language::English => {
            let moves = counted(count, language, ["", ""], ["move", "moves"]);
            format!("The root has {moves}: one is enough for the win, the easiest first.")
        }
    }
}

fn left(
    mv: &str,
    own: Option<&Compared>,
    numbers: [u32; 2],
    above: Option<&Compared>,
    language: Language,
) -> String {
    let pairs = pair(numbers);
    let first = match (numbers, own, language) {
        ([0, _], _, Language::French) => format!("{mv} est réglé : qui joue ensuite atteint son but."),
        ([0, _], _, Language::English) => format!("{mv} is settled: whoever moves next reaches the goal."),
        ([_, 0], _, Language::French) => format!("{mv} est réglé : qui joue ensuite manque son but."),
        ([_, 0], _, Language::English) => format!("{mv} is settled: whoever moves next misses the goal."),
        (_, Some(own), _) => {
            let count = own.children.len();
            let answers = counted(count, language, ["réponse", "réponses"], ["answer", "answers"]);
            match language {
                Language::French => format!("{mv} a {answers} : {pairs}."),
                Language::English => format!("{mv} has {answers}: {pairs}."),
            }
        }
        (_, None, Language::French) => format!("{mv} a maintenant {pairs}, sa limite."),
        (_, None, Language::English) => format!("{mv} now has {pairs}, its limit."),
    };
    let Some(above) = above else { return first };
    match language {
        Language::French => {
            format!(
                "{first} Au-dessus : {}, le plus petit second nombre et la somme des premiers.",
                pair(above.numbers)
            )
        }
        Language::English => {
            format!(
                "{first} Above: {}, the least second number and the sum of the first ones.",
                pair(above.numbers)
            )
        }
    }
}

fn beginning(language: Language) -> String {
    let text = language.choose(
        "La question : le trait peut-il gagner ? On cherche toujours là où il reste le moins à prouver.",
        "The question: can the mover win? The search always goes where the least is left to prove.",
    );
    text.to_owned()
}
