//! Which registers go with which types, for instructions of each kind: rows as the assembler of the ISA has
//! them, register families by the prefixes of [`super::scope`].

use super::resolve;

const FAMILIES: &[&str] =
    &["p", "b", "ub", "sb", "h", "uh", "sh", "fh", "r", "u", "s", "f", "fx", "d", "ud", "sd", "fd"];

/// `#` stands for the type, `%` for the register.
fn check(form: &str, rows: &[(&str, &str)]) {
    for (ty, expected) in rows {
        let taken: Vec<&str> = FAMILIES
            .iter()
            .copied()
            .filter(|family| resolve(&form.replace('#', ty).replace('%', &format!("{family}0"))).is_ok())
            .collect();
        assert_eq!(taken.join(" "), *expected, "{form} with .{ty}");
    }
}

const WIDE: &[(&str, &str)] = &[
    ("b8", "b ub sb h uh sh fh r u s f fx d ud sd fd"),
    ("u8", "b ub sb h uh sh r u s fx d ud sd"),
    ("s8", "b ub sb h uh sh r u s fx d ud sd"),
    ("b16", "h uh sh fh r u s f fx d ud sd fd"),
    ("u16", "h uh sh r u s fx d ud sd"),
    ("s16", "h uh sh r u s fx d ud sd"),
    ("b32", "r u s f fx d ud sd fd"),
    ("u32", "r u s fx d ud sd"),
    ("s32", "r u s fx d ud sd"),
    ("f32", "r f d"),
    ("b64", "d ud sd fd"),
    ("u64", "d ud sd"),
    ("s64", "d ud sd"),
    ("f64", "d fd"),
];

#[test]
fn loads_stores_and_conversions_take_wider_registers() {
    check("ld.global.# %, [d1];", WIDE);
    check("st.global.# [d1], %;", WIDE);
    check("ld.param.# %, [kp];", WIDE);
    let numbers: Vec<_> = WIDE.iter().copied().filter(|row| row.0.starts_with(['u', 's'])).collect();
    check("cvt.rzi.#.f32 %, f1;", &numbers);
    check("cvt.rn.f32.# f1, %;", &numbers);
    check("cvt.rn.#.s32 %, s1;", &[("f16", "h fh r d"), ("bf16", "h"), ("f32", "r f d"), ("f64", "d fd")]);
}

const EXACT: &[(&str, &str)] = &[
    ("u16", "h uh sh"),
    ("s16", "h uh sh"),
    ("u32", "r u s fx"),
    ("s32", "r u s fx"),
    ("f32", "r f"),
    ("u64", "d ud sd"),
    ("s64", "d ud sd"),
    ("f64", "d fd"),
];

const BITS: &[(&str, &str)] = &[("b16", "h uh sh fh"), ("b32", "r u s f fx"), ("b64", "d ud sd fd")];

const HALVES: &[(&str, &str)] = &[("f16", "h fh"), ("bf16", "h"), ("f16x2", "r fx"), ("bf16x2", "r")];

#[test]
fn arithmetic_takes_registers_of_its_size() {
    for form in ["add.# %, %, %;", "min.# %, %, %;", "setp.lt.# p1, %, %;", "set.lt.u32.# u1, %, %;"] {
        check(form, EXACT);
        check(form, HALVES);
    }
    for form in ["mov.# %, %;", "selp.# %, %, %, p1;", "slct.#.s32 %, %, %, s1;"] {
        check(form, EXACT);
        check(form, BITS);
    }
    check("and.# %, %, %;", BITS);
    check("shl.# %, %, 1;", BITS);
    check("setp.eq.# p1, %, %;", BITS);
    check("popc.# r1, %;", &BITS[1..]);
}

#[test]
fn atomic_operations_take_registers_of_their_size() {
    check("atom.global.exch.# %, [d1], %;", &BITS[1..]);
    check("atom.global.cas.# %, [d1], %, %;", BITS);
    check(
        "red.global.add.# [d1], %;",
        &[("u32", "r u s fx"), ("s32", "r u s fx"), ("f32", "r f"), ("u64", "d ud sd"), ("f64", "d fd")],
    );
}

#[test]
fn predicates_go_where_predicates_belong() {
    check("mov.# %, %;", &[("pred", "p")]);
    check("and.# %, %, %;", &[("pred", "p")]);
    check("selp.b32 r0, r1, r2, %;", &[("", "p")]);
    check("vote.sync.ballot.b32 r0, %, -1;", &[("", "p")]);
}
