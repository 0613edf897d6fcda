//! Which experiment the tables in a folder are of, so that those of another with the same name are not replaced.
//!
//! `experiment.txt` has the experiment's file, as it is called from the folder of sweeps, and a hash of what it says. The
//! same file may write its tables again, however it was edited; so may any file that says the same, a copy or one that
//! was moved. It is there before the tables are.

use crate::failure::Failure;
use crate::result;
use heddle_lab::experiment::Experiment;
use heddle_lab::store::Store;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Says in a folder of tables which experiment they are of.
const ORIGIN: &str = "experiment.txt";

/// An experiment in a file of one's own.
struct Origin {
    /// Its file, from the folder of sweeps.
    file: String,
    /// What it says.
    content: String,
}

impl Origin {
    /// None for an experiment that comes with the program: no other has its name.
    fn of(store: &Store, experiment: &Experiment) -> Option<Origin> {
        let file = from_folder(store.folder(), experiment.files.first()?);
        Some(Origin { file, content: experiment.content() })
    }

    fn text(&self) -> String {
        format!("{}\ncontent {}\n", self.file, self.content)
    }

    /// Whether tables that were written by another, of which this is the text, may be replaced.
    fn may_replace(&self, other: &str) -> bool {
        let mut lines = other.lines();
        let file = lines.next().unwrap_or_default();
        match lines.next().and_then(|line| line.strip_prefix("content ")) {
            Some(content) => file == self.file || content == self.content,
            // An older program wrote the name of the file alone.
            None => Path::new(&self.file).file_name() == Some(OsStr::new(file)),
        }
    }
}

/// Tables of another experiment with the same name would be replaced without a word.
pub(crate) fn refuse_tables_of_another(store: &Store, experiment: &Experiment) -> Result<(), Failure> {
    let folder = store.folder().join(experiment.folder_name());
    let (Some(own), Ok(other)) = (Origin::of(store, experiment), fs::read_to_string(folder.join(ORIGIN)))
    else {
        return Ok(());
    };
    match own.may_replace(&other) {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "{}: the tables there are of the experiment in {}, which has the same name",
            folder.display(),
            store.folder().join(other.lines().next().unwrap_or_default()).display()
        ))
        .with_help("give one of them another `name`, name another --store, or remove that folder")),
    }
}

/// Says whose tables will be in the folder of an experiment, which is made if need be; looks again at whose are there,
/// because a sweep takes long.
pub(crate) fn claim_tables(store: &Store, experiment: &Experiment) -> Result<(), Failure> {
    let Some(own) = Origin::of(store, experiment) else { return Ok(()) };
    refuse_tables_of_another(store, experiment)?;
    let folder = store.folder().join(experiment.folder_name());
    fs::create_dir_all(&folder).map_err(|error| Failure::at_path(&folder, &error))?;
    result::write_text(&folder.join(ORIGIN), &own.text())
}

/// A path as it is called from a folder: the same wherever the two are moved together.
fn from_folder(folder: &Path, path: &Path) -> String {
    let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let (folder, path) = (whole(folder), whole(path));
    let both = || folder.components().zip(path.components());
    let common = both().take_while(|(one, other)| one == other).count();
    if common == 0 {
        return path.display().to_string();
    }
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(path.components().skip(common)).collect::<PathBuf>().display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_from_the_folder_of_sweeps() {
        let called = |folder: &str, path: &str| from_folder(Path::new(folder), Path::new(path));
        assert_eq!(called("/not/there/s", "/not/there/d1/x.toml"), "../d1/x.toml");
        assert_eq!(called("/not/there", "/not/there/x.toml"), "x.toml");
    }

    #[test]
    fn the_same_file_or_the_same_content_may_replace_tables() {
        let own = Origin { file: "../d1/x.toml".to_owned(), content: "a".to_owned() };
        for (other, may_replace) in [
            ("../d1/x.toml\ncontent b\n", true),
            ("../d2/y.toml\ncontent a\n", true),
            ("../d2/x.toml\ncontent b\n", false),
            ("x.toml\n", true),
            ("y.toml\n", false),
        ] {
            assert_eq!(own.may_replace(other), may_replace, "{other}");
        }
        assert!(own.may_replace(&own.text()));
    }
}
