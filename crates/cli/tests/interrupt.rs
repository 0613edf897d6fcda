//! Whatever ends the command, it leaves no part of a file behind; and names of files are any bytes.
#![cfg(target_os = "linux")]

use crate::common::heddle_in;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

/// Whether the process has a file in `folder` open.
fn is_writing(child: &Child, folder: &Path) -> bool {
    let open = fs::read_dir(format!("/proc/{}/fd", child.id())).into_iter().flatten().flatten();
    open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|target| target.starts_with(folder))
}

/// Whether this process ignores a signal, as shells make background jobs do with an interrupt; its children do too.
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
}

/// Says so on standard error, past the harness, which shows what tests print only if they fail.
fn skipped(signal: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("SKIPPED {test}: SIG{signal} is ignored here, and by every process that is started\n");
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written to");
}

#[test]
fn a_killed_writer_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().canonicalize().unwrap();
    for (signal, number) in [("INT", 2), ("TERM", 15), ("KILL", 9)] {
        if is_ignored(number) {
            skipped(signal);
            continue;
        }
        let arguments = ["graph", "generate", "uniform:scale=18,degree=16", "-o", "s.el.gz"];
        let mut child = heddle_in(&inside, &arguments).spawn().unwrap();
        while !is_writing(&child, &inside) {
            assert!(child.try_wait().unwrap().is_none(), "done before it was seen to write");
            std::thread::sleep(Duration::from_millis(2));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number as i32));
        assert_eq!(fs::read_dir(&inside).unwrap().count(), 0, "{signal}");
    }
}

#[test]
fn a_name_that_is_no_text_is_a_file_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"\xff.txt");
    fs::write(folder.path().join(name), "0 1\n1 2\n").unwrap();
    let info = heddle_in(folder.path(), &["graph", "info", "--json"]).arg(name).output().unwrap();
    assert_eq!(info.status.code(), Some(0), "{}", String::from_utf8_lossy(&info.stderr));
    let described: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!(described["arcs"], 2);
    let output = OsStr::from_bytes(b"\xfe.mtx");
    let convert = heddle_in(folder.path(), &["graph", "convert"]).args([name, output]).output().unwrap();
    assert_eq!(convert.status.code(), Some(0), "{}", String::from_utf8_lossy(&convert.stderr));
    assert!(folder.path().join(output).is_file());
    let missing =
        heddle_in(folder.path(), &["graph", "info"]).arg(OsStr::from_bytes(b"\xfd")).output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
}
