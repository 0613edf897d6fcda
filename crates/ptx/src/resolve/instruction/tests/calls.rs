//! Calls of every kind.

use super::scope::TestScope;
use super::{accepts, operation, refuses};
use crate::ir::{Call, CallTarget, ExternalId, FunctionId, Label, Operand, Operation, Symbol};

#[test]
fn a_call_passes_parameters_registers_and_constants() {
    let Operation::Call(call) = operation("call.uni (cp4), vprintf, (cp8, cp8);") else { panic!() };
    let parameter = |number| Operand::Symbol(Symbol::CallParameter(number), 0);
    let expected = Call {
        target: CallTarget::External(ExternalId(0)),
        results: vec![parameter(0)],
        arguments: vec![parameter(1), parameter(1)],
        uniform: true,
    };
    assert_eq!(call, expected);
    let Operation::Call(call) = operation("call (r0), freg, (-2);") else { panic!() };
    assert_eq!(call.arguments, [Operand::Immediate(-2i64 as u64)]);
    assert_eq!(call.target, CallTarget::Function(FunctionId(2)));
}

#[test]
fn an_indirect_call_reaches_what_fits_its_prototype() {
    let target = TestScope::new().register("d0");
    let Operation::Call(call) = operation("call (cp4), d0, (cp4), prototype;") else { panic!() };
    assert_eq!(call.target, CallTarget::Indirect(target, vec![FunctionId(1)]));
    let Operation::Call(call) = operation("call (cp4), d0, (cp4), targets;") else { panic!() };
    assert_eq!(call.target, CallTarget::Indirect(target, vec![FunctionId(1), FunctionId(2)]));
}

#[test]
fn calls_that_do_not_fit_are_refused() {
    accepts(&["call fnone;", "call fnone, ();", "call (f0), freg, (f1);", "call (_), freg, (1);"]);
    refuses(&[
        ("call fnone, (r0);", "the function has 0 arguments, the call has 1"),
        ("call (d0), freg, (r0);", "this result has 8 bytes, the function expects 4"),
        ("call (cp4), fpar, (cp8);", "this argument has 8 bytes, the function expects 4"),
        ("call (1), freg, (r0);", "result 1 is a constant"),
        ("call (cp4), d0, (cp4);", "an indirect call names its targets"),
        ("call (cp4), f0, (cp4), prototype;", "a register of type .f32 cannot hold a function's address"),
        ("call (cp4), d0, (cp4), LEND;", "`LEND` is neither"),
        ("call (cp4), fpar, (kp);", "`kp` cannot be passed"),
        ("call gv;", "`gv` is not a function"),
        ("call (cp4), fpar, (cp4), prototype;", "nothing after them"),
    ]);
}

#[test]
fn branches_go_to_labels() {
    assert_eq!(operation("bra.uni LEND;"), Operation::Branch { target: Label(7), uniform: true });
    let Operation::BranchIndexed { targets, .. } = operation("brx.idx r0, table;") else { panic!() };
    assert_eq!(targets, [Label(1), Label(7)]);
    refuses(&[("bra gv;", "`gv` is not a label"), ("brx.idx r0, LEND;", "is not a .branchtargets list")]);
}
