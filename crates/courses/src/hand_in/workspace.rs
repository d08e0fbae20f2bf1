//! Prunes the project to one player: the packages that it needs, the manifest and lock file reduced to them, and their
//! dependencies in `vendor/`, so that cargo works offline.

use super::package;
use super::progress::{self, Show};
use crate::archive::Tree;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use toml_edit::{Array, DocumentMut, Item, Table};
use wire::file::Scratch;

/// Tells cargo where to find dependencies. The folder's name has no dot, because one course packs `*`, which omits
/// hidden files.
const CONFIG: &str = "\
# Lu par « cargo --config cargo/config.toml » : les dépendances sont dans vendor/, le réseau ne sert jamais,
# et le programme est compilé pour le processeur de cette machine.

[build]
rustflags = [\"-C\", \"target-cpu=native\"]

[source.crates-io]
replace-with = \"vendor\"

[source.vendor]
directory = \"vendor\"

[net]
offline = true
";

/// The project's licence and credits, which belong to every archive.
pub const OWNERSHIP: [&str; 2] = ["LICENSE", "CREDITS.md"];

/// A pruned workspace in a temporary folder, removed on drop.
#[derive(Debug)]
pub struct Workspace {
    folder: Scratch,
}

impl Workspace {
    /// Prunes the project to the packages that `package` needs.
    ///
    /// # Errors
    /// If the project cannot be read, or cargo is missing or fails.
    pub fn prune(project: &Path, package: &str) -> Result<Self> {
        let mut root = manifest(&project.join("Cargo.toml"))?;
        let own = own_packages(project, &root, package)?;
        let asked = asked_features(project, package, &own)?;
        let mut tree = Tree::default();
        let mut used = BTreeSet::new();
        for name in &own {
            let folder = project.join("crates").join(name);
            tree.put_tree(&format!("crates/{name}"), package::own_files(&folder)?);
            let mut member = manifest(&folder.join("Cargo.toml"))?;
            forget_features(&mut member, &|feature| asked.contains(&(name.clone(), feature.to_owned())));
            prune_member(&mut member, &mut used);
            tree.put(format!("crates/{name}/Cargo.toml"), member.to_string());
        }
        package::drop_unused_modules(&mut tree);
        prune_root(&mut root, &own, &used)?;
        tree.put("Cargo.toml", root.to_string());
        for file in ["Cargo.lock"].iter().chain(&OWNERSHIP) {
            let path = project.join(file);
            tree.put(*file, fs::read(&path).with_context(|| path.display().to_string())?);
        }

        let folder = folder("remise-")?;
        tree.write(folder.path())?;
        let workspace = Self { folder };
        // Reduces the lock file to the packages left.
        workspace.cargo(&["metadata", "--format-version", "1"])?;
        let needed = workspace.needed()?;
        workspace.cargo(&["vendor", "--locked", "vendor"])?;
        workspace.prune_vendor(&needed)?;
        fs::create_dir(workspace.folder.path().join("cargo"))?;
        wire::file::write_new(&workspace.folder.path().join("cargo/config.toml"), CONFIG)?;
        // Again, now for this kind of machine only.
        workspace.cargo(&[
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--config",
            "cargo/config.toml",
        ])?;
        Ok(workspace)
    }

    /// Returns all files of the workspace.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn tree(&self) -> Result<Tree> {
        Tree::read(self.folder.path())
    }

    /// Builds the executable for any machine of this kind from the pruned files, and returns its bytes.
    ///
    /// # Errors
    /// If the build fails.
    pub fn build(
        &self,
        executable: &str,
        target: &Path,
        environment: &[(String, String)],
        show: Show<'_>,
    ) -> Result<Vec<u8>> {
        let mut command = self.command(&["build", "--release", "--frozen", "--config", "cargo/config.toml"]);
        // No path of this machine gets into the executable. The separator of encoded flags allows paths with blanks.
        let remapped = format!("--remap-path-prefix={}=.", self.folder.path().display());
        command
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env("CARGO_ENCODED_RUSTFLAGS", ["-C", "target-cpu=generic", &remapped].join("\x1f"))
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
            .env("CARGO_TARGET_DIR", target);
        run_showing(&mut command, show)?;
        let path = target.join("release").join(executable);
        fs::read(&path).with_context(|| path.display().to_string())
    }

    /// Returns names and versions of the packages compiled on this kind of machine.
    fn needed(&self) -> Result<BTreeSet<(String, String)>> {
        let lines = self.cargo(&["tree", "--locked", "--edges", "normal,build", "--prefix", "none"])?;
        let package = |line: &str| {
            let mut words = line.split_whitespace();
            let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
            Some((name.to_owned(), version.to_owned()))
        };
        Ok(lines.lines().filter_map(package).collect())
    }

    /// Keeps the files that are compiled of each dependency, with the published checksums of those left unchanged.
    fn prune_vendor(&self, needed: &BTreeSet<(String, String)>) -> Result<()> {
        for entry in fs::read_dir(self.folder.path().join("vendor"))? {
            let folder = entry?.path();
            let mut manifest = manifest(&folder.join("Cargo.toml"))?;
            let word = |key: &str| manifest["package"][key].as_str().map(str::to_owned);
            let package = word("name").zip(word("version")).context("a package without a name")?;
            if !needed.contains(&package) {
                wire::file::remove_folder(&folder)?;
                continue;
            }
            let path = folder.join(".cargo-checksum.json");
            let mut checksums: Value = serde_json::from_slice(&fs::read(&path)?)?;
            let mut kept = package::files(&folder)?;
            let files = checksums.get_mut("files").and_then(Value::as_object_mut).context("no checksums")?;
            let mut of_kept: Map<_, _> = kept
                .iter()
                .filter_map(|(name, _)| Some((name.to_owned(), files.get(name)?.clone())))
                .collect();
            ensure!(of_kept.len() == kept.len(), "{}: a file without a checksum", folder.display());
            if forget_other_machines(&mut manifest, needed) {
                kept.put("Cargo.toml", manifest.to_string());
                of_kept.remove("Cargo.toml");
            }
            *files = of_kept;
            wire::file::remove_folder(&folder)?;
            kept.write(&folder)?;
            wire::file::write(&path, serde_json::to_string(&checksums)?)?;
        }
        Ok(())
    }

    fn cargo(&self, arguments: &[&str]) -> Result<String> {
        run(&mut self.command(arguments))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(arguments).current_dir(self.folder.path());
        command
    }
}

