//! Every family against an oracle of its own: the host's scalar arithmetic, wide integers, or `rustc_apfloat`.

mod address;
mod bits;
mod compare;
mod convert;
mod floats;
mod integer;
mod masks;
mod moves;
mod refusals;
mod rounding;

use super::super::lanes::{FIXED_PREDICATES, LANES, Lanes, Mask, ThreadContext};
use super::super::{Kind, MicroOp, Row};
use super::{Operands, Pure, decode};
use crate::ir::{AluMode, AluOperation, Operand, Operation, RegisterId, Rounding, ScalarType, Symbol};

/// Registers of one warp, and the machinery to run an operation on them.
#[derive(Default)]
struct Warp {
    types: Vec<ScalarType>,
    rows: Vec<u32>,
    narrow: Vec<u64>,
    wide: Vec<u64>,
    predicates: Vec<Mask>,
    constants: Vec<u64>,
    context: ThreadContext,
}

impl Operands for Warp {
    fn row(&mut self, register: RegisterId) -> Row {
        Row(self.rows[register.0 as usize])
    }
    fn predicate(&mut self, register: RegisterId) -> u32 {
        self.rows[register.0 as usize]
    }
    fn ty(&self, register: RegisterId) -> ScalarType {
        self.types[register.0 as usize]
    }
    fn constant(&mut self, bits: u64, bytes: u32) -> Row {
        let index = self.constants.len() as u32 / 16;
        if bytes == 8 {
            self.constants.extend([bits; 32]);
        } else {
            assert_eq!(bits >> (8 * bytes), 0, "a narrow constant has no upper bits");
            self.constants.extend([bits << 32 | bits; 16]);
        }
        Row::of_constant(index)
    }
    fn address(&mut self, _: Symbol, addend: i64) -> u64 {
        0x5000 + addend as u64
    }
}

impl Warp {
    fn new() -> Warp {
        let mut predicates = vec![0; FIXED_PREDICATES as usize];
        predicates[super::super::lanes::TRUE as usize] = Mask::MAX;
        Warp { predicates, ..Warp::default() }
    }

    /// A register with these values; a predicate's lanes are true where the value is not zero.
    fn register(&mut self, ty: ScalarType, values: [u64; LANES]) -> RegisterId {
        let id = RegisterId(self.types.len() as u32);
        self.types.push(ty);
        if ty == ScalarType::Pred {
            self.rows.push(self.predicates.len() as u32);
            self.predicates.push(mask_of(&values));
        } else if ty.bytes() == 8 {
            self.rows.push(self.wide.len() as u32 / 32);
            self.wide.extend(values);
        } else {
            self.rows.push(self.narrow.len() as u32 / 16);
            self.narrow.extend(values.chunks(2).map(|pair| pair[1] << 32 | pair[0]));
        }
        id
    }

    fn values(&self, register: RegisterId) -> [u64; LANES] {
        let row = self.rows[register.0 as usize] as usize;
        let ty = self.types[register.0 as usize];
        std::array::from_fn(|lane| match ty {
            ScalarType::Pred => u64::from(self.predicates[row] >> lane & 1),
            _ if ty.bytes() == 8 => self.wide[row * 32 + lane],
            _ => self.narrow[row * 16 + lane / 2] >> (32 * (lane % 2)) & 0xffff_ffff,
        })
    }

    fn execute(&mut self, operation: &Operation, mask: Mask) -> Result<(), String> {
        let Pure { handler, destination, sources, extra } =
            decode(operation, self)?.expect("a pure operation");
        let kind = Kind::Alu(handler);
        let op = MicroOp { kind, guard: 1, guard_negated: false, destination, sources, extra };
        let mut lanes = Lanes {
            narrow: &mut self.narrow,
            wide: &mut self.wide,
            predicates: &mut self.predicates,
            constants: &self.constants,
            context: &self.context,
        };
        handler(&mut lanes, &op, mask);
        Ok(())
    }
}

fn mask_of(values: &[u64; LANES]) -> Mask {
    (0..LANES).filter(|&lane| values[lane] != 0).map(|lane| 1 << lane).sum()
}

/// What an operation gives for sources of these types and values, in every lane.
fn try_run(
    operation: AluOperation,
    ty: ScalarType,
    mode: AluMode,
    result: ScalarType,
    sources: &[(ScalarType, [u64; LANES])],
) -> Result<[u64; LANES], String> {
    let mut warp = Warp::new();
    let sources = sources.iter().map(|&(ty, values)| Operand::Register(warp.register(ty, values))).collect();
    let destination = warp.register(result, [0x55; LANES]);
    warp.execute(&Operation::Alu { operation, ty, mode, destination, sources }, Mask::MAX)?;
    Ok(warp.values(destination))
}

