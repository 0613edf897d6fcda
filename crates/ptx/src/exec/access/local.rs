//! The local memory of the lanes of a warp: frames of functions, one after the other.

use crate::exec::lanes::LANES;

/// Local memory, lane after lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Local {
    pub(crate) bytes: Vec<u8>,
    /// Bytes of each lane, a multiple of 16.
    pub(crate) stride: usize,
}

impl Local {
    /// For a new warp, whose kernel needs this much: all zero.
    pub(crate) fn reset(&mut self, bytes: usize) {
        if self.stride == 0 && bytes == 0 {
            return;
        }
        self.stride = self.stride.max(bytes.next_multiple_of(16));
        self.bytes.clear();
        self.bytes.resize(self.stride * LANES, 0);
    }

    /// Makes room for this much in each lane.
    pub(crate) fn grow(&mut self, bytes: usize) {
        if bytes <= self.stride {
            return;
        }
        let stride = bytes.next_power_of_two().max(64);
        let mut grown = vec![0; stride * LANES];
        if self.stride > 0 {
            for (new, old) in grown.chunks_exact_mut(stride).zip(self.bytes.chunks_exact(self.stride)) {
                new[..self.stride].copy_from_slice(old);
            }
        }
        self.bytes = grown;
        self.stride = stride;
    }

    /// A part of a lane's memory; it must have been made room for.
    pub(crate) fn slice(&self, lane: usize, start: usize, bytes: usize) -> &[u8] {
        let start = lane * self.stride + start;
        &self.bytes[start..start + bytes]
    }

    /// A part of a lane's memory, to be written.
    pub(crate) fn slice_mut(&mut self, lane: usize, start: usize, bytes: usize) -> &mut [u8] {
        let start = lane * self.stride + start;
        &mut self.bytes[start..start + bytes]
    }
}
