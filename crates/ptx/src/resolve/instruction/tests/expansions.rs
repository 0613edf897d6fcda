//! Instructions that become several.

use super::scope::TestScope;
use super::{operation, operations};
use crate::ir::ScalarType::{B32, B64, F32, Pred, U16, U32, U64};
use crate::ir::{
    AddressBase, AluOperation, BooleanOperation, Comparison, Operand, Operation, RegisterId, ScalarType,
    Special, StateSpace, Symbol, VariableId,
};

fn register(name: &str) -> Operand {
    Operand::Register(TestScope::new().register(name))
}

/// Operation, type and sources of a pure operation.
fn alu(operation: &Operation) -> (AluOperation, ScalarType, RegisterId, Vec<Operand>) {
    match operation {
        Operation::Alu { operation, ty, destination, sources, .. } => {
            (*operation, *ty, *destination, sources.clone())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_special_register_is_moved_before_anything_but_mov_reads_it() {
    let all = operations("mad.lo.s32 s0, %ctaid.x, %ntid.x, s1;");
    let specials = [Special::BlockIndex(0), Special::BlockSize(0)];
    let mut moved = Vec::new();
    for (operation, special) in all.iter().zip(specials) {
        let (what, ty, destination, sources) = alu(operation);
        assert_eq!((what, ty, sources), (AluOperation::Move, U32, vec![Operand::Special(special)]));
        moved.push(Operand::Register(destination));
    }
    assert_eq!(alu(&all[2]).3, [moved[0], moved[1], register("s1")]);
    let (_, ty, _, sources) = alu(&operation("mov.b64 d0, %clock64;"));
    assert_eq!((ty, sources), (B64, vec![Operand::Special(Special::Clock64)]));
}

#[test]
fn the_first_versions_read_half_of_an_index() {
    let all = operations("mov.u16 uh0, %tid.x;");
    let (what, ty, _, _) = alu(&all[1]);
    assert_eq!((what, ty), (AluOperation::Convert(U16), U32));
    assert_eq!(alu(&operations("mov.u32 u0, %gridid;")[1]).0, AluOperation::Convert(U32));
}

#[test]
fn a_vector_special_register_is_moved_element_by_element() {
    let all = operations("mov.v4.u32 v4u, %ntid;");
    let sources: Vec<Operand> = all[..4].iter().map(|operation| alu(operation).3[0]).collect();
    let mut expected: Vec<Operand> = (0..3).map(|axis| Operand::Special(Special::BlockSize(axis))).collect();
    expected.push(Operand::Immediate(1));
    assert_eq!(sources, expected);
    assert_eq!(all.len(), 8);
}

#[test]
fn exchanged_elements_are_read_before_they_are_written() {
    let all = operations("mov.v2.b32 {r0, r1}, {r1, r0};");
    assert_eq!(alu(&all[0]).3, [register("r1")]);
    assert_eq!(alu(&all[1]).3, [register("r0")]);
    assert_eq!(alu(&all[3]).3, [Operand::Register(alu(&all[1]).2)]);
}

#[test]
fn a_variable_in_a_generic_access_is_made_generic_first() {
    let all = operations("ld.u32 u0, [sv+8];");
    let (what, ty, generic, sources) = alu(&all[0]);
    assert_eq!((what, ty), (AluOperation::ToGeneric(StateSpace::Shared), U64));
    assert_eq!(sources, [Operand::Symbol(Symbol::Variable(VariableId(1)), 8)]);
    let Operation::Load { address, .. } = &all[1] else { panic!("{all:?}") };
    assert_eq!((address.base, address.offset), (AddressBase::Register(generic), 0));
}

#[test]
fn lop3_with_a_predicate_compares_its_result() {
    let all = operations("lop3.and.b32 _|p0, r1, r2, r3, 0xE8, !p1;");
    let (what, _, result, _) = alu(&all[0]);
    assert_eq!(what, AluOperation::Lookup3(0xe8));
    let Operation::SetPredicate { comparison, sources, combine, .. } = all[1] else { panic!("{all:?}") };
    assert_eq!(comparison, Comparison::NotEqual);
    assert_eq!(sources, [Operand::Register(result), Operand::Immediate(0)]);
    assert_eq!(combine, Some((BooleanOperation::And, register("p1"), true)));
}

#[test]
fn packed_arithmetic_is_done_part_by_part() {
    let all = operations("fma.rn.f32x2 d0, d1, d2, d3;");
    assert_eq!(all.len(), 6);
    assert!(all[..3].iter().all(|part| matches!(part, Operation::Unpack { ty: B64, .. })));
    assert!(all[3..5].iter().all(|part| alu(part).0 == AluOperation::MultiplyAdd && alu(part).1 == F32));
    let Operation::Pack { parts, .. } = &all[5] else { panic!("{all:?}") };
    assert_eq!(parts, &[Operand::Register(alu(&all[3]).2), Operand::Register(alu(&all[4]).2)]);
    assert_eq!(operations("min.relu.s16x2 r0, r1, r2;").len(), 5);
}

#[test]
fn packed_comparison_gives_a_predicate_per_half() {
    let all = operations("setp.lt.or.f16x2 p0|p1, r0, r1, p0;");
    assert!(matches!(all[0], Operation::Unpack { ty: B32, .. }));
    let Operation::SetPredicate { destination: high, combine, .. } = all[3] else { panic!("{all:?}") };
    assert_eq!(high, Some(TestScope::new().register("p1")));
    assert_eq!(combine, Some((BooleanOperation::Or, register("p0"), false)));
    let (what, ty, low, _) = alu(&all[4]);
    assert_eq!((what, ty, low), (AluOperation::Move, Pred, TestScope::new().register("p0")));
}

#[test]
fn three_sources_of_max_are_taken_two_by_two() {
    let all = operations("max.NaN.f32 f0, f1, f2, f3;");
    assert_eq!(alu(&all[1]).3, [Operand::Register(alu(&all[0]).2), register("f3")]);
}

#[test]
fn a_negated_predicate_is_inverted_first() {
    let all = operations("and.pred p0, !p1, p2;");
    assert_eq!(alu(&all[0]).0, AluOperation::Not);
    assert_eq!(alu(&all[1]).3, [Operand::Register(alu(&all[0]).2), register("p2")]);
}

#[test]
fn cooperative_kernels_find_their_workspace() {
    let low = operations("mov.u32 u0, %envreg2;");
    assert_eq!(alu(&low[0]).3, [Operand::Symbol(Symbol::Variable(VariableId(99)), 0)]);
    assert_eq!(alu(&low[1]).0, AluOperation::Convert(U32));
    let high = operations("mov.u32 u0, %envreg1;");
    assert_eq!(alu(&high[1]).0, AluOperation::ShiftRight);
    assert_eq!(alu(&operation("mov.u32 u0, %envreg7;")).3, [Operand::Immediate(0)]);
}

#[test]
fn a_copy_is_ignored_by_choosing_its_size() {
    let all = operations("cp.async.ca.shared.global [r0], [d0], 8, !p0;");
    let (what, _, size, sources) = alu(&all[0]);
    assert_eq!(what, AluOperation::Select);
    assert_eq!(sources, [Operand::Immediate(8), Operand::Immediate(0), register("p0")]);
    let Operation::CopyAsync { bytes, source_bytes, .. } = all[1] else { panic!("{all:?}") };
    assert_eq!((bytes, source_bytes), (8, Some(Operand::Register(size))));
}
