//! Load-id tags: which load a register's value comes from (\[Lakshminarayana14\] section 3.3.2.1). A core has one set, two
//! bits for each architectural register: none, or one of three loads.
//!
//! A register that a load writes is tagged with the load's number, and instructions that addresses are computed with carry
//! the tag on. A load whose address has a tag depends on the load of that tag. Numbers are given to loads with strided
//! addresses alone, the only ones that a tail can depend on; where values of two loads meet, the result has no tag.

use super::decoded::{address_arithmetic, written};
use heddle_ptx::ir::{Instruction, Operand, RegisterId};

/// Loads that two bits tell apart, besides none.
const NUMBERS: usize = 3;

/// The tags of a core.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadIdTags {
    /// By register: the number of a load from 1, or 0.
    tags: Vec<u8>,
    /// By number: the load.
    loads: Vec<usize>,
}

impl LoadIdTags {
    /// An iteration begins, of a kernel with so many registers.
    pub(super) fn reset(&mut self, registers: usize) {
        self.tags.clear();
        self.tags.resize(registers, 0);
        self.loads.clear();
    }

    /// The load that a register's value comes from.
    pub(super) fn of(&self, register: RegisterId) -> Option<usize> {
        let number = usize::from(self.tags[register.0 as usize]);
        number.checked_sub(1).map(|place| self.loads[place])
    }

    /// A load whose address is strided was issued.
    pub(super) fn strided_load(&mut self, place: usize, instruction: &Instruction) {
        let known = self.loads.iter().position(|&load| load == place);
        let number = known.or_else(|| {
            (self.loads.len() < NUMBERS).then(|| {
                self.loads.push(place);
                self.loads.len() - 1
            })
        });
        let tag = number.map_or(0, |number| number as u8 + 1);
        written(instruction, |register| self.tags[register.0 as usize] = tag);
    }

    /// Any other instruction was issued.
    pub(super) fn update(&mut self, instruction: &Instruction) {
        let mut tag = 0;
        if let Some((_, _, sources)) = address_arithmetic(instruction) {
            let tagged = sources.iter().filter_map(|source| match source {
                Operand::Register(register) => Some(self.tags[register.0 as usize]).filter(|&tag| tag > 0),
                _ => None,
            });
            let mut tagged: Vec<u8> = tagged.collect();
            tagged.dedup();
            tag = if let [one] = tagged[..] { one } else { 0 };
        }
        written(instruction, |register| self.tags[register.0 as usize] = tag);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{instructions, register};
    use super::*;

    fn tags(body: &str, strided: &[usize]) -> (LoadIdTags, heddle_ptx::ir::Function) {
        let kernel = instructions(body);
        let mut tags = LoadIdTags::default();
        tags.reset(kernel.registers.len());
        for (place, instruction) in kernel.instructions.iter().enumerate() {
            match strided.contains(&place) {
                true => tags.strided_load(place, instruction),
                false => tags.update(instruction),
            }
        }
        (tags, kernel)
    }

    /// Figure 7: the tail's address comes from the head.
    #[test]
    fn an_address_that_is_computed_from_a_load_has_its_tag() {
        let body = "ld.global.nc.u32 %r7, [%rd4]; cvt.u64.u32 %rd5, %r7; add.s64 %rd6, %rd1, %rd5;";
        let (tags, kernel) = tags(body, &[0]);
        assert_eq!(tags.of(register(&kernel, "%rd6")), Some(0));
        assert_eq!(tags.of(register(&kernel, "%rd1")), None);
    }

    #[test]
    fn values_of_two_loads_other_opcodes_and_loads_from_loads_have_none() {
        let body = "ld.global.nc.u32 %r7, [%rd4]; ld.global.nc.u32 %r8, [%rd5]; add.u32 %r9, %r7, %r8;
                    and.b32 %r10, %r7, 3; ld.global.nc.u32 %r11, [%rd6]; add.u32 %r12, %r7, %r7;";
        let (tags, kernel) = tags(body, &[0, 1]);
        let of = |name| tags.of(register(&kernel, name));
        assert_eq!((of("%r9"), of("%r10"), of("%r11")), (None, None, None));
        assert_eq!((of("%r7"), of("%r8"), of("%r12")), (Some(0), Some(1), Some(0)));
    }

    #[test]
    fn two_bits_tell_three_loads_apart() {
        let loads: String = (1..5).map(|n| format!("ld.global.nc.u32 %r{n}, [%rd{n}];\n")).collect();
        let (tags, kernel) = tags(&loads, &[0, 1, 2, 3]);
        let of = |name| tags.of(register(&kernel, name));
        assert_eq!((of("%r1"), of("%r3"), of("%r4")), (Some(0), Some(2), None));
    }
}