/// Creates a temporary folder.
///
/// # Errors
/// Those of the system.
pub fn folder(prefix: &str) -> std::io::Result<Scratch> {
    let folder = Scratch::new(|| Ok(tempfile::Builder::new().prefix(prefix).tempdir()?.keep()))?;
    crate::peer::children::keep(&folder);
    Ok(folder)
}

fn run(command: &mut Command) -> Result<String> {
    run_showing(command, &|_| {})
}

fn run_showing(command: &mut Command, show: Show<'_>) -> Result<String> {
    let output = progress::output(command, show)
        .context("cargo is not to be found: install Rust from https://rustup.rs")?;
    if output.status.success() {
        return String::from_utf8(output.stdout).context("cargo");
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let first = errors.lines().find(|line| line.starts_with("error")).unwrap_or(errors.trim());
    bail!("cargo failed: {first}")
}

fn manifest(path: &Path) -> Result<DocumentMut> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.parse().with_context(|| path.display().to_string())
}

/// Returns the package and the project's packages that it depends on.
fn own_packages(project: &Path, root: &DocumentMut, package: &str) -> Result<BTreeSet<String>> {
    let mut own = BTreeSet::new();
    let mut next = vec![package.to_owned()];
    while let Some(name) = next.pop() {
        let member = manifest(&project.join("crates").join(&name).join("Cargo.toml"))?;
        let dependencies = member.get("dependencies").and_then(Item::as_table);
        for (dependency, _) in dependencies.into_iter().flat_map(Table::iter) {
            let is_own = root["workspace"]["dependencies"][dependency].get("path").is_some();
            if is_own && !own.contains(dependency) {
                next.push(dependency.to_owned());
            }
        }
        own.insert(name);
    }
    Ok(own)
}

