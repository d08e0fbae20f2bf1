//! Measures the share of the opponents' next cells that the opponent model predicts, by opponent, over journals in
//! which one player is named `ours`.

use anyhow::{Context, Result};
use clap::Args;
use moules_client::evaluation::AgentState;
use moules_client::maze::Maze;
use moules_client::player::opponents::forecast::{Foresight, PredictedPlans};
use moules_client::player::opponents::margin::{MARGINS, Margin, MarginValues};
use moules_client::player::opponents::model::OpponentModel;
use moules_client::player::opponents::policy::{self, Drinks, Jumps, Objective, Policy};
use moules_client::player::opponents::state::JointState;
use moules_client::protocol::event::Event;
use moules_client::protocol::journal;
use moules_client::rules::{Game, Move};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A planner that finds no plan.
#[derive(Debug)]
struct Nothing;

impl Foresight for Nothing {
    fn plan(&mut self, _: &mut Maze, _: AgentState) -> Option<Vec<(Move, AgentState)>> {
        None
    }
}

/// Number of moves predicted, and of moves seen.
#[derive(Debug, Default, Clone, Copy)]
struct Count(u32, u32);

impl Count {
    fn add(&mut self, foreseen: bool) {
        self.0 += u32::from(foreseen);
        self.1 += 1;
    }
}

/// Arguments of `foresee`.
#[derive(Debug, Args)]
pub struct Foresee {
    /// Test each margin policy alone instead of the opponent model.
    #[arg(long)]
    margins: bool,
    /// Journals of the server.
    #[arg(required = true)]
    journals: Vec<PathBuf>,
}

impl Foresee {
    /// Prints the share of predicted cells, one line an opponent.
    ///
    /// # Errors
    /// If a journal cannot be read or is not valid, or the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let mut counts: BTreeMap<String, Count> = BTreeMap::new();
        for file in &self.journals {
            let place = || format!("cannot read {}", file.display());
            let text = crate::records::bytes(file)?;
            let mut games: Vec<(Vec<Game>, Vec<String>)> = Vec::new();
            // Names need not be UTF-8.
            journal::replay(String::from_utf8_lossy(&text).as_bytes(), |event| {
                let (Event::Started(game, names) | Event::Turn(game, names, ..) | Event::Ended(game, names)) =
                    event
                else {
                    return;
                };
                if matches!(event, Event::Started(..)) {
                    games.push((Vec::new(), names.to_vec()));
                }
                if let Some((states, _)) = games.last_mut()
                    && states.last().is_none_or(|last| last.turns() < game.turns())
                {
                    states.push(game.clone());
                }
            })
            .with_context(place)?;
            for (states, team) in &games {
                let count = if self.margins { each_margin } else { model };
                count(states, team, &mut counts);
            }
        }
        for (name, Count(foreseen, of)) in counts {
            wire::print_line(format_args!("{:.4} of {of} {name}", f64::from(foreseen) / f64::from(of)))?;
        }
        Ok(())
    }
}

fn model(states: &[Game], team: &[String], counts: &mut BTreeMap<String, Count>) {
    let Some(ours) = team.iter().position(|name| name == "ours") else { return };
    let mut maze = Maze::new(&states[0]);
    let mut values = MarginValues::new(&maze);
    let mut model = OpponentModel::default();
    for pair in states.windows(2) {
        let player = pair[0].to_move();
        if player == ours {
            let mut nothing = Nothing;
            model.observe(&mut maze, &mut values, &mut PredictedPlans::new(&mut nothing), &pair[0]);
            continue;
        }
        let likely = model.likely(player)[0];
        let mut state = JointState::of(&maze, &pair[0], 0);
        (state.agents[player].target, state.agents[player].budget) = (likely.target, u8::MAX);
        let turn = policy::turn(&maze, &mut values, likely.policy, &mut state, player, team.len());
        let after = pair[1].state.players[player].0;
        if after != pair[0].state.players[player].0 {
            let early = if pair[0].turns() < 40 { " (turns 1 to 10)" } else { "" };
            let foreseen = turn.is_some_and(|(_, cell, _)| cell == after);
            counts.entry(format!("{}{early}", team[player])).or_default().add(foreseen);
        }
    }
}

fn each_margin(states: &[Game], team: &[String], counts: &mut BTreeMap<String, Count>) {
    let maze = Maze::new(&states[0]);
    let mut values = MarginValues::new(&maze);
    for pair in states.windows(2) {
        let player = pair[0].to_move();
        let after = pair[1].state.players[player].0;
        if team[player] == "ours" || after == pair[0].state.players[player].0 {
            continue;
        }
        for number in 0..MARGINS as u8 {
            let objective = Objective::Margin(number);
            let policy = Policy { objective, drinks: Drinks::ToArrive, jumps: Jumps::Planned };
            let mut state = JointState::of(&maze, &pair[0], 0);
            state.agents[player].budget = u8::MAX;
            let turn = policy::turn(&maze, &mut values, policy, &mut state, player, team.len());
            let foreseen = turn.is_some_and(|(_, cell, _)| cell == after);
            let name = format!("{} {:?}", team[player], Margin::numbered(number));
            counts.entry(name).or_default().add(foreseen);
        }
    }
}
