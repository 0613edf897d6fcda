//! What the parameters of a policy say about themselves.

use crate::SpecError;

/// Most rows of a table; beyond this a key was mistyped.
pub const ROWS_MAX: u32 = 1 << 16;

/// A key, its value, and the least and the most that it can be.
pub type Limit = (&'static str, u32, u32, u32);

/// The parameters of one policy.
pub trait Parameters {
    /// The bounds of each key.
    fn limits(&self) -> Vec<Limit>;

    /// Keys whose values must be powers of two.
    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        Vec::new()
    }

    /// Keys that say how many rows a table has.
    fn rows(&self) -> Vec<(&'static str, u32)>;
}

/// Refuses parameters that make no sense, by key.
pub(crate) fn check<P: Parameters>(parameters: &P, prefix: &str, name: &str) -> Result<(), SpecError> {
    let wrong = |key: &str, problem: String| Err(SpecError::new(prefix, &format!("{name}.{key}"), problem));
    for (key, value, least, most) in parameters.limits() {
        if !(least..=most).contains(&value) {
            return wrong(key, format!("{value} is not from {least} to {most}"));
        }
    }
    for (key, value) in parameters.powers_of_two() {
        if !value.is_power_of_two() {
            return wrong(key, format!("{value} is no power of two"));
        }
    }
    Ok(())
}

/// The rows of a policy's tables, by key.
pub(crate) fn rows<P: Parameters>(parameters: &P, name: &str) -> Vec<(String, u64)> {
    let named = |(key, rows): (&'static str, u32)| (format!("{name}.{key}"), u64::from(rows));
    parameters.rows().into_iter().map(named).collect()
}
