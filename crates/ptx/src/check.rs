//! All that is wrong in a PTX file, whatever stage finds it.
//!
//! [`crate::load`] stops at the first stage that fails. Here each stage goes on with what the one before it could
//! make: functions with an error of syntax have no body, instructions that do not resolve are left out, and the
//! rest is decoded. The result is never executed when anything was wrong.

use crate::exec::Program;
use crate::ir::Module;
use crate::{Diagnostics, resolve, syntax};

/// Checks PTX text: the module, if it resolves, and all errors in the order of the text, if there are any.
pub fn check(file: &str, text: &str, externals: &[&str]) -> (Option<Module>, Option<Diagnostics>) {
    let partial = syntax::parse_partly(file, text);
    let mut errors = partial.errors;
    // Where a declaration could not be read, every use of it would be an error that is none.
    if !partial.whole {
        return (None, Some(Diagnostics::ordered(errors)));
    }
    let (module, wrong) = resolve::resolve_partly(file, &partial.tree, externals);
    let resolved = errors.is_empty() && wrong.is_empty();
    errors.extend(wrong);
    if errors.len() <= crate::diagnostic::MOST_ERRORS
        && let Err(undecoded) = Program::check(&module)
    {
        errors.extend(undecoded.0);
    }
    let errors = (!errors.is_empty()).then(|| Diagnostics::ordered(errors));
    (resolved.then_some(module), errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(functions: &str) -> Vec<u32> {
        let text = format!(".version 7.5\n.target sm_80\n.address_size 64\n{functions}");
        let (_, errors) = check("x.ptx", &text, &[]);
        errors.map_or(Vec::new(), |errors| errors.0.iter().map(|error| error.place.line).collect())
    }

    #[test]
    fn errors_of_all_stages_are_told_together() {
        let syntax = ".entry a() { .reg .b32 %r<3> add.u32 %r1, %r2, 1; ret; }";
        let names = ".entry b() { .reg .b32 %r<3>; add.u32 %r1, %missing, 1; ret; }";
        let types = ".entry c() { .reg .b32 %r<3>; add.f64 %r1, %r1, %r2; ret; }";
        let right = ".entry d() { ret; }";
        assert_eq!(lines(&[names, syntax, right, types].join("\n")), [4, 5, 7]);
        assert_eq!(lines(right), []);
    }

    #[test]
    fn a_declaration_that_cannot_be_read_makes_no_errors_of_its_uses() {
        let variable = ".global .u32 [4] x;";
        let uses = ".entry b() { .reg .b32 %r<3>; ld.global.u32 %r1, [x]; ret; }";
        assert_eq!(lines(&[variable, uses].join("\n")), [4]);
    }
}
