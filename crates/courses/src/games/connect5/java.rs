//! The course's first interface: a Java class in its framework.

use crate::framework::{JavaFramework, Starter};

/// The framework. A small Java program lets the class play by the lines of the second interface.
pub static FRAMEWORK: JavaFramework = JavaFramework {
    sources: &[
        ("connect5/Grille.java", include_str!("java/Grille.java")),
        ("connect5/GrilleVerificateur.java", include_str!("java/GrilleVerificateur.java")),
        ("connect5/Joueur.java", include_str!("java/Joueur.java")),
        ("connect5/Position.java", include_str!("java/Position.java")),
    ],
    package: "ia",
    class: "JoueurArtificiel",
    own: &["JoueurClientCmd", "JoueurClientSocket"],
    starter: Some(Starter {
        package: "connect5",
        class: "referee.Bridge",
        path: "referee/Bridge.java",
        source: include_str!("java/Bridge.java"),
        methods: &["getProchainCoup", "getAction"],
    }),
};
