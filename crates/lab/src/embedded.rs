//! The experiments that come with the program.

/// A file of `experiments/`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmbeddedFile {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

impl EmbeddedFile {
    /// What it is called without its extension.
    pub(crate) fn stem(&self) -> &'static str {
        self.name.strip_suffix(".toml").unwrap_or(self.name)
    }

    /// Where it stands in the source tree, for messages.
    pub(crate) fn path(&self) -> String {
        format!("experiments/{}", self.name)
    }
}

/// All of them, by name.
pub(crate) const EXPERIMENTS: &[EmbeddedFile] = include!(concat!(env!("OUT_DIR"), "/experiments.rs"));
