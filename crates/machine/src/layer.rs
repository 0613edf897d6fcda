//! Files, what they inherit, and the one tree that comes of it.

use crate::error::MachineError;
use crate::mechanism::{self, Mechanism};
use crate::nearest::nearest;
use crate::origin::Source;
use crate::part;
use crate::presets::MACHINES;
use crate::roles;
use crate::tree::{self, Node, Table, Value};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A machine file is a few kilobytes; what is larger than this is none.
const LARGEST_FILE: u64 = 1 << 20;
/// Generations of inheritance.
pub(crate) const OLDEST: usize = 16;

/// A machine with everything that it inherits.
#[derive(Clone, Debug)]
pub(crate) struct Lineage {
    /// The file of the machine itself.
    pub(crate) file: String,
    /// All keys.
    pub(crate) tree: Table,
    /// Those of the nearest ancestor that comes with the program; none if there is no such.
    pub(crate) preset: Table,
    /// The names of the machine and its ancestors, the machine first.
    pub(crate) names: Vec<String>,
    /// The mechanisms that it contains, in the order of their application.
    pub(crate) mechanisms: Vec<Mechanism>,
    /// Every file that was read for it: its own, what it inherits, parts and mechanisms.
    pub(crate) files: Vec<PathBuf>,
}

/// The files on the way to where we are, to refuse circles.
pub(crate) type Trail = Vec<String>;

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
        let mut lineage = read_layer(&Source::new(preset.file, preset.text), folder, trail)?;
        lineage.preset = lineage.tree.clone();
        return Ok(lineage);
    }
    let file = open(word, folder)?.ok_or_else(|| unknown(word))?;
    enter(trail, file.identity)?;
    let mut lineage = read_layer(&Source::new(&file.name, &file.text), &file.folder, trail)?;
    lineage.files.push(file.path);
    Ok(lineage)
}

/// A file that a user named.
pub(crate) struct Opened {
    /// What errors call it.
    pub(crate) name: String,
    /// What it is, by whatever path it was found.
    pub(crate) identity: String,
    /// Where it was found.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// Where the paths in it start from.
    pub(crate) folder: PathBuf,
}

/// Opens the file of a word, unless the word can only be a name.
pub(crate) fn open(word: &str, folder: &Path) -> Result<Option<Opened>, MachineError> {
    let path = folder.join(word);
    if !is_path(word) && !path.is_file() {
        return Ok(None);
    }
    Ok(Some(Opened {
        text: read_file(&path, word)?,
        name: if folder == Path::new("") { word.to_string() } else { path.display().to_string() },
        identity: path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string(),
        folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
        path,
    }))
}

/// Goes into a file, unless that would be a circle.
pub(crate) fn enter(trail: &mut Trail, file: String) -> Result<(), MachineError> {
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
        let files = part::expand(&mut own, &Table::new(), folder)?;
        let mechanisms = match listed {
            Some(list) => mechanism::recorded(&list, folder, &own)?,
            None => Vec::new(),
        };
        let names = name.into_iter().collect();
        let (file, preset) = (source.name.to_string(), Table::new());
        return Ok(Lineage { file, tree: own, preset, names, mechanisms, files });
    };
    let parent = parent(&inherits, "the name of a machine or the path of a file, in quotes")?;
    let mut lineage = load_on(parent, folder, trail).map_err(|error| at_inherits(error, &inherits))?;
    if let Some(list) = listed {
        lineage.add_listed(&list, folder, &own)?;
    }
    if name.is_none() {
        // It is another machine than the one that it inherits from, and must not be taken for it.
        own.insert("name".to_string(), own_name(source));
    }
    lineage.lay_over(own, folder)?;
    lineage.names.splice(0..0, name);
    lineage.file = source.name.to_string();
    Ok(lineage)
}

/// The name of a machine whose file states none: that of the file.
fn own_name(source: &Source<'_>) -> Node {
    let file = Path::new(&*source.name).file_name().map(|name| name.to_string_lossy().into_owned());
    let (origin, name) = (source.place(0), file.unwrap_or_else(|| source.name.to_string()));
    Node { value: Value::String(name), key_origin: origin.clone(), origin }
}

/// The word behind `inherits`.
pub(crate) fn parent<'t>(inherits: &'t Node, expected: &str) -> Result<&'t str, MachineError> {
    let wrong = || MachineError::of_key("inherits", format!("expected {expected}"));
    inherits.as_str().ok_or_else(|| wrong().at(Some(inherits.origin.clone())))
}

/// What is wrong with a parent as a whole is wrong at `inherits`.
pub(crate) fn at_inherits(error: MachineError, inherits: &Node) -> MachineError {
    match error.origin {
        None => MachineError { key: "inherits".to_string(), ..error }.at(Some(inherits.origin.clone())),
        Some(_) => error,
    }
}

impl Lineage {
    /// Lays keys over those that are here; a DRAM part among them takes the place of the one before. Paths start from
    /// `folder`.
    fn lay_over(&mut self, mut keys: Table, folder: &Path) -> Result<(), MachineError> {
        part::place_tables(&mut keys, folder);
        let below = self.tree.clone();
        tree::merge(&mut self.tree, keys);
        self.files.append(&mut part::expand(&mut self.tree, &below, folder)?);
        Ok(())
    }

    /// Applies the mechanisms that a file lists to what the file inherits. Levels have the places and names that they have
    /// with the file's own keys.
    fn add_listed(&mut self, list: &Node, folder: &Path, own: &Table) -> Result<(), MachineError> {
        let chosen = mechanism::listed(list, folder)?;
        let mut shape = self.tree.clone();
        tree::merge(&mut shape, own.clone());
        self.add_to(chosen, &shape).map_err(|error| match error.origin {
            None if error.key.is_empty() => {
                MachineError { key: "mechanisms".to_string(), ..error }.at(Some(list.origin.clone()))
            }
            None => error.at(Some(list.origin.clone())),
            Some(_) => error,
        })
    }

    /// Applies mechanisms, if they go together with each other and with those that are in already. One that is in
    /// already is not applied again: keys that were set since then would be lost.
    pub(crate) fn add(&mut self, chosen: Vec<Mechanism>) -> Result<(), MachineError> {
        self.add_to(chosen, &self.tree.clone())
    }

    /// The same where the levels of a tree say which level has which role.
    fn add_to(&mut self, mut chosen: Vec<Mechanism>, shape: &Table) -> Result<(), MachineError> {
        self.files.extend(chosen.iter().filter_map(|mechanism| mechanism.file.clone()));
        chosen.retain(|mechanism| self.mechanisms.iter().all(|other| other.name != mechanism.name));
        for mechanism in &mut chosen {
            mechanism.patch = roles::resolve(&mechanism.name, &mechanism.patch, shape)?;
        }
        mechanism::check_together(&chosen, &self.mechanisms, &self.names)?;
        for mechanism in &chosen {
            self.lay_over(mechanism.patch.clone(), mechanism.folder())?;
        }
        self.mechanisms.append(&mut chosen);
        Ok(())
    }
}
