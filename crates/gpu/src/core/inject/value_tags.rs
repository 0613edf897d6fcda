//! Value tags: whether a register is constant, strided or random from iteration to iteration (\[Lakshminarayana14\] section
//! 3.3.2.1). A core has one set, two bits for each architectural register.
//!
//! | destination | opcode | op-0 is the destination | op-0 | op-1 |
//! |---|---|---|---|---|
//! | random | ld | | | |
//! | const | add/sub/mul/shl | no | const | const |
//! | stride | add/sub/mul/shl | no | stride | const |
//! | stride | add/sub/mul/shl | yes | const or stride | const |
//!
//! That is table 1, which leaves out how other instructions update tags. Here `mov` and `cvt` carry the tag on, `mul.wide`
//! is a `mul`, `mad` a `mul` and an `add`; operands of `add` and `mul` may change places; whatever else writes a
//! register makes it random, guarded instructions included. A register that `mov` and `cvt` have copied from the
//! destination within the iteration counts as the destination, because compilers copy indices.
//!
//! Tags are set to constant at the first of two iterations, and keep their values for the second, when the index of the
//! loop has become strided.

use super::decoded::{AddressOpcode, address_arithmetic, written};
use heddle_ptx::ir::{Instruction, Operand, RegisterId};

/// A tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueTag {
    Constant,
    Stride,
    Random,
}

/// The tags of a core.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueTags {
    tags: Vec<ValueTag>,
    /// By register: the one whose value at the start of the iteration it holds.
    copy_of: Vec<Option<RegisterId>>,
}

impl ValueTags {
    /// The first iteration begins, of a kernel with so many registers.
    pub(super) fn reset(&mut self, registers: usize) {
        self.tags.clear();
        self.tags.resize(registers, ValueTag::Constant);
        self.begin_iteration();
    }

    /// An iteration begins.
    pub(super) fn begin_iteration(&mut self) {
        self.copy_of.clear();
        self.copy_of.extend((0..self.tags.len()).map(|register| Some(RegisterId(register as u32))));
    }

    /// The tag of a register.
    pub(super) fn of(&self, register: RegisterId) -> ValueTag {
        self.tags[register.0 as usize]
    }

    fn of_operand(&self, operand: Operand) -> ValueTag {
        match operand {
            Operand::Register(register) => self.of(register),
            _ => ValueTag::Constant,
        }
    }

    /// The warp that is watched has issued an instruction.
    pub(super) fn update(&mut self, instruction: &Instruction) {
        use AddressOpcode as Opcode;
        let Some((opcode, destination, sources)) = address_arithmetic(instruction) else {
            written(instruction, |register| self.set(register, ValueTag::Random, None));
            return;
        };
        let own = |operand: &Operand| match operand {
            Operand::Register(register) => self.copy_of[register.0 as usize] == Some(destination),
            _ => false,
        };
        let tag = |place: usize| sources.get(place).map_or(ValueTag::Random, |&one| self.of_operand(one));
        let (result, copy_of) = match opcode {
            Opcode::Copy => {
                let copied = match sources.first() {
                    Some(Operand::Register(register)) => self.copy_of[register.0 as usize],
                    _ => None,
                };
                (tag(0), copied)
            }
            Opcode::Add | Opcode::Multiply => {
                let first = sources.first().is_some_and(own);
                let second = sources.get(1).is_some_and(own);
                match second && !first {
                    true => (table_1(second, tag(1), tag(0)), None),
                    false => (either_way(first, tag(0), tag(1)), None),
                }
            }
            Opcode::Subtract | Opcode::ShiftLeft => {
                (table_1(sources.first().is_some_and(own), tag(0), tag(1)), None)
            }
            Opcode::MultiplyAdd => (either_way(false, either_way(false, tag(0), tag(1)), tag(2)), None),
        };
        self.set(destination, result, copy_of);
    }

    fn set(&mut self, register: RegisterId, tag: ValueTag, copy_of: Option<RegisterId>) {
        self.tags[register.0 as usize] = tag;
        self.copy_of[register.0 as usize] = copy_of;
    }
}

