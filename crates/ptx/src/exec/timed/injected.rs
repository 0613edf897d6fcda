//! What a mechanism executes beside the program: injected instructions, loads that have become moves, operands that
//! are observed.

use super::lower::InjectedOperation;
use super::{Execution, PendingAccess, ResidentBlock, Step, Touched};
use crate::exec::access::{Data, form, read_value, write_value};
use crate::exec::lanes::{LANES, Lanes, Mask, lanes_of};
use crate::exec::warp::{Entry, Frame};
use crate::exec::{Kind, LaunchError};
use crate::ir::{Instruction, ScalarType};
use heddle_image::Image;

/// The operands of a comparison, by lane.
pub type Compared = [[u64; LANES]; 2];

impl Execution<'_> {
    /// Gives every warp so many spare rows of both files, from its start on.
    pub fn reserve_spare(&mut self, rows: u32) {
        self.injected.rows = rows;
        self.shape.spare_rows = rows;
    }

    /// Gets instructions ready that a mechanism may inject, over the kernel's registers and spare ones, of which these
    /// types are taken in addition. Each comes with the instruction of the kernel that it stands in for.
    pub fn allow_injected(
        &mut self,
        registers: &[ScalarType],
        instructions: &[(Instruction, u32)],
    ) -> Result<(), LaunchError> {
        let kernel = self.kernel().1;
        let added = self.injected.add(kernel, self.engine.code, registers, instructions);
        added.map_err(|problem| LaunchError::Refused { kernel: kernel.name.clone(), problem })
    }

    /// The lanes that execute together with a warp's next instruction and have their own next instruction in a range:
    /// those that are in a loop, wherever in its iteration they wait.
    pub fn lanes_within(&self, resident: &ResidentBlock, warp: usize, range: (u32, u32)) -> Mask {
        let warp = &resident.block.warps[warp];
        let Some(index) = warp.runnable() else { return 0 };
        let inside = |entry: &&Entry| (range.0..=range.1).contains(&entry.pc);
        warp.groups[index].stack.iter().filter(inside).fold(0, |lanes, entry| lanes | entry.mask)
    }

    /// Executes an injected instruction for some lanes. A load is formed; its lanes whose address is no memory are left
    /// out, since it is made before the program has asked for it. Gives the lanes that took part.
    pub fn inject(
        &mut self,
        resident: &mut ResidentBlock,
        warp: usize,
        number: usize,
        lanes: Mask,
        pending: &mut PendingAccess,
    ) -> Mask {
        let frame = whole_file(resident, warp);
        let mut view = resident.block.warps[warp].lanes(frame, &self.injected.constants);
        match self.injected.operations[number] {
            InjectedOperation::Nothing => {}
            InjectedOperation::Alu(operation) => {
                if let Kind::Alu(handler) = operation.kind {
                    handler(&mut view, &operation, lanes);
                }
            }
            InjectedOperation::Load { pc, access, address, destinations } => {
                form(&address, &view, 0, lanes, &mut pending.access.addresses);
                let bytes = self.engine.code.accesses[access as usize].bytes();
                let formed = in_memory(self.engine.image, &pending.access.addresses, bytes, lanes);
                (pending.access.access, pending.access.mask) = (access, formed);
                (pending.pc, pending.frame, pending.destinations) = (pc, frame, destinations);
                pending.touched = Touched { global: formed, ..Touched::default() };
                return formed;
            }
        }
        lanes
    }

    /// Executes the next instruction of a warp, a load, as a move from spare registers: for how many lanes, and what it
    /// was.
    ///
    /// The value that was prefetched is the one that the program goes on with, so that its address must be the one
    /// that the program asks for.
    pub fn convert(
        &mut self,
        resident: &mut ResidentBlock,
        warp: usize,
        spare: u32,
        prefetched: &[u64; LANES],
    ) -> (Step, Mask) {
        let number = warp;
        let warp = &mut resident.block.warps[number];
        let Some(index) = warp.runnable() else { return (Step::Next, 0) };
        let Some(&Entry { pc, mask, depth, .. }) = warp.groups[index].stack.last() else {
            return (Step::Next, 0);
        };
        warp.executed += 1;
        self.engine.executed += 1;
        let count = &mut self.engine.counts[pc as usize];
        count.warps += 1;
        count.lanes += u64::from(mask.count_ones());
        let Kind::Access(access) = self.engine.code.operations[pc as usize].kind else {
            unreachable!("only loads become moves")
        };
        let code = &self.engine.code.accesses[access as usize];
        let frame = warp.groups[index].frames[depth as usize];
        let mut addresses = [0; LANES];
        form(&code.address, &warp.lanes(frame, &self.engine.code.constants), 0, mask, &mut addresses);
        for lane in lanes_of(mask) {
            assert_eq!(
                addresses[lane],
                prefetched[lane],
                "lane {lane} of {} was prefetched from elsewhere",
                super::describe(&self.engine, pc)
            );
        }
        let from = self.injected.data(spare);
        let values = {
            let view = warp.lanes(Frame::default(), &[]);
            std::array::from_fn(|lane| read_value(&view, from, lane))
        };
        let mut view = warp.lanes(frame, &self.engine.code.constants);
        write_value(&mut view, code.data[0], mask, &values);
        let jumped = self.go_on(resident, number, index);
        (if jumped { Step::Jumped } else { Step::Next }, mask)
    }

    /// The operands of a comparison of the kernel, as its registers are now.
    pub fn compared(&self, resident: &mut ResidentBlock, warp: usize, pc: u32, ty: ScalarType) -> Compared {
        let operation = &self.engine.code.operations[pc as usize];
        let spare = self.injected.rows;
        let frame = Frame { narrow: spare, wide: spare, ..Frame::default() };
        let view = resident.block.warps[warp].lanes(frame, &self.engine.code.constants);
        [operation.sources[0], operation.sources[1]].map(|row| match ty.bytes() {
            8 => *view.u64(row),
            _ => view.u32(row).map(u64::from),
        })
    }

    /// Flips the lowest bit of a spare register in some lanes, to see whether what it holds matters.
    pub fn flip_spare(&self, resident: &mut ResidentBlock, warp: usize, register: u32, lanes: Mask) {
        let data: Data = self.injected.data(register);
        let mut view: Lanes<'_> = resident.block.warps[warp].lanes(Frame::default(), &[]);
        let flipped = std::array::from_fn(|lane| read_value(&view, data, lane) ^ 1);
        write_value(&mut view, data, lanes, &flipped);
    }
}

/// A frame that sees the spare rows and, behind them, the kernel's.
fn whole_file(resident: &ResidentBlock, warp: usize) -> Frame {
    let local_end = resident.block.warps[warp].groups.first().map_or(0, |group| group.frames[0].local_end);
    Frame { local_end, ..Frame::default() }
}

/// The lanes whose bytes lie in one allocation, aligned.
fn in_memory(image: &Image, addresses: &[u64; LANES], bytes: u64, lanes: Mask) -> Mask {
    let mut last = 0..0;
    let mut inside = 0;
    for lane in lanes_of(lanes) {
        let address = addresses[lane];
        if !last.contains(&address) {
            let Some(id) = image.region_at(address) else { continue };
            let region = image.region(id);
            if region.is_freed() {
                continue;
            }
            last = region.start()..region.start() + region.length();
        }
        let fits = last.end - address >= bytes && address.is_multiple_of(bytes);
        inside |= Mask::from(fits) << lane;
    }
    inside
}
