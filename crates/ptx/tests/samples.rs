//! The samples beside this file: they parse, print, parse to the same tree and resolve to the same IR; so does
//! everything that parses after an edit.

use heddle_ptx::{ir, load, syntax};
use proptest::prelude::*;

const SAMPLES: &[(&str, &str)] = &[
    ("frontier.ptx", include_str!("samples/frontier.ptx")),
    ("calls.ptx", include_str!("samples/calls.ptx")),
    ("variables.ptx", include_str!("samples/variables.ptx")),
    ("debugging.ptx", include_str!("samples/debugging.ptx")),
    ("scopes.ptx", include_str!("samples/scopes.ptx")),
];

const EXTERNALS: &[&str] = &["vprintf"];

/// Pieces of PTX that an edit puts somewhere.
const PIECES: &[&str] = &[
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    ".",
    "@",
    "!",
    "|",
    "+",
    "-",
    "-1",
    "0x",
    "0f3F800000",
    "1.5e3",
    "9223372036854775808",
    "-9223372036854775807-1",
    "<3>",
    "= {1, {2}}",
    "?",
    "<<",
    "%",
    "%r1",
    "_",
    "generic(",
    "WARP_SZ",
    "0xFF(",
    "\"",
    "/*",
    "//",
    "\n",
    "\0",
    "é",
    ".reg .b32 %q<4>;",
    ".entry",
    ".func f;",
    ".align 8",
    ".loc 1 2 3",
    ".section .x {",
    ".v4",
    ".ptr",
    "call",
    "call (a), f, (b);",
    "x: .branchtargets y;",
    ".L2::128B",
];

fn load_sample(text: &str) -> ir::Module {
    load("sample", text, EXTERNALS).unwrap_or_else(|errors| panic!("{errors}"))
}

/// What is printed parses to the same tree, and resolves to the same module if it resolves at all.
fn comes_back(text: &str) {
    let Ok(tree) = syntax::parse("first", text) else { return };
    let printed = syntax::print(&tree);
    let again = syntax::parse("again", &printed).unwrap_or_else(|errors| panic!("{errors}\n{printed}"));
    assert_eq!(again.clone().without_places(), tree.clone().without_places(), "{printed}");
    let resolve = |tree: &syntax::Tree| {
        heddle_ptx::resolve::resolve("file", tree, EXTERNALS).map(ir::Module::without_places).ok()
    };
    assert_eq!(resolve(&again), resolve(&tree), "{printed}");
}

#[test]
fn every_sample_loads() {
    for (name, text) in SAMPLES {
        if let Err(errors) = load(name, text, EXTERNALS) {
            panic!("{errors}");
        }
    }
}

#[test]
fn the_print_of_every_sample_is_the_same_program() {
    for (_, text) in SAMPLES {
        let printed = syntax::print(&syntax::parse("sample", text).expect("a sample parses"));
        assert_eq!(load_sample(&printed).without_places(), load_sample(text).without_places());
        comes_back(text);
    }
}

/// Printed on its own, such a word would be a number.
#[test]
fn a_directive_or_type_that_starts_with_a_digit_is_refused() {
    for text in [".func f() .noreturn.5e3 { ret; }", ".func f() { .reg.5e3 x; ret; }", ".global.5e3 x;"] {
        let text = format!(".version 7.0\n.target sm_70\n{text}");
        assert!(syntax::parse("digit", &text).is_err(), "{text}");
    }
}

#[test]
fn every_prefix_of_a_sample_is_read_or_refused() {
    for (name, text) in SAMPLES {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(7) {
            if let Err(errors) = load(name, &text[..end], EXTERNALS) {
                assert!(!errors.0.is_empty());
            }
        }
    }
}

/// An edit of a text: where it is (in thousandths), how much it removes, what it puts there.
fn edits() -> impl Strategy<Value = (usize, Vec<(usize, usize, usize)>)> {
    let edit = (0..1000usize, 0..12usize, 0..PIECES.len() + 1);
    (0..SAMPLES.len(), prop::collection::vec(edit, 1..4))
}

fn edited((sample, edits): (usize, Vec<(usize, usize, usize)>)) -> String {
    let mut characters: Vec<char> = SAMPLES[sample].1.chars().collect();
    for (position, removed, piece) in edits {
        let start = characters.len() * position / 1000;
        let end = (start + removed).min(characters.len());
        let piece = PIECES.get(piece).copied().unwrap_or_default();
        characters.splice(start..end, piece.chars());
    }
    characters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_edited_sample_is_refused_with_a_place_or_comes_back(edit in edits()) {
        let text = edited(edit);
        let lines = text.matches('\n').count() as u32 + 1;
        if let Err(errors) = load("edited.ptx", &text, EXTERNALS) {
            prop_assert!(!errors.0.is_empty() && errors.0.len() <= 200);
            prop_assert!(errors.0.is_sorted_by_key(|error| error.place));
            for error in &errors.0 {
                prop_assert!(error.place.line >= 1 && error.place.line <= lines && error.place.column >= 1);
                prop_assert!(!error.problem.is_empty());
            }
        }
        comes_back(&text);
    }

    #[test]
    fn words_in_any_order_are_refused_or_come_back(
        words in prop::collection::vec(prop::sample::select(PIECES), 0..60),
    ) {
        let body = words.join(" ");
        comes_back(&body);
        comes_back(&format!(".version 7.0 .target sm_70 .func f {{ add.s32 {body}; }}"));
        comes_back(&format!(".version 7.0 .target sm_70 .global .b32 x = {body};"));
    }
}
