//! Players that are a Java class in the course's framework. A small Java program loads the class and connects it to the
//! tournament's protocol.

use super::tournoi::Tournoi;
use crate::course::GameSetup;
use crate::fault::{Trouble, excerpt};
use crate::peer::Command;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use wire::file::Scratch;

const SOURCE: &str = include_str!("Bridge.java");

/// The Java program, compiled when the first class plays and deleted with the last.
#[derive(Debug, Clone, Default)]
pub struct Bridge(Arc<OnceLock<Result<Classes, CompileError>>>);

/// The Java program cannot be compiled.
#[derive(Debug, thiserror::Error)]
enum CompileError {
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: std::io::Error },
    #[error("a Java class needs a JDK: javac cannot be started ({0})")]
    NoCompiler(std::io::Error),
    /// The start of the compiler's errors.
    #[error("javac: {0}")]
    Compiler(String),
}

/// A folder with the compiled program.
#[derive(Debug)]
struct Classes(Scratch);

impl Bridge {
    fn classes(&self) -> Result<&Path, Trouble> {
        match self.0.get_or_init(compile) {
            Ok(classes) => Ok(classes.0.path()),
            Err(error) => Err(Trouble::referee(error)),
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
            return Err(Trouble::Argument(format!(
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

fn compile() -> Result<Classes, CompileError> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("referee-java-{}-{}", std::process::id(), now.as_nanos()));
    let failed = |path: &Path, error| CompileError::Io { path: path.to_owned(), error };
    let made = Scratch::new(|| std::fs::create_dir(&folder).map(|()| folder.clone()));
    let classes = Classes(made.map_err(|error| failed(&folder, error))?);
    let source = classes.0.path().join("Bridge.java");
    wire::file::write_new(&source, SOURCE).map_err(|error| failed(&source, error))?;
    let compiled = std::process::Command::new("javac").arg("-d").arg(classes.0.path()).arg(&source).output();
    let output = compiled.map_err(CompileError::NoCompiler)?;
    if output.status.success() {
        return Ok(classes);
    }
    Err(CompileError::Compiler(excerpt(&String::from_utf8_lossy(&output.stderr))))
}
