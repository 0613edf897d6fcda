//! Loops over lanes on one contiguous memory: a region of the image, or shared memory.
//!
//! Each returns the lanes that it could not serve (out of range, misaligned); the caller treats those one by
//! one, where errors are made. Memory is seen as words, so that one comparison checks the range; where its
//! length or place does not allow that, all lanes go the slow way.

use super::value::extend;
pub(super) use crate::exec::lanes::lanes_of;
use crate::exec::lanes::{LANES, Mask};
use bytemuck::AnyBitPattern;

/// Memory as whole words of a type.
#[inline(always)]
pub(super) fn words<T: AnyBitPattern + bytemuck::NoUninit>(bytes: &[u8]) -> &[T] {
    let length = bytes.len() / size_of::<T>() * size_of::<T>();
    bytemuck::try_cast_slice(&bytes[..length]).unwrap_or(&[])
}

#[inline(always)]
pub(super) fn words_mut<T: AnyBitPattern + bytemuck::NoUninit>(bytes: &mut [u8]) -> &mut [T] {
    let length = bytes.len() / size_of::<T>() * size_of::<T>();
    bytemuck::try_cast_slice_mut(&mut bytes[..length]).unwrap_or(&mut [])
}

/// A word of memory, as up to 64 bits.
pub(super) trait Word: AnyBitPattern + bytemuck::NoUninit + PartialEq {
    fn extended(self) -> u64;
    fn cut(value: u64) -> Self;
}

macro_rules! word {
    ($($ty:ty),*) => {
        $(impl Word for $ty {
            #[inline(always)]
            fn extended(self) -> u64 {
                u64::from(<$ty>::from_le(self))
            }

            #[inline(always)]
            fn cut(value: u64) -> $ty {
                (value as $ty).to_le()
            }
        })*
    };
}
word!(u8, u16, u32, u64);

/// Loads words into the lanes of `values`, through `convert`.
#[inline(always)]
pub(super) fn gather<T: Word, V>(
    memory: &[u8],
    start: u64,
    addresses: &[u64; LANES],
    mask: Mask,
    values: &mut [V; LANES],
    convert: impl Fn(u64) -> V,
) -> Mask {
    let words: &[T] = words(memory);
    let size = size_of::<T>() as u64;
    let mut failed = 0;
    // Written as a loop over bits: the iterator's closure is not inlined everywhere.
    let mut rest = mask;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let offset = addresses[lane].wrapping_sub(start);
        match words.get((offset / size) as usize) {
            Some(word) if offset.is_multiple_of(size) => values[lane] = convert(word.extended()),
            _ => failed |= 1 << lane,
        }
    }
    failed
}

/// Stores words from the lanes of `values`; counts those that changed something.
#[inline(always)]
pub(super) fn scatter<T: Word, V: Copy + Into<u64>>(
    memory: &mut [u8],
    start: u64,
    addresses: &[u64; LANES],
    mask: Mask,
    values: &[V; LANES],
    changes: &mut u64,
) -> Mask {
    let words: &mut [T] = words_mut(memory);
    let size = size_of::<T>() as u64;
    let mut failed = 0;
    let mut rest = mask;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let offset = addresses[lane].wrapping_sub(start);
        match words.get_mut((offset / size) as usize) {
            Some(word) if offset.is_multiple_of(size) => {
                let value = T::cut(values[lane].into());
                *changes += u64::from(*word != value);
                *word = value;
            }
            _ => failed |= 1 << lane,
        }
    }
    failed
}

/// Loads one element, extended; none if it is out of range.
#[inline(always)]
pub(super) fn load_element(memory: &[u8], offset: u64, bytes: u8, signed: bool) -> Option<u64> {
    let rest = memory.get(usize::try_from(offset).ok()?..)?;
    let value = match bytes {
        1 => u64::from(*rest.first()?),
        2 => u64::from(u16::from_le_bytes(*rest.first_chunk()?)),
        4 => u64::from(u32::from_le_bytes(*rest.first_chunk()?)),
        _ => u64::from_le_bytes(*rest.first_chunk()?),
    };
    Some(extend(value, bytes, signed))
}

/// Stores one element; whether something changed, or none if it does not fit.
#[inline(always)]
pub(super) fn store_element(memory: &mut [u8], offset: u64, bytes: u8, value: u64) -> Option<bool> {
    let rest = memory.get_mut(usize::try_from(offset).ok()?..)?;
    Some(match bytes {
        1 => replace(rest.first_chunk_mut()?, (value as u8).to_le_bytes()),
        2 => replace(rest.first_chunk_mut()?, (value as u16).to_le_bytes()),
        4 => replace(rest.first_chunk_mut()?, (value as u32).to_le_bytes()),
        _ => replace(rest.first_chunk_mut()?, value.to_le_bytes()),
    })
}

#[inline(always)]
fn replace<const N: usize>(old: &mut [u8; N], new: [u8; N]) -> bool {
    let changed = *old != new;
    *old = new;
    changed
}
