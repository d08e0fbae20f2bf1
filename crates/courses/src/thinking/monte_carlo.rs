//! Monte-Carlo tree search, recorded: each visit with its path, its playout, and the means of the nodes above.

use super::scene::{Chip, Row, Scene, State, counted, listed, shortened};
use super::tree::Tree;
use super::{Subject, no_time};
use crate::drawing::Language;
use search_core::monte_carlo::{Candidate, Configuration, Evaluator, MonteCarlo, Playouts, Visited};
use search_core::{Control, Limits, Position};
use std::collections::HashMap;

/// The number of visits.
const VISITS: u64 = 400;
/// The seed of the playouts.
const SEED: u64 = 1;
const CONFIGURATION: Configuration = Configuration { exploration: 3.0, best_line: 0.0 };
const MEMORY: usize = 1 << 22;

/// The visits of a search.
#[derive(Debug, Default)]
pub struct Log {
    pub(super) visits: Vec<Visit>,
    /// The moves of all nodes, the root first.
    moves: Vec<String>,
    tree: Tree,
    best: String,
    is_proven: bool,
}

/// A visit: the nodes from the root to the leaf that it expands.
#[derive(Debug)]
pub(super) struct Visit {
    path: Vec<Mark>,
    /// The leaf in the picture's tree.
    leaf: usize,
    /// The index of the leaf's first child, and the values of all.
    first: usize,
    children: Vec<f32>,
    /// The playout's value for the side to move at the leaf.
    value: f32,
}

/// The visits and the value of a node, and whether the value is proven.
#[derive(Debug, Clone, Copy)]
struct Mark {
    node: usize,
    visits: u32,
    /// The value for whoever moved into the node.
    value: f32,
    is_proven: bool,
}

struct Recorder<'a, P: Position> {
    subject: &'a Subject<P>,
    playouts: Playouts<P>,
    log: Log,
    nodes: HashMap<(usize, String), usize>,
}

impl<P: Position> Evaluator for Recorder<'_, P> {
    type Position = P;
    const OBSERVES: bool = true;

    fn evaluate(&mut self, position: &P, candidates: &mut Vec<Candidate<P::Move>>) -> f32 {
        self.playouts.evaluate(position, candidates)
    }

    fn observe(&mut self, path: &[Visited<P::Move>], children: &[Candidate<P::Move>], value: f32) {
        let since = self.log.visits.len() + 1;
        let mut position = self.subject.start.clone();
        let (mut here, mut leaf) = (0, 0);
        let mut marks = Vec::with_capacity(path.len());
        for visited in path {
            if let Some(mv) = visited.mv {
                let text = (self.subject.write)(&position, mv);
                leaf = self.log.tree.child(leaf, &text, since);
                here = self.nodes.get(&(here, text)).copied().unwrap_or_default();
                position.play(mv);
            }
            let Visited { visits, value, is_proven, .. } = *visited;
            marks.push(Mark { node: here, visits, value, is_proven });
            if is_proven && here > 0 {
                self.log.tree.cut(leaf, since);
            }
        }
        let first = self.log.moves.len();
        for candidate in children {
            let text = (self.subject.write)(&position, candidate.mv);
            self.nodes.insert((here, text.clone()), self.log.moves.len());
            self.log.moves.push(text);
        }
        let children = children.iter().map(|candidate| candidate.value).collect();
        self.log.visits.push(Visit { path: marks, leaf, first, children, value });
    }
}

/// Records a search of a position.
pub(super) fn record<P: Position>(subject: &Subject<P>) -> Log {
    let log = Log { moves: vec![String::new()], tree: Tree::new(1), ..Log::default() };
    let recorder = Recorder { subject, playouts: Playouts::new(SEED), log, nodes: HashMap::new() };
    let control = Control::new(Limits::nodes(VISITS), &no_time);
    let mut search = MonteCarlo::new(recorder, CONFIGURATION, MEMORY);
    let report = search.think(&subject.start, &control);
    let mut log = search.evaluator.log;
    log.best = report.best.map_or_else(String::new, |mv| (subject.write)(&subject.start, mv));
    log.is_proven = report.proven;
    log
}

/// A node while the visits are followed.
#[derive(Clone, Copy)]
struct Known {
    visits: u32,
    value: f32,
    is_proven: bool,
    first: usize,
    count: usize,
}

fn mean(value: f32) -> String {
    let sign = if value < -0.005 { "−" } else { "+" };
    format!("{sign}{:.2}", value.abs())
}

impl Log {
    /// The nodes after some visits.
    fn follow(&self, at: usize) -> Vec<Known> {
        let none = Known { visits: 0, value: 0.0, is_proven: false, first: 0, count: 0 };
        let mut nodes = vec![none; self.moves.len()];
        for visit in &self.visits[..at] {
            for mark in &visit.path {
                let node = &mut nodes[mark.node];
                (node.visits, node.value, node.is_proven) = (mark.visits, mark.value, mark.is_proven);
            }
            if let Some(leaf) = visit.path.last() {
                (nodes[leaf.node].first, nodes[leaf.node].count) = (visit.first, visit.children.len());
            }
            for (nth, &value) in visit.children.iter().enumerate() {
                nodes[visit.first + nth].value = value;
            }
        }
        nodes
    }

