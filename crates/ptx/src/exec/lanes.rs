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
    /// `%clock64`: in a functional run, the instructions that the warp has executed so far.
    pub clock: u64,
    /// Dynamic and total shared memory of the block, in bytes.
    pub shared_bytes: [u32; 2],
}

/// The registers of one warp in the frame of the function that it executes.
///
/// A 32-bit register (and a narrower one, whose upper bits are zero) is a row of 32 lanes; a 64-bit register
/// is two consecutive rows, read as 32 lanes of 64 bits. Constants are rows of a pool that warps share.
/// Predicates are masks: number 0 is always false, 1 always true, 2 is the carry flag.
#[derive(Debug)]
pub struct Lanes<'a> {
    /// The frame's rows.
    pub registers: &'a mut [u64],
    /// The frame's predicates.
    pub predicates: &'a mut [Mask],
    /// The constant pool.
    pub constants: &'a [u64],
    /// For special registers.
    pub context: &'a ThreadContext,
}

/// The predicate that is always false.
pub const FALSE: u32 = 0;
/// The predicate that is always true.
pub const TRUE: u32 = 1;
/// The carry flag.
pub const CARRY: u32 = 2;
/// Predicates that every frame has before its own.
pub const FIXED_PREDICATES: u32 = 3;

impl Lanes<'_> {
    /// A 32-bit row.
    #[inline(always)]
    pub fn u32(&self, row: Row) -> &[u32; LANES] {
        let words = self.words::<ROW_WORDS>(row);
        bytemuck::cast_ref(words)
    }

    /// A 64-bit register.
    #[inline(always)]
    pub fn u64(&self, row: Row) -> &[u64; LANES] {
        self.words::<LANES>(row)
    }

    /// Writes the lanes of `mask` of a 32-bit row.
    #[inline(always)]
    pub fn set_u32(&mut self, row: Row, mask: Mask, values: &[u32; LANES]) {
        let words: &mut [u64; ROW_WORDS] = Self::words_mut(self.registers, row);
        let lanes: &mut [u32; LANES] = bytemuck::cast_mut(words);
        if mask == Mask::MAX {
            *lanes = *values;
        } else {
            for lane in 0..LANES {
                let keep = (mask >> lane & 1).wrapping_sub(1);
                lanes[lane] = lanes[lane] & keep | values[lane] & !keep;
            }
        }
    }

    /// Writes the lanes of `mask` of a 64-bit register.
    #[inline(always)]
    pub fn set_u64(&mut self, row: Row, mask: Mask, values: &[u64; LANES]) {
        let lanes: &mut [u64; LANES] = Self::words_mut(self.registers, row);
        if mask == Mask::MAX {
            *lanes = *values;
        } else {
            for lane in 0..LANES {
                let keep = u64::from(mask >> lane & 1).wrapping_sub(1);
                lanes[lane] = lanes[lane] & keep | values[lane] & !keep;
            }
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
    fn words<const N: usize>(&self, row: Row) -> &[u64; N] {
        let (file, start) = match row.constant() {
            Some(index) => (self.constants, index as usize * ROW_WORDS),
            None => (&*self.registers, row.0 as usize * ROW_WORDS),
        };
        file[start..start + N].first_chunk().expect("the slice has exactly this length")
    }

    #[inline(always)]
    fn words_mut<const N: usize>(file: &mut [u64], row: Row) -> &mut [u64; N] {
        let start = row.0 as usize * ROW_WORDS;
        file[start..start + N].first_chunk_mut().expect("the slice has exactly this length")
    }
}
