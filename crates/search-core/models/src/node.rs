//! A shared tree's node on loom's numbers, with the tree's own code for threads.

#[path = "../../src/monte_carlo/node/shared.rs"]
#[allow(dead_code, unreachable_pub)]
mod shared;

use loom::sync::atomic::{AtomicI32, AtomicU16, AtomicU32, Ordering};

/// As in the tree, without what the models leave out.
#[derive(Clone, Copy)]
pub struct Node {
    pub visits: u32,
    pub sum: f32,
    pub best: f32,
    pub prior: f32,
    pub proof: Option<Proof>,
}

impl Node {
    pub const FREE: Self = Self { visits: 0, sum: 0.0, best: 0.0, prior: 0.0, proof: None };

    pub fn puct(&self, _: f32, _: f32) -> f32 {
        self.sum + self.prior + self.visits as f32
    }
    pub fn prove(&mut self, proof: Proof) {
        self.proof = Some(proof);
    }
}

#[derive(Clone, Copy)]
pub struct Proof(i32);

impl Proof {
    pub fn number(proof: Option<Self>) -> i32 {
        proof.map_or(i32::MIN, |proof| proof.0)
    }
}

/// As in the tree.
pub struct Place {
    pub word: AtomicU32,
    pub first: AtomicU32,
    pub count: AtomicU16,
    pub passing: AtomicU16,
    pub proof: AtomicI32,
    pub visits: AtomicU32,
    pub sum: AtomicU32,
    pub best: AtomicU32,
    pub prior: AtomicU32,
}

impl Place {
    pub fn new() -> Self {
        Self {
            word: AtomicU32::new(0),
            first: AtomicU32::new(0),
            count: AtomicU16::new(0),
            passing: AtomicU16::new(0),
            proof: AtomicI32::new(i32::MIN),
            visits: AtomicU32::new(0),
            sum: AtomicU32::new(0),
            best: AtomicU32::new(0),
            prior: AtomicU32::new(0),
        }
    }
    pub fn load(&self) -> Node {
        Node { visits: self.visits.load(Ordering::Relaxed), ..Node::FREE }
    }
}
