//! What is wrong is said with its place, and all of it.

use heddle_ptx::{Diagnostics, load, syntax};

const HEAD: &str = ".version 7.0\n.target sm_70\n.address_size 64\n";

fn errors(text: &str) -> Diagnostics {
    load("bad.ptx", text, &["vprintf"]).err().unwrap_or_else(|| panic!("{text} is accepted"))
}

/// The text after a head of three lines gives one error: place, part of the message.
fn refuse(text: &str, place: &str, part: &str) {
    let errors = errors(&format!("{HEAD}{text}"));
    let shown = errors.to_string();
    assert_eq!(errors.0.len(), 1, "{text}: {shown}");
    assert!(shown.starts_with(&format!("bad.ptx:{place}: ")), "{text}: {shown}");
    assert!(shown.contains(part), "{text}: {shown}");
}

#[test]
fn syntax_errors_name_place_and_what_was_expected() {
    refuse(".global .u32 x", "4:15", "expected `;` or `,` after a declaration, found the end of the file");
    refuse(".global x;", "4:9", "expected the type");
    refuse(".entry k { mov.u32 %r1 %r2; }", "4:24", "expected `;` or `,` after an operand of `mov.u32`");
    refuse(".entry k { ld.u32 %r1, [%rd1; }", "4:29", "expected `]`");
    refuse(".entry k { @5 bra x; }", "4:13", "expected a predicate");
    refuse(".entry k { ret;", "4:16", "the body of `k` is not closed");
    refuse(".entry k { { ret;\n.entry l { ret; }", "5:1", "not closed");
    refuse(".global .u32 x = 0f12;", "4:18", "malformed number `0f12`");
    refuse(".global .u32 x = 08;", "4:18", "`08` is malformed");
    refuse(".global .u64 x = 0x10000000000000000;", "4:18", "more than 64 bits");
    refuse(".global .u32 x = 1/0;", "4:19", "division by zero");
    refuse(".global .u32 x[-1];", "4:16", "negative");
    refuse(".pragma \"never ends", "4:9", "no end");
    refuse("/* never ends", "4:1", "expected */");
    refuse(".globl k;", "4:1", "unknown directive `.globl`");
    refuse(".entry k { .maxntid 3; }", "4:12", "unknown directive `.maxntid`");
    refuse("é", "4:1", "unexpected character 'é'");
    refuse("/* äöü */ é", "4:11", "unexpected character");
}

#[test]
fn declarations_that_contradict_each_other_are_refused() {
    refuse(
        ".global .u32 x;\n.global .u32 x;",
        "5:14",
        "`x` is defined twice (the first definition is at line 4",
    );
    refuse(".func f { ret; }\n.func f { ret; }", "5:7", "defined twice");
    refuse(".func f(.param .b32 x);\n.func f(.param .b64 x) { ret; }", "4:7", "other parameters");
    refuse(".entry k { .reg .b32 x; .reg .b64 x; ret; }", "4:35", "declared twice");
    refuse(".entry k { .reg .b32 %r<4>; .reg .b64 %r3; ret; }", "4:39", "declared twice");
    refuse(".entry k { .reg .b64 %r3; .reg .b32 %r<4>; ret; }", "4:37", "declared twice");
    refuse(".entry k { a: ret; a: ret; }", "4:20", "declared twice");
    refuse(".func (.param .b32 r) f { .reg .b32 r; ret; }", "4:37", "declared twice");
    refuse(".entry (.param .b32 r) k { ret; }", "4:24", "has a result");
    refuse(".entry k(.reg .b32 x) { ret; }", "4:10", "in .param space");
    refuse(".alias a, b;", "4:1", "no function of the module");
}

#[test]
fn variables_that_cannot_be_are_refused() {
    refuse(".global .u33 x;", "4:14", "unknown or unsupported type .u33; the nearest known type is .u32");
    refuse(".global .align 3 .u32 x;", "4:23", "power of two");
    refuse(".global .u32 x[];", "4:14", "size of `x` is missing");
    refuse(".global .u32 x[4][];", "4:14", "only the first size");
    refuse(".global .u32 x[0xFFFFFFFFFFFF][0xFFFFFFFFFFFF];", "4:14", "larger than any memory");
    refuse(".global .u32 x[0][0xFFFFFFFFFFFF][0xFFFFFFFFFFFF] = {1};", "4:14", "larger than any memory");
    refuse(".global .u32 x[2] = {1, 2, 3};", "4:14", "more than 2 initial values");
    refuse(".global .u32 x = {{1}};", "4:14", "nested deeper");
    refuse(".shared .u32 x = 1;", "4:14", "only .global and .const");
    refuse(".global .u32 x = 1.5;", "4:14", "expected an initial value of type .u32");
    refuse(".global .u64 x = y;", "4:14", "`y` is not declared");
    refuse(".global .u64 answer;\n.global .u64 x = anwser;", "5:14", "the nearest known name is `answer`");
    refuse(".global .u64 x = vprintf;\n.extern .func vprintf;", "4:14", "provided by the machine");
    refuse(".global .b8 c; .global .b8 x[2] = {0xFF(c), 0xFF00(c)};", "4:28", "only 2 bytes are given");
    refuse(".global .b8 c; .global .b8 x[2] = {0xFF(c), 0xFF(c)};", "4:28", "one after the other");
    refuse(".reg .b32 x;", "4:11", "expected `.global`");
    refuse(".global .pred x;", "4:15", "predicate");
}