/// Returns the default features of `package` and those that the packages ask of each other, with the package that has
/// the feature.
fn asked_features(
    project: &Path,
    package: &str,
    own: &BTreeSet<String>,
) -> Result<BTreeSet<(String, String)>> {
    let mut next = vec![(package.to_owned(), "default".to_owned())];
    let mut needs = BTreeMap::new();
    for name in own {
        let member = manifest(&project.join("crates").join(name).join("Cargo.toml"))?;
        let dependencies = member.get("dependencies").and_then(Item::as_table);
        for (dependency, value) in dependencies.into_iter().flat_map(Table::iter) {
            let features = value.get("features").and_then(Item::as_array);
            let features = features.into_iter().flatten().filter_map(toml_edit::Value::as_str);
            next.extend(features.map(|feature| (dependency.to_owned(), feature.to_owned())));
        }
        for (feature, value) in
            member.get("features").and_then(Item::as_table).into_iter().flat_map(Table::iter)
        {
            let of_feature = value.as_array().into_iter().flatten().filter_map(toml_edit::Value::as_str);
            let of_feature: Vec<_> = of_feature
                .filter(|need| !need.starts_with("dep:"))
                .map(|need| match need.split_once('/') {
                    Some((dependency, feature)) => {
                        (dependency.trim_end_matches('?').to_owned(), feature.to_owned())
                    }
                    None => (name.clone(), need.to_owned()),
                })
                .collect();
            needs.insert((name.clone(), feature.to_owned()), of_feature);
        }
    }
    let mut asked = BTreeSet::new();
    while let Some(feature) = next.pop() {
        next.extend(needs.remove(&feature).into_iter().flatten());
        asked.insert(feature);
    }
    Ok(asked)
}

/// Empties the features that nobody asks for, and removes the dependencies that only they need.
fn forget_features(member: &mut DocumentMut, is_asked: &dyn Fn(&str) -> bool) {
    let mut forgotten = BTreeSet::new();
    if let Some(features) = member.get_mut("features").and_then(Item::as_table_mut) {
        for (_, needs) in features.iter_mut().filter(|(name, _)| !is_asked(name.get())) {
            let needs = std::mem::replace(needs, toml_edit::value(Array::new()));
            let needs = needs.as_array().into_iter().flatten().filter_map(toml_edit::Value::as_str);
            forgotten.extend(needs.filter_map(|need| need.strip_prefix("dep:")).map(str::to_owned));
        }
    }
    let targets = member.get("target").and_then(Item::as_table);
    let targets: Vec<String> =
        targets.into_iter().flat_map(Table::iter).map(|(name, _)| name.to_owned()).collect();
    for dependency in &forgotten {
        if let Some(table) = member.get_mut("dependencies").and_then(Item::as_table_mut) {
            table.remove(dependency);
        }
        for target in &targets {
            let table = member["target"][target].get_mut("dependencies").and_then(Item::as_table_mut);
            table.map(|table| table.remove(dependency));
        }
    }
}

/// Removes dependencies of tests and benches only, and collects those that are left.
fn prune_member(member: &mut DocumentMut, used: &mut BTreeSet<String>) {
    for table in ["dev-dependencies", "bench", "test", "example"] {
        member.remove(table);
    }
    if let Some(features) = member.get_mut("features").and_then(Item::as_table_mut) {
        features.remove("testing");
        if features.is_empty() {
            member.remove("features");
        }
    }
    let mut tables: Vec<&Item> = vec![];
    if let Some(targets) = member.get("target").and_then(Item::as_table) {
        tables.extend(targets.iter().filter_map(|(_, target)| target.get("dependencies")));
    }
    tables.extend(["dependencies", "build-dependencies"].iter().filter_map(|name| member.get(name)));
    for table in tables.into_iter().filter_map(Item::as_table) {
        used.extend(table.iter().map(|(name, _)| name.to_owned()));
    }
}

