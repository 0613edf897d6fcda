//! Accesses to global and constant memory, which is the image.

use super::{AccessCode, Action, Elements, Fault, Memory, WarpAccess, atomic, bytes::lanes_of, flat};
use crate::exec::lanes::{Lanes, Mask};

impl Memory<'_> {
    /// Performs an access of the lanes of `mask`; a load writes the registers `to`.
    #[inline(always)]
    pub(super) fn global(
        &mut self,
        (code, to): (&AccessCode, &Elements),
        access: &WarpAccess,
        mask: Mask,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let hint = self.hints[access.access as usize];
        let addresses = &access.addresses;
        let failed = match code.action {
            Action::Load { signed } => match self.image.readable(hint) {
                Some((start, bytes)) => flat::load(bytes, start, (code, to), signed, addresses, mask, lanes),
                None => mask,
            },
            Action::Store => match self.image.writable(hint) {
                Some((start, bytes, changes)) => {
                    flat::store(bytes, start, code, addresses, mask, lanes, changes)
                }
                None => mask,
            },
            _ => match self.image.writable(hint) {
                Some((start, bytes, changes)) => {
                    atomic::flat(bytes, start, code, addresses, mask, lanes, changes)
                }
                None => mask,
            },
        };
        if failed == 0 { Ok(()) } else { self.global_by_lane((code, to), access, failed, lanes) }
    }

    /// One lane after the other, each in whatever region it falls into.
    fn global_by_lane(
        &mut self,
        (code, to): (&AccessCode, &Elements),
        access: &WarpAccess,
        mask: Mask,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let bytes = code.bytes();
        for lane in lanes_of(mask) {
            let address = access.addresses[lane];
            let hint = &mut self.hints[access.access as usize];
            let fault = |error| Fault::access(lane as u32, error);
            match code.action {
                Action::Load { signed } => {
                    let before = self.image.uninitialised_reads();
                    let part = self.image.read(address, bytes, hint).map_err(fault)?;
                    flat::load_lane(part, (code, to), signed, lane, lanes);
                    if self.image.uninitialised_reads() != before {
                        self.note_uninitialised(access.access, lane, lanes);
                    }
                }
                Action::Store => {
                    let value = flat::stored_bytes(code, lane, lanes);
                    self.image.store(address, &value[..bytes as usize], hint).map_err(fault)?;
                }
                _ => {
                    let change = |part: &mut [u8]| atomic::lane(part, code, lane, lanes);
                    self.image.modify(address, bytes, hint, change).map_err(fault)?;
                }
            }
        }
        Ok(())
    }
}
