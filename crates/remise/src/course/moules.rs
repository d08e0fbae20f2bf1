//! À la pêche aux moules, section 5: an archive with all that is needed to compile, and a README.

use super::{Game, HandIn, makefile, readme};
use crate::pack::Form;
use crate::team::Team;
use crate::workspace::Workspace;
use anyhow::Result;
use std::path::Path;

pub(super) fn hand_in(team: &Team, project: &Path) -> Result<HandIn> {
    let mut tree = Workspace::prune(project, "moules-client")?.tree()?;
    let programs = [("moules-client", "moules-client"), ("moules-serveur", "moules-serveur")];
    tree.put(
        "Makefile",
        makefile("À la pêche aux moules : le client, et un serveur pour l'essayer", &programs)?,
    );
    let name = team.identifier();
    let text = include_str!("../../modeles/moules/README.txt");
    tree.put("README.txt", readme(Game::Moules, text, team, &[("NOM", &name)])?);
    Ok(HandIn { name: format!("moules_{name}.zip"), form: Form::Zip, tree, notes: Vec::new() })
}
