//! All regions of a machine, and checked access to them.

use crate::bytes::Bytes;
use crate::written::Written;
use crate::{AccessError, AllocationError, HostRoom, Miss, NoRoom, Region, RegionId, RegionKind};
use heddle_engine::fetch_ahead;

/// The first address that is handed out. Everything below belongs to the windows of other state spaces
/// (shared, local, parameters) or to nobody, so that a null pointer with an offset is caught.
pub const FIRST_ADDRESS: u64 = 0x1000_0000;

/// Regions start at multiples of this, as `cudaMalloc` does, with at least as much unused space between
/// them, so that a small overrun is caught.
const ALIGNMENT: u64 = 512;

/// What an allocation takes of the device's memory: whole units, as with `cudaMalloc`, so that what is kept about
/// very many small ones is paid for.
fn charge(bytes: u64) -> u64 {
    bytes.max(1).checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX)
}

/// What the allocations of a region take of the host beyond their bytes: three of them, a few words each.
const ALLOCATOR_BYTES: u64 = 128;

/// Bytes of a cache line of the host, at least.
const HOST_LINE: usize = 64;

/// The memory of one machine.
#[derive(Clone, Debug)]
pub struct Image {
    regions: Vec<Region>,
    next: u64,
    limit: u64,
    used: u64,
    /// Regions that were freed and keep their contents until what was under way then has been performed.
    retired: Vec<RegionId>,
    changes: u64,
    uninitialised_reads: u64,
    host: HostRoom,
}

/// Where the last access of an instruction fell: the next one is probably near.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint(u32);

impl Hint {
    /// The region of the last access that was granted with this hint.
    pub fn region(self) -> RegionId {
        RegionId(self.0)
    }
}

impl Image {
    /// An empty memory of at most `limit` bytes.
    pub fn new(limit: u64) -> Image {
        Image {
            regions: Vec::new(),
            next: FIRST_ADDRESS,
            limit,
            used: 0,
            retired: Vec::new(),
            changes: 0,
            uninitialised_reads: 0,
            host: HostRoom::default(),
        }
    }

    /// Allocates `bytes` bytes. They read as zero and count as not initialised until they are written.
    pub fn allocate(
        &mut self,
        name: &str,
        bytes: u64,
        kind: RegionKind,
    ) -> Result<RegionId, AllocationError> {
        let free = self.free_bytes();
        if charge(bytes) > free {
            let name = name.to_owned();
            return Err(AllocationError::OutOfMemory { name, bytes, limit: self.limit, free });
        }
        let host = || AllocationError::Host { name: name.to_owned(), bytes };
        self.ask_host(name, bytes).map_err(|NoRoom| host())?;
        let length = usize::try_from(bytes).map_err(|_| host())?;
        let contents = Bytes::zeros(length).ok_or_else(host)?;
        let id = RegionId(self.regions.len() as u32);
        self.regions.push(Region {
            name: name.to_owned(),
            kind,
            start: self.next,
            bytes: contents,
            length: bytes,
            freed: false,
            written: (bytes > 0).then(|| Written::nothing_of(bytes)),
        });
        self.used += charge(bytes);
        self.next = (self.next + bytes).next_multiple_of(ALIGNMENT) + ALIGNMENT;
        Ok(id)
    }

    /// Whether the host has room for a region: its contents, a bit for each byte, its name, and its place in the list.
    fn ask_host(&mut self, name: &str, bytes: u64) -> Result<(), NoRoom> {
        let place = self.regions.len() + 1;
        self.host.ask_to_grow::<Region>(self.regions.capacity(), place)?;
        // Freeing cannot be refused, so each region has a place among those that were freed from the beginning.
        self.host.ask_to_grow::<RegionId>(self.retired.capacity(), place)?;
        self.retired.reserve(place - self.retired.len());
        let contents = bytes.saturating_add(bytes / 8);
        self.host.ask(contents.saturating_add(name.len() as u64 + ALLOCATOR_BYTES))
    }

    /// What the host can still give; whatever else grows with a program asks here too.
    pub fn host_room(&mut self) -> &mut HostRoom {
        &mut self.host
    }

    /// Takes all bytes of a region for written: they are the zeros that a variable begins with.
    pub fn initialise(&mut self, id: RegionId) {
        self.regions[id.index()].written = None;
    }

