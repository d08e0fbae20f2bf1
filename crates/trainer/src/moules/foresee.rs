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
            let mut watched: Option<Watched> = None;
            // Names need not be UTF-8.
            journal::replay(String::from_utf8_lossy(&text).as_bytes(), |event| match event {
                Event::Started(game, names) => watched = Some(Watched::new(game, names)),
                Event::Turn(game, ..) | Event::Ended(game, ..) => {
                    let is_new = |watched: &&mut Watched| watched.before.turns() < game.turns();
                    if let Some(watched) = watched.as_mut().filter(is_new) {
                        watched.turn(game, self.margins, &mut counts);
                    }
                }
                _ => {}
            })
            .with_context(place)?;
        }
        for (name, Count(foreseen, of)) in counts {
            wire::print_line(format_args!("{:.4} of {of} {name}", f64::from(foreseen) / f64::from(of)))?;
        }
        Ok(())
    }
}

/// A game of a journal, turn by turn.
struct Watched {
    before: Game,
    team: Vec<String>,
    maze: Maze,
    values: MarginValues,
    model: OpponentModel,
}

impl Watched {
    fn new(game: &Game, team: &[String]) -> Self {
        let maze = Maze::new(game);
        let values = MarginValues::new(&maze);
        Self { before: game.clone(), team: team.to_vec(), maze, values, model: OpponentModel::default() }
    }

    fn turn(&mut self, after: &Game, margins: bool, counts: &mut BTreeMap<String, Count>) {
        if margins {
            self.each_margin(after, counts);
        } else {
            self.predict(after, counts);
        }
        self.before.clone_from(after);
    }

    fn predict(&mut self, after: &Game, counts: &mut BTreeMap<String, Count>) {
        let Self { before, team, maze, values, model } = self;
        let Some(ours) = team.iter().position(|name| name == "ours") else { return };
        let player = before.to_move();
        if player == ours {
            let mut nothing = Nothing;
            model.observe(maze, values, &mut PredictedPlans::new(&mut nothing), before);
            return;
        }
        let likely = model.likely(player)[0];
        let mut state = JointState::of(maze, before, 0);
        (state.agents[player].target, state.agents[player].budget) = (likely.target, u8::MAX);
        let turn = policy::turn(maze, values, likely.policy, &mut state, player, team.len());
        let cell_after = after.state.players[player].0;
        if cell_after != before.state.players[player].0 {
            let early = if before.turns() < 40 { " (turns 1 to 10)" } else { "" };
            let foreseen = turn.is_some_and(|(_, cell, _)| cell == cell_after);
            counts.entry(format!("{}{early}", team[player])).or_default().add(foreseen);
        }
    }

    fn each_margin(&mut self, after: &Game, counts: &mut BTreeMap<String, Count>) {
        let Self { before, team, maze, values, .. } = self;
        let player = before.to_move();
        let cell_after = after.state.players[player].0;
        if team[player] == "ours" || cell_after == before.state.players[player].0 {
            return;
        }
        for number in 0..MARGINS as u8 {
            let objective = Objective::Margin(number);
            let policy = Policy { objective, drinks: Drinks::ToArrive, jumps: Jumps::Planned };
            let mut state = JointState::of(maze, before, 0);
            state.agents[player].budget = u8::MAX;
            let turn = policy::turn(maze, values, policy, &mut state, player, team.len());
            let foreseen = turn.is_some_and(|(_, cell, _)| cell == cell_after);
            let name = format!("{} {:?}", team[player], Margin::numbered(number));
            counts.entry(name).or_default().add(foreseen);
        }
    }
}