fn run(
    operation: AluOperation,
    ty: ScalarType,
    mode: AluMode,
    result: ScalarType,
    sources: &[(ScalarType, [u64; LANES])],
) -> [u64; LANES] {
    try_run(operation, ty, mode, result, sources).unwrap_or_else(|problem| panic!("{problem}"))
}

/// As [`run`], for one lane's values.
fn run_one(
    operation: AluOperation,
    ty: ScalarType,
    mode: AluMode,
    result: ScalarType,
    sources: &[(ScalarType, u64)],
) -> u64 {
    let sources: Vec<_> = sources.iter().map(|&(ty, value)| (ty, [value; LANES])).collect();
    run(operation, ty, mode, result, &sources)[7]
}

fn rounded(rounding: Rounding) -> AluMode {
    AluMode { rounding, ..AluMode::default() }
}

/// A sequence of numbers that is the same in every run.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

/// Values of a type that are likely to go wrong, and some others.
fn samples(ty: ScalarType) -> Vec<u64> {
    let bits = ty.bytes() * 8;
    let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let mut values = vec![0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 100];
    values.extend([u64::MAX, u64::MAX - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1, (1 << (bits - 1)) + 1]);
    values.extend([1 << (bits / 2), (1 << (bits / 2)) - 1]);
    match ty {
        ScalarType::F32 => {
            let special =
                [0.0, 1.0, 0.5, 1.5, 2.5, 0.1, 3.0e9, 1e-40, 1e-45, f32::MIN_POSITIVE, f32::MAX, 1e30];
            let special = special.into_iter().chain([f32::INFINITY, f32::NAN, 16_777_217.0, 0.999_999_94]);
            values.extend(special.flat_map(|x| [x, -x]).map(|x| u64::from(x.to_bits())));
            values.push(0x7f80_0001);
        }
        ScalarType::F64 => {
            let special =
                [0.0, 1.0, 0.5, 1.5, 2.5, 0.1, 3.0e19, 1e-310, 5e-324, f64::MIN_POSITIVE, f64::MAX, 1e30];
            let special =
                special.into_iter().chain([f64::INFINITY, f64::NAN, 4_294_967_295.5, 1e-30, 3.4e38, 1e-46]);
            values.extend(special.flat_map(|x| [x, -x]).map(f64::to_bits));
            values.push(0x7ff0_0000_0000_0001);
        }
        ScalarType::F16 => {
            values.extend([0x3c00, 0x3e00, 0x7bff, 0x7c00, 0xfc00, 0x7e01, 0x0400, 0x03ff, 0x8001])
        }
        ScalarType::BF16 => {
            values.extend([0x3f80, 0x3fc0, 0x7f7f, 0x7f80, 0xff80, 0x7fc1, 0x0080, 0x007f, 0x8001])
        }
        _ => {}
    }
    let mut sequence = Sequence(u64::from(bits));
    values.extend((0..12).map(|_| sequence.next()));
    values.iter().map(|value| value & mask).collect()
}

/// Compares an operation with its definition over all tuples of samples of its sources' types; `same` decides
/// whether two results agree.
fn check_all(
    operation: AluOperation,
    ty: ScalarType,
    mode: AluMode,
    result: ScalarType,
    sources: &[ScalarType],
    expected: impl Fn(&[u64]) -> u64,
) {
    let samples: Vec<Vec<u64>> = sources.iter().map(|&ty| samples(ty)).collect();
    let total: usize = samples.iter().map(Vec::len).product();
    // Large products are sampled by a stride that shares no factor with the lengths.
    let stride = if total > 20_000 { 127 } else { 1 };
    let tuple = |mut index: usize| -> Vec<u64> {
        samples
            .iter()
            .map(|values| {
                let value = values[index % values.len()];
                index /= values.len();
                value
            })
            .collect()
    };
    let tuples: Vec<Vec<u64>> = (0..total).step_by(stride).map(tuple).collect();
    for chunk in tuples.chunks(LANES) {
        let columns: Vec<(ScalarType, [u64; LANES])> = sources
            .iter()
            .enumerate()
            .map(|(source, &ty)| (ty, std::array::from_fn(|lane| chunk[lane % chunk.len()][source])))
            .collect();
        let got = run(operation, ty, mode, result, &columns);
        for (lane, values) in chunk.iter().enumerate() {
            let expected = expected(values);
            assert_eq!(
                got[lane],
                expected,
                "{operation:?}.{} {mode:?} of {values:x?}: {:x} rather than {expected:x}",
                ty.name(),
                got[lane]
            );
        }
    }
}
