//! Mechanisms: named patches of a machine, which compose unless they contradict each other.

use crate::decode::decode;
use crate::error::MachineError;
use crate::layer;
use crate::machine::Machine;
use crate::nearest::nearest;
use crate::origin::Source;
use crate::presets::MECHANISMS;
use crate::roles;
use crate::tree::{self, Node, Table, Value};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A mechanism.
#[derive(Clone, Debug)]
pub struct Mechanism {
    /// Its name; the file's, if it was given as a file.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The document and section that it follows.
    pub source: String,
    /// How it works, in paragraphs; empty if its file does not say.
    pub how: String,
    /// Where its parameters come from, a sentence each, by key or by the table around it: a place of its document, or
    /// `chosen` and why. Levels have their roles, as in the patch.
    origins: Table,
    /// What it does not go together with.
    pub conflicts: Vec<Conflict>,
    /// The machines that its figures are written for; empty for all.
    pub machines: Vec<String>,
    pub(crate) patch: Table,
    /// The file that it was read from; none for those that come with the program.
    pub(crate) file: Option<PathBuf>,
}

/// Something that a mechanism does not go together with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// The other mechanism.
    pub with: String,
    /// Why.
    pub because: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    name: String,
    description: String,
    source: String,
    #[serde(default)]
    how: String,
    #[serde(default)]
    conflicts: Vec<Conflict>,
    #[serde(default)]
    machines: Vec<String>,
}

impl Mechanism {
    /// One that comes with the program by its name, or a file by its path.
    pub fn named(word: &str) -> Result<Mechanism, MachineError> {
        find(word, Path::new(""))
    }

    /// The keys that it sets on a machine, with what it sets them to as TOML writes it. One that does not go together with
    /// the machine has the roles of levels in place of their names.
    pub fn settings(&self, machine: &Machine) -> Vec<(String, String)> {
        let patch = roles::resolve(&self.name, &self.patch, machine.tree());
        let text = |value: &Value| match value {
            Value::String(text) => format!("\"{text}\""),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(truth) => truth.to_string(),
            Value::Array(_) => "[…]".to_string(),
            Value::Table(_) => "{…}".to_string(),
        };
        let patch = patch.as_ref().unwrap_or(&self.patch);
        tree::leaves(patch).into_iter().map(|(path, node)| (path, text(&node.value))).collect()
    }

    /// Where its parameters come from, by the keys that they have on a machine.
    pub fn origins(&self, machine: &Machine) -> Result<Vec<(String, String)>, MachineError> {
        sentences(&roles::resolve(&self.name, &self.origins, machine.tree())?)
    }

    /// What `--with` takes for it.
    pub fn word(&self) -> String {
        self.file.as_ref().map_or(self.name.clone(), |file| file.display().to_string())
    }

    /// Why it does not go together with another, if it says so.
    pub(crate) fn against(&self, other: &Mechanism) -> Option<&str> {
        let found = self.conflicts.iter().find(|conflict| conflict.with == other.name);
        found.map(|conflict| conflict.because.as_str())
    }

    /// The first key that it and another set to different values.
    pub(crate) fn clash(&self, other: &Mechanism) -> Option<String> {
        let clashes = |(path, node): &(String, &Node)| {
            tree::get(&other.patch, path).is_some_and(|theirs| theirs != *node)
        };
        tree::leaves(&self.patch).into_iter().find(clashes).map(|(path, _)| path)
    }

    /// Where paths in the patch start from.
    pub(crate) fn folder(&self) -> &Path {
        self.file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""))
    }

    /// One that was applied from a file that is not there any more.
    fn gone(name: &str) -> Mechanism {
        Mechanism {
            name: name.to_string(),
            description: String::new(),
            source: String::new(),
            how: String::new(),
            origins: Table::new(),
            conflicts: Vec::new(),
            machines: Vec::new(),
            patch: Table::new(),
            file: None,
        }
    }

    fn parse(file: &str, text: &str) -> Result<Mechanism, MachineError> {
        let mut parsed = tree::parse(&Source::new(file, text))?;
        let patch = take_table(&mut parsed, "patch")?;
        let origins = take_table(&mut parsed, "parameters")?;
        sentences(&origins)?;
        let head: Head = decode(&parsed).map_err(|fault| {
            let error = fault.into_error();
            match error.origin {
                // What is missing was written nowhere.
                None => MachineError { problem: format!("{file}: {}", error.problem), ..error },
                Some(_) => error,
            }
        })?;
        let Head { name, description, source, how, conflicts, machines } = head;
        Ok(Mechanism { name, description, source, how, origins, conflicts, machines, patch, file: None })
    }
}

