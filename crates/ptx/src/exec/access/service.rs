//! Performs an access of a warp.

use super::{AccessCode, Action, Base, Elements, Fault, Local, Shared, Space, WarpAccess, atomic, flat};
use super::{bytes::lanes_of, flat::load_lane, resolve::resolve};
use crate::exec::Texture;
use crate::exec::lanes::{LANES, Lanes, Mask};
use heddle_image::{AccessError, Hint, Image, Miss, RegionId};

/// How errors call the memories that are no allocations.
const LOCAL_NAME: &str = "local memory of the thread";
pub(crate) const SHARED_NAME: &str = "shared memory of the block";
const PARAMETERS_NAME: &str = "the kernel's parameters";

/// Every memory that a warp can reach.
pub(crate) struct Memory<'a> {
    /// Global and constant memory.
    pub(crate) image: &'a mut Image,
    /// Where each static access fell last.
    pub(crate) hints: &'a mut [Hint],
    /// The block's shared memory.
    pub(crate) shared: &'a mut Shared,
    /// The warp's local memory.
    pub(crate) local: &'a mut Local,
    /// How much of the local memory belongs to frames.
    pub(crate) local_end: u64,
    /// The kernel's parameters.
    pub(crate) parameters: &'a [u8],
    /// Textures by handle.
    pub(crate) textures: &'a [(u64, Texture)],
    /// The first read of bytes that nobody had written.
    pub(crate) uninitialised: &'a mut Option<UninitialisedRead>,
    /// Accesses by generic address: warps and lanes that meant global, shared and local memory, by access.
    pub(crate) generic_counts: &'a mut [[[u64; 2]; 3]],
}

/// Who read bytes that nobody had written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UninitialisedRead {
    pub(crate) access: u32,
    pub(crate) region: RegionId,
    pub(crate) block: [u32; 3],
    pub(crate) thread: [u32; 3],
}

/// One of the memories that is one slice of bytes.
struct Flat<'m> {
    bytes: &'m mut [u8],
    changes: &'m mut u64,
    name: &'static str,
}

impl Memory<'_> {
    /// Performs an access: reads what it stores from the registers, writes what it loads to them.
    #[inline(always)]
    pub(crate) fn service(
        &mut self,
        code: &AccessCode,
        access: &mut WarpAccess,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        match (code.action, code.space) {
            (Action::Texture { .. }, _) => self.texture(code, access, lanes),
            (Action::Copy { .. }, _) => self.copy(code, access, lanes),
            (_, Space::Global | Space::Constant) => {
                self.global((code, &code.data), access, access.mask, lanes)
            }
            (_, Space::Generic) => self.generic(code, access, lanes),
            (_, space) => self.flat((code, &code.data), space, &access.addresses, access.mask, lanes),
        }
    }

    /// Performs an access whose lanes have been told apart by the memory that they mean, for the lanes of `mask`. A
    /// load writes the registers `to`.
    #[inline(always)]
    pub(crate) fn parts(
        &mut self,
        (code, to): (&AccessCode, &Elements),
        access: &WarpAccess,
        touched: crate::exec::timed::Touched,
        mask: Mask,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        if touched.texture & mask != 0 {
            return self.fetch_texels(code, access, touched.texture & mask, lanes);
        }
        if touched.global & mask != 0 {
            self.global((code, to), access, touched.global & mask, lanes)?;
        }
        let spaces = [(Space::Shared, touched.shared), (Space::Local, touched.local)];
        for (space, lanes_of_space) in spaces {
            if lanes_of_space & mask != 0 {
                self.flat((code, to), space, &access.addresses, lanes_of_space & mask, lanes)?;
            }
        }
        let constant = touched.constant & mask;
        if constant == 0 {
            return Ok(());
        }
        match code.space {
            Space::Constant => self.global((code, to), access, constant, lanes),
            _ => self.flat((code, to), Space::Parameter, &access.addresses, constant, lanes),
        }
    }

    fn generic(
        &mut self,
        code: &AccessCode,
        access: &mut WarpAccess,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let parts = resolve(&mut access.addresses, access.mask);
        for (number, (space, mask)) in parts.into_iter().enumerate() {
            if mask == 0 {
                continue;
            }
            if let Some([warps, threads]) = self.generic_counts[access.access as usize].get_mut(number) {
                *warps += 1;
                *threads += u64::from(mask.count_ones());
            }
            match space {
                Space::Global => self.global((code, &code.data), access, mask, lanes)?,
                _ => self.flat((code, &code.data), space, &access.addresses, mask, lanes)?,
            }
        }
        Ok(())
    }

    /// Shared, local and parameter memory.
    #[inline(always)]
    fn flat(
        &mut self,
        (code, to): (&AccessCode, &Elements),
        space: Space,
        addresses: &[u64; LANES],
        mask: Mask,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        if space == Space::Parameter {
            return self.parameter((code, to), addresses, mask, lanes);
        }
        let mut own;
        let mut addresses = addresses;
        // Local memory is the state of a lane, and compared as such where states are compared.
        let mut private = 0;
        let memory = if space == Space::Local {
            own = *addresses;
            let (stride, end) = (self.local.stride as u64, self.local_end);
            for lane in lanes_of(mask) {
                // Checked before the lane's place is added, so that the error has the program's address.
                check(end, own[lane], code.bytes(), LOCAL_NAME)
                    .map_err(|error| Fault::access(lane as u32, error))?;
                own[lane] += lane as u64 * stride;
            }
            addresses = &own;
            let bytes = &mut self.local.bytes[..];
            Flat { bytes, changes: &mut private, name: LOCAL_NAME }
        } else {
            let (bytes, changes) = (&mut self.shared.bytes[..], &mut self.shared.changes);
            Flat { bytes, changes, name: SHARED_NAME }
        };
        memory.perform((code, to), addresses, mask, lanes)
    }

    /// The kernel's parameters, which are the same for all lanes.
    #[inline(always)]
    fn parameter(
        &mut self,
        (code, to): (&AccessCode, &Elements),
        addresses: &[u64; LANES],
        mask: Mask,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let Action::Load { signed } = code.action else {
            let name = PARAMETERS_NAME.to_owned();
            let lane = mask.trailing_zeros();
            let address = addresses[lane as usize & 31];
            return Err(Fault::access(lane, AccessError::ReadOnly { address, name }));
        };
        if code.address.base == Base::Absolute && code.elements == 1 {
            let value = flat::fits(self.parameters, addresses[0], code.bytes())
                .then(|| super::bytes::load_element(self.parameters, addresses[0], code.element, signed));
            if let Some(Some(value)) = value {
                super::value::broadcast(lanes, to[0], mask, value);
                return Ok(());
            }
        }
        let failed = flat::load(self.parameters, 0, (code, to), signed, addresses, mask, lanes);
        for lane in lanes_of(failed) {
            let (offset, bytes) = (addresses[lane], code.bytes());
            check(self.parameters.len() as u64, offset, bytes, PARAMETERS_NAME)
                .map_err(|error| Fault::access(lane as u32, error))?;
            let part = &self.parameters[offset as usize..(offset + bytes) as usize];
            load_lane(part, (code, to), signed, lane, lanes);
        }
        Ok(())
    }

    /// Notes a read of bytes that nobody had written, if it is the first.
    #[cold]
    pub(super) fn note_uninitialised(&mut self, access: u32, lane: usize, lanes: &Lanes<'_>) {
        if self.uninitialised.is_none() {
            let region = self.hints[access as usize].region();
            let thread = [0, 1, 2].map(|axis| lanes.context.thread_index[axis][lane]);
            *self.uninitialised =
                Some(UninitialisedRead { access, region, block: lanes.context.block_index, thread });
        }
    }
}

