//! The machines and mechanisms that are compiled in: the files of `machines/` and `machines/mechanisms/`, of which the
//! build script makes two tables. Adding one is adding a file.

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

include!(concat!(env!("OUT_DIR"), "/presets.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_of_the_folders_is_compiled_in_under_its_name_with_the_empty_mechanism_first() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (table, folder) in [(MACHINES, "machines"), (MECHANISMS, "machines/mechanisms")] {
            let files = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
            let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
            assert_eq!(files.count(), table.len(), "{folder}");
            for Embedded { name, file, text } in table {
                assert_eq!(*file, format!("{folder}/{name}.toml"));
                assert_eq!(*text, std::fs::read_to_string(root.join(file)).unwrap());
            }
            let rest = &table[usize::from(table[0].name == "none")..];
            assert!(rest.is_sorted_by_key(|embedded| embedded.name), "{folder}");
        }
        assert_eq!(MECHANISMS[0].name, "none");
    }
}
