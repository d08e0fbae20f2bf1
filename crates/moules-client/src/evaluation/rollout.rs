use super::{AgentState, POINT, Worth};
use crate::maze::{FAR, Maze, bits};

/// Turns that a frite must save to be used in the walk.
const FRITE_SAVES: usize = 3;
/// Mussels in the walk at most. The rest count half, as if taken at its end.
const LEGS: usize = 6;
/// The value of a bonus left in hand, which only breaks ties.
const IN_HAND: i64 = 1;

/// Returns the value taken, plus that of a greedy walk: always to the mussel with the best value for its distance,
/// valued at the turn of arrival. Frites shorten the walk, and a beer makes three steps in one turn.
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
            // Value per turn. The constant keeps an adjacent mussel from outweighing everything.
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
    // Unreachable mussels keep a small value, because a frite may turn up.
    let rest = bits(left).map(|item| match maze.distance(cell, item, frites) {
        FAR => POINT / 10,
        _ => worth.of(item, turn + 2 * LEGS) / 2,
    });
    value + rest.sum::<i64>()
}

/// Returns the turns from `cell` to `item` and the frites used. Another frite is used only if it saves enough turns.
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
