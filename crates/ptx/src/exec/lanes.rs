//! The registers of one warp, lane-major, as handlers see them.

use super::code::Row;

/// Lanes in a warp.
pub const LANES: usize = 32;

/// One bit for each lane.
pub type Mask = u32;

/// 64-bit words in a row of 32 lanes × 32 bits.
const ROW_WORDS: usize = LANES / 2;

/// What special registers of a warp are made from.
#[derive(Clone, Debug, Default)]
pub struct ThreadContext {
    /// `%tid` of each lane, by axis.
    pub thread_index: [[u32; LANES]; 3],
    /// `%ntid`.
    pub block_size: [u32; 3],
    /// `%ctaid`.
    pub block_index: [u32; 3],
    /// `%nctaid`.
    pub grid_size: [u32; 3],
    /// `%warpid`.
    pub warp_index: u32,
    /// `%nwarpid`.
    pub warp_count: u32,
    /// `%smid`.
    pub core_index: u32,
    /// `%nsmid`.
    pub core_count: u32,
    /// `%gridid`.
    pub grid_id: u64,
    /// `%clock64`: core cycles; in a functional run, the instructions that the warp has executed so far.
    pub clock: u64,
    /// `%globaltimer`: nanoseconds; in a functional run as the clock.
    pub timer: u64,
    /// Dynamic and total shared memory of the block, in bytes.
    pub shared_bytes: [u32; 2],
}

/// The registers of one warp in the frame of the function that it executes.
///
/// A 32-bit register (and a narrower one, whose upper bits are zero) is a row of 32 lanes of the narrow file; a
/// 64-bit register is a row of 32 lanes of the wide file. There are two files so that a lane's words are its own
/// whatever function it executes: if registers of both widths shared one, those of a lane in one function would
/// lie where another function keeps those of other lanes. Constants are rows of a pool that warps share.
/// Predicates are masks: number 0 is always false, 1 always true, 2 is the carry flag.
#[derive(Debug)]
pub struct Lanes<'a> {
    /// The frame's rows of up to 32 bits: two lanes in each word.
    pub narrow: &'a mut [u64],
    /// The frame's rows of 64 bits.
    pub wide: &'a mut [u64],
    /// The frame's predicates.
    pub predicates: &'a mut [Mask],
    /// The constant pool.
    pub constants: &'a [u64],
    /// For special registers.
    pub context: &'a ThreadContext,
}

/// The predicate that is always false.
pub(crate) const FALSE: u32 = 0;
/// The predicate that is always true.
pub(crate) const TRUE: u32 = 1;
/// The carry flag.
pub(crate) const CARRY: u32 = 2;
/// Predicates that every frame has before its own.
pub(crate) const FIXED_PREDICATES: u32 = 3;

/// The lane's bit of a mask, for every 32-bit word of a row (`WORDS` = 1) or of a pair of rows (2).
///
/// Tables, and tests of 32 bits, because a shift by lane or a comparison of 64 bits is no vector instruction on
/// every host.
const fn lane_bits<const WORDS: usize, const TOTAL: usize>() -> [Mask; TOTAL] {
    let mut bits = [0; TOTAL];
    let mut word = 0;
    while word < TOTAL {
        bits[word] = 1 << (word / WORDS);
        word += 1;
    }
    bits
}

/// The bit of each lane in a mask.
pub(super) const LANE_BITS: [Mask; LANES] = lane_bits::<1, LANES>();
const PAIR_BITS: [Mask; 2 * LANES] = lane_bits::<2, { 2 * LANES }>();

/// Takes the words of `values` whose bit is in the mask.
#[inline(always)]
fn merge<const TOTAL: usize>(
    words: &mut [u32; TOTAL],
    values: &[u32; TOTAL],
    bits: &[Mask; TOTAL],
    mask: Mask,
) {
    for word in 0..TOTAL {
        let keep = u32::from(mask & bits[word] == 0).wrapping_neg();
        words[word] = words[word] & keep | values[word] & !keep;
    }
}

/// Takes the lanes of `mask` from `values`.
#[inline(always)]
pub(super) fn merge_u32(lanes: &mut [u32; LANES], values: &[u32; LANES], mask: Mask) {
    merge(lanes, values, &LANE_BITS, mask);
}

/// Takes the lanes of `mask` from `values`.
#[inline(always)]
pub(super) fn merge_u64(lanes: &mut [u64; LANES], values: &[u64; LANES], mask: Mask) {
    merge(bytemuck::cast_mut(lanes), bytemuck::cast_ref(values), &PAIR_BITS, mask);
}

/// So many lanes at most are visited one by one; more are computed all together.
const FEW: usize = 5;

