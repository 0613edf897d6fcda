//! Items that may not be used, each with what to use instead.

use crate::Finding;
use crate::source::SourceFile;

/// A banned item.
struct Ban {
    /// What the code must not contain.
    pattern: &'static str,
    /// What to do instead.
    instead: &'static str,
    /// Where it is banned.
    scope: Scope,
}

/// Where a ban applies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Everywhere.
    Everywhere,
    /// In what is shipped: not in tests, benchmarks and examples.
    Product,
    /// In what is shipped, except for the command crate, which speaks to the user.
    Libraries,
    /// Everywhere except in the files listed in [`UNSAFE_FILES`].
    Safe,
    /// Everywhere except in the files listed in [`IGNORING_FILES`].
    Heeding,
    /// In the crates, except for tests and the files listed in [`LOCK_FILES`].
    Unlocked,
}

/// Files that may contain unsafe code, each with its reason.
const UNSAFE_FILES: &[(&str, &str)] = &[
    (
        "crates/engine/src/fetch_ahead.rs",
        "a prefetch is a hint to the processor, for which the standard library has no safe function yet",
    ),
    ("crates/cli/src/allocation.rs", "an allocator that counts, and hands everything on to the system's"),
];

/// Files that may hold a lock or a value that is made on first use, each with why it cannot wait for itself.
const LOCK_FILES: &[(&str, &str)] = &[
    ("crates/graph/src/lazy.rs", "makes the value on threads of its own"),
    (
        "crates/cli/src/progress.rs",
        "it is held while a line of progress is shown, which asks for nothing else",
    ),
    ("crates/machine/src/machine.rs", "the list of paths is made by one thread and asks for nothing else"),
    (
        "crates/lab/src/simulate/shared.rs",
        "the threads of a sweep ask, never the parallel work that makes a value, which asks for no other",
    ),
    (
        "crates/lab/src/simulate/kept.rs",
        "the threads of a sweep ask, never the parallel work that makes a graph or a run, which asks for no other",
    ),
    ("crates/lab/src/store/host.rs", "it is held while a line is written, which asks for nothing else"),
];

/// Files that may ignore a result, each with its reason.
const IGNORING_FILES: &[(&str, &str)] = &[
    (
        "crates/graph/src/write/path.rs",
        "a temporary file that cannot be removed after a failure: nobody is left to act",
    ),
    ("crates/image/src/bytes.rs", "huge pages are a hint that hosts may refuse"),
    ("crates/cli/src/output.rs", "a note that cannot be delivered must not stop the work"),
    ("crates/cli/src/failure.rs", "where standard error is closed there is nobody left to tell"),
];

const UNORDERED: &str =
    "its iteration order is random; use BTreeMap/BTreeSet, or a Vec indexed by a dense id";
const CLOCK: &str = "results must not depend on the clock; only the command crate measures time";
const SEED: &str = "every random number comes from an explicit seed; use heddle_graph::generate::random";
const PRINT: &str = "only the command crate prints; return the text or a note";
const LOCK: &str = "who holds it while parallel work runs may wait for ever; make the value before, or use Lazy of \
                    heddle_graph, or list the file with the reason why it cannot happen";
const LEFT: &str = "nothing is left undone in the tree; do it, or refuse the input with an error";

const HEED: &str = "a result is handled, returned or expected; `+= &format!` writes to a string without one";

