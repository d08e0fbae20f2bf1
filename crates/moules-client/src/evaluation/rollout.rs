use super::{AgentState, POINT, Worth};
use crate::player::maze::{FAR, Maze, bits};

/// Turns that a frite must save to be used in the walk ahead.
const FRITE_SAVES: usize = 3;
/// Mussels that the walk takes at most; the rest count by half, as if taken at its end.
const LEGS: usize = 6;
/// The worth of a bonus that is in hand when everything is taken: it only breaks ties.
const IN_HAND: i64 = 1;

/// The value taken, and that which a walk to the best mussel for its distance, from there to the best again, and so on,
/// would take, by the worth at the turn of its arrival. Frites shorten its legs, beers make three steps in one.
pub fn estimate(maze: &Maze, worth: &Worth, agent: &AgentState, turn: usize) -> i64 {
    let mut left = agent.left & maze.mussels();
    let mut frites = usize::from(agent.frites);
    let mut beers = usize::from(agent.beers);
    let mut cell = agent.cell;
    let mut turn = turn;
    let mut value = i64::from(agent.gain) + IN_HAND * (frites + beers) as i64;
    for _ in 0..LEGS {
        if left == 0 {
            break;
        }
        let mut best: Option<(i64, usize, usize, usize)> = None;
        for item in bits(left) {
            let (distance, used) = leg(maze, cell, item, frites);
            if distance == usize::from(FAR) {
                continue;
            }
            let drunk = beers.min(distance / 3);
            let turns = (distance - 2 * drunk).max(1);
            let gain = worth.of(item, turn + turns);
            // Worth a turn; the constant keeps a mussel next door from outweighing everything.
            let rate = gain * 64 / (turns as i64 + 2);
            if best.is_none_or(|(other, ..)| rate > other) {
                best = Some((rate, item, used, drunk));
            }
        }
        let Some((_, item, used, drunk)) = best else { break };
        let distance = usize::from(maze.distance(cell, item, used));
        turn += (distance - 2 * drunk).max(1);
        beers -= drunk;
        frites -= used;
        value += worth.of(item, turn);
        cell = maze.items()[item].cell;
        left &= !(1 << item);
    }
    // What no walk reaches is nearly worthless, but not nothing: a frite may come.
    let rest = bits(left).map(|item| match maze.distance(cell, item, frites) {
        FAR => POINT / 10,
        _ => worth.of(item, turn + 2 * LEGS) / 2,
    });
    value + rest.sum::<i64>()
}

/// The turns of a walk from `cell` to `item`, and the frites it uses: one more only where that saves enough.
fn leg(maze: &Maze, cell: u32, item: usize, frites: usize) -> (usize, usize) {
    let mut best = (usize::from(maze.distance(cell, item, 0)), 0);
    for used in 1..=frites.min(maze.most_jumps()) {
        let distance = usize::from(maze.distance(cell, item, used));
        if distance + FRITE_SAVES * (used - best.1) <= best.0 {
            best = (distance, used);
        }
    }
    best
}
