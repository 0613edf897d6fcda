//! The arguments of a launch, written as a list.

/// The arguments of a launch, in order: `arguments![row, col, vertices]`.
macro_rules! arguments {
    ($($value:expr),+ $(,)?) => {
        &[$(heddle_device::Argument::from($value)),+]
    };
}
pub(crate) use arguments;
