//! Other names of files and folders.

use super::check_path;

/// Another name of a file or of a folder, as an archive has it.
#[derive(Debug)]
pub(super) struct Link {
    /// The path from the archive's root.
    pub(super) path: String,
    pub(super) target: String,
}

impl Link {
    /// Returns the path that it leads to. `None` for one out of the tree whose root this is, and for one that goes up after
    /// it went down: where a link stands on that way, `..` is not the folder above it in the path.
    pub(super) fn end(&self, root: Option<&str>) -> Option<String> {
        let below_root = root.and_then(|root| self.target.strip_prefix(root)?.strip_prefix('/'));
        let target = match below_root {
            Some(target) => target,
            None if self.target.starts_with('/') => return None,
            None => &self.target,
        };
        let folder = if below_root.is_some() { "" } else { super::folder_of(&self.path) };
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        let mut is_down = false;
        for part in target.split('/') {
            match part {
                "" | "." => {}
                ".." if is_down => return None,
                ".." => _ = parts.pop()?,
                part => {
                    is_down = true;
                    parts.push(part);
                }
            }
        }
        Some(parts.join("/")).filter(|end| check_path(end).is_ok())
    }
}

/// Returns the target of a link at `path` that leads to `end`.
pub(super) fn target(path: &str, end: &str) -> String {
    let up = "../".repeat(path.matches('/').count());
    if end.is_empty() { format!("{up}.") } else { up + end }
}