/// Table 1: what the destination becomes.
fn table_1(is_update: bool, first: ValueTag, second: ValueTag) -> ValueTag {
    match (is_update, first, second) {
        (false, ValueTag::Constant, ValueTag::Constant) => ValueTag::Constant,
        (false, ValueTag::Stride, ValueTag::Constant) => ValueTag::Stride,
        (true, ValueTag::Constant | ValueTag::Stride, ValueTag::Constant) => ValueTag::Stride,
        _ => ValueTag::Random,
    }
}

/// The same where operands may change places.
fn either_way(is_update: bool, first: ValueTag, second: ValueTag) -> ValueTag {
    match (first, second) {
        (ValueTag::Constant, ValueTag::Stride) if !is_update => table_1(false, second, first),
        _ => table_1(is_update, first, second),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{instructions, register};
    use super::*;

    /// Two iterations of a loop; the tags after each.
    fn tags(body: &str, registers: &[&str]) -> [Vec<ValueTag>; 2] {
        let kernel = instructions(body);
        let mut tags = ValueTags::default();
        tags.reset(kernel.registers.len());
        [0, 1].map(|_| {
            tags.begin_iteration();
            kernel.instructions.iter().for_each(|instruction| tags.update(instruction));
            registers.iter().map(|name| tags.of(register(&kernel, name))).collect()
        })
    }

    use ValueTag::{Constant, Random, Stride};

    /// Figure 7: the index becomes strided at the end of the first iteration, what is computed from it in the second.
    #[test]
    fn an_address_is_known_as_strided_in_the_second_iteration() {
        let body = "mul.wide.u32 %rd5, %r6, 4; add.u64 %rd8, %rd1, %rd5; ld.global.nc.u32 %r7, [%rd8];
                    add.u32 %r6, %r6, 1;";
        let names = ["%rd5", "%rd8", "%r7", "%r6", "%rd1"];
        assert_eq!(
            tags(body, &names),
            [
                vec![Constant, Constant, Random, Stride, Constant],
                vec![Stride, Stride, Random, Stride, Constant]
            ]
        );
    }

    #[test]
    fn table_1_row_by_row() {
        assert_eq!(table_1(false, Constant, Constant), Constant);
        assert_eq!(table_1(false, Stride, Constant), Stride);
        assert_eq!(table_1(true, Constant, Constant), Stride);
        assert_eq!(table_1(true, Stride, Constant), Stride);
        assert_eq!(table_1(true, Constant, Stride), Random);
        assert_eq!(table_1(true, Random, Constant), Random);
        assert_eq!(table_1(false, Stride, Stride), Random);
    }

    #[test]
    fn copies_carry_tags_on_and_an_update_through_them_is_one() {
        let body = "cvt.u64.u32 %rd5, %r6; cvt.u32.u64 %r7, %rd5; mov.u32 %r8, %r7; add.s32 %r6, %r7, 1;";
        assert_eq!(tags(body, &["%r6", "%r8"]), [vec![Stride, Constant], vec![Stride, Stride]]);
        let swapped = "add.s32 %r6, 4, %r6; sub.s32 %r7, %r7, 2;";
        assert_eq!(tags(swapped, &["%r6", "%r7"])[0], [Stride, Stride]);
    }

    #[test]
    fn what_the_table_does_not_list_is_random() {
        for body in [
            "and.b32 %r6, %r6, 7;",
            "xor.b32 %r6, %r7, %r8;",
            "@%p1 add.u32 %r6, %r6, 1;",
            "add.f32 %f6, %f6, %f7; mov.b32 %r6, %f6;",
            "selp.b32 %r6, %r7, %r8, %p1;",
            "atom.global.add.u32 %r6, [%rd1], 1;",
            "ld.global.u32 %r6, [%rd1];",
        ] {
            assert_eq!(tags(body, &["%r6"])[1], [Random], "{body}");
        }
        let wide = "mad.lo.u32 %r7, %r6, 8, %r8; mad.wide.u32 %rd5, %r6, 4, %rd1; add.u32 %r6, %r6, 1;";
        assert_eq!(tags(wide, &["%r7", "%rd5"])[1], [Stride, Stride]);
    }
}
