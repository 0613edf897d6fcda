//! Files, what they inherit, and the one tree that comes of it.

use crate::error::MachineError;
use crate::mechanism::{self, Mechanism};
use crate::nearest::nearest;
use crate::origin::Source;
use crate::part;
use crate::presets::MACHINES;
use crate::tree::{self, Node, Table};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A machine file is a few kilobytes; what is larger than this is none.
const LARGEST_FILE: u64 = 1 << 20;
/// Generations of inheritance.
const OLDEST: usize = 16;

/// A machine with everything that it inherits.
#[derive(Clone, Debug)]
pub(crate) struct Lineage {
    /// All keys.
    pub(crate) tree: Table,
    /// The names of the machine and its ancestors, the machine first.
    pub(crate) names: Vec<String>,
    /// The mechanisms that it contains, in the order of their application.
    pub(crate) mechanisms: Vec<Mechanism>,
}

/// The files on the way to where we are, to refuse circles.
type Trail = Vec<String>;

/// Whether a word is a path, not a name.
pub(crate) fn is_path(word: &str) -> bool {
    word.contains(['/', '\\']) || word.ends_with(".toml")
}

/// A preset or a file.
pub(crate) fn load(word: &str, folder: &Path) -> Result<Lineage, MachineError> {
    load_on(word, folder, &mut Trail::new())
}

/// A text that came from elsewhere; paths that it inherits from are looked for in `folder`.
pub(crate) fn load_text(name: &str, text: &str, folder: &Path) -> Result<Lineage, MachineError> {
    read_layer(&Source::new(name, text), folder, &mut Trail::new())
}

fn load_on(word: &str, folder: &Path, trail: &mut Trail) -> Result<Lineage, MachineError> {
    if let Some(preset) = MACHINES.iter().find(|preset| preset.name == word) {
        enter(trail, preset.file.to_string())?;
        return read_layer(&Source::new(preset.file, preset.text), folder, trail);
    }
    let path = folder.join(word);
    if !is_path(word) && !path.is_file() {
        return Err(unknown(word));
    }
    let text = read_file(&path, word)?;
    enter(trail, path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string())?;
    let inner: PathBuf = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let name = if folder == Path::new("") { word.to_string() } else { path.display().to_string() };
    read_layer(&Source::new(&name, &text), &inner, trail)
}

fn enter(trail: &mut Trail, file: String) -> Result<(), MachineError> {
    let seen = trail.contains(&file);
    trail.push(file);
    let chain = || trail.join(" inherits ");
    if seen {
        return Err(MachineError::of_key("inherits", format!("goes round in a circle: {}", chain())));
    }
    if trail.len() > OLDEST {
        return Err(MachineError::of_key("inherits", format!("more than {OLDEST} generations: {}", chain())));
    }
    Ok(())
}

/// Reads a file that is not larger than such a file can be.
pub(crate) fn read_file(path: &Path, word: &str) -> Result<String, MachineError> {
    let told = |error: std::io::Error| {
        let text = error.to_string();
        let words = text.split(" (os error").next().unwrap_or_default().to_lowercase();
        MachineError::new(format!("{word}: {words}"))
    };
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(told)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(MachineError::new(format!("{word}: larger than 1 MiB, which no such file is")));
    }
    String::from_utf8(bytes).map_err(|_| MachineError::new(format!("{word}: is not UTF-8 text")))
}

fn unknown(word: &str) -> MachineError {
    let error = MachineError::new(format!("no machine is called `{word}`"));
    match nearest(word, MACHINES.iter().map(|preset| preset.name)) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help("`heddle machine list` shows the presets; a file is named by its path"),
    }
}

/// One file over what it inherits.
fn read_layer(source: &Source<'_>, folder: &Path, trail: &mut Trail) -> Result<Lineage, MachineError> {
    let mut own = tree::parse(source)?;
    let name = own.get("name").and_then(Node::as_str).map(str::to_string);
    let listed = own.remove("mechanisms");
    let Some(inherits) = own.remove("inherits") else {
        part::expand(&mut own, &Table::new())?;
        let mechanisms = match listed {
            Some(list) => mechanism::recorded(&list, folder)?,
            None => Vec::new(),
        };
        return Ok(Lineage { tree: own, names: name.into_iter().collect(), mechanisms });
    };
    let place = Some(inherits.origin.clone());
    let Some(parent) = inherits.as_str() else {
        let problem = "expected the name of a machine or the path of a file, in quotes";
        return Err(MachineError::of_key("inherits", problem).at(place));
    };
    let mut lineage = load_on(parent, folder, trail).map_err(|error| match error.origin {
        None => MachineError { key: "inherits".to_string(), ..error }.at(place),
        Some(_) => error,
    })?;
    if let Some(list) = listed {
        lineage.add_listed(&list, folder)?;
    }
    lineage.lay_over(own)?;
    lineage.names.splice(0..0, name);
    Ok(lineage)
}

impl Lineage {
    /// Lays keys over those that are here; a DRAM part among them takes the place of the one before.
    fn lay_over(&mut self, keys: Table) -> Result<(), MachineError> {
        let below = self.tree.clone();
        tree::merge(&mut self.tree, keys);
        part::expand(&mut self.tree, &below)
    }

    /// Applies the mechanisms that a file lists to what the file inherits.
    fn add_listed(&mut self, list: &Node, folder: &Path) -> Result<(), MachineError> {
        let chosen = mechanism::listed(list, folder)?;
        self.add(chosen).map_err(|error| match error.origin {
            None if error.key.is_empty() => {
                MachineError { key: "mechanisms".to_string(), ..error }.at(Some(list.origin.clone()))
            }
            None => error.at(Some(list.origin.clone())),
            Some(_) => error,
        })
    }

    /// Applies mechanisms, if they go together with each other and with those that are in already. One that is in
    /// already is not applied again: keys that were set since then would be lost.
    pub(crate) fn add(&mut self, mut chosen: Vec<Mechanism>) -> Result<(), MachineError> {
        chosen.retain(|mechanism| self.mechanisms.iter().all(|other| other.name != mechanism.name));
        mechanism::check_together(&chosen, &self.mechanisms, &self.names)?;
        let below = self.tree.clone();
        for mechanism in &chosen {
            tree::merge(&mut self.tree, mechanism.patch.clone());
        }
        part::expand(&mut self.tree, &below)?;
        self.mechanisms.append(&mut chosen);
        Ok(())
    }
}
