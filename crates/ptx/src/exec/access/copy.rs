//! `cp.async`: from global to shared memory, complete at once as far as values go.

use super::service::check;
use super::{AccessCode, Action, Fault, Memory, WarpAccess, bytes::lanes_of, form, read_value};
use crate::exec::lanes::{LANES, Lanes};

impl Memory<'_> {
    /// Performs a copy; the access's addresses are those in global memory.
    pub(super) fn copy(
        &mut self,
        code: &AccessCode,
        access: &WarpAccess,
        lanes: &Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let Action::Copy { to, read } = code.action else { return Ok(()) };
        let mut targets = [0; LANES];
        form(&to, lanes, 0, access.mask, &mut targets);
        let bytes = code.bytes();
        for lane in lanes_of(access.mask) {
            let fault = |error| Fault::access(lane as u32, error);
            let wanted = if read.bytes == 0 { bytes } else { read_value(lanes, read, lane).min(bytes) };
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
            let target = targets[lane];
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
