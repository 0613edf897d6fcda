//! Both levels are filled, and each evicts on its own (\[Lakshminarayana14\] figure 19).

use super::super::Policy;
use super::InclusionPolicy;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NonInclusive;

impl Policy for NonInclusive {
    type Spec = ();

    fn new(_: &(), _: u32) -> NonInclusive {
        NonInclusive
    }
}

impl InclusionPolicy for NonInclusive {}
