use super::*;

const HYBRID: &str = "\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:8 - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

fn folders(own: &str, mounts: &str) -> Vec<String> {
    places(own, mounts).iter().map(|place| format!("{:?} {}", place.1, place.0.display())).collect()
}

#[test]
fn groups_stand_beside_ours_or_below_it() {
    let one = "One /sys/fs/cgroup/memory/a/b";
    let own = "4:memory:/a/b\n1:cpu:/\n0::/\n";
    assert_eq!(folders(own, HYBRID), [one, "Two /sys/fs/cgroup/unified/"]);
    let unified = |root: &str| {
        format!("30 23 0:26 {root} /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n")
    };
    let own = "0::/user.slice/s.scope\n";
    let beside = "Two /sys/fs/cgroup/user.slice";
    assert_eq!(folders(own, &unified("/")), [beside, "Two /sys/fs/cgroup/user.slice/s.scope"]);
    assert_eq!(folders(own, &unified("/user.slice")), ["Two /sys/fs/cgroup", "Two /sys/fs/cgroup/s.scope"]);
    assert_eq!(folders(own, &unified("/user.slice/s.scope")), ["Two /sys/fs/cgroup/"]);
    for own in ["0::/../x\n", "0::/other\n", "4:cpu:/\n", ""] {
        assert_eq!(folders(own, &unified("/user.slice")), <[&str; 0]>::default(), "{own}");
    }
}

#[test]
fn kills_are_told_from_other_events() {
    let events = "low 0\nhigh 0\nmax 812\noom 3\noom_kill 2\noom_group_kill 1\n";
    assert_eq!(["oom", "oom_kill", "oo", "kill"].map(|name| counted(events, name)), [3, 2, 0, 0]);
    assert_eq!(counted("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", "oom_kill"), 1);
}

#[test]
fn a_group_is_removed_with_its_processes_and_after_its_run() {
    let Some(groups) = Groups::found() else { return println!("skipped: this system offers no group") };
    let left = groups.0.join(format!("{}{}-0", prefix(), i32::MAX));
    std::fs::create_dir(&left).unwrap();
    let group = groups.group(0).unwrap();
    let mut sleep = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let pid = sleep.id().to_string();
    rustix::io::write(group.door().unwrap(), pid.as_bytes()).unwrap();
    assert_eq!(group.processes().len(), 1);
    assert!(!group.has_killed());
    let folder = group.0.clone();
    assert!(folder.exists());
    assert_eq!(Groups::found(), Some(groups));
    drop(group);
    assert!(!folder.exists() && !left.exists() && !sleep.wait().unwrap().success());
}

#[test]
fn groups_that_a_killed_run_of_the_same_number_left_are_passed_over() {
    let Some(groups) = Groups::found() else { return println!("skipped: this system offers no group") };
    let number = |group: &Group| -> u32 {
        group.0.to_str().and_then(|name| name.rsplit_once('-')?.1.parse().ok()).unwrap()
    };
    let first = groups.group(0).unwrap();
    let left: Vec<_> = (1..20)
        .map(|more| groups.0.join(format!("{}{}-{}", prefix(), std::process::id(), number(&first) + more)))
        .filter(|folder| std::fs::create_dir(folder).is_ok())
        .collect();
    let made = groups.group(0);
    left.iter().for_each(|folder| std::fs::remove_dir(folder).unwrap());
    assert!(number(&made.unwrap()) > number(&first));
}

#[test]
fn the_groups_of_another_namespace_stay() {
    let Some(groups) = Groups::found() else { return println!("skipped: this system offers no group") };
    let folder = groups.0.join(format!("referee-{}-1-0", i32::MAX));
    std::fs::create_dir(&folder).unwrap();
    groups.tidy();
    std::fs::remove_dir(&folder).unwrap();
}
