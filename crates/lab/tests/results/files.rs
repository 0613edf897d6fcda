//! Files: what is written is read again, the same rows give the same bytes, and what is no table is refused.

use super::{about, points, record, row, tables_of};
use heddle_lab::record::Outcome;
use heddle_lab::results::{FILES, TableKind, Tables, load, write_csv, write_folder};
use std::fs;
use std::path::Path;

fn written(folder: &Path) -> Tables {
    let tables = tables_of(&points());
    assert_eq!(write_folder(folder, &about(), &tables).unwrap(), folder.join("granularity"));
    tables
}

#[test]
fn tables_survive_parquet_and_csv() {
    let folder = tempfile::tempdir().unwrap();
    let tables = written(folder.path());
    for (name, table) in [("runs", &tables.runs), ("launches", &tables.launches)] {
        for end in ["parquet", "csv"] {
            let loaded = load(&folder.path().join(format!("granularity/{name}.{end}")), None).unwrap();
            assert_eq!(&loaded.table, table, "{name}.{end}");
            assert_eq!(loaded.about.experiment, "granularity");
        }
    }
    let loaded = load(&folder.path().join("granularity/runs.parquet"), None).unwrap();
    assert_eq!(loaded.about, about());
}

#[test]
fn numbers_survive_to_the_bit_and_absent_is_not_empty() {
    let reals = [0.1 + 0.2, 1e-300, -0.0, 1e22, f64::MAX, f64::MIN_POSITIVE, 123_456_789.125];
    let points: Vec<_> = reals
        .into_iter()
        .enumerate()
        .map(|(number, real)| {
            let mut run = row(u64::MAX - number as u64, i64::MAX as u64, 0);
            run.reals.insert("real".to_owned(), real);
            run.texts.insert("empty".to_owned(), String::new());
            if number > 2 {
                run.texts.remove("empty");
                run.counts.remove("l1.read_hits");
            }
            let outcome = Outcome::Done { run, launches: Vec::new() };
            (super::labels(&[("with", "none")]), record(&number.to_string(), outcome))
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let tables = tables_of(&points);
    write_folder(folder.path(), &about(), &tables).unwrap();
    for file in ["runs.parquet", "runs.csv"] {
        let loaded = load(&folder.path().join("granularity").join(file), None).unwrap();
        assert_eq!(loaded.table, tables.runs, "{file}");
        let read = loaded.table.column("real").unwrap();
        for (number, real) in reals.into_iter().enumerate() {
            assert_eq!(read.values.number(number).unwrap().to_bits(), real.to_bits(), "{file}: {real}");
        }
    }
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    folders.iter().for_each(|folder| drop(written(folder.path())));
    for file in FILES {
        let bytes =
            folders.each_ref().map(|folder| fs::read(folder.path().join("granularity").join(file)).unwrap());
        assert!(!bytes[0].is_empty() && bytes[0] == bytes[1], "{file}");
    }
    let count = fs::read_dir(folders[0].path().join("granularity")).unwrap().count();
    assert_eq!(count, FILES.len());
}

#[test]
fn csv_is_quoted_by_rule_and_its_columns_are_explained_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    written(folder.path());
    let text = fs::read_to_string(folder.path().join("granularity/runs.csv")).unwrap();
    let first: Vec<&str> = text.split('\n').take(3).collect();
    assert!(first[0].starts_with("workload,graph,with,seed,key,status,error,made.version,"), "{}", first[0]);
    assert_eq!(first[1], "h-bfs,\"rmat:scale=8,degree=4 \"\"quoted\"\"");
    assert!(first[2].starts_with("lined\",none,7,"), "{}", first[2]);
    let columns = fs::read_to_string(folder.path().join("granularity/columns.csv")).unwrap();
    assert!(columns.starts_with("name,unit,description,type,role\nworkload,,"), "{columns}");
    assert!(
        columns.contains("\nl1.read_hits,requests,Reads that found their data.,count,figure\n"),
        "{columns}"
    );
    assert!(
        columns.contains("\nlaunch,,\"Number of the launch in its run, from 1.\",count,identity\n"),
        "{columns}"
    );
}

#[test]
fn csv_without_its_columns_is_read_by_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let tables = written(folder.path());
    let path = folder.path().join("launches.csv");
    fs::write(
        &path,
        write_csv(&tables.launches).replace('\n', "\r\n").replace("quoted\"\"\"\r\n", "q\"\"\"\n"),
    )
    .unwrap();
    let table = load(&path, Some(TableKind::Launches)).unwrap().table;
    assert_eq!(table.rows, 10);
    assert_eq!(table.column("cycles").unwrap().values, tables.launches.column("cycles").unwrap().values);
    assert_eq!(
        table.column("ipc").unwrap().values.number(1),
        tables.launches.column("ipc").unwrap().values.number(1)
    );
}

#[test]
fn a_table_without_rows_is_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables_of(&[]);
    write_folder(folder.path(), &about(), &tables).unwrap();
    for file in ["runs.parquet", "runs.csv", "launches.parquet", "launches.csv"] {
        let loaded = load(&folder.path().join("granularity").join(file), None).unwrap();
        assert_eq!(loaded.table.rows, 0, "{file}");
        assert!(loaded.table.column("key").is_some(), "{file}");
    }
}

#[test]
fn a_path_means_a_file_an_experiment_or_a_sweep_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |path: &Path| load(path, None).unwrap_err();
    assert!(problem(folder.path()).problem.contains("no folder of results"));
    assert!(problem(&folder.path().join("absent")).problem.contains("no such file"));
    written(folder.path());
    for path in ["", "granularity", "granularity/runs.csv"] {
        assert_eq!(load(&folder.path().join(path), None).unwrap().table.rows, 6, "{path}");
    }
    let launches = load(folder.path(), Some(TableKind::Launches)).unwrap();
    assert_eq!(launches.path, folder.path().join("granularity/launches.parquet"));
    let other = load(&folder.path().join("granularity/runs.csv"), Some(TableKind::Launches)).unwrap_err();
    assert!(other.problem.contains("it holds runs, not launches"), "{other}");
    let second = heddle_lab::results::About { experiment: "bypass".to_owned(), ..about() };
    write_folder(folder.path(), &second, &tables_of(&points())).unwrap();
    let error = problem(folder.path());
    assert!(error.problem.contains("2 experiments: bypass, granularity"), "{error}");
    assert!(error.help.unwrap().ends_with("bypass"));
}