#[test]
fn what_is_defined_nowhere_is_refused_where_it_is_used_and_only_there() {
    let text = format!("{HEAD}.extern .func __nv_sinf; .extern .global .u32 x; .entry k {{ ret; }}");
    assert!(load("good.ptx", &text, &[]).is_ok());
    refuse(".extern .func __nv_sinf;\n.entry k { call __nv_sinf; }", "5:17", "libdevice");
    refuse(
        ".extern .func cudaDeviceSynchronize;\n.entry k { call cudaDeviceSynchronize; }",
        "5:17",
        "launch from the host",
    );
    refuse(".extern .func vprint;\n.entry k { call vprint; }", "5:17", "`vprintf`");
    refuse(".extern .func elsewhere;\n.entry k { call elsewhere; }", "5:17", "the machine provides vprintf");
    refuse(".extern .global .u32 x;\n.entry k { .reg .b64 a; mov.u64 a, x; }", "5:36", "does not define it");
    refuse(".entry l { ret; }\n.entry k { call l; }", "5:17", "`l` is a kernel");
}

#[test]
fn unknown_names_come_with_the_nearest_known_one() {
    refuse(".entry k { .reg .b32 %r<5>; mov.u32 %r1, %r7; }", "4:42", "`%r4`");
    refuse(".entry k { .reg .b32 count; mov.u32 count, cuont; }", "4:44", "`count`");
    refuse(".entry k { bra ther;\nthere: ret; }", "4:16", "`there`");
}

#[test]
fn a_branch_stays_in_its_function_and_out_of_inner_scopes() {
    refuse(".func f { x: ret; }\n.entry k { bra x; }", "5:16", "outside of this function");
    refuse(".entry k { bra x; { x: ret; } }", "4:16", "inside another scope");
    refuse(".func f { y: ret; }\n.entry k { t: .branchtargets y; ret; }", "5:12", "a label of this function");
}

#[test]
fn heads_of_functions_are_checked() {
    refuse(".entry k .maxntid 1, 2, 3, 4 { ret; }", "4:10", "one to three numbers");
    refuse(".entry k .maxntidd 1 { ret; }", "4:10", "nearest known directive is .maxntid");
    refuse(".entry k .maxnreg { ret; }", "4:10", "numbers");
}

#[test]
fn a_file_without_head_is_refused() {
    let shown = errors("").to_string();
    assert!(shown.contains("bad.ptx:1:1: the file has no directive `.version`"), "{shown}");
    let shown = errors(".version 7\n.target sm_70").to_string();
    assert!(shown.contains("bad.ptx:1:10: expected a version such as 7.5, found `7`"), "{shown}");
    let shown = errors(".version 7.0\n.target sm_70 .address_size 48").to_string();
    assert!(shown.contains("expected an address size of 32 or 64, found 48"), "{shown}");
}

#[test]
fn all_errors_of_a_file_are_reported_in_order() {
    let text = format!(
        "{HEAD}.entry k {{\n mov.u32 %r1 1;\n ld [;\n {{ add.s32 @; }}\n ret; }}\n.global .u32;\n.func f {{ x y z; }}"
    );
    let lines: Vec<u32> = errors(&text).0.iter().map(|error| error.place.line).collect();
    assert_eq!(lines, [5, 6, 7, 9, 10]);
    let text = format!("{HEAD}.entry k {{ mov.u32 a, b;\n mov.u32 c, d;\n frobnicate;\n ret; }}");
    let lines: Vec<u32> = errors(&text).0.iter().map(|error| error.place.line).collect();
    assert_eq!(lines, [4, 5, 6]);
}

#[test]
fn a_refused_declaration_does_not_refuse_its_uses() {
    refuse(".entry k { .reg .b33 x; mov.u32 x, 1; .reg .b32 z; mov.u32 z, 1; }", "4:22", ".b33");
}

#[test]
fn a_file_of_noise_gives_some_hundred_errors_and_ends() {
    assert!(errors(&"mov %r1 1;\n".repeat(20_000)).0.len() <= 201);
    assert!(errors(&"\u{1}".repeat(100_000)).0.len() <= 201);
    let text = format!("{HEAD}.entry k {{ {} }}", "mov.u32 a, b;\n".repeat(20_000));
    assert_eq!(errors(&text).0.len(), 201);
}

#[test]
fn nesting_has_a_bound() {
    let deep = |open: &str| format!("{HEAD}.global .u32 x = {}", open.repeat(100_000));
    for open in ["(", "{", "-(", "1?(", "generic(", "0x1(", "a={"] {
        assert!(syntax::parse("deep", &deep(open)).is_err());
    }
    let body = |open: &str| format!("{HEAD}.func f {{ add {}", open.repeat(100_000));
    for open in ["{", "[", "(", "[a, ", "a|", "!", "-", "a+", ";{", "call (", "@!p "] {
        assert!(syntax::parse("deep", &body(open)).is_err());
    }
    assert!(syntax::parse("deep", &format!("{HEAD}{}", ".section .x {".repeat(100_000))).is_err());
}

#[test]
fn tables_that_are_copied_to_very_many_instructions_are_refused() {
    let labels: String = (0..5000).map(|number| format!("l{number}:\n")).collect();
    let names: Vec<String> = (0..5000).map(|number| format!("l{number}")).collect();
    let jumps = "brx.idx %r1, t;\n".repeat(1000);
    let text = format!(
        "{HEAD}.entry k {{ .reg .b32 %r<2>;\n{labels} t: .branchtargets {};\n{jumps} ret; }}",
        names.join(", ")
    );
    assert!(errors(&text).0[0].problem.contains("targets"), "a table of 5,000 in 1,000 jumps");
}
