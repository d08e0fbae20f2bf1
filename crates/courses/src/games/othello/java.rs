//! Players that are a Java class in the course's framework. A small Java program loads the class and connects it to the
//! tournament's protocol.

use super::tournoi::Tournoi;
use crate::course::GameSetup;
use crate::fault::{Trouble, excerpt};
use crate::peer::Command;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

const SOURCE: &str = include_str!("Bridge.java");

/// The Java program, compiled when the first class plays and deleted with the last.
#[derive(Debug, Clone, Default)]
pub struct Bridge(Arc<OnceLock<Result<Classes, String>>>);

/// A folder with the compiled program.
#[derive(Debug)]
struct Classes(PathBuf);

impl Drop for Classes {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Bridge {
    fn classes(&self) -> Result<&Path, Trouble> {
        match self.0.get_or_init(compile) {
            Ok(classes) => Ok(&classes.0),
            Err(error) => Err(Trouble::Referee(error.clone())),
        }
    }

    /// Starts `CLASSPATH CLASS` as the player of a seat, at a depth.
    pub fn start<'a>(
        &self,
        game: &GameSetup<'a>,
        player: &Command,
        depth: u16,
        seat: usize,
    ) -> Result<Tournoi<'a>, Trouble> {
        let [path, class] = &player.words[..] else {
            return Err(Trouble::Referee(format!(
                "\"java:{}\": expected java:CLASSPATH CLASS, such as java:tournoi Participants.Console.Joueur",
                player.words.join(" ")
            )));
        };
        let path = format!("{}:{path}", self.classes()?.display());
        let words = ["java", "-cp", &path, "Bridge", class, &depth.to_string(), &seat.to_string()];
        let command = Command { words: words.map(str::to_owned).to_vec(), ..player.clone() };
        Ok(Tournoi::new(game.start(&command, seat)?, Some(class.clone())))
    }
}

fn compile() -> Result<Classes, String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("referee-java-{}-{}", std::process::id(), now.as_nanos()));
    std::fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let classes = Classes(folder);
    let source = classes.0.join("Bridge.java");
    wire::file::write_new(&source, SOURCE).map_err(|error| format!("{}: {error}", source.display()))?;
    let compiled = std::process::Command::new("javac").arg("-d").arg(&classes.0).arg(&source).output();
    let output =
        compiled.map_err(|error| format!("a Java class needs a JDK: javac cannot be started ({error})"))?;
    if output.status.success() {
        return Ok(classes);
    }
    Err(format!("javac: {}", excerpt(&String::from_utf8_lossy(&output.stderr))))
}
