//! Arguments of a launch, written as a list.

/// The arguments of a launch: buffers and numbers, in the kernel's order.
macro_rules! arguments {
    ($($value:expr),+ $(,)?) => {
        [$(heddle_device::Argument::from($value)),+]
    };
}
pub(super) use arguments;
