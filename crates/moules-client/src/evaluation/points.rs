use super::AgentState;

/// Returns the value taken. Bonuses in hand break ties.
pub fn estimate(agent: &AgentState) -> i64 {
    i64::from(agent.gain) + i64::from(agent.frites) + i64::from(agent.beers)
}
