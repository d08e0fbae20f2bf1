//! What a replaced file keeps, and what is written in place.

use super::*;

#[test]
#[cfg(unix)]
fn mode_links_devices_and_pipes_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = Folder::new();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let is_link = |path: &Path| fs::symlink_metadata(path).unwrap().is_symlink();
    fs::write(folder.at("file"), "old").unwrap();
    for kept in [0o200, 0o600, 0o640, 0o755] {
        fs::set_permissions(folder.at("file"), fs::Permissions::from_mode(kept)).unwrap();
        write(&folder.at("file"), "new").unwrap();
        assert_eq!(mode(&folder.at("file")), kept);
    }
    // A relative link to a relative link, in two folders.
    fs::create_dir(folder.at("inner")).unwrap();
    symlink("../file", folder.at("inner/link")).unwrap();
    symlink("inner/link", folder.at("link")).unwrap();
    write(&folder.at("link"), "linked").unwrap();
    assert!(is_link(&folder.at("link")) && is_link(&folder.at("inner/link")));
    assert_eq!(fs::read(folder.at("file")).unwrap(), b"linked");
    // A dangling link: its target is created.
    symlink("inner/later", folder.at("dangling")).unwrap();
    check(&folder.at("dangling")).unwrap();
    write(&folder.at("dangling"), "made").unwrap();
    assert!(is_link(&folder.at("dangling")));
    assert_eq!(fs::read(folder.at("inner/later")).unwrap(), b"made");
    symlink("round", folder.at("round")).unwrap();
    assert!(write(&folder.at("round"), "x").is_err() && is_link(&folder.at("round")));
    // Anything but a regular file is written in place.
    write(Path::new("/dev/null"), "x").unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    if Path::new("/dev/full").exists() {
        check(Path::new("/dev/full")).unwrap();
        assert_eq!(write(Path::new("/dev/full"), "x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
    let pipe = folder.pipe();
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    write(&pipe, "through").unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
#[cfg(all(target_os = "linux", feature = "attributes"))]
fn a_replaced_file_keeps_its_attributes_and_its_access_list() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let file = folder.at("file");
    fs::write(&file, "old").unwrap();
    // Version 2, then tag, rights and user: the owner, one user more, the group, the mask, all others.
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, u32::MAX), (2, 4, 65534), (4, 0, u32::MAX), (16, 4, u32::MAX), (32, 0, u32::MAX)];
    let mut list = 2u32.to_le_bytes().to_vec();
    for (tag, rights, user) in entries {
        list.extend([tag.to_le_bytes(), rights.to_le_bytes()].concat());
        list.extend(user.to_le_bytes());
    }
    let kept = [(&b"user.note"[..], b"mine".to_vec()), (calls::ACCESS_LIST, list)];
    for (name, value) in &kept {
        if let Err(error) = rustix::fs::setxattr(&file, *name, value, rustix::fs::XattrFlags::empty()) {
            println!("skipped: the attributes of a replaced file: {error}");
            return;
        }
    }
    write(&file, "new").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"new");
    for (name, value) in &kept {
        let mut found = [0; 100];
        let length = rustix::fs::getxattr(&file, *name, &mut found[..]).unwrap();
        assert_eq!(&found[..length], value);
    }
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o640);
}

#[test]
#[cfg(target_os = "linux")]
fn a_mount_point_is_written_in_place() {
    const CHILD: &str = "WIRE_MOUNTED_CHILD";
    const MOUNT: &str = "mount --bind \"$1\" \"$2/page\"";
    const MOUNT_IN_FOLDER: &str =
        "mount --bind \"$2\" \"$2\"; mount --bind \"$1\" \"$2/page\"; mount -o remount,bind,ro \"$2\"";
    if let Some(path) = std::env::var_os(CHILD) {
        check(Path::new(&path)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"the old text");
        write(Path::new(&path), "the new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"the new");
        return;
    }
    let folder = Folder::new();
    for name in ["inner", "temporary"] {
        fs::create_dir(folder.at(name)).unwrap();
    }
    fs::write(folder.at("inner/page"), "below").unwrap();
    let inside = |script: &str, program: &Path| {
        let mut command = std::process::Command::new("unshare");
        command.args(["-Urm", "sh", "-ec", &format!("{script}; shift 2; exec \"$@\""), "sh"]);
        command.args([folder.at("page"), folder.at("inner"), program.to_owned()]);
        command
    };
    for script in [MOUNT, MOUNT_IN_FOLDER] {
        fs::write(folder.at("page"), "the old text").unwrap();
        if !inside(script, Path::new("true")).output().is_ok_and(|output| output.status.success()) {
            println!("skipped: nothing can be mounted here");
            return;
        }
        // Without the feature only a refused rename tells of a mount point.
        if script == MOUNT_IN_FOLDER && !cfg!(feature = "attributes") {
            continue;
        }
        let mut command = inside(script, &std::env::current_exe().unwrap());
        command.args(["--exact", "file::tests::targets::a_mount_point_is_written_in_place"]);
        let output = command
            .env(CHILD, folder.at("inner/page"))
            .env("TMPDIR", folder.at("temporary"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{script}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
        assert_eq!(fs::read(folder.at("page")).unwrap(), b"the new");
        assert_eq!(fs::read(folder.at("inner/page")).unwrap(), b"below");
        let count = |name: &str| fs::read_dir(folder.at(name)).unwrap().count();
        assert_eq!((count("inner"), count("temporary")), (1, 0));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_descriptor_is_written_in_place_behind_what_it_holds() {
    use std::os::fd::AsRawFd;
    let folder = Folder::new();
    let mut file = File::create(folder.at("a")).unwrap();
    file.write_all(b"before ").unwrap();
    write(Path::new(&format!("/dev/fd/{}", file.as_raw_fd())), "after").unwrap();
    assert_eq!(fs::read(folder.at("a")).unwrap(), b"before after");
}

#[test]
#[cfg(target_os = "linux")]
fn the_owner_is_kept() {
    use std::os::unix::fs::{MetadataExt, chown};
    let folder = Folder::new();
    fs::write(folder.at("a"), "old").unwrap();
    // Only the superuser can give a file away.
    if chown(folder.at("a"), Some(12345), Some(12345)).is_err() {
        return eprintln!("skipped: the owner of a file can only be changed by the administrator");
    }
    write(&folder.at("a"), "new").unwrap();
    let data = fs::metadata(folder.at("a")).unwrap();
    assert_eq!((data.uid(), data.gid()), (12345, 12345));
}
