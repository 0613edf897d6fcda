//! Every file that a command is going to write, checked against each other and against what it reads before
//! anything runs.
//!
//! An existing file needs `--force`; two outputs never share a path, and none is an input, by whatever links.

use crate::failure::Failure;
use heddle_graph::write::{check_writable, is_special};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// Links behind links that are followed.
const LINKS_MAX: usize = 16;

/// What is read and what will be written.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    force: bool,
    inputs: Vec<Named>,
    files: Vec<Named>,
    folders: Vec<Named>,
}

/// A path with the option that names it.
#[derive(Debug)]
struct Named {
    option: String,
    path: PathBuf,
    identity: Identity,
}

/// What a path stands for.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    /// Where it leads, without links.
    place: PathBuf,
    /// Device and number of the file that is there, which several names may share.
    node: Option<(u64, u64)>,
}

impl Named {
    fn new(option: impl Into<String>, path: &Path) -> Named {
        Named { option: option.into(), path: path.to_path_buf(), identity: Identity::of(path) }
    }
}

impl Identity {
    fn of(path: &Path) -> Identity {
        Identity { place: place(path, 0), node: node(path) }
    }

    /// Whether both are one file, or the other one could only be inside this one.
    fn holds(&self, other: &Identity) -> bool {
        other.place.starts_with(&self.place) || (self.node.is_some() && self.node == other.node)
    }
}

#[cfg(unix)]
fn node(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn node(_: &Path) -> Option<(u64, u64)> {
    None
}

/// Where a path leads, also if there is nothing yet.
fn place(path: &Path, depth: usize) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    let folder = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return path.to_path_buf(),
    };
    // A link to nothing is written through.
    if let Ok(target) = fs::read_link(path)
        && depth < LINKS_MAX
    {
        return place(&folder.join(target), depth + 1);
    }
    let mut found = if depth < LINKS_MAX { place(folder, depth + 1) } else { folder.to_path_buf() };
    match path.components().next_back() {
        Some(Component::ParentDir) => drop(found.pop()),
        Some(Component::Normal(name)) => found.push(name),
        _ => {}
    }
    found
}

impl Outputs {
    /// Nothing yet; `force` replaces files that exist.
    pub(crate) fn new(force: bool) -> Outputs {
        Outputs { force, ..Outputs::default() }
    }

    /// A file is read, if it is one.
    pub(crate) fn reads(&mut self, what: impl Into<String>, path: &Path) {
        if path.is_file() {
            self.inputs.push(Named::new(what, path));
        }
    }

