//! Forming accesses and performing them.

use super::pending::{PendingAccess, Touched, targets};
use super::remapped::Remapped;
use super::{Execution, ResidentBlock};
use crate::exec::access::{Action, Fault, Local, Space, form, resolve, write_value};
use crate::exec::lanes::{LANES, Lanes, Mask, lanes_of};
use crate::exec::place::fault_error;
use crate::exec::warp::{FaultAt, Frame};
use crate::exec::{AccessCode, LaunchError};
use heddle_image::Image;

impl Execution<'_> {
    /// Forms an access: addresses, and the values that it brings along. Memories that only their own thread
    /// sees, and constants, are performed at once.
    pub(super) fn form(
        &mut self,
        resident: &mut ResidentBlock,
        warp: usize,
        frame: Frame,
        number: u32,
        active: Mask,
        pending: &mut PendingAccess,
    ) -> Result<(), Box<Fault>> {
        let engine = &mut self.engine;
        let code = &engine.code.accesses[number as usize];
        let remapped = &self.remapped[number as usize];
        pending.frame = frame;
        (pending.access.access, pending.access.mask) = (number, active);
        pending.destinations = code.data;
        let lanes = resident.block.warps[warp].lanes(frame, &engine.code.constants);
        form(&code.address, &lanes, u64::from(frame.local), active, &mut pending.access.addresses);
        if !remapped.kept.is_empty() {
            keep(&lanes, remapped, pending);
        }
        pending.touched = touched(code, pending, active, &mut engine.generic_counts[number as usize]);
        if engine.image.has_retired() {
            refuse_freed(engine.image, code, pending)?;
        }
        if matches!(code.action, Action::Copy { .. } | Action::Texture { .. }) {
            return self.form_rarely(resident, warp, pending);
        }
        let Touched { local, constant, .. } = pending.touched;
        let at_once = local | constant;
        if at_once != 0 {
            self.perform(resident, warp, pending, at_once)?;
        }
        Ok(())
    }

    /// What else copies and fetches from textures need to know beforehand: targets, and where elements lie.
    #[cold]
    fn form_rarely(
        &mut self,
        resident: &mut ResidentBlock,
        warp: usize,
        pending: &mut PendingAccess,
    ) -> Result<(), Box<Fault>> {
        let (number, frame, mask) = (pending.access.access as usize, pending.frame, pending.access.mask);
        let constants = &self.engine.code.constants;
        let code = &self.engine.code.accesses[number];
        let block = &mut resident.block;
        let mut lanes = block.warps[warp].lanes(frame, constants);
        pending.make_room(self.remapped[number].rows);
        if let Action::Copy { .. } = code.action
            && let Some(mut targets) = targets(&mut pending.wide)
        {
            let reads = targets.form(code, mask, &lanes);
            // Lanes that read nothing write zeros to shared memory, and have to do with that alone.
            for lane in lanes_of(mask & !reads) {
                pending.access.addresses[lane] = targets.addresses[lane];
            }
            (pending.touched.global, pending.touched.shared) = (reads, mask & !reads);
            return Ok(());
        }
        let mut local = Local::default();
        let (memory, ..) = self.engine.memory(&mut block.shared, &mut local, 0);
        pending.touched.texture = memory.locate_texels(code, &mut pending.access, &mut lanes)?;
        Ok(())
    }

    /// Performs an access for some of its lanes, in the order of their numbers: values are taken from memory,
    /// or given to it, now.
    pub fn service(
        &mut self,
        resident: &mut ResidentBlock,
        warp: usize,
        pending: &mut PendingAccess,
        mask: Mask,
    ) -> Result<(), LaunchError> {
        let result = self.perform(resident, warp, pending, mask);
        let located = |fault| FaultAt { pc: pending.pc, fault };
        result.map_err(|fault| fault_error(&self.engine, &resident.block, warp, located(fault)))
    }

    /// One copy for all who call it: it is long, and what misses most while a machine is simulated is the
    /// processor's instruction cache.
    #[inline(never)]
    fn perform(
        &mut self,
        resident: &mut ResidentBlock,
        warp: usize,
        pending: &mut PendingAccess,
        mask: Mask,
    ) -> Result<(), Box<Fault>> {
        let number = pending.access.access;
        let constants = &self.engine.code.constants;
        let code = &self.engine.code.accesses[number as usize];
        let block = &mut resident.block;
        let warp = &mut block.warps[warp];
        // Most accesses touch no local memory, and need not move it.
        let own = pending.touched.local & mask != 0 || pending.touched.constant & mask != 0;
        let mut local = if own { std::mem::take(&mut warp.local) } else { Local::default() };
        let (mut memory, ..) =
            self.engine.memory(&mut block.shared, &mut local, u64::from(pending.frame.local_end));
        let result = match code.action {
            Action::Load { .. } => {
                let mut lanes = warp.lanes(pending.frame, constants);
                let to = &pending.destinations;
                memory.parts((code, to), &pending.access, pending.touched, mask, &mut lanes)
            }
            Action::Copy { .. } => {
                let PendingAccess { access, wide, .. } = pending;
                targets(wide).map_or(Ok(()), |targets| memory.copy_to(code, access, mask, &targets))
            }
            Action::Store | Action::Atomic { .. } | Action::Texture { .. } => {
                let remapped = &self.remapped[number as usize];
                let PendingAccess { access, narrow, wide, touched, .. } = pending;
                let mut lanes =
                    Lanes { narrow, wide, predicates: &mut [], constants, context: &warp.context };
                let result =
                    memory.parts((&remapped.code, &remapped.code.data), access, *touched, mask, &mut lanes);
                give(warp, remapped, pending, mask, constants);
                result
            }
        };
        if own {
            warp.local = local;
        }
        result
    }
}

