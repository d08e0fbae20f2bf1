//! Players that are a Java class in the course's framework. A small Java program loads the class and connects it to the
//! tournament's protocol.

use super::tournoi::Tournoi;
use crate::course::GameSetup;
use crate::fault::{Trouble, excerpt};
use crate::framework::JavaFramework;
use crate::peer::{Command, Ended, Peer, Supervisor};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use wire::file::Scratch;

const SOURCE: &str = include_str!("Bridge.java");

/// The tournament's framework. Its referee loads the class `Joueur` in a package of `Participants`.
pub static FRAMEWORK: JavaFramework = JavaFramework {
    sources: &[
        ("Othello/Joueur.java", include_str!("../../../../othello-player/java/essai/Othello/Joueur.java")),
        ("Othello/Move.java", include_str!("../../../../othello-player/java/essai/Othello/Move.java")),
    ],
    package: "Participants",
    class: "Joueur",
    own: &["Console"],
    starter: None,
};

/// The Java program, compiled when the first class plays and deleted with the last.
#[derive(Debug, Clone, Default)]
pub struct Bridge(Arc<OnceLock<Result<Classes, CompileError>>>);

/// The Java program cannot be compiled.
#[derive(Debug, thiserror::Error)]
enum CompileError {
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: std::io::Error },
    #[error("a Java class needs a JDK: {0}")]
    NoCompiler(String),
    #[error("interrupted")]
    Interrupted,
    /// The start of the compiler's errors.
    #[error("javac: {0}")]
    Compiler(String),
}

/// A folder with the compiled program.
#[derive(Debug)]
struct Classes(Scratch);

impl Bridge {
    fn classes(&self, supervisor: &Supervisor) -> Result<&Path, Trouble> {
        match self.0.get_or_init(|| compile(supervisor)) {
            Ok(classes) => Ok(classes.0.path()),
            Err(CompileError::Interrupted) => Err(Trouble::Interrupted),
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
        let bridge = self.classes(game.supervisor)?;
        let path = format!("{}:{path}", bridge.display());
        let words = ["java", "-cp", &path, "Bridge", class, &depth.to_string(), &seat.to_string()];
        let (words, reads) = (words.map(str::to_owned).to_vec(), vec![bridge.to_owned()]);
        let command = Command { words, reads, ..player.clone() };
        Ok(Tournoi::new(game.start(&command, seat)?, Some(class.clone())))
    }
}

fn compile(supervisor: &Supervisor) -> Result<Classes, CompileError> {
    /// Time limit of the compiler.
    const PATIENCE: Duration = Duration::from_secs(60);
    let folder = std::env::temp_dir();
    let scratch = supervisor.scratch().map_err(|error| CompileError::Io { path: folder, error })?;
    let classes = Classes(scratch);
    let failed = |path: &Path, error| CompileError::Io { path: path.to_owned(), error };
    let folder = classes.0.path();
    // The class may play as another user.
    #[cfg(unix)]
    {
        let everybody = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o755);
        std::fs::set_permissions(folder, everybody).map_err(|error| failed(folder, error))?;
    }
    let source = folder.join("Bridge.java");
    wire::file::write_new(&source, SOURCE).map_err(|error| failed(&source, error))?;
    let words = ["javac", "-d", ".", "Bridge.java"].map(str::to_owned).to_vec();
    let command = Command { words, folder: Some(folder.to_owned()), ..Command::default() };
    let told = |trouble| match trouble {
        Trouble::Interrupted => CompileError::Interrupted,
        trouble => CompileError::NoCompiler(trouble.to_string()),
    };
    let mut compiler = Peer::spawn(supervisor, &command).map_err(told)?;
    compiler.whole_output(Instant::now() + PATIENCE).map_err(told)?;
    let Ended { status, errors, .. } = compiler.close(b"");
    if status.as_deref() == Some("exit code 0") {
        return Ok(classes);
    }
    Err(CompileError::Compiler(excerpt(&errors)))
}
