//! Tests of archives.

use super::*;

const FORMS: [Form; 3] = [Form::Zip, Form::Tar, Form::TarGz];

#[test]
fn what_is_packed_comes_out_again() {
    let mut tree = Tree::default();
    tree.put("a/é.txt", "texte");
    tree.put_executable("programme", [0, 1, 2]);
    // A path longer than the 100 bytes of a plain tar header.
    tree.put(format!("{}fin", "dossier/".repeat(20)), "x".repeat(100_000));
    tree.put_folders(["a", "obj", "src/obj"].map(str::to_owned));
    let links = [("src/programme", "../programme"), ("a/root", ".."), ("lien", "a")];
    let link = |(path, target): (&str, &str)| Link { path: path.to_owned(), target: target.to_owned() };
    tree.put_links(links.map(link).into(), None);
    assert_eq!(tree.empty_folders().collect::<Vec<_>>(), ["obj", "src/obj"]);
    for form in FORMS {
        let bytes = form.pack(&tree).unwrap();
        assert_eq!(bytes, form.pack(&tree).unwrap(), "the same bytes again");
        for named in FORMS {
            let is_read = named != Form::Zip || form != Form::Tar;
            let unpacked = named.unpack(&bytes, Bounds::OWN);
            assert!(!is_read || unpacked.is_ok_and(|unpacked| unpacked == tree), "{form:?} as {named:?}");
        }
    }
}

#[test]
fn a_sparse_file_and_gzip_members_are_read_as_tar_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let script = "printf begin >w && truncate -s 1M w && printf end >>w && tar --sparse -cf s.tar w";
    let made = std::process::Command::new("sh").args(["-c", script]).current_dir(folder.path()).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: there is no GNU tar here");
        return;
    }
    let bytes = std::fs::read(folder.path().join("s.tar")).unwrap();
    assert!(bytes.len() < 1 << 19, "the hole is left out");
    let member = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let (first, second) = bytes.split_at(700);
    let members = [member(first), member(second)].concat();
    for (form, bytes) in [(Form::Tar, &bytes), (Form::TarGz, &members)] {
        let tree = form.unpack(bytes, Bounds::STUDENT).unwrap();
        let file = &tree.get("w").unwrap().bytes;
        assert!(
            file.len() == (1 << 20) + 3 && file.starts_with(b"begin") && file.ends_with(b"end"),
            "{form:?}"
        );
        assert!(form.unpack(bytes, Bounds { bytes: 1 << 20, ..Bounds::STUDENT }).is_err(), "{form:?}");
    }
}

#[test]
fn an_archive_is_read_within_its_bounds() {
    let mut tree = Tree::default();
    tree.put("bomb", vec![0; 1 << 20]);
    tree.put("b", "b");
    for form in FORMS {
        let bytes = form.pack(&tree).unwrap();
        let error = |bounds| form.unpack(&bytes, bounds).unwrap_err().to_string();
        assert_eq!(error(Bounds { bytes: 1 << 20, ..Bounds::STUDENT }), "the files are too large");
        assert_eq!(error(Bounds { files: 1, ..Bounds::STUDENT }), "too many files");
        assert!(form.unpack(&bytes, Bounds { files: 2, bytes: (1 << 20) + 1 }).is_ok());
    }
    let mut deep = Tree::default();
    ["a/b/c/1", "a/b/c/2", "a-b/1", "a/d/1"].into_iter().for_each(|path| deep.put(path, ""));
    for form in FORMS {
        let unpacked = |files| form.unpack(&form.pack(&deep).unwrap(), Bounds { files, bytes: 1 });
        assert_eq!(unpacked(8).unwrap_err().to_string(), "too many files", "its folders count");
        assert!(unpacked(9).is_ok());
    }
}

/// A tar file with an entry of this type, name and content. The library's own writer refuses such names.
fn tar_with(kind: tar::EntryType, name: &str, link: &str, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.as_mut_bytes()[157..157 + link.len()].copy_from_slice(link.as_bytes());
    header.set_cksum();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append(&header, content).unwrap();
    builder.into_inner().unwrap()
}

