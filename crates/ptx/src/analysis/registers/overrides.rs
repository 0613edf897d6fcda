//! Registers per thread as a study fixes them.

use std::collections::BTreeMap;

/// Registers per thread by kernel, in place of our own allocation: published studies state them for a compiler
/// that is not ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterOverride {
    by_kernel: BTreeMap<String, u32>,
}

impl RegisterOverride {
    /// Most registers that a thread of any known machine can have.
    pub const MAX: u32 = 255;

    /// Sets the registers of a kernel, in place of an earlier setting.
    pub fn set(&mut self, kernel: &str, registers: u32) {
        self.by_kernel.insert(kernel.to_string(), registers);
    }

    /// What was set for a kernel.
    pub fn registers(&self, kernel: &str) -> Option<u32> {
        self.by_kernel.get(kernel).copied()
    }

    /// The kernels for which something was set, in alphabetical order.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.by_kernel.keys().map(String::as_str)
    }

    /// Reads `KERNEL=N`.
    pub fn parse(text: &str) -> Result<(String, u32), String> {
        let expected = || format!("expected KERNEL=N with N from 1 to {}, such as Kernel=15", Self::MAX);
        let (kernel, registers) = text.split_once('=').ok_or_else(expected)?;
        let registers: u32 = registers.parse().map_err(|_| expected())?;
        let fits = !kernel.is_empty() && (1..=Self::MAX).contains(&registers);
        if fits { Ok((kernel.to_string(), registers)) } else { Err(expected()) }
    }
}

impl FromIterator<(String, u32)> for RegisterOverride {
    fn from_iter<I: IntoIterator<Item = (String, u32)>>(settings: I) -> RegisterOverride {
        RegisterOverride { by_kernel: settings.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_a_kernel_and_a_number_that_a_machine_can_have() {
        assert_eq!(RegisterOverride::parse("Kernel=15"), Ok(("Kernel".to_string(), 15)));
        for text in ["", "Kernel", "=15", "Kernel=", "Kernel=0", "Kernel=256", "Kernel=-1", "a=b=3"] {
            assert!(RegisterOverride::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_last_setting_of_a_kernel_counts() {
        let settings = [("a".to_string(), 3), ("b".to_string(), 4), ("a".to_string(), 5)];
        let overrides: RegisterOverride = settings.into_iter().collect();
        assert_eq!((overrides.registers("a"), overrides.registers("c")), (Some(5), None));
        assert_eq!(overrides.kernels().collect::<Vec<_>>(), ["a", "b"]);
    }
}
