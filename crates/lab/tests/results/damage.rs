//! Files that are damaged, foreign or newer are refused, with the file's name and what to do.

use super::{about, points, tables_of};
use heddle_lab::results::{load, write_folder};
use std::fs;

/// The bytes of a file of results, and where to write variants of it.
fn parquet() -> (tempfile::TempDir, std::path::PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = write_folder(folder.path(), &about(), &tables_of(&points())).unwrap().join("runs.parquet");
    let bytes = fs::read(&path).unwrap();
    (folder, path, bytes)
}

#[test]
fn no_damaged_byte_goes_unnoticed() {
    let (_folder, path, bytes) = parquet();
    load(&path, None).unwrap();
    // A step, so that every part of the file is met and the test is short.
    for at in (0..bytes.len()).step_by(29) {
        let mut damaged = bytes.clone();
        damaged[at] ^= [0x01, 0x80, 0xff][at % 3];
        fs::write(&path, &damaged).unwrap();
        let error = load(&path, None).unwrap_err();
        assert!(error.problem.contains("runs.parquet: it is"), "byte {at}: {error}");
        assert!(error.problem.contains("damaged"), "byte {at}: {error}");
    }
}

#[test]
fn a_torn_file_is_refused_at_every_length() {
    let (_folder, path, bytes) = parquet();
    for length in (0..bytes.len()).step_by(101) {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = load(&path, None).unwrap_err();
        assert!(error.problem.contains("damaged") && error.help.is_some(), "{length}: {error}");
    }
}

#[test]
fn a_newer_schema_and_another_programs_table_are_refused_by_name() {
    let (_folder, path, bytes) = parquet();
    let find = |text: &[u8]| bytes.windows(text.len()).rposition(|window| window == text).unwrap();
    // Another schema, and the seal that a program would have put on it.
    let mut newer = bytes.clone();
    newer[find(b"heddle.schema\x18\x01") + 15] = b'9';
    let seal = find(b"heddle.sha256\x18\x40") + 15;
    newer[seal..seal + 64].fill(b'0');
    let hash = heddle_lab::hash::sha256(&newer);
    newer[seal..seal + 64].copy_from_slice(hash.as_bytes());
    fs::write(&path, newer).unwrap();
    let error = load(&path, None).unwrap_err();
    assert!(error.problem.contains("its schema is 9; this program knows schemas up to 1"), "{error}");
    assert!(error.help.unwrap().contains("newer"));
    fs::write(&path, b"PAR1 of somebody else PAR1").unwrap();
    let error = load(&path, None).unwrap_err();
    assert!(error.problem.contains("no table of heddle"), "{error}");
}

#[test]
fn damaged_csv_names_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let problem = |text: &str| {
        fs::write(&path, text).unwrap();
        load(&path, None).unwrap_err().problem
    };
    for (text, expected) in [
        ("a,b\n1,2\n3\n", "line 3: it has 1 cells, and the head has 2"),
        ("a,b\n\"1\n\n2,3\n", "line 2: a quote is not closed"),
        ("a,b\n\"1\"x,3\n", "line 2: `x` follows a closing quote"),
        ("", "it is empty"),
        ("workload,cyc", "line 1: the file is cut inside its head"),
        ("a,b\n1,2\n3,4", "line 3: the file is cut inside its last row"),
    ] {
        assert!(problem(text).contains(expected), "{text:?}: {}", problem(text));
    }
    fs::write(folder.path().join("columns.csv"), "name,unit,description,type,role\na,,,count,figure\n")
        .unwrap();
    assert!(problem("a\nx\n").contains("the column a holds what is no count"));
}

#[test]
fn a_folder_in_the_place_of_a_file_is_told_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join(&about().experiment).join("runs.parquet")).unwrap();
    let error = write_folder(folder.path(), &about(), &tables_of(&points())).unwrap_err();
    assert!(error.problem.contains("runs.parquet: it is a directory"), "{error}");
    assert!(error.help.as_deref().is_some_and(|help| help.contains("move away")), "{error:?}");
}
