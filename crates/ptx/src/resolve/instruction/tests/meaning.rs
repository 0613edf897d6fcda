//! What instructions mean, field by field.

use super::scope::TestScope;
use super::{operation, resolve};
use crate::ir::ScalarType::{B32, B64, F16x2, F32, F64, S32, U8, U32};
use crate::ir::{
    Access, Address, AddressBase, AluMode, AluOperation, Atomic, Barrier, BarrierKind, BooleanOperation,
    CacheOperator, Comparison, Eviction, FenceKind, Guard, Operand, Operation, Ordering, RegisterId,
    Rounding, Scope, ShuffleMode, StateSpace, Symbol, VariableId, VoteMode,
};
use heddle_image::atomic::{AtomicOperation, AtomicType};

fn id(name: &str) -> RegisterId {
    TestScope::new().register(name)
}

fn register(name: &str) -> Operand {
    Operand::Register(id(name))
}

fn at(name: &str, offset: i64) -> Address {
    Address { base: AddressBase::Register(id(name)), offset }
}

#[test]
fn arithmetic_keeps_every_mode() {
    let Operation::Alu { operation: what, ty, mode, destination, sources } =
        operation("fma.rz.ftz.sat.f32 f0, f1, 0f40000000, 0d3FF0000000000000;")
    else {
        panic!("not arithmetic")
    };
    assert_eq!((what, ty, destination), (AluOperation::MultiplyAdd, F32, id("f0")));
    let expected = AluMode { rounding: Rounding::Zero, flush: true, saturate: true, ..AluMode::default() };
    assert_eq!(mode, expected);
    let constants = [Operand::Immediate(0x4000_0000), Operand::Immediate(0x3f80_0000)];
    assert_eq!(sources, [register("f1"), constants[0], constants[1]]);
}

#[test]
fn the_carry_is_read_and_written_where_the_words_say_so() {
    for (line, carry_in, carry_out) in [
        ("add.u32 u0, u1, u2;", false, false),
        ("add.cc.u32 u0, u1, u2;", false, true),
        ("addc.u32 u0, u1, u2;", true, false),
        ("subc.cc.u32 u0, u1, u2;", true, true),
        ("mad.lo.cc.u32 u0, u1, u2, u3;", false, true),
        ("madc.hi.u32 u0, u1, u2, u3;", true, false),
    ] {
        let Operation::Alu { mode, .. } = operation(line) else { panic!("{line}") };
        assert_eq!((mode.carry_in, mode.carry_out), (carry_in, carry_out), "{line}");
    }
}

#[test]
fn constants_have_the_bits_of_the_operation() {
    for (line, expected) in [
        ("add.s32 s0, s1, -1;", u64::MAX),
        ("add.u32 u0, u1, 0xffffffff;", u64::MAX),
        ("add.u32 u0, u1, 0x1fffffff0;", 0xffff_ffff_ffff_fff0),
        ("add.u16 uh0, uh1, 65537;", 1),
        ("add.f64 fd0, fd1, 0f3F800000;", 1.0f64.to_bits()),
        ("add.f32 f0, f1, 0d3FF8000000000000;", 0x3fc0_0000),
        ("add.f32 f0, f1, 1.5;", 0x3fc0_0000),
        ("and.b32 r0, r1, 0fBF800000;", 0xbf80_0000),
        ("shl.b64 d0, d1, 40;", 40),
    ] {
        let Operation::Alu { sources, .. } = operation(line) else { panic!("{line}") };
        assert_eq!(sources[1], Operand::Immediate(expected), "{line}");
    }
}

#[test]
fn setp_has_two_destinations_and_a_combination() {
    assert_eq!(
        operation("setp.geu.ftz.and.f32 p0|p1, f0, f1, !p2;"),
        Operation::SetPredicate {
            comparison: Comparison::UnorderedGreaterEqual,
            ty: F32,
            flush: true,
            destination: Some(id("p0")),
            complement: Some(id("p1")),
            sources: [register("f0"), register("f1")],
            combine: Some((BooleanOperation::And, register("p2"), true)),
        }
    );
    let Operation::SetPredicate { comparison, destination, .. } = operation("setp.hs.u32 _|p1, u0, u1;")
    else {
        panic!("not a comparison")
    };
    assert_eq!((comparison, destination), (Comparison::GreaterEqual, None));
}

#[test]
fn conversions_name_source_and_result() {
    let Operation::Alu { operation: what, ty, mode, sources, .. } =
        operation("cvt.rn.relu.f16x2.f32 r0, f1, f2;")
    else {
        panic!("not a conversion")
    };
    assert_eq!((what, ty, mode.relu), (AluOperation::Convert(F16x2), F32, true));
    assert_eq!(sources, [register("f1"), register("f2")]);
    let Operation::Alu { operation: what, ty, mode, .. } = operation("cvt.rpi.sat.u8.f64 r0, fd0;") else {
        panic!("not a conversion")
    };
    assert_eq!((what, ty), (AluOperation::Convert(U8), F64));
    assert_eq!((mode.rounding, mode.saturate), (Rounding::IntegerUp, true));
}

#[test]
fn selp_by_a_negated_predicate_chooses_the_other() {
    let Operation::Alu { sources, .. } = operation("selp.b32 r0, r1, r2, !p0;") else { panic!() };
    assert_eq!(sources, [register("r2"), register("r1"), register("p0")]);
}

