//! Style as a test.