    /// Bytes that can still be allocated.
    pub fn free_bytes(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// Frees a region; its addresses are never used again, so that a late access is caught.
    pub fn free(&mut self, id: RegionId) {
        self.retire(id);
        self.release_retired(|_| false);
    }

    /// Frees a region for all accesses that begin from now on. Those that are under way still find its contents,
    /// until [`Image::release_retired`] is told that there are none.
    pub fn retire(&mut self, id: RegionId) {
        let region = &mut self.regions[id.index()];
        if !region.freed {
            region.freed = true;
            self.retired.push(id);
        }
    }

    /// Whether regions were freed whose contents are still there.
    #[inline(always)]
    pub fn has_retired(&self) -> bool {
        !self.retired.is_empty()
    }

    /// Gives up the contents of regions that were freed, except for those that are in use.
    pub fn release_retired(&mut self, mut is_in_use: impl FnMut(&Region) -> bool) {
        let mut retired = std::mem::take(&mut self.retired);
        retired.retain(|id| {
            let region = &mut self.regions[id.index()];
            let stays = is_in_use(region);
            if !stays {
                self.used -= charge(region.length);
                region.bytes = Bytes::nothing();
                region.written = None;
            }
            stays
        });
        self.retired = retired;
    }

    /// The error of an access that begins now, if its region was freed and the contents are still there.
    pub fn refuse_retired(&self, address: u64, bytes: u64) -> Result<(), AccessError> {
        match self.region_at(address) {
            Some(id) if self.region(id).freed => Err(self.miss(address, bytes)),
            _ => Ok(()),
        }
    }

    /// The error of an access that begins now, unless all its bytes lie in one region that was not freed.
    pub fn check(&self, address: u64, bytes: u64) -> Result<(), AccessError> {
        let holds = |id: &RegionId| {
            let region = self.region(*id);
            !region.freed && bytes <= region.length - (address - region.start)
        };
        match self.region_at(address).filter(holds) {
            Some(_) => Ok(()),
            None => Err(self.miss(address, bytes)),
        }
    }

    /// One region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    /// All regions, in the order of their numbers and addresses, freed ones too.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The contents of a region (empty once freed).
    pub fn contents(&self, id: RegionId) -> &[u8] {
        &self.regions[id.index()].bytes
    }

    /// Writes into a region from the host. Returns false, and writes nothing, if it does not fit.
    #[must_use]
    pub fn write(&mut self, id: RegionId, offset: u64, data: &[u8]) -> bool {
        let region = &mut self.regions[id.index()];
        let Some(end) = offset.checked_add(data.len() as u64) else { return false };
        if end > region.bytes.len() as u64 {
            return false;
        }
        region.bytes[offset as usize..end as usize].copy_from_slice(data);
        if end - offset == region.length {
            region.written = None;
        } else if let Some(written) = &mut region.written
            && written.mark(offset, data.len() as u64)
        {
            region.written = None;
        }
        self.changes += 1;
        true
    }

    /// The region that an address lies in, freed or not.
    pub fn region_at(&self, address: u64) -> Option<RegionId> {
        let after = self.regions.partition_point(|region| region.start <= address);
        let id = after.checked_sub(1)?;
        let region = &self.regions[id];
        (address - region.start < region.length).then_some(RegionId(id as u32))
    }

    /// Bytes of a region, from address `first` to `last`, will be used soon. Nothing changes but the time that this
    /// takes; addresses outside the region are ignored.
    #[inline(always)]
    pub fn fetch_ahead(&self, id: RegionId, first: u64, last: u64) {
        if let Some(region) = self.regions.get(id.index()) {
            let offset = |address: u64| address.wrapping_sub(region.start) as usize;
            fetch_ahead(&region.bytes, offset(first));
            if offset(first) / HOST_LINE != offset(last) / HOST_LINE {
                fetch_ahead(&region.bytes, offset(last));
            }
        }
    }

    /// The bytes of an access, read by a program.
    ///
    /// `hint` is kept by the caller, one for each static access: it makes the common case one comparison.
    #[inline]
    pub fn read(&mut self, address: u64, bytes: u64, hint: &mut Hint) -> Result<&[u8], AccessError> {
        self.locate(address, bytes, hint)?;
        let region = &self.regions[hint.0 as usize];
        let offset = address - region.start;
        if let Some(written) = &region.written
            && !written.covers(offset, bytes)
        {
            self.uninitialised_reads += 1;
        }
        Ok(&region.bytes[offset as usize..(offset + bytes) as usize])
    }

    /// Gives a program the bytes of an access to change, through `change`, which says by the new value
    /// whether anything changed.
    #[inline]
    pub fn modify(
        &mut self,
        address: u64,
        bytes: u64,
        hint: &mut Hint,
        change: impl FnOnce(&mut [u8]) -> bool,
    ) -> Result<(), AccessError> {
        self.locate(address, bytes, hint)?;
        let region = &mut self.regions[hint.0 as usize];
        let offset = address - region.start;
        if region.kind == RegionKind::Constant {
            return Err(AccessError::ReadOnly { address, name: region.name.clone() });
        }
        if let Some(written) = &mut region.written
            && written.mark(offset, bytes)
        {
            region.written = None;
        }
        self.changes += u64::from(change(&mut region.bytes[offset as usize..(offset + bytes) as usize]));
        Ok(())
    }

    /// Stores bytes for a program.
    #[inline]
    pub fn store(&mut self, address: u64, data: &[u8], hint: &mut Hint) -> Result<(), AccessError> {
        self.modify(address, data.len() as u64, hint, |bytes| {
            let changed = bytes != data;
            bytes.copy_from_slice(data);
            changed
        })
    }

    /// The region of a hint as one slice with its first address, for many reads in a row. None if some of its
    /// bytes were never written: those reads are counted one by one, by [`Image::read`].
    #[inline]
    pub fn readable(&self, hint: Hint) -> Option<(u64, &[u8])> {
        let region = self.regions.get(hint.0 as usize)?;
        region.written.is_none().then_some((region.start, &region.bytes))
    }

    /// The region of a hint as one slice with its first address, for many writes in a row, and the count of
    /// changes, to which the caller adds one for each write that changed something. None if the region is
    /// constant, or if some of its bytes were never written ([`Image::modify`] keeps account of those).
    #[inline]
    pub fn writable(&mut self, hint: Hint) -> Option<(u64, &mut [u8], &mut u64)> {
        let region = self.regions.get_mut(hint.0 as usize)?;
        let plain = region.written.is_none() && region.kind != RegionKind::Constant;
        plain.then_some((region.start, &mut region.bytes[..], &mut self.changes))
    }

    /// Shows all of memory that a program or the host can observe, piece by piece: memories that show the same are alike.
    pub fn show(&self, mut look: impl FnMut(&[u8])) {
        for region in &self.regions {
            for word in [region.start, region.length, region.bytes.len() as u64] {
                look(&word.to_le_bytes());
            }
            look(&[u8::from(region.freed), u8::from(region.written.is_some())]);
            look(&region.bytes);
            if let Some(written) = &region.written {
                written.show(&mut look);
            }
        }
    }

    /// How many writes changed something so far; two equal readings mean that memory is as it was.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many reads of programs met bytes that nobody had written.
    pub fn uninitialised_reads(&self) -> u64 {
        self.uninitialised_reads
    }

    /// Finds the live region of an access, trying the hinted one first, and checks alignment.
    #[inline]
    fn locate(&self, address: u64, bytes: u64, hint: &mut Hint) -> Result<(), AccessError> {
        let inside = |region: &Region| {
            let offset = address.wrapping_sub(region.start);
            offset < region.bytes.len() as u64 && bytes <= region.bytes.len() as u64 - offset
        };
        if !self.regions.get(hint.0 as usize).is_some_and(inside) {
            match self.region_at(address).filter(|id| inside(&self.regions[id.index()])) {
                Some(id) => hint.0 = id.0,
                None => return Err(self.miss(address, bytes)),
            }
        }
        if address & (bytes - 1) != 0 {
            return Err(AccessError::Misaligned { address, bytes });
        }
        Ok(())
    }

    #[cold]
    fn miss(&self, address: u64, bytes: u64) -> AccessError {
        AccessError::OutOfBounds { address, bytes, miss: self.explain(address, bytes) }
    }

    /// Which allocation an illegal access most likely meant: the nearer one of its two neighbours.
    fn explain(&self, address: u64, bytes: u64) -> Miss {
        let after = self.regions.partition_point(|region| region.start <= address);
        let below = after.checked_sub(1).map(|id| &self.regions[id]);
        let above = self.regions.get(after);
        if let Some(region) = below
            && region.freed
            && address - region.start < region.length
        {
            return Miss::Freed { name: region.name.clone() };
        }
        let past = below.map(|region| address.saturating_add(bytes) - (region.start + region.length));
        let before = above.map(|region| region.start - address);
        match (below, above) {
            (None, None) => Miss::Nothing,
            (None, Some(region)) if address >= FIRST_ADDRESS.saturating_sub(ALIGNMENT) => Miss::Before {
                name: region.name.clone(),
                length: region.length,
                before: region.start - address,
            },
            (None, Some(_)) => Miss::Null,
            (Some(_), Some(region)) if before < past => Miss::Before {
                name: region.name.clone(),
                length: region.length,
                before: region.start - address,
            },
            (Some(region), _) => Miss::Past {
                name: region.name.clone(),
                length: region.length,
                past: past.unwrap_or_default(),
            },
        }
    }
}