/// Takes a table out of a file; empty if there is none.
fn take_table(file: &mut Table, key: &str) -> Result<Table, MachineError> {
    match file.remove(key) {
        None => Ok(Table::new()),
        Some(Node { value: Value::Table(table), .. }) => Ok(table),
        Some(node) => Err(MachineError::of_key(key, "expected a table").at(Some(node.origin))),
    }
}

/// The sentences of `[parameters]`, by the paths that they are about.
fn sentences(table: &Table) -> Result<Vec<(String, String)>, MachineError> {
    let sentence = |(path, node): (String, &Node)| match node.as_str() {
        Some(text) => Ok((path, text.to_owned())),
        None => {
            let key = format!("parameters.{path}");
            let problem = "expected where the value comes from, in quotes";
            Err(MachineError::of_key(key, problem).at(Some(node.origin.clone())))
        }
    };
    tree::leaves(table).into_iter().map(sentence).collect()
}

/// All mechanisms that are compiled in.
pub fn mechanisms() -> Result<Vec<Mechanism>, MachineError> {
    MECHANISMS.iter().map(|embedded| Mechanism::parse(embedded.file, embedded.text)).collect()
}

/// The mechanisms that words such as `obm+sector` name, without `none` and without repetition.
pub(crate) fn named(words: &[String], folder: &Path) -> Result<Vec<Mechanism>, MachineError> {
    let words = words.iter().flat_map(|words| words.split('+'));
    distinct(words.map(|word| find(word.trim(), folder)))
}

/// The mechanisms that a file lists under `mechanisms`; files of mechanisms are looked for in `folder`.
pub(crate) fn listed(list: &Node, folder: &Path) -> Result<Vec<Mechanism>, MachineError> {
    let find = |(word, node): (&str, &Node)| find(word, folder).map_err(|error| of_list(error, node));
    distinct(words(list)?.into_iter().map(find))
}

/// The mechanisms that a whole file says it contains. One that came of a file is known by the file's name alone,
/// which is all that is left of it here. Levels have the roles that they have in the file.
pub(crate) fn recorded(list: &Node, folder: &Path, file: &Table) -> Result<Vec<Mechanism>, MachineError> {
    let find = |(word, node): (&str, &Node)| match layer::is_path(word) {
        true => Ok(Mechanism::gone(word)),
        false => {
            let mechanism = find(word, folder).map_err(|error| of_list(error, node))?;
            // What the file says is there; what is not, is no figure of a mechanism's.
            let patch = roles::resolve(&mechanism.name, &mechanism.patch, file).unwrap_or_default();
            Ok(Mechanism { patch, ..mechanism })
        }
    };
    distinct(words(list)?.into_iter().map(find))
}

/// The words of a list, each with its place.
fn words(list: &Node) -> Result<Vec<(&str, &Node)>, MachineError> {
    let problem = "expected an array of names of mechanisms, in quotes";
    let wrong = |node: &Node| MachineError::of_key("mechanisms", problem).at(Some(node.origin.clone()));
    let Value::Array(items) = &list.value else { return Err(wrong(list)) };
    items.iter().map(|item| Ok((item.as_str().ok_or_else(|| wrong(item))?, item))).collect()
}

/// An error about a word of a list, with its place unless it has one in another file.
fn of_list(error: MachineError, node: &Node) -> MachineError {
    match error.origin {
        None => MachineError { key: "mechanisms".to_string(), ..error }.at(Some(node.origin.clone())),
        Some(_) => error,
    }
}