    fn row(&self, nodes: &[Known], node: usize, next: Option<usize>, language: Language) -> Row {
        let Known { visits, first, count, .. } = nodes[node];
        let mut children: Vec<usize> = (first..first + count).collect();
        children.sort_by_key(|&child| std::cmp::Reverse(nodes[child].visits));
        let most = children.first().map_or(0, |&child| nodes[child].visits);
        let chip = |&child: &usize| {
            let Known { visits, value, is_proven, .. } = nodes[child];
            let state = match visits {
                _ if Some(child) == next => State::Path,
                _ if is_proven => State::Cut,
                0 => State::Open,
                visits if visits == most => State::Best,
                _ => State::Known,
            };
            let note = match (is_proven, visits) {
                (true, _) => format!("={}", mean(value)),
                (false, 0) => String::new(),
                (false, _) => format!("{} · {visits}", mean(value)),
            };
            Chip { text: self.moves[child].clone(), note, state }
        };
        Row {
            head: counted(visits as usize, language, ["visite", "visites"], ["visit", "visits"]),
            chips: children.iter().map(chip).collect(),
            rest: 0,
            is_cut: false,
        }
        .shorten()
    }

    /// Returns the most visited line.
    fn line(&self, nodes: &[Known]) -> Vec<String> {
        let (mut line, mut here) = (Vec::new(), nodes[0]);
        while here.count > 0 {
            let children = here.first..here.first + here.count;
            let Some(best) = children.max_by_key(|&child| nodes[child].visits) else { break };
            if nodes[best].visits == 0 {
                break;
            }
            line.push(self.moves[best].clone());
            here = nodes[best];
        }
        line
    }

    pub(super) fn scene(&self, at: usize, language: Language) -> Scene {
        let nodes = self.follow(at);
        let visit = at.checked_sub(1).and_then(|last| self.visits.get(last));
        let path: Vec<usize> =
            visit.map_or_else(|| vec![0], |visit| visit.path.iter().map(|mark| mark.node).collect());
        let row = |nth: usize| self.row(&nodes, path[nth], path.get(nth + 1).copied(), language);
        let moves: Vec<String> = path[1..].iter().map(|&node| self.moves[node].clone()).collect();
        let settles = |visit: &Visit| visit.path[1..].iter().any(|mark| mark.is_proven);
        Scene {
            at,
            count: self.visits.len(),
            rows: shortened((0..path.len()).map(row).filter(|row| !row.chips.is_empty()).collect()),
            sentence: visit
                .map_or_else(|| beginning(language), |visit| self.sentence(at, visit, &moves, language)),
            line: self.line(&nodes),
            next_cut: self.visits[at..].iter().position(settles).map(|nth| at + nth + 1),
            picture: visit.map_or_else(String::new, |visit| {
                self.tree.draw(at, visit.leaf, language.choose("l'arbre jusqu'ici", "the tree so far"))
            }),
            path: moves,
        }
    }

    fn sentence(&self, at: usize, visit: &Visit, moves: &[String], language: Language) -> String {
        let by = listed(moves);
        let result = match visit.value {
            value if value > 0.0 => language.choose("est gagnée", "is won"),
            value if value < 0.0 => language.choose("est perdue", "is lost"),
            _ => language.choose("est nulle", "is drawn"),
        };
        let settled = match (visit.path[1..].iter().any(|mark| mark.is_proven), language) {
            (true, Language::French) => " Un coup de ce chemin est maintenant prouvé.",
            (true, Language::English) => " A move of this path is proven now.",
            (false, _) => "",
        };
        let end = if at == self.visits.len() { self.end(language) } else { String::new() };
        match (moves.is_empty(), language) {
            (true, Language::French) => {
                format!(
                    "Visite {at} : la racine est ouverte ; une partie au hasard {result} pour le trait.{end}"
                )
            }
            (true, Language::English) => {
                format!("Visit {at}: the root is opened; a random game {result} for the mover.{end}")
            }
            (false, Language::French) => format!(
                "Visite {at} : par {by} ; la partie au hasard qui suit {result} pour le trait là-bas, et les moyennes du chemin en tiennent compte.{settled}{end}"
            ),
            (false, Language::English) => format!(
                "Visit {at}: by {by}; the random game after it {result} for the mover there, and the means of the path take it in.{settled}{end}"
            ),
        }
    }

    fn end(&self, language: Language) -> String {
        let best = &self.best;
        match (self.is_proven, language) {
            (true, Language::French) => format!(" C'est prouvé : {best}."),
            (true, Language::English) => format!(" It is proven: {best}."),
            (false, Language::French) => format!(" Les visites sont épuisées : {best} en a le plus."),
            (false, Language::English) => format!(" The visits are used up: {best} has the most."),
        }
    }
}

fn beginning(language: Language) -> String {
    let text = language.choose(
        "L'arbre va pousser : chaque visite descend par les coups prometteurs ou peu vus, et joue au hasard jusqu'à la fin.",
        "The tree is about to grow: each visit goes down by promising or rarely seen moves, and plays at random to the end.",
    );
    text.to_owned()
}