/// Whether a mask has few lanes.
#[inline(always)]
pub(super) fn is_few(mask: Mask) -> bool {
    // Counting bits is slower than taking five away, where the host's instruction for it cannot be relied on.
    let mut rest = mask;
    for _ in 0..FEW {
        rest &= rest.wrapping_sub(1);
    }
    rest == 0
}

/// The lanes of a mask, lowest first.
#[inline(always)]
pub(super) fn lanes_of(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

impl Lanes<'_> {
    /// A 32-bit row.
    #[inline(always)]
    pub fn u32(&self, row: Row) -> &[u32; LANES] {
        bytemuck::cast_ref(self.words::<ROW_WORDS>(self.narrow, row))
    }

    /// A 64-bit register.
    #[inline(always)]
    pub fn u64(&self, row: Row) -> &[u64; LANES] {
        self.words::<LANES>(self.wide, row)
    }

    /// A 32-bit row, to be written.
    #[inline(always)]
    pub fn u32_mut(&mut self, row: Row) -> &mut [u32; LANES] {
        let words: &mut [u64; ROW_WORDS] = Self::words_mut(self.narrow, row);
        bytemuck::cast_mut(words)
    }

    /// A 64-bit register, to be written.
    #[inline(always)]
    pub fn u64_mut(&mut self, row: Row) -> &mut [u64; LANES] {
        Self::words_mut(self.wide, row)
    }

    /// One lane of a 32-bit row.
    #[inline(always)]
    pub(super) fn lane_u32(&self, row: Row, lane: usize) -> u32 {
        match row.constant() {
            Some(index) => bytemuck::cast_slice::<u64, u32>(self.constants)[index as usize * LANES + lane],
            None => bytemuck::cast_slice::<u64, u32>(self.narrow)[row.0 as usize * LANES + lane],
        }
    }

    /// One lane of a 64-bit register.
    #[inline(always)]
    pub(super) fn lane_u64(&self, row: Row, lane: usize) -> u64 {
        match row.constant() {
            Some(index) => self.constants[index as usize * ROW_WORDS + lane],
            None => self.register_u64(row, lane),
        }
    }

    /// One lane of a 64-bit register that is no constant.
    #[inline(always)]
    pub(super) fn register_u64(&self, row: Row, lane: usize) -> u64 {
        self.wide[row.0 as usize * LANES + lane]
    }

    /// Writes one lane of a 32-bit row.
    #[inline(always)]
    pub(super) fn set_lane_u32(&mut self, row: Row, lane: usize, value: u32) {
        bytemuck::cast_slice_mut::<u64, u32>(self.narrow)[row.0 as usize * LANES + lane] = value;
    }

    /// Writes one lane of a 64-bit register.
    #[inline(always)]
    pub(super) fn set_lane_u64(&mut self, row: Row, lane: usize, value: u64) {
        self.wide[row.0 as usize * LANES + lane] = value;
    }

    /// Writes the lanes of `mask` of a 32-bit row.
    #[inline(always)]
    pub fn set_u32(&mut self, row: Row, mask: Mask, values: &[u32; LANES]) {
        let lanes = self.u32_mut(row);
        if mask == Mask::MAX {
            *lanes = *values;
        } else {
            merge_u32(lanes, values, mask);
        }
    }

    /// Writes the lanes of `mask` of a 64-bit register.
    #[inline(always)]
    pub fn set_u64(&mut self, row: Row, mask: Mask, values: &[u64; LANES]) {
        let lanes = self.u64_mut(row);
        if mask == Mask::MAX {
            *lanes = *values;
        } else {
            merge_u64(lanes, values, mask);
        }
    }

    /// A predicate.
    #[inline(always)]
    pub fn predicate(&self, number: u32) -> Mask {
        self.predicates[number as usize]
    }

    /// Writes the lanes of `mask` of a predicate.
    #[inline(always)]
    pub fn set_predicate(&mut self, number: u32, mask: Mask, value: Mask) {
        let predicate = &mut self.predicates[number as usize];
        *predicate = *predicate & !mask | value & mask;
    }

    #[inline(always)]
    fn words<'l, const N: usize>(&'l self, file: &'l [u64], row: Row) -> &'l [u64; N] {
        let (file, start) = match row.constant() {
            Some(index) => (self.constants, index as usize * ROW_WORDS),
            None => (file, row.0 as usize * N),
        };
        file[start..start + N].first_chunk().expect("the slice has exactly this length")
    }

    #[inline(always)]
    fn words_mut<const N: usize>(file: &mut [u64], row: Row) -> &mut [u64; N] {
        let start = row.0 as usize * N;
        file[start..start + N].first_chunk_mut().expect("the slice has exactly this length")
    }
}
