//! `cp.async`: from global to shared memory.
//!
//! Where to and how much is known when a copy is formed; the bytes move when it is performed.

use super::service::check;
use super::{AccessCode, Action, Fault, Memory, WarpAccess, bytes::lanes_of, form, read_value};
use crate::exec::lanes::{LANES, Lanes, Mask};

/// Where each lane of a copy writes, and how many bytes it reads; the rest of what it writes is zero.
pub(crate) struct Targets<'t> {
    pub(crate) addresses: &'t mut [u64; LANES],
    pub(crate) wanted: &'t mut [u64; LANES],
}

impl Targets<'_> {
    /// Takes them from the registers. Returns the lanes that read anything.
    pub(crate) fn form(&mut self, code: &AccessCode, mask: Mask, lanes: &Lanes<'_>) -> Mask {
        let Action::Copy { to, read } = code.action else { return 0 };
        let mut reads = 0;
        form(&to, lanes, 0, mask, self.addresses);
        let bytes = code.bytes();
        for lane in lanes_of(mask) {
            self.wanted[lane] =
                if read.bytes == 0 { bytes } else { read_value(lanes, read, lane).min(bytes) };
            reads |= Mask::from(self.wanted[lane] > 0) << lane;
        }
        reads
    }
}

impl Memory<'_> {
    /// Performs a copy at once; the access's addresses are those in global memory.
    pub(super) fn copy(
        &mut self,
        code: &AccessCode,
        access: &WarpAccess,
        lanes: &Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let (mut addresses, mut wanted) = ([0; LANES], [0; LANES]);
        let mut targets = Targets { addresses: &mut addresses, wanted: &mut wanted };
        targets.form(code, access.mask, lanes);
        self.copy_to(code, access, access.mask, &targets)
    }

    /// Performs a copy whose targets are known, for some lanes.
    pub(crate) fn copy_to(
        &mut self,
        code: &AccessCode,
        access: &WarpAccess,
        mask: Mask,
        targets: &Targets<'_>,
    ) -> Result<(), Box<Fault>> {
        let bytes = code.bytes();
        for lane in lanes_of(mask) {
            let fault = |error| Fault::access(lane as u32, error);
            let (target, wanted) = (targets.addresses[lane], targets.wanted[lane]);
            let mut data = [0; 16];
            if wanted > 0 {
                let hint = &mut self.hints[access.access as usize];
                // The whole of it must be there only as far as it is read, but aligned as a whole.
                let address = access.addresses[lane];
                if address & (bytes - 1) != 0 {
                    return Err(fault(heddle_image::AccessError::Misaligned { address, bytes }));
                }
                for position in 0..wanted {
                    let part = self.image.read(address + position, 1, hint).map_err(fault)?;
                    data[position as usize] = part[0];
                }
            }
            check(self.shared.bytes.len() as u64, target, bytes, "shared memory of the block")
                .map_err(fault)?;
            let part = &mut self.shared.bytes[target as usize..(target + bytes) as usize];
            let data = &data[..bytes as usize];
            self.shared.changes += u64::from(part != data);
            part.copy_from_slice(data);
        }
        Ok(())
    }
}