fn distinct(
    found: impl Iterator<Item = Result<Mechanism, MachineError>>,
) -> Result<Vec<Mechanism>, MachineError> {
    let mut chosen: Vec<Mechanism> = Vec::new();
    for mechanism in found {
        let mechanism = mechanism?;
        let is_new = chosen.iter().all(|other| other.name != mechanism.name);
        if is_new && mechanism.name != "none" {
            chosen.push(mechanism);
        }
    }
    Ok(chosen)
}

fn find(word: &str, folder: &Path) -> Result<Mechanism, MachineError> {
    if let Some(embedded) = MECHANISMS.iter().find(|embedded| embedded.name == word) {
        return Mechanism::parse(embedded.file, embedded.text);
    }
    if layer::is_path(word) {
        let path = folder.join(word);
        let mechanism = Mechanism::parse(word, &layer::read_file(&path, word)?)?;
        // Only a file's name tells a mechanism of a file from one that comes with the program.
        let name = Path::new(word).file_name().map_or(word.into(), |name| name.to_string_lossy());
        return Ok(Mechanism { name: name.into_owned(), file: Some(path), ..mechanism });
    }
    let error = MachineError::new(format!("no mechanism is called `{word}`"));
    Err(match nearest(word, MECHANISMS.iter().map(|embedded| embedded.name)) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help("`heddle mechanisms` lists them; a file is named by its path"),
    })
}

/// Refuses mechanisms that do not go together, with each other, with those that are in, or with this machine.
pub(crate) fn check_together(
    chosen: &[Mechanism],
    already: &[Mechanism],
    lineage: &[String],
) -> Result<(), MachineError> {
    for mechanism in chosen {
        let others = || chosen.iter().chain(already).filter(|other| other.name != mechanism.name);
        others().try_for_each(|other| check_pair(mechanism, other))?;
        let fits = |machine: &String| lineage.contains(machine);
        if !mechanism.machines.is_empty() && !mechanism.machines.iter().any(fits) {
            let machines = mechanism.machines.join(", ");
            let problem =
                format!("the figures of `{}` are for {machines} and what inherits from it", mechanism.name);
            return Err(MachineError::new(problem).with_help("use --set with figures for this machine"));
        }
    }
    check_keys(chosen, already)
}

/// Either may be the one that says so.
fn check_pair(mechanism: &Mechanism, other: &Mechanism) -> Result<(), MachineError> {
    match mechanism.against(other).or_else(|| other.against(mechanism)) {
        Some(because) => {
            let problem =
                format!("`{}` does not go together with `{}`: {because}", mechanism.name, other.name);
            Err(MachineError::new(problem).with_help("leave one of them out"))
        }
        None => Ok(()),
    }
}

/// Refuses a mechanism that sets a key to another value than one before it.
fn check_keys(chosen: &[Mechanism], already: &[Mechanism]) -> Result<(), MachineError> {
    let mut set = BTreeMap::new();
    for (index, mechanism) in already.iter().chain(chosen).enumerate() {
        for (path, node) in tree::leaves(&mechanism.patch) {
            match set.insert(path.clone(), (mechanism, node)) {
                // What is in already went together.
                Some((other, before)) if before != node && index >= already.len() => {
                    let problem = format!(
                        "`{}` and `{}` set it to different values ({} and {}): {}",
                        other.name,
                        mechanism.name,
                        before.origin,
                        node.origin,
                        why_one_value(&path)
                    );
                    return Err(MachineError::of_key(path, problem).with_help("leave one of them out"));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Why hardware cannot have a key twice.
pub(crate) fn why_one_value(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or(path) {
        "prefetch" => "a cache has one prefetcher, which trains on its reads and fills its MSHRs",
        "bypass" => "a fill is kept or not, and one policy decides that",
        "granularity" => "a miss fetches what one policy says of its line",
        "inclusion" => "where a line stays is decided by one rule for both levels",
        "prefetch_registers" => "one mechanism hands out the spare registers of a core",
        "replacement" => "a set has one order in which its lines are evicted",
        _ => "a machine has one of it",
    }
}
