//! Files that are read whole, up to a size that none of their kind has: a device that never ends, or the wrong file,
//! is an error and does not fill memory.

use crate::failure::{Failure, words};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A kind of file that is read whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// What such a file is called.
    name: &'static str,
    /// No such file is larger.
    mebibytes_max: u64,
}

/// A PTX file.
pub(crate) const PTX: Kind = Kind { name: "PTX file", mebibytes_max: 256 };
/// A `result.json`.
pub(crate) const RESULT: Kind = Kind { name: "result", mebibytes_max: 256 };
/// A resolved machine.
pub(crate) const MACHINE: Kind = Kind { name: "machine file", mebibytes_max: 1 };
/// What `verify` has found right so far.
pub(crate) const LEDGER: Kind = Kind { name: "record of verified workloads", mebibytes_max: 256 };

impl Kind {
    /// All bytes, or what is wrong with them, without the name of the file.
    pub(crate) fn bytes(self, source: impl Read) -> Result<Vec<u8>, String> {
        let most = self.mebibytes_max << 20;
        let mut bytes = Vec::new();
        source.take(most + 1).read_to_end(&mut bytes).map_err(|error| words(&error))?;
        if bytes.len() as u64 > most {
            let Kind { name, mebibytes_max } = self;
            return Err(format!("it is larger than {mebibytes_max} MiB, which no {name} is"));
        }
        Ok(bytes)
    }

    /// The text of a file.
    pub(crate) fn text(self, path: &Path) -> Result<String, Failure> {
        let wrong = |problem: String| Failure::new(format!("{}: {problem}", path.display()));
        let file = File::open(path).map_err(|error| Failure::at_path(path, &error))?;
        let bytes = self.bytes(file).map_err(wrong)?;
        String::from_utf8(bytes).map_err(|_| wrong(format!("it is no text; expected a {}", self.name)))
    }
}