#[test]
fn a_load_keeps_all_that_it_says() {
    let expected = Access {
        space: StateSpace::Global,
        ty: U32,
        vector: 2,
        ordering: Ordering::Weak,
        scope: None,
        cache: CacheOperator::Default,
        non_coherent: true,
        eviction: Eviction::NoAllocate,
        prefetch: 128,
    };
    let line = "ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v2.u32 {u0, _}, [d0+-8], d1;";
    let Operation::Load { access, destinations, address } = operation(line) else { panic!("not a load") };
    assert_eq!(access, expected);
    assert_eq!(destinations, [Some(id("u0")), None]);
    assert_eq!(address, at("d0", -8));
    let Operation::Load { access, .. } = operation("ld.acquire.sys.global.f64 fd0, [d0];") else { panic!() };
    assert_eq!((access.ordering, access.scope), (Ordering::Acquire, Some(Scope::System)));
}

#[test]
fn a_store_goes_to_a_variable_or_a_register() {
    let Operation::Store { access, address, sources } =
        operation("st.volatile.shared.v2.b32 [sv+4], {f0, 1};")
    else {
        panic!("not a store")
    };
    assert_eq!((access.space, access.ty, access.ordering), (StateSpace::Shared, B32, Ordering::Volatile));
    let variable = AddressBase::Symbol(Symbol::Variable(VariableId(1)));
    assert_eq!(address, Address { base: variable, offset: 4 });
    assert_eq!(sources, [register("f0"), Operand::Immediate(1)]);
    let Operation::Store { address, .. } = operation("st.param.b32 [res+8], r0;") else { panic!() };
    assert_eq!(address, Address { base: AddressBase::Symbol(Symbol::Result(0)), offset: 8 });
}

#[test]
fn atomics_are_relaxed_and_of_the_gpu_unless_they_say_otherwise() {
    let Operation::Atomic { atomic, destinations, operands, swap, .. } =
        operation("atom.shared.cas.b64 d0, [r0], d1, d2;")
    else {
        panic!("not atomic")
    };
    let expected = Atomic {
        operation: AtomicOperation::CompareAndSwap,
        ty: AtomicType::Unsigned64,
        space: StateSpace::Shared,
        ordering: Ordering::Relaxed,
        scope: Scope::Gpu,
        vector: 1,
    };
    assert_eq!(atomic, expected);
    assert_eq!(
        (destinations, operands, swap),
        (vec![Some(id("d0"))], vec![register("d1")], Some(register("d2")))
    );
    let Operation::Atomic { atomic, destinations, .. } = operation("red.release.sys.min.s32 [d0], s0;")
    else {
        panic!("not atomic")
    };
    assert_eq!((atomic.ordering, atomic.scope), (Ordering::Release, Scope::System));
    assert_eq!((atomic.space, atomic.ty), (StateSpace::Generic, AtomicType::Signed32));
    assert!(destinations.is_empty());
}

#[test]
fn fences_and_barriers() {
    let fence = |kind, scope| Operation::Fence { kind: FenceKind::Ordered(kind), scope };
    assert_eq!(operation("membar.gl;"), fence(Ordering::SequentiallyConsistent, Scope::Gpu));
    assert_eq!(operation("fence.cta;"), fence(Ordering::AcquireRelease, Scope::Block));
    let kind =
        BarrierKind::Reduce { operation: None, destination: id("u0"), source: register("p0"), negated: true };
    let threads = Some(Operand::Immediate(64));
    let expected = Operation::Barrier(Barrier { kind, number: Operand::Immediate(1), threads });
    assert_eq!(operation("barrier.cta.red.popc.aligned.u32 u0, 1, 64, !p0;"), expected);
}

#[test]
fn lanes_together() {
    assert_eq!(
        operation("shfl.sync.bfly.b32 r0|p0, f1, 16, 31, -1;"),
        Operation::Shuffle {
            mode: ShuffleMode::Butterfly,
            destination: Some(id("r0")),
            predicate: Some(id("p0")),
            source: register("f1"),
            lane: Operand::Immediate(16),
            clamp: Operand::Immediate(31),
            members: Some(Operand::Immediate(u64::MAX)),
        }
    );
    let Operation::Vote { mode, members, negated, .. } = operation("vote.ballot.b32 r0, !p0;") else {
        panic!()
    };
    assert_eq!((mode, members, negated), (VoteMode::Ballot, None, true));
}

#[test]
fn parts_go_together_from_the_low_end() {
    assert_eq!(
        operation("mov.b64 d0, {r0, 7};"),
        Operation::Pack {
            ty: B64,
            destination: id("d0"),
            parts: vec![register("r0"), Operand::Immediate(7)]
        }
    );
    assert_eq!(
        operation("mov.b32 {_, h1}, f0;"),
        Operation::Unpack { ty: B32, parts: vec![None, Some(id("h1"))], source: register("f0") }
    );
}

#[test]
fn a_texture_is_read_at_its_first_coordinate() {
    let Operation::Texture { texture, coordinate, ty, .. } =
        operation("tex.1d.v4.s32.s32 {s0, _, _, _}, [tr, {s1, s2, s3, s0}];")
    else {
        panic!("not a texture")
    };
    assert_eq!((texture, coordinate), (Operand::Symbol(Symbol::Variable(VariableId(5)), 0), register("s1")));
    assert_eq!(ty, S32);
}

#[test]
fn the_guard_is_on_every_part() {
    let all = resolve("@!p1 add.s32 s0, s1, %tid.x;").expect("accepted");
    assert_eq!(all.len(), 2);
    let guard = Some(Guard { register: id("p1"), negated: true });
    assert!(all.iter().all(|instruction| instruction.guard == guard));
}
