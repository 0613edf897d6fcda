//! Every conversion with every combination of modifiers: which of them there are, by the assembler of the ISA.

use super::resolve;

/// Results, sources, and the modifiers that go with them (`-` for none).
#[rustfmt::skip]
const ROWS: &[(&str, &str, &str)] = &[
    ("u8", "u8", "-"),
    ("u8", "u16 u32 u64 s8 s16 s32 s64", "- sat"),
    ("u8 u16 u32 u64 s8 s16 s32 s64", "f16 f64", "rmi rni rni.sat rpi rzi rzi.sat"),
    ("u8 u16 u32 u64 s8 s16 s32 s64", "f32", "rmi rni rni.ftz rni.ftz.sat rni.sat rpi rzi rzi.ftz rzi.ftz.sat rzi.sat"),
    ("u16", "u8 u16", "-"),
    ("u16", "u32 u64 s8 s16 s32 s64", "- sat"),
    ("u16 u32 u64 s16 s32 s64", "bf16", "rmi rni rpi rzi"),
    ("u32", "u8 u16 u32", "-"),
    ("u32", "u64 s8 s16 s32 s64", "- sat"),
    ("u64", "u8 u16 u32 u64", "-"),
    ("u64", "s8 s16 s32 s64", "- sat"),
    ("s8", "u8 u16 u32 u64 s16 s32 s64", "- sat"),
    ("s8", "s8", "-"),
    ("s16", "u8 s8 s16", "-"),
    ("s16", "u16 u32 u64 s32 s64", "- sat"),
    ("s32", "u8 u16 s8 s16 s32", "-"),
    ("s32", "u32 u64 s64", "- sat"),
    ("s64", "u8 u16 u32 s8 s16 s32 s64", "-"),
    ("s64", "u64", "- sat"),
    ("f16", "u8 u16 u32 u64 s8 s16 s32 s64 f64", "rm rn rn.sat rp rz rz.sat"),
    ("f16", "f16", "- rmi rni rni.sat rpi rzi rzi.sat sat"),
    ("f16 f64", "bf16", "- rm rn rp rz"),
    ("f16", "f32", "rm rn rn.ftz rn.ftz.sat rn.relu rn.sat rp rz rz.ftz rz.ftz.sat rz.relu rz.sat"),
    ("bf16", "u16 u32 u64 s16 s32 s64 f64", "rm rn rp rz"),
    ("bf16", "f16", "- rm rn rp rz"),
    ("bf16", "bf16", "- rmi rni rpi rzi"),
    ("bf16", "f32", "rm rn rn.ftz rn.relu rp rz rz.ftz rz.relu"),
    ("f32", "u8 u16 u32 u64 s8 s16 s32 s64 f64", "rm rn rn.ftz rn.ftz.sat rn.sat rp rz rz.ftz rz.ftz.sat rz.sat"),
    ("f32", "f16", "- ftz ftz.sat sat"),
    ("f32", "bf16", "- ftz rm rn rn.ftz rp rz rz.ftz"),
    ("f32", "f32", "- ftz ftz.sat rmi rni rni.ftz rni.ftz.sat rni.sat rpi rzi rzi.ftz rzi.ftz.sat rzi.sat sat"),
    ("f64", "u8 u16 u32 u64 s8 s16 s32 s64", "rm rn rn.sat rp rz rz.sat"),
    ("f64", "f16", "- sat"),
    ("f64", "f32", "- ftz ftz.sat sat"),
    ("f64", "f64", "- rmi rni rni.sat rpi rzi rzi.sat sat"),
    ("f16x2 bf16x2", "f32", "rn rn.relu rz rz.relu"),
];

const TYPES: &[(&str, &str)] = &[
    ("u8", "h"),
    ("u16", "h"),
    ("u32", "r"),
    ("u64", "d"),
    ("s8", "h"),
    ("s16", "h"),
    ("s32", "r"),
    ("s64", "d"),
    ("f16", "h"),
    ("bf16", "h"),
    ("f32", "f"),
    ("f64", "fd"),
    ("f16x2", "r"),
    ("bf16x2", "r"),
];

/// The modifiers that are tried, in the order in which rows have them.
fn modifiers() -> Vec<String> {
    let mut all = Vec::new();
    for rounding in ["", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna"] {
        for rest in ["", "ftz", "sat", "ftz.sat", "relu", "relu.sat"] {
            // With the rarer roundings the rest was not asked of the assembler.
            if !rest.is_empty() && !["", "rn", "rz", "rni", "rzi", "rna"].contains(&rounding) {
                continue;
            }
            let words: Vec<&str> = [rounding, rest].into_iter().filter(|word| !word.is_empty()).collect();
            all.push(if words.is_empty() { "-".to_owned() } else { words.join(".") });
        }
    }
    all.sort();
    all
}

#[test]
fn conversions_take_exactly_the_modifiers_of_the_assembler() {
    let modifiers = modifiers();
    for (to, to_register) in TYPES {
        for (from, from_register) in TYPES {
            let row = ROWS.iter().find(|(results, sources, _)| {
                results.split(' ').any(|ty| ty == *to) && sources.split(' ').any(|ty| ty == *from)
            });
            let expected = row.map_or("", |row| row.2);
            let second = if to.ends_with("x2") { format!(", {from_register}2") } else { String::new() };
            let taken: Vec<&str> = modifiers
                .iter()
                .map(String::as_str)
                .filter(|modifier| {
                    let modifier = if *modifier == "-" { String::new() } else { format!(".{modifier}") };
                    let line = format!("cvt{modifier}.{to}.{from} {to_register}0, {from_register}1{second};");
                    resolve(&line).is_ok()
                })
                .collect();
            assert_eq!(taken.join(" "), expected, "from .{from} to .{to}");
        }
    }
}
