//! A full disk and a read-only folder: nothing finished is lost, nothing partial stays, and the message says what to do.
#![cfg(target_os = "linux")]

use super::fake::{Fake, assert_clean, assert_same, files};
use super::skipped;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Sixteen points, of which the last ones have records of half a mebibyte.
fn growing() -> Fake {
    Fake { points: 16, payload: 20_000, large_from: 10, threads: 1, ..Fake::default() }
}

/// A shell that runs a script, in which `"$@"` is the process with the sweep.
fn shell(words: &[&str], script: &str, fake: &Fake, folder: &Path) -> Output {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).args(["-c", script, "sh"]).arg(std::env::current_exe().unwrap());
    let mut command = fake.child_of(command, folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap()
}

#[test]
fn a_file_that_finds_no_room_stops_the_sweep_and_loses_nothing() {
    let (fake, outer) = (growing(), tempfile::tempdir().unwrap());
    let folder = outer.path().join("sweep");
    // No file may have more than 100 KiB; with the signal ignored the write itself fails.
    let output = shell(&["sh"], "trap '' XFSZ; ulimit -f 200; \"$@\"", &fake, &folder);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    // Two of the large points are written at a time.
    let tasks = &fake.tasks()[10..12];
    let mut failed =
        tasks.iter().map(|task| format!("points/{}.json: cannot be written: file too large", task.key));
    assert!(failed.any(|failed| words.contains(&failed)), "{words}");
    assert!(words.contains("help: make room there and start the command again"), "{words}");
    assert_clean(&folder);
    let kept = files(&folder, "points");
    assert_eq!(kept.len(), 10);
    let (result, _) = fake.run(&folder);
    assert_eq!(result.unwrap().ran, 6);
    assert_same(&files(&folder, "points"), &fake.expected());
}

/// Whether file systems can be mounted in a namespace of one's own.
fn can_mount(outer: &Path) -> bool {
    let probe = Command::new("unshare")
        .args(["-rm", "sh", "-c", "mount -t tmpfs -o size=64k none \"$0\""])
        .arg(outer)
        .output();
    let can = probe.is_ok_and(|output| output.status.success());
    if !can {
        skipped("file systems cannot be mounted here, not even in a namespace of one's own");
    }
    can
}

#[test]
fn a_full_file_system_stops_the_sweep_and_loses_nothing() {
    let (fake, outer) = (growing(), tempfile::tempdir().unwrap());
    if !can_mount(outer.path()) {
        return;
    }
    let script = "set -e; cd \"$OUTER\"; mkdir disk kept; mount -t tmpfs -o size=1500k none disk
        if \"$@\" 2> words; then exit 66; fi
        ls -A disk/sweep/points > points; ls -A disk/sweep/leases disk/sweep/runners > rest
        mount -o remount,size=64m disk; \"$@\"; cp -r disk/sweep kept";
    let script = format!("OUTER={}; {script}", outer.path().display());
    let output = shell(&["unshare", "-rm", "sh"], &script, &fake, &outer.path().join("disk/sweep"));
    assert!(output.status.success(), "{} {}", output.status, String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(outer.path().join(name)).unwrap();
    assert!(read("words").contains("cannot be written: no space left on device"), "{}", read("words"));
    assert!(read("words").contains("help: make room there"), "{}", read("words"));
    let points: Vec<String> = read("points").lines().map(str::to_owned).collect();
    assert!(points.len() >= 10 && points.len() < 16, "{points:?}");
    assert!(points.iter().all(|name| name.ends_with(".json") && !name.starts_with('.')), "{points:?}");
    assert!(!read("rest").lines().any(|line| !line.is_empty() && !line.ends_with(':')), "{}", read("rest"));
    assert_same(&files(&outer.path().join("kept/sweep"), "points"), &fake.expected());
}

#[test]
fn a_read_only_folder_is_told_and_left_as_it_is() {
    let (fake, outer) = (Fake::default(), tempfile::tempdir().unwrap());
    if !can_mount(outer.path()) {
        return;
    }
    let folder = outer.path().join("sweep");
    Fake { points: 5, ..fake.clone() }.run(&folder).0.unwrap();
    let before = files(&folder, "points");
    let script =
        "mount --bind \"$PLACE\" \"$PLACE\" && mount -o remount,ro,bind \"$PLACE\" || exit 66; \"$@\"";
    let script = format!("PLACE={}; {script}", folder.display());
    let output = shell(&["unshare", "-rm", "sh"], &script, &fake, &folder);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(101), "{words}");
    assert!(words.contains("sweep/runners/1: cannot be written: read-only file system"), "{words}");
    assert!(words.contains("help: make the folder writable, or copy it to one that is"), "{words}");
    assert_same(&files(&folder, "points"), &before);
    assert_eq!(fake.run(&folder).0.unwrap().ran, fake.points - 5);
    assert_same(&files(&folder, "points"), &fake.expected());
}