const BANS: &[Ban] = &[
    Ban { pattern: "let _ =", instead: HEED, scope: Scope::Heeding },
    Ban { pattern: "let _:", instead: HEED, scope: Scope::Heeding },
    Ban { pattern: "HashMap", instead: UNORDERED, scope: Scope::Everywhere },
    Ban { pattern: "HashSet", instead: UNORDERED, scope: Scope::Everywhere },
    Ban { pattern: "Instant", instead: CLOCK, scope: Scope::Libraries },
    Ban { pattern: "SystemTime", instead: CLOCK, scope: Scope::Libraries },
    Ban { pattern: "thread_rng", instead: SEED, scope: Scope::Everywhere },
    Ban { pattern: "from_entropy", instead: SEED, scope: Scope::Everywhere },
    Ban { pattern: "from_os_rng", instead: SEED, scope: Scope::Everywhere },
    Ban { pattern: "OsRng", instead: SEED, scope: Scope::Everywhere },
    Ban { pattern: "RandomState", instead: SEED, scope: Scope::Everywhere },
    Ban { pattern: "println!", instead: PRINT, scope: Scope::Libraries },
    Ban { pattern: "print!", instead: PRINT, scope: Scope::Libraries },
    Ban { pattern: "eprintln!", instead: PRINT, scope: Scope::Libraries },
    Ban { pattern: "eprint!", instead: PRINT, scope: Scope::Libraries },
    Ban { pattern: "dbg!", instead: PRINT, scope: Scope::Everywhere },
    Ban { pattern: "stdout", instead: PRINT, scope: Scope::Libraries },
    Ban { pattern: "OnceLock", instead: LOCK, scope: Scope::Unlocked },
    Ban { pattern: "LazyLock", instead: LOCK, scope: Scope::Unlocked },
    Ban { pattern: "OnceCell", instead: LOCK, scope: Scope::Unlocked },
    Ban { pattern: "LazyCell", instead: LOCK, scope: Scope::Unlocked },
    Ban { pattern: "Mutex", instead: LOCK, scope: Scope::Unlocked },
    Ban { pattern: "RwLock", instead: LOCK, scope: Scope::Unlocked },
    Ban { pattern: "Condvar", instead: LOCK, scope: Scope::Unlocked },
    Ban { pattern: "todo!", instead: LEFT, scope: Scope::Everywhere },
    Ban { pattern: "unimplemented!", instead: LEFT, scope: Scope::Everywhere },
    Ban {
        pattern: "process::exit",
        instead: "return an error; only main decides how to leave",
        scope: Scope::Libraries,
    },
    Ban {
        pattern: "#[ignore",
        instead: "a slow study has its own command; a wrong behaviour is asserted as it is",
        scope: Scope::Everywhere,
    },
    Ban {
        pattern: "unsafe",
        instead: "unsafe code needs a listed file, a reason and a test",
        scope: Scope::Safe,
    },
    Ban {
        pattern: "catch_unwind",
        instead: "return an error where the trouble is found",
        scope: Scope::Product,
    },
];

/// Words that mark unfinished work, banned in comments too.
const MARKERS: [&str; 3] = [concat!("FIX", "ME"), concat!("TO", "DO"), concat!("XX", "X")];

/// Everything in `file` that is banned there.
pub fn check(file: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let bans: Vec<&Ban> = BANS.iter().filter(|ban| applies(ban.scope, file)).collect();
    for (index, (code, text)) in file.code.lines().zip(file.text.lines()).enumerate() {
        let line = index + 1;
        let mut found = |problem| findings.push(Finding { file: file.path.clone(), line, problem });
        for ban in bans.iter().filter(|ban| contains_word(code, ban.pattern)) {
            found(format!("`{}` is banned here: {}", ban.pattern, ban.instead));
        }
        if let Some(marker) = MARKERS.iter().find(|marker| contains_word(text, marker)) {
            found(format!("`{marker}`: {LEFT}"));
        }
    }
    findings
}

fn applies(scope: Scope, file: &SourceFile) -> bool {
    let folder = file.crate_folder();
    let is_listed = |list: &[(&str, &str)]| list.iter().any(|(path, _)| file.path.ends_with(path));
    match scope {
        Scope::Everywhere => true,
        Scope::Product => !file.is_harness(),
        Scope::Libraries => folder.is_some() && folder != Some("cli") && !file.is_harness(),
        Scope::Heeding => !is_listed(IGNORING_FILES),
        Scope::Safe => !is_listed(UNSAFE_FILES),
        Scope::Unlocked => folder.is_some() && !file.is_harness() && !is_listed(LOCK_FILES),
    }
}

/// Whether `pattern` stands in `code` and is not a part of a longer word.
fn contains_word(code: &str, pattern: &str) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let bytes = code.as_bytes();
    let ends_in_word = is_word(pattern.as_bytes().last());
    code.match_indices(pattern).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let after = bytes.get(at + pattern.len());
        let part_of_longer = is_word(before) || (ends_in_word && is_word(after));
        !part_of_longer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> usize {
        check(&SourceFile::new(path, text)).len()
    }

    #[test]
    fn each_ban_bites_where_it_applies() {
        let library = "crates/graph/src/lib.rs";
        for ban in BANS {
            let text = format!("fn f() {{ {} }}\n", ban.pattern);
            assert_eq!(problems(library, &text), 1, "{}", ban.pattern);
        }
        assert_eq!(problems(library, concat!("// FIX", "ME later\n")), 1);
    }

    #[test]
    fn words_inside_words_comments_and_literals_are_no_use() {
        let text = "fn instantiate() { let unsafe_code = 1; f(\"HashMap\"); } // HashMap\n";
        assert_eq!(problems("crates/graph/src/lib.rs", text), 0);
    }

    #[test]
    fn the_command_crate_prints_and_measures() {
        assert_eq!(problems("crates/cli/src/main.rs", "fn main() { println!(); Instant::now(); }"), 0);
        assert_eq!(problems("crates/cli/src/main.rs", "type M = HashMap<u8, u8>;"), 1);
        // A build script speaks to cargo; a module of that name is of the product.
        assert_eq!(problems("crates/machine/build.rs", "fn main() { println!(); }"), 0);
        assert_eq!(problems("crates/graph/src/build.rs", "fn main() { println!(); }"), 1);
    }
}