#[test]
fn neither_a_long_name_nor_an_entry_to_skip_leaves_the_bounds() {
    use tar::EntryType;
    let bounds = Bounds { files: 2, bytes: 1 << 16 };
    for kind in [EntryType::GNULongName, EntryType::GNULongLink, EntryType::XHeader, EntryType::Char] {
        let mut bytes = tar_with(kind, "a", "", &vec![b'a'; 1 << 20]);
        bytes.truncate(bytes.len() - 1024);
        bytes.extend(tar_with(EntryType::Regular, "b", "", b"b"));
        let error = Form::Tar.unpack(&bytes, bounds).unwrap_err();
        assert!(format!("{error:#}").contains(TOO_LARGE), "{kind:?}: {error:#}");
    }
}

fn zip_with(add: impl FnOnce(&mut zip::ZipWriter<Cursor<Vec<u8>>>)) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    add(&mut writer);
    writer.finish().unwrap().into_inner()
}

#[test]
fn no_path_leaves_the_archive_and_no_link_comes_out() {
    use tar::EntryType;
    let paths = |tree: Tree| tree.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>();
    for (name, path) in [("../x", "x"), ("../../tp1/x", "tp1/x"), ("/etc/x", "etc/x")] {
        let bytes = tar_with(EntryType::Regular, name, "", b"x");
        assert_eq!(paths(Form::Tar.unpack(&bytes, Bounds::STUDENT).unwrap()), [path]);
        let zipped = zip_with(|writer| {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        });
        assert_eq!(paths(Form::Zip.unpack(&zipped, Bounds::STUDENT).unwrap()), [path]);
    }
    let bytes = tar_with(EntryType::Regular, "a/../../x", "", b"x");
    let error = Form::Tar.unpack(&bytes, Bounds::STUDENT).unwrap_err().to_string();
    assert!(error.starts_with("a path that leaves the archive"), "{error}");
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Fifo, EntryType::Directory]
    {
        let bytes = tar_with(kind, "a", "/etc/passwd", b"");
        assert!(Form::Tar.unpack(&bytes, Bounds::STUDENT).unwrap().is_empty(), "{kind:?}");
    }
    let links = zip_with(|writer| {
        let options = zip::write::SimpleFileOptions::default();
        writer.add_directory("d", options).unwrap();
        writer.add_symlink("a", "/etc/passwd", options).unwrap();
        writer.start_file("d/b", options).unwrap();
    });
    let tree = Form::Zip.unpack(&links, Bounds::STUDENT).unwrap();
    assert_eq!(tree.iter().map(|(path, _)| path).collect::<Vec<_>>(), ["d/b"]);
}

#[test]
fn the_date_of_a_zip_entry_is_kept_to_the_second() {
    for ((year, month, day, hour, minute, second), seconds) in [
        ((1980, 1, 2, 0, 0, 0), 315_619_200),
        ((2000, 2, 29, 23, 59, 58), 951_868_798),
        ((2024, 3, 1, 0, 0, 0), 1_709_251_200),
        ((2026, 11, 28, 10, 20, 30), 1_795_861_230),
    ] {
        let bytes = zip_with(|writer| {
            let date = zip::DateTime::from_date_and_time(year, month, day, hour, minute, second).unwrap();
            let options = zip::write::SimpleFileOptions::default().last_modified_time(date);
            writer.start_file("a", options).unwrap();
        });
        let tree = Form::Zip.unpack(&bytes, Bounds::STUDENT).unwrap();
        assert_eq!(tree.get("a").unwrap().changed, Some(seconds), "{year}-{month}-{day}");
    }
}

#[test]
fn bytes_that_are_no_archive_are_refused() {
    for form in FORMS {
        assert!(form.unpack(&[1; 600], Bounds::STUDENT).is_err(), "{form:?}");
    }
    assert_eq!(Form::of(Path::new("A.TGZ")).unwrap(), Form::TarGz);
    assert!(Form::of(Path::new("a.rar")).is_err());
    let is_unread = |name| super::is_unread(Path::new(name));
    assert!(is_unread("a.RAR") && is_unread("a.tar.xz") && !is_unread("a.tar.gz") && !is_unread("a.py"));
}