    /// Files are read, each with what it is.
    pub(crate) fn reads_all(&mut self, files: &[(&'static str, PathBuf)]) {
        files.iter().for_each(|(what, path)| self.reads(*what, path));
    }

    /// A file is written.
    pub(crate) fn writes(&mut self, option: impl Into<String>, path: &Path) {
        if !is_special(path) {
            self.files.push(Named::new(option, path));
        }
    }

    /// A folder is made if need be, and these files in it are written.
    pub(crate) fn folder(&mut self, option: &str, folder: &Path, files: &[&str]) {
        self.folders.push(Named::new(option, folder));
        files.iter().for_each(|file| self.writes(option, &folder.join(file)));
    }

    /// Refuses what could not be written in the end, and what would destroy something.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.check_sharing()?;
        self.folders.iter().try_for_each(check_folder)?;
        self.files.iter().try_for_each(|file| self.check_file(file))
    }

    fn check_sharing(&self) -> Result<(), Failure> {
        for (number, file) in self.files.iter().enumerate() {
            let is_inside = |other: &Named| file.identity.holds(&other.identity);
            if let Some(input) = self.inputs.iter().find(|input| is_inside(input)) {
                let path = file.path.display();
                let problem = format!("{path}: {} would overwrite {}", file.option, input.option);
                return Err(Failure::usage(problem, format!("name another file for {}", file.option)));
            }
            let others = self.files.iter().enumerate().filter(|(other, _)| *other != number);
            let others = others.map(|(_, other)| other).chain(&self.folders);
            if let Some(other) = others.into_iter().find(|other| is_inside(other)) {
                let (path, one, two) = (file.path.display(), &file.option, &other.option);
                let problem = match one == two {
                    true => format!("{path}: two outputs of {one} name the same file"),
                    false => format!("{path}: {one} and {two} name the same file"),
                };
                return Err(Failure::usage(problem, "give each a file of its own"));
            }
        }
        Ok(())
    }

    fn check_file(&self, file: &Named) -> Result<(), Failure> {
        let Named { option, path, .. } = file;
        let failure = |problem: &str| Failure::new(format!("{}: {problem}", path.display()));
        if path.is_dir() {
            return Err(failure("it is a folder").with_help(format!("name a file for {option}")));
        }
        if path.symlink_metadata().is_ok() && !self.force {
            let help = format!("replace it with --force, or choose another name for {option}");
            return Err(failure("exists already").with_help(help));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let is_made = |made: &Named| file.identity.place.starts_with(&made.identity.place);
        match folder {
            _ if self.folders.iter().any(is_made) => Ok(()),
            Some(folder) if !folder.is_dir() => {
                Err(failure(&format!("there is no folder {}", folder.display()))
                    .with_help("make it first, or name another"))
            }
            _ => check_writable(path).map_err(|error| Failure::at_path(path, &error)),
        }
    }
}

/// A folder that results go to: it is one, or it can be made.
fn check_folder(named: &Named) -> Result<(), Failure> {
    let Named { option, path: folder, .. } = named;
    let existing =
        folder.ancestors().find(|path| path.as_os_str().is_empty() || path.symlink_metadata().is_ok());
    let existing = existing.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !existing.is_dir() {
        let problem = format!("{}: it is a file, not a folder", existing.display());
        return Err(Failure::new(problem)
            .with_help(format!("name a folder after {option}; it is made if there is none")));
    }
    can_hold_folders(folder, existing).map_err(|error| Failure::at_path(folder, &error))
}

/// Makes the first folder that is missing, or one inside if none is, and takes it away again: permissions alone do not
/// tell, as folders of the system show.
fn can_hold_folders(folder: &Path, existing: &Path) -> io::Result<()> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && path.symlink_metadata().is_err();
    let missing = folder.ancestors().take_while(is_missing).last().map(Path::to_path_buf);
    let probe = missing.unwrap_or_else(|| existing.join(format!(".heddle-{}", std::process::id())));
    match fs::create_dir(&probe) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.and_then(|()| fs::remove_dir(&probe)),
    }
}

/// Refuses a file outside the working folder, which a plan may not write unless it was told so.
pub(crate) fn check_inside(plan: &str, path: &Path) -> Result<(), Failure> {
    let here = place(Path::new("."), 0);
    match place(path, 0).starts_with(&here) {
        true => Ok(()),
        false => {
            let problem = format!("{plan}: save: {} is outside the working folder", path.display());
            Err(Failure::new(problem).with_help(
                "name a file below the folder that you are in, or let the plan with --allow-outside",
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(outputs: &Outputs) -> String {
        outputs.check().map_or_else(|failure| failure.words().to_owned(), |()| String::new())
    }

    #[test]
    #[cfg(unix)]
    fn links_of_both_kinds_lead_to_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("graph"), "0 1").unwrap();
        fs::hard_link(at("graph"), at("hard")).unwrap();
        std::os::unix::fs::symlink("graph", at("soft")).unwrap();
        std::os::unix::fs::symlink("absent", at("dangling")).unwrap();
        for output in ["graph", "hard", "soft"] {
            let mut outputs = Outputs::new(true);
            outputs.reads("--graph", &at("graph"));
            outputs.writes("--trace", &at(output));
            assert!(problem(&outputs).contains("--trace would overwrite --graph"), "{output}");
        }
        let mut outputs = Outputs::new(true);
        outputs.writes("--trace", &at("dangling"));
        outputs.writes("--capture-dram", &at("absent"));
        assert!(problem(&outputs).contains("name the same file"));
    }

    #[test]
    fn a_file_that_would_have_to_be_a_folder_too_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut outputs = Outputs::new(false);
        outputs.writes("--trace", &folder.path().join("out"));
        outputs.folder("--out", &folder.path().join("out/deep"), &["result.json"]);
        assert!(problem(&outputs).contains("name the same file"), "{}", problem(&outputs));
        let mut outputs = Outputs::new(false);
        outputs.writes("--trace", &folder.path().join("out/trace"));
        outputs.folder("--out", &folder.path().join("out"), &["result.json"]);
        assert_eq!(problem(&outputs), "");
    }
}
