//! Whatever is written after an opcode, the answer is an operation or a problem, never a panic.

use super::super::{OPCODES, resolve};
use super::scope::TestScope;
use super::words;
use crate::syntax::{Expression, Operand};
use crate::{Place, ir::ScalarType};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::sample::select;

/// Modifiers of every family.
const MODIFIERS: &[&str] = &[
    "rn",
    "rz",
    "rni",
    "rzi",
    "ftz",
    "sat",
    "approx",
    "lo",
    "hi",
    "wide",
    "cc",
    "eq",
    "lt",
    "and",
    "or",
    "global",
    "shared",
    "param",
    "to",
    "nc",
    "volatile",
    "relaxed",
    "gpu",
    "v2",
    "v4",
    "v8",
    "add",
    "cas",
    "exch",
    "noftz",
    "sync",
    "arrive",
    "red",
    "popc",
    "idx",
    "bfly",
    "ballot",
    "any",
    "all",
    "uni",
    "1d",
    "L1",
    "L2",
    "async",
    "ca",
    "wrap",
    "clamp",
    "l",
    "r",
    "f32x2",
    "u16x2",
    "L2::cache_hint",
    "warp",
    "aligned",
    "relu",
    "NaN",
];

const NAMES: &[&str] = &[
    "_",
    "p0",
    "h0",
    "fh0",
    "r0",
    "u1",
    "s2",
    "f3",
    "d0",
    "fd1",
    "v2r",
    "v4u",
    "v2r.x",
    "gv",
    "sv",
    "tr",
    "kp",
    "ks",
    "res",
    "cp4",
    "vprintf",
    "fpar",
    "LEND",
    "table",
    "targets",
    "prototype",
    "%tid",
    "%tid.x",
    "%clock64",
    "%gridid",
    "%envreg1",
    "%pm0",
    "WARP_SZ",
    "nobody",
];

fn leaf() -> impl Strategy<Value = Operand> {
    let place = Place::default();
    prop_oneof![
        4 => select(NAMES).prop_map(move |name| Operand::Name(place, name.to_owned())),
        1 => select(NAMES).prop_map(move |name| Operand::Not(place, name.to_owned())),
        2 => any::<u64>().prop_map(move |value| Operand::Constant(place, Expression::Integer(value, true))),
        1 => any::<u32>().prop_map(move |bits| Operand::Constant(place, Expression::Single(bits))),
        1 => any::<u64>().prop_map(move |bits| Operand::Constant(place, Expression::Double(bits))),
        1 => (select(NAMES), any::<i64>(), any::<bool>()).prop_map(move |(name, addend, generic)| {
            Operand::Constant(place, Expression::Symbol { name: name.to_owned(), addend, generic })
        }),
    ]
}

fn operand() -> impl Strategy<Value = Operand> {
    let place = Place::default();
    prop_oneof![
        6 => leaf(),
        2 => (leaf(), any::<i64>()).prop_map(move |(base, offset)| Operand::Address(place, Box::new(base), offset)),
        1 => vec(leaf(), 0..9).prop_map(move |parts| Operand::Vector(place, parts)),
        1 => (leaf(), leaf()).prop_map(|(first, second)| Operand::Pair(Box::new(first), Box::new(second))),
        1 => vec(leaf(), 0..4).prop_map(move |parts| Operand::List(place, parts)),
        1 => vec(leaf(), 0..4).prop_map(move |parts| Operand::Bracket(place, parts)),
    ]
}

fn word() -> impl Strategy<Value = String> {
    let types: Vec<&'static str> = ScalarType::NAMES.iter().map(|entry| entry.0).collect();
    prop_oneof![
        5 => select(types).prop_map(str::to_owned),
        5 => select(MODIFIERS).prop_map(str::to_owned),
        1 => Just("bogus".to_owned()),
    ]
}

proptest! {
    #[test]
    fn any_words_and_operands_have_an_answer(
        opcode in 0..OPCODES.len(),
        modifiers in vec(word(), 0..5),
        operands in vec(operand(), 0..6),
    ) {
        let mut instruction = words("ret;");
        instruction.words = std::iter::once(OPCODES[opcode].0.to_owned()).chain(modifiers).collect();
        instruction.operands = operands;
        if let Ok(resolved) = resolve(&instruction, &mut TestScope::new()) {
            assert!(!resolved.is_empty());
        }
    }
}
