//! The tree of a search as a picture: a row for each ply, as wide as the part of the tree below.

use std::collections::HashMap;
use std::fmt::Write as _;

const WIDTH: f64 = 1_000.0;
const HEIGHT: f64 = 16.0;
/// The deepest row that is drawn.
const ROWS: usize = 12;

/// The tree that a search walks. Node 0 is the root.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    index: HashMap<(usize, String), usize>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    parent: usize,
    ply: usize,
    /// The step at which it is first seen.
    since: usize,
    /// The step at which it cut its parent or was settled.
    cut: Option<usize>,
}

impl Tree {
    /// Returns a tree that has a root alone, seen at step `since`.
    pub(super) fn new(since: usize) -> Self {
        Self { nodes: vec![Node { parent: 0, ply: 0, since, cut: None }], index: HashMap::new() }
    }

    /// Returns the node after a move, which is new at step `since` if it was never seen.
    pub(super) fn child(&mut self, parent: usize, mv: &str, since: usize) -> usize {
        let next = self.nodes.len();
        let node = *self.index.entry((parent, mv.to_owned())).or_insert(next);
        if node == next {
            let ply = self.nodes[parent].ply + 1;
            self.nodes.push(Node { parent, ply, since, cut: None });
        }
        node
    }

    /// Marks a node as cutting its parent, or as settled, from step `since` on.
    pub(super) fn cut(&mut self, node: usize, since: usize) {
        self.nodes[node].cut.get_or_insert(since);
    }

    /// Draws the nodes seen up to step `at`; `here` is the last one of the path. Places are those of the whole tree, so
    /// that none moves as the tree grows.
    pub(super) fn draw(&self, at: usize, here: usize, label: &str) -> String {
        let mut sizes = vec![0_usize; self.nodes.len()];
        for node in (0..self.nodes.len()).rev() {
            // A leaf is one wide; children come after their parents.
            sizes[node] = sizes[node].max(1);
            let size = sizes[node];
            if node > 0 {
                sizes[self.nodes[node].parent] += size;
            }
        }
        let unit = WIDTH / sizes.first().copied().unwrap_or(1) as f64;
        let mut starts = vec![0.0; self.nodes.len()];
        let mut used = vec![0.0; self.nodes.len()];
        let mut path = vec![false; self.nodes.len()];
        let mut up = here;
        while up > 0 {
            path[up] = true;
            up = self.nodes[up].parent;
        }
        let [mut seen, mut cut, mut on] = [String::new(), String::new(), String::new()];
        let mut rows = 1;
        for (nth, node) in self.nodes.iter().enumerate() {
            let width = sizes[nth] as f64 * unit;
            if nth > 0 {
                starts[nth] = starts[node.parent] + used[node.parent];
                used[node.parent] += width;
            }
            if node.ply >= ROWS {
                continue;
            }
            rows = rows.max(node.ply + 1);
            let is_drawn = node.since <= at && (width >= 1.5 || path[nth]);
            if is_drawn {
                let is_cut = node.cut.is_some_and(|since| since <= at);
                // The node that a step cuts is red, although it ends the path.
                let of = if is_cut && (nth == here || !path[nth]) {
                    &mut cut
                } else if path[nth] || nth == 0 {
                    &mut on
                } else {
                    &mut seen
                };
                let (x, y) = (starts[nth], node.ply as f64 * HEIGHT);
                let _ = write!(of, "M{x:.1} {y}h{:.1}v{}h-{0:.1}z", (width - 0.8).max(0.8), HEIGHT - 2.0);
            }
        }
        format!(
            "<svg class=\"tree\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{}\" preserveAspectRatio=\"none\">\
             <path class=\"seen\" d=\"{seen}\"/><path class=\"cut\" d=\"{cut}\"/><path class=\"on\" d=\"{on}\"/></svg>",
            rows as f64 * HEIGHT,
            crate::drawing::escape(label),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_tree_is_as_wide_as_its_leaves_and_does_not_move() {
        let mut tree = Tree::new(1);
        let left = tree.child(0, "a", 2);
        assert_eq!(tree.child(0, "a", 3), left, "a node is one, however often it is seen");
        tree.child(left, "b", 3);
        let right = tree.child(0, "c", 4);
        tree.cut(right, 5);
        let before = tree.draw(3, left, "");
        let after = tree.draw(5, right, "");
        assert!(before.contains("class=\"on\" d=\"M0.0 0h999.2v14h-999.2zM0.0 16h"), "{before}");
        assert!(!before.contains("M500.0 16") || !before.contains("class=\"cut\" d=\"M"), "{before}");
        assert!(after.contains("class=\"cut\" d=\"M500.0 16h"), "{after}");
        assert!(after.contains("M0.0 16h") && after.contains("class=\"seen\" d=\"M0.0 16h"), "{after}");
    }
}