impl Flat<'_> {
    #[inline(always)]
    fn perform(
        self,
        (code, to): (&AccessCode, &Elements),
        addresses: &[u64; LANES],
        mask: Mask,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let failed = match code.action {
            Action::Load { signed } => flat::load(self.bytes, 0, (code, to), signed, addresses, mask, lanes),
            Action::Store => flat::store(self.bytes, 0, code, addresses, mask, lanes, self.changes),
            _ => atomic::flat(self.bytes, 0, code, addresses, mask, lanes, self.changes),
        };
        if failed == 0 { Ok(()) } else { self.careful((code, to), addresses, failed, lanes) }
    }

    /// One lane after the other: names what is wrong, or does it where only the host's alignment stood in the
    /// way of the quick loops.
    #[cold]
    fn careful(
        self,
        (code, to): (&AccessCode, &Elements),
        addresses: &[u64; LANES],
        mask: Mask,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let size = code.bytes();
        for lane in lanes_of(mask) {
            check(self.bytes.len() as u64, addresses[lane], size, self.name)
                .map_err(|error| Fault::access(lane as u32, error))?;
            let offset = addresses[lane] as usize;
            let part = &mut self.bytes[offset..offset + size as usize];
            match code.action {
                Action::Load { signed } => load_lane(part, (code, to), signed, lane, lanes),
                Action::Store => {
                    let value = flat::stored_bytes(code, lane, lanes);
                    let value = &value[..part.len()];
                    *self.changes += u64::from(part != value);
                    part.copy_from_slice(value);
                }
                _ => *self.changes += u64::from(atomic::lane(part, code, lane, lanes)),
            }
        }
        Ok(())
    }
}

/// Range and alignment of an access to a memory that starts at 0.
pub(super) fn check(length: u64, offset: u64, bytes: u64, name: &str) -> Result<(), AccessError> {
    if offset >= length || bytes > length - offset {
        return Err(past(offset, bytes, name, length));
    }
    if offset & (bytes - 1) != 0 {
        return Err(AccessError::Misaligned { address: offset, bytes });
    }
    Ok(())
}

#[cold]
pub(crate) fn past(address: u64, bytes: u64, name: &str, length: u64) -> AccessError {
    let past = address.saturating_add(bytes).saturating_sub(length);
    AccessError::OutOfBounds { address, bytes, miss: Miss::Past { name: name.to_owned(), length, past } }
}
