//! Executes the commands of the prompt.

use super::{Command, Session, file};
use crate::player::{Player, Settings};
use crate::protocol::french::{self, count};
use crate::protocol::heading;
use crate::rules::{Cell, Move};
use search_core::{MoveList, Position as _, Stopwatch};
use std::path::Path;
use wire::Failure;

impl Session<'_> {
    pub(super) fn execute(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Move(notation) => match self.game.position().find(&notation) {
                Ok(mv) => self.advance(mv)?,
                Err(refusal) => self.say(&format!("Coup impossible : {refusal}.\n"))?,
            },
            Command::Help => {
                self.say(HELP)?;
                self.show()?;
            }
            Command::Moves(cell) => self.list_moves(cell)?,
            Command::Undo(count) => self.step_back(count)?,
            Command::Redo(count) => self.step_forward(count)?,
            Command::Save(name) => match self.save(Path::new(&name)) {
                Ok(()) => self.say(&format!("Partie sauvegardée dans {name}.\n"))?,
                Err(error) => {
                    let error = french::system(&error);
                    self.say(&format!("La partie n'a pas pu être sauvegardée dans {name} : {error}.\n"))?;
                }
            },
            Command::Load(name) => self.load(Path::new(&name))?,
            Command::Advice => self.advise()?,
            Command::History => self.history()?,
            Command::Board => self.show()?,
            Command::Quit => unreachable!("answered by the loop"),
        }
        Ok(())
    }

    fn list_moves(&mut self, cell: Option<Cell>) -> Result<(), Failure> {
        let position = self.game.position();
        let mut moves = MoveList::new();
        match cell {
            None => position.moves(&mut moves),
            Some(cell) => position.moves_from(position.to_move().view(cell), &mut moves),
        }
        let mut names: Vec<_> = moves.iter().map(Move::to_string).collect();
        names.sort();
        match cell {
            Some(cell) if names.is_empty() => {
                self.say(&format!("Aucun coup depuis {cell} pour le joueur {}.\n", position.to_move()))
            }
            _ => {
                let plural = if names.len() > 1 { "s" } else { "" };
                let mut text = format!("{} possible{plural} :\n", count(names.len(), "coup"));
                for row in names.chunks(6) {
                    let row: Vec<_> = row.iter().map(|name| format!("{name:<13}")).collect();
                    text += &format!("  {}\n", row.join("").trim_end());
                }
                self.say(&text)
            }
        }
    }

    /// Takes back `count` moves; by default, back to a person's last turn.
    fn step_back(&mut self, count: Option<usize>) -> Result<(), Failure> {
        let mut steps = 0;
        while steps < count.unwrap_or(usize::MAX) && self.game.undo() {
            steps += 1;
            if count.is_none() && self.human_to_move() {
                break;
            }
        }
        if count.is_none() && !self.human_to_move() {
            // No person has moved yet: the robot's first move stays.
            while steps > 0 && self.game.redo() {
                steps -= 1;
            }
        }
        self.shuffled = 0;
        self.stepped(steps, "annulé", "Aucun coup à annuler.")
    }

    /// Replays `count` moves; by default, up to a person's next turn.
    fn step_forward(&mut self, count: Option<usize>) -> Result<(), Failure> {
        let mut steps = 0;
        while steps < count.unwrap_or(usize::MAX) && self.game.redo() {
            steps += 1;
            if count.is_none() && self.human_to_move() {
                break;
            }
        }
        self.stepped(steps, "rejoué", "Aucun coup à rejouer.")
    }

    fn stepped(&mut self, steps: usize, done: &str, nothing: &str) -> Result<(), Failure> {
        if steps == 0 {
            return self.say(&format!("{nothing}\n"));
        }
        let plural = if steps > 1 { "s" } else { "" };
        self.say(&format!("{} {done}{plural}.\n", count(steps, "coup")))?;
        self.show()
    }

    fn save(&self, path: &Path) -> std::io::Result<()> {
        file::save(path, &self.game, self.names())
    }

    fn load(&mut self, path: &Path) -> Result<(), Failure> {
        match file::load(path) {
            Ok(loaded) => {
                self.say(&format!("{} : {}.\n", path.display(), loaded.describe()))?;
                self.game = loaded.game;
                self.shuffled = 0;
                self.show()
            }
            Err(error) => {
                self.say(&format!("{} n'est pas chargé, la partie continue : {error}.\n", path.display()))
            }
        }
    }

    fn advise(&mut self) -> Result<(), Failure> {
        let adviser = self.adviser.get_or_insert_with(|| Box::new(Player::new(Settings::default())));
        let clock = Stopwatch::start();
        self.input.pause();
        let report = adviser.think_in(&self.game, self.options.limits, &clock);
        let best = report.best.expect("the game goes on");
        self.say(&format!("Coup conseillé : {best}.\n"))
    }

    fn history(&mut self) -> Result<(), Failure> {
        if self.game.played().is_empty() {
            return self.say("Aucun coup n'a été joué.\n");
        }
        let headings =
            self.game.played().iter().enumerate().map(|(index, recorded)| heading(index + 1, recorded.mv));
        let text = headings.fold(String::new(), |text, heading| text + &heading + "\n");
        self.say(&text)
    }
}

const HELP: &str = "\
Un coup : b2-b3 (déplacement), b3+b4-c5 (déploiement, carrés d'abord), g6*f5-f4 (ronds d'abord), g8# (sortie).
  coups [CASE]     affiche les coups possibles, ou ceux d'une case
  annuler [N]      annule N coups (sans nombre : jusqu'à votre dernier coup)
  rejouer [N]      rejoue N coups annulés
  conseil          affiche le coup conseillé
  historique       affiche les coups joués
  plateau          affiche le plateau
  sauver FICHIER   sauvegarde la partie
  charger FICHIER  charge une partie, une liste de coups ou une configuration de 64 lignes
  quitter          quitte le jeu
";
