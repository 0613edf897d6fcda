//! The windows of the generic address space.
//!
//! Shared, local and kernel-parameter memory are each seen through a window of fixed place and size; every
//! other generic address is an address of device memory itself, where constants lie too. All of it fits
//! 32-bit addressing, so that modules with `.address_size 32` see the same layout.

/// A window: addresses of a state space as generic addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The generic address of the space's address 0.
    pub start: u64,
    /// Size in bytes.
    pub bytes: u64,
}

impl Window {
    /// Whether a generic address lies in the window.
    #[inline(always)]
    pub fn contains(self, address: u64) -> bool {
        address.wrapping_sub(self.start) < self.bytes
    }
}

/// Shared memory of the thread's block.
pub const SHARED: Window = Window { start: 0x0100_0000, bytes: 16 << 20 };
/// Local memory of the thread.
pub const LOCAL: Window = Window { start: 0x0200_0000, bytes: 32 << 20 };
/// The kernel's parameters.
pub const PARAMETERS: Window = Window { start: 0x0400_0000, bytes: 16 << 20 };

// The windows do not meet each other nor device memory.
const _: () = assert!(SHARED.start + SHARED.bytes <= LOCAL.start);
const _: () = assert!(LOCAL.start + LOCAL.bytes <= PARAMETERS.start);
const _: () = assert!(PARAMETERS.start + PARAMETERS.bytes <= heddle_image::FIRST_ADDRESS);