/// Removes a published package's dependencies for other kinds of machines, which may be larger than everything else.
/// Returns true if there were any.
fn forget_other_machines(manifest: &mut DocumentMut, needed: &BTreeSet<(String, String)>) -> bool {
    let Some(targets) = manifest.get_mut("target").and_then(Item::as_table_mut) else { return false };
    let mut forgot = false;
    for (_, target) in targets.iter_mut() {
        for table in ["dependencies", "build-dependencies"] {
            let Some(table) = target.get_mut(table).and_then(Item::as_table_mut) else { continue };
            let before = table.len();
            table.retain(|key, dependency| {
                let name = dependency.get("package").and_then(Item::as_str).unwrap_or(key);
                // Features name optional dependencies, and disabled ones are not in the lock file.
                let optional = dependency.get("optional").and_then(Item::as_bool).unwrap_or(false);
                optional || needed.iter().any(|(needed, _)| needed == name)
            });
            forgot |= table.len() < before;
        }
    }
    forgot
}

/// Reduces the workspace to these packages and dependencies, and to the release profile.
fn prune_root(root: &mut DocumentMut, own: &BTreeSet<String>, used: &BTreeSet<String>) -> Result<()> {
    let workspace = root["workspace"].as_table_mut().context("no workspace")?;
    let members: Array = own.iter().map(|name| format!("crates/{name}")).collect();
    workspace["members"] = toml_edit::value(members);
    let all = workspace["dependencies"].as_table().context("no dependencies")?;
    // A new table, because the comments belong to removed entries.
    let mut left = Table::new();
    for name in used {
        let mut dependency = all.get(name).with_context(|| format!("{name} is no dependency"))?.clone();
        if let Some(value) = dependency.as_value_mut() {
            value.decor_mut().clear();
        }
        left.insert(name, dependency);
    }
    left.set_position(all.position());
    workspace["dependencies"] = Item::Table(left);
    if let Some(profiles) = root.get_mut("profile").and_then(Item::as_table_mut) {
        let others: Vec<_> =
            profiles.iter().map(|(name, _)| name.to_owned()).filter(|name| name != "release").collect();
        for name in others {
            profiles.remove(&name);
        }
        // What stands there is for packages that no archive holds.
        if let Some(release) = profiles.get_mut("release").and_then(Item::as_table_mut) {
            release.remove("package");
        }
    }
    Ok(())
}

/// Returns the folder of the project that this tool was built in.
#[must_use]
pub fn project() -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    folder.canonicalize().unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_keeps_the_features_that_its_player_is_built_with_and_no_others() {
        let project = project();
        let root = manifest(&project.join("Cargo.toml")).unwrap();
        for game in crate::registry::all() {
            let player = game.executables()[0];
            let own = own_packages(&project, &root, player).unwrap();
            let asked = asked_features(&project, player, &own).unwrap();
            let has =
                |package: &str, feature: &str| asked.contains(&(package.to_owned(), feature.to_owned()));
            assert!(has(player, "cli"), "{player}");
            assert!(!has("wire", "faults") && !has("search-core", "testing"), "{player}");
            // A feature of the player asks for one of a library.
            let manifest = manifest(&project.join("crates").join(player).join("Cargo.toml")).unwrap();
            let of_wire = manifest["features"]["cli"].as_array().unwrap();
            for feature in of_wire.iter().filter_map(|need| need.as_str()?.strip_prefix("wire/")) {
                assert!(has("wire", feature), "{player} {feature}");
            }
        }
    }
}
