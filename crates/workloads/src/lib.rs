//! Reference answers.
