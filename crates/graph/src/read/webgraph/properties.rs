//! The `.properties` of a graph: its size, and how its bits are to be read.

use super::flags::{self, Flags};
use crate::csr::VERTICES_MAX;
use crate::error::GraphError;
use dsi_bitstream::dispatch::Codes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Which end of a byte comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BitOrder {
    BigEndian,
    LittleEndian,
}

/// What the properties say.
#[derive(Clone, Debug)]
pub(super) struct Properties {
    pub(super) vertices: u64,
    pub(super) arcs: u64,
    pub(super) bit_order: BitOrder,
    pub(super) flags: Flags,
    /// The file that says so.
    pub(super) path: PathBuf,
    /// Its line with the number of arcs.
    pub(super) arcs_line: u64,
}

/// A value and the line it stands on.
struct Entry<'a> {
    line: u64,
    value: &'a str,
}

struct Entries<'a> {
    by_key: BTreeMap<&'a str, Entry<'a>>,
    path: &'a Path,
    last_line: u64,
}

/// Reads the properties; `path` is for errors.
pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Properties, GraphError> {
    let entries = Entries::new(bytes, path)?;
    entries.expect_bv_graph()?;
    let bit_order = match entries.by_key.get("endianness") {
        None => BitOrder::BigEndian,
        Some(entry) if entry.value == "big" => BitOrder::BigEndian,
        Some(entry) if entry.value == "little" => BitOrder::LittleEndian,
        Some(entry) => return Err(entries.wrong(entry, "endianness", "big or little")),
    };
    let vertices: u64 = entries.required("nodes")?;
    if vertices > VERTICES_MAX {
        let problem = format!("{vertices} vertices; at most {VERTICES_MAX} fit 32-bit ids");
        return Err(entries.error("nodes", problem));
    }
    Ok(Properties {
        vertices,
        arcs: entries.required("arcs")?,
        bit_order,
        flags: entries.flags()?,
        path: path.to_path_buf(),
        arcs_line: entries.line("arcs"),
    })
}

impl<'a> Entries<'a> {
    /// The lines of a Java properties file. (Escapes and continued lines do not occur in WebGraph's.)
    fn new(bytes: &'a [u8], path: &'a Path) -> Result<Entries<'a>, GraphError> {
        let mut by_key = BTreeMap::new();
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            let text = std::str::from_utf8(line)
                .map_err(|_| GraphError::new(path, "is not text: invalid UTF-8").at_line(number))?
                .trim();
            if text.is_empty() || text.starts_with(['#', '!']) {
                continue;
            }
            let Some((key, value)) = text.split_once(['=', ':']) else {
                let problem = "not a property: `key=value` was expected";
                return Err(GraphError::new(path, problem).at_line(number));
            };
            by_key.insert(key.trim(), Entry { line: number, value: value.trim() });
        }
        let last_line = bytes.trim_ascii_end().split(|&byte| byte == b'\n').count() as u64;
        Ok(Entries { by_key, path, last_line })
    }

    /// Where the property stands; one that is missing could have come after the last line.
    fn line(&self, key: &str) -> u64 {
        self.by_key.get(key).map_or(self.last_line, |entry| entry.line)
    }

    fn error(&self, key: &str, problem: String) -> GraphError {
        GraphError::new(self.path, problem).at_line(self.line(key))
    }

    fn wrong(&self, entry: &Entry<'_>, key: &str, expected: &str) -> GraphError {
        let problem = format!("`{key}` is `{}`; {expected} was expected", entry.value);
        GraphError::new(self.path, problem).at_line(entry.line)
    }

    fn optional<T: FromStr>(&self, key: &str) -> Result<Option<T>, GraphError> {
        let Some(entry) = self.by_key.get(key) else { return Ok(None) };
        match entry.value.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(self.wrong(entry, key, "a natural number")),
        }
    }

    fn required<T: FromStr>(&self, key: &str) -> Result<T, GraphError> {
        self.optional(key)?.ok_or_else(|| self.error(key, format!("there is no property `{key}`")))
    }

    fn expect_bv_graph(&self) -> Result<(), GraphError> {
        if let Some(entry) = self.by_key.get("graphclass")
            && !entry.value.ends_with("BVGraph")
        {
            return Err(self.wrong(entry, "graphclass", "it.unimi.dsi.webgraph.BVGraph"));
        }
        match self.optional::<u64>("version")? {
            None | Some(0 | 1) => Ok(()),
            Some(version) => Err(self.error("version", format!("version {version}; 0 and 1 are known"))),
        }
    }

    fn flags(&self) -> Result<Flags, GraphError> {
        let mut flags = Flags::default();
        let zeta = self.optional("zetak")?.unwrap_or(3);
        if !(1..=7).contains(&zeta) {
            return Err(self.error("zetak", format!("`zetak` is {zeta}; 1 to 7 was expected")));
        }
        flags.residuals = Codes::Zeta(zeta);
        if let Some(entry) = self.by_key.get("compressionflags") {
            for flag in entry.value.split('|').map(str::trim).filter(|flag| !flag.is_empty()) {
                self.set_code(&mut flags, flag, zeta)?;
            }
        }
        if let Some(window) = self.optional("windowsize")? {
            flags.compression_window = window;
        }
        if let Some(length) = self.optional("minintervallength")? {
            flags.min_interval_length = length;
        }
        // Of use for random access alone, but a value that is no number means a damaged file.
        self.optional::<i64>("maxrefcount")?;
        Ok(flags)
    }

    /// Sets one of the codes by its flag, such as `RESIDUALS_GAMMA`.
    fn set_code(&self, flags: &mut Flags, flag: &str, zeta: usize) -> Result<(), GraphError> {
        let unknown =
            || self.error("compressionflags", format!("the compression flag `{flag}` is not known"));
        let (part, code) = flag.rsplit_once('_').ok_or_else(unknown)?;
        let code = flags::code(code, zeta).ok_or_else(unknown)?;
        match part {
            "OUTDEGREES" => flags.outdegrees = code,
            "REFERENCES" => flags.references = code,
            "BLOCKS" => flags.blocks = code,
            "INTERVALS" => flags.intervals = code,
            "RESIDUALS" => flags.residuals = code,
            // The offsets are not read.
            "OFFSETS" => {}
            _ => return Err(unknown()),
        }
        Ok(())
    }
}
