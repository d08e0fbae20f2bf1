//! Zip and tar.gz archives. The same files always give the same bytes: sorted, with one date.

use super::tree::{File, Tree};
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{Cursor, Read, Write};
use std::path::Path;

/// The format of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `.zip`
    Zip,
    /// `.tar.gz`
    TarGz,
}

impl Form {
    /// Returns the extension of the file name.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::TarGz => "tar.gz",
        }
    }

    /// Packs the files and returns the archive's bytes.
    ///
    /// # Errors
    /// If the format cannot hold a path.
    pub fn pack(self, tree: &Tree) -> Result<Vec<u8>> {
        match self {
            Self::Zip => zip(tree),
            Self::TarGz => tar_gz(tree),
        }
    }

    /// Unpacks an archive.
    ///
    /// # Errors
    /// If the bytes are not a valid archive.
    pub fn unpack(self, bytes: &[u8]) -> Result<Tree> {
        match self {
            Self::Zip => unzip(bytes),
            Self::TarGz => untar(bytes),
        }
    }

    /// Returns the format of a file by its name.
    ///
    /// # Errors
    /// If the name has another extension.
    pub fn of(path: &Path) -> Result<Self> {
        let name = path.to_string_lossy();
        match () {
            () if name.ends_with(".zip") => Ok(Self::Zip),
            () if name.ends_with(".tar.gz") => Ok(Self::TarGz),
            () => bail!("{name}: neither .zip nor .tar.gz"),
        }
    }
}

fn mode(file: &File) -> u32 {
    if file.executable { 0o755 } else { 0o644 }
}

fn zip(tree: &Tree) -> Result<Vec<u8>> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, file) in tree.iter() {
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(mode(file));
        writer.start_file(path, options)?;
        writer.write_all(&file.bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn unzip(bytes: &[u8]) -> Result<Tree> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    let mut tree = Tree::default();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index)?;
        let path = file.enclosed_name().context("a path that leaves the archive")?;
        let path = path.to_str().context("a path that is not UTF-8")?.to_owned();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if file.unix_mode().is_some_and(|mode| mode & 0o100 != 0) {
            tree.put_executable(path, bytes);
        } else {
            tree.put(path, bytes);
        }
    }
    Ok(tree)
}

fn tar_gz(tree: &Tree) -> Result<Vec<u8>> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for (path, file) in tree.iter() {
        let mut header = tar::Header::new_gnu();
        header.set_size(file.bytes.len() as u64);
        header.set_mode(mode(file));
        // Some versions of tar warn about a date of zero. This is the first day of the zip format.
        header.set_mtime(315_532_800);
        builder.append_data(&mut header, path, file.bytes.as_slice())?;
    }
    Ok(builder.into_inner()?.finish()?)
}

fn untar(bytes: &[u8]) -> Result<Tree> {
    let mut archive = tar::Archive::new(GzDecoder::new(bytes));
    let mut tree = Tree::default();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_str().context("a path that is not UTF-8")?.to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        if entry.header().mode()? & 0o100 != 0 {
            tree.put_executable(path, bytes);
        } else {
            tree.put(path, bytes);
        }
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let mut tree = Tree::default();
        tree.put("a/é.txt", "texte");
        tree.put_executable("programme", [0, 1, 2]);
        // A path longer than the 100 bytes of a plain tar header.
        tree.put(format!("{}fin", "dossier/".repeat(20)), "x".repeat(100_000));
        for form in [Form::Zip, Form::TarGz] {
            let bytes = form.pack(&tree).unwrap();
            assert_eq!(bytes, form.pack(&tree).unwrap(), "the same bytes again");
            assert_eq!(form.unpack(&bytes).unwrap(), tree);
        }
    }
}
