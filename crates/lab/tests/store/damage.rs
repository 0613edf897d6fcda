//! Files that are not what was written, and folders that are no stores.

use super::fake::{Fake, assert_same, files};
use heddle_lab::store::Store;
use std::fs;
use std::path::Path;

/// The store of a finished sweep, and the name of one of its points.
fn finished(fake: &Fake, folder: &Path) -> String {
    fake.run(folder).0.unwrap();
    format!("{}.json", fake.tasks()[3].key)
}

/// Does something to a file.
type Damage<'a> = &'a dyn Fn(&Path);

#[test]
fn a_file_that_was_torn_edited_or_moved_is_set_aside_and_its_point_runs_again() {
    let fake = Fake::default();
    let other = format!("{}.json", fake.tasks()[4].key);
    let damage: [(&str, Damage<'_>); 7] = [
        ("it is no file", &|path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        }),
        // A pipe that nobody writes to would be waited for without end.
        ("it is no file", &|path| {
            fs::remove_file(path).unwrap();
            let made = std::process::Command::new("mkfifo").arg(path).status();
            if !made.is_ok_and(|made| made.success()) {
                fs::create_dir(path).unwrap();
            }
        }),
        ("it is cut off", &|path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("it is cut off", &|path| fs::write(path, "").unwrap()),
        ("its checksum does not agree", &|path| {
            let text = fs::read_to_string(path).unwrap();
            assert!(text.contains("\"cycles\":4000"), "{text}");
            fs::write(path, text.replace("\"cycles\":4000", "\"cycles\":3999")).unwrap();
        }),
        ("it is the record of another point", &|path| {
            fs::copy(path.with_file_name(&other), path).unwrap();
        }),
        ("it is cut off", &|path| fs::write(path, vec![0; 4096]).unwrap()),
    ];
    for (words, damage) in damage {
        let folder = tempfile::tempdir().unwrap();
        let name = finished(&fake, folder.path());
        damage(&folder.path().join("points").join(&name));
        let (result, told) = fake.run(folder.path());
        assert_eq!(result.unwrap().ran, 1);
        let aside: Vec<&String> = told.iter().filter(|line| line.starts_with("SetAside")).collect();
        assert!(aside.len() == 1 && aside[0].contains(words) && aside[0].contains("corrupt-1"), "{told:?}");
        let aside = folder.path().join("points").join(format!("{name}.corrupt-1"));
        assert!(aside.exists());
        fs::remove_file(&aside).or_else(|_| fs::remove_dir(&aside)).unwrap();
        let points = files(folder.path(), "points");
        assert_same(&points, &fake.expected());
    }
}

#[test]
fn files_that_were_set_aside_do_not_replace_each_other() {
    let fake = Fake::default();
    let folder = tempfile::tempdir().unwrap();
    let name = finished(&fake, folder.path());
    for text in ["first", "second"] {
        fs::write(folder.path().join("points").join(&name), text).unwrap();
        fake.run(folder.path()).0.unwrap();
    }
    let points = files(folder.path(), "points");
    assert_eq!(points[&format!("{name}.corrupt-1")], b"first");
    assert_eq!(points[&format!("{name}.corrupt-2")], b"second");
}

#[track_caller]
fn refused(folder: &Path, words: &str) {
    let error = Store::create(folder).unwrap_err();
    assert!(error.to_string().contains(words), "{error}");
    assert!(!error.help.is_empty());
}

#[test]
fn a_folder_that_is_no_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "").unwrap();
    refused(folder.path(), "not empty: it holds `thesis.tex`");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was added");
    refused(&folder.path().join("thesis.tex"), "thesis.tex");
    refused(&folder.path().join("thesis.tex/below"), "thesis.tex");
    let error = Store::open(&folder.path().join("absent")).unwrap_err();
    assert!(error.to_string().contains("no folder of a sweep"), "{error}");
}

#[test]
fn a_lost_store_file_is_told_with_how_to_restore_it() {
    let (fake, folder) = (Fake::default(), tempfile::tempdir().unwrap());
    finished(&fake, folder.path());
    let path = folder.path().join("store.json");
    fs::remove_file(&path).unwrap();
    for error in [Store::create(folder.path()).unwrap_err(), Store::open(folder.path()).unwrap_err()] {
        assert!(error.to_string().contains("store.json: the folder has points of a sweep"), "{error}");
        let (_, rest) = error.help.split_once('`').unwrap();
        fs::write(&path, rest.split_once('`').unwrap().0).unwrap();
        assert_eq!(fake.run(folder.path()).0.unwrap().ran, 0, "the help restores it");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_folder_in_place_of_a_lease_is_named_and_one_in_place_of_a_runner_left_alone() {
    let (fake, folder) = (Fake::default(), tempfile::tempdir().unwrap());
    Store::create(folder.path()).unwrap();
    fs::create_dir(folder.path().join("runners/1")).unwrap();
    let lease = folder.path().join("leases").join(fake.tasks()[3].key.to_string());
    fs::create_dir(&lease).unwrap();
    let error = fake.run(folder.path()).0.unwrap_err();
    assert!(error.to_string().contains(&format!("{}: it is a folder", lease.display())), "{error}");
    assert!(error.help().contains("move it away"), "{}", error.help());
    assert_eq!(files(folder.path(), "runners").len(), 0, "it has left");
    fs::remove_dir(&lease).unwrap();
    assert_eq!(fake.run(folder.path()).0.unwrap().ran, fake.points);
}

#[test]
fn what_a_newer_program_wrote_is_refused_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    Store::create(folder.path()).unwrap();
    fs::write(folder.path().join("store.json"), "{\"kind\":\"heddle sweep\",\"schema\":2,\"more\":0}\n")
        .unwrap();
    refused(folder.path(), "schema 2, which is newer than this program's, 1");
    fs::write(folder.path().join("store.json"), "{\"kind\":\"other\",\"schema\":1}\n").unwrap();
    refused(folder.path(), "does not say that the folder is one of sweeps");

    let (fake, folder) = (Fake::default(), tempfile::tempdir().unwrap());
    let path = folder.path().join("points").join(finished(&fake, folder.path()));
    let body = "{\"schema\":9,\"key\":\"later\",\"novelty\":[]}";
    let line =
        format!("{{\"sha256\":\"{}\",\"record\":{body}}}\n", heddle_lab::hash::sha256(body.as_bytes()));
    fs::write(&path, &line).unwrap();
    let error = fake.run(folder.path()).0.unwrap_err();
    assert!(error.to_string().contains("a record of schema 9, which is newer"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), line);
}