/// What was freed is there only for accesses that began before.
#[cold]
fn refuse_freed(image: &Image, code: &AccessCode, pending: &PendingAccess) -> Result<(), Box<Fault>> {
    for lane in lanes_of(pending.touched.global) {
        let refused = image.refuse_retired(pending.access.addresses[lane], code.bytes());
        refused.map_err(|error| Fault::access(lane as u32, error))?;
    }
    Ok(())
}

/// Keeps the values of registers that an access brings along.
#[inline(always)]
fn keep(lanes: &Lanes<'_>, remapped: &Remapped, pending: &mut PendingAccess) {
    pending.make_room(remapped.rows);
    for &(data, row) in &remapped.kept {
        let row = row.0 as usize;
        if data.bytes == 8 {
            pending.wide[row * LANES..(row + 1) * LANES].copy_from_slice(lanes.u64(data.row));
        } else {
            let words: &[u64] = bytemuck::cast_slice(lanes.u32(data.row).as_slice());
            pending.narrow[row * LANES / 2..(row + 1) * LANES / 2].copy_from_slice(words);
        }
    }
}

/// Old values of an atomic operation, and elements of textures, go to their registers.
fn give(
    warp: &mut crate::exec::warp::Warp,
    remapped: &Remapped,
    pending: &PendingAccess,
    mask: Mask,
    constants: &[u64],
) {
    for &(data, row) in &remapped.old {
        let row = row.0 as usize;
        let words: &[u32] = bytemuck::cast_slice(&pending.narrow);
        let values = std::array::from_fn(|lane| match data.bytes {
            8 => pending.wide[row * LANES + lane],
            _ => u64::from(words[row * LANES + lane]),
        });
        write_value(&mut warp.lanes(pending.frame, constants), data, mask, &values);
    }
}

/// Which lanes mean which memory; generic addresses become those of the memory that they mean.
fn touched(
    code: &AccessCode,
    pending: &mut PendingAccess,
    active: Mask,
    generic_counts: &mut [[u64; 2]; 3],
) -> Touched {
    let mut touched = Touched::default();
    if matches!(code.action, Action::Texture { .. }) {
        touched.texture = active;
        return touched;
    }
    match code.space {
        Space::Global => touched.global = active,
        Space::Shared => touched.shared = active,
        Space::Local => touched.local = active,
        Space::Constant | Space::Parameter => touched.constant = active,
        Space::Generic => {
            let parts = resolve(&mut pending.access.addresses, active);
            for (number, (_, mask)) in parts.iter().enumerate().filter(|(_, (_, mask))| *mask != 0) {
                if let Some([warps, threads]) = generic_counts.get_mut(number) {
                    *warps += 1;
                    *threads += u64::from(mask.count_ones());
                }
            }
            [touched.global, touched.shared, touched.local, touched.constant] = parts.map(|(_, mask)| mask);
        }
    }
    touched
}
