//! What can go wrong while an instruction executes, before it is known who executed it.

use heddle_image::AccessError;

/// A problem of one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The lane.
    pub(crate) lane: u32,
    /// What is wrong.
    pub(crate) problem: Problem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// An access that no memory allows.
    Access(AccessError),
    /// The program gave up.
    Trap(String),
    /// Something that the ISA leaves undefined.
    Undefined(String),
    /// There is no more of something.
    Exhausted(String),
}

impl Fault {
    #[cold]
    pub(crate) fn access(lane: u32, error: AccessError) -> Box<Fault> {
        Box::new(Fault { lane, problem: Problem::Access(error) })
    }

    #[cold]
    pub(crate) fn undefined(lane: u32, problem: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { lane, problem: Problem::Undefined(problem.into()) })
    }

    #[cold]
    pub(crate) fn exhausted(lane: u32, problem: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { lane, problem: Problem::Exhausted(problem.into()) })
    }

    #[cold]
    pub(crate) fn trap(lane: u32, problem: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { lane, problem: Problem::Trap(problem.into()) })
    }
}
