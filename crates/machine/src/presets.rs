//! The machines and mechanisms that are compiled in. Adding one is a file in `machines/` and a line here.

/// A file that is compiled in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Embedded {
    /// The name that users give.
    pub(crate) name: &'static str,
    /// Its path in the source tree.
    pub(crate) file: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
}

macro_rules! embedded {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(Embedded {
            name: $name,
            file: concat!($folder, "/", $name, ".toml"),
            text: include_str!(concat!("../../../", $folder, "/", $name, ".toml")),
        }),*]
    };
}

/// The machines.
pub(crate) const MACHINES: &[Embedded] = embedded!("machines": "fermi", "gtx480", "gtx480-mff", "k40c");

/// The mechanisms, the empty one first.
pub(crate) const MECHANISMS: &[Embedded] = embedded!("machines/mechanisms":
    "none", "exclusive", "r-ex", "victim", "obm", "obm-l2", "sector", "nap", "nap-l1", "stride", "ghb", "ghb-l2",
    "c-spref1", "write-back", "bandwidth-144",
    "caches-2x", "l1-64k",
);
