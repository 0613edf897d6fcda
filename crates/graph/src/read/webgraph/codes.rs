//! Instantaneous codes, read with bounds.
//!
//! Only [`BitRead::read_bits`] of up to 64 bits and [`BitRead::read_unary`] are used, which end with an error
//! where the stream ends. The codes are put together from them here, because the library's own readers leave
//! a malformed length unchecked. No number in a graph needs more than 34 bits, so lengths beyond 56 are
//! refused, and no arithmetic below can overflow.

use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::impls::{BufBitReader, MemWordReader};
use dsi_bitstream::traits::{BitRead, Endianness};

/// Bits that a number may have.
const BITS_MAX: u64 = 56;

/// Why a number could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeError {
    /// The stream ends within the number.
    End,
    /// The number has more bits than any graph needs.
    TooLong,
    /// A code that the format does not use.
    Unknown,
}

/// Reads the bits of `words`.
pub(super) type Reader<'a, E> = BufBitReader<E, MemWordReader<u32, &'a [u32]>>;

pub(super) fn reader<E: Endianness>(words: &[u32]) -> Reader<'_, E> {
    BufBitReader::new(MemWordReader::new(words))
}

/// The bytes as words in memory order, the last one filled up with zeros.
pub(super) fn words(bytes: &[u8]) -> Vec<u32> {
    let (whole, rest) = bytes.as_chunks::<4>();
    let mut words = Vec::with_capacity(whole.len() + 1);
    words.extend(whole.iter().map(|&word| u32::from_ne_bytes(word)));
    if !rest.is_empty() {
        let mut last = [0; 4];
        last.iter_mut().zip(rest).for_each(|(place, &byte)| *place = byte);
        words.push(u32::from_ne_bytes(last));
    }
    words
}

/// Reads one number in that code.
#[inline]
pub(super) fn read<E: Endianness, R: BitRead<E>>(bits: &mut R, code: Codes) -> Result<u64, CodeError> {
    match code {
        Codes::Unary => unary(bits),
        Codes::Gamma => {
            let length = unary(bits)?;
            after_length(bits, length)
        }
        Codes::Delta => {
            let length = unary(bits)?;
            let length = after_length(bits, length)?;
            after_length(bits, length)
        }
        Codes::Zeta(shrinking) => zeta(bits, shrinking as u64),
        Codes::Omega => omega(bits),
        Codes::Pi(shrinking) => {
            let high = unary(bits)?;
            if high > BITS_MAX {
                return Err(CodeError::TooLong);
            }
            let length = high << shrinking.min(6) | fixed(bits, shrinking as u64)?;
            after_length(bits, length)
        }
        _ => Err(CodeError::Unknown),
    }
}

#[inline]
fn unary<E: Endianness, R: BitRead<E>>(bits: &mut R) -> Result<u64, CodeError> {
    bits.read_unary().map_err(|_| CodeError::End)
}

#[inline]
fn fixed<E: Endianness, R: BitRead<E>>(bits: &mut R, length: u64) -> Result<u64, CodeError> {
    if length > BITS_MAX {
        return Err(CodeError::TooLong);
    }
    bits.read_bits(length as usize).map_err(|_| CodeError::End)
}

/// The number, minus one, of which the bits below the leading one follow.
#[inline]
fn after_length<E: Endianness, R: BitRead<E>>(bits: &mut R, length: u64) -> Result<u64, CodeError> {
    Ok((fixed(bits, length)? | 1 << length) - 1)
}

/// Boldi and Vigna's zeta code: the magnitude in unary in steps of `shrinking` bits, then minimal binary.
#[inline]
fn zeta<E: Endianness, R: BitRead<E>>(bits: &mut R, shrinking: u64) -> Result<u64, CodeError> {
    let steps = unary(bits)?;
    if shrinking == 0 || (steps.saturating_add(1)).saturating_mul(shrinking) > BITS_MAX {
        return Err(CodeError::TooLong);
    }
    let least = 1u64 << (steps * shrinking);
    let span = (least << shrinking) - least;
    let length = span.ilog2();
    let short = (2u64 << length) - span;
    let mut rest = fixed(bits, length.into())?;
    if rest >= short {
        rest = (rest << 1 | fixed(bits, 1)?) - short;
    }
    Ok(least + rest - 1)
}

fn omega<E: Endianness, R: BitRead<E>>(bits: &mut R) -> Result<u64, CodeError> {
    let mut number = 1u64;
    while fixed(bits, 1)? == 1 {
        let length = number;
        number = fixed(bits, length)? | 1 << length;
    }
    Ok(number - 1)
}
