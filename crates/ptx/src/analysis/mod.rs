//! What can be known of a function without running it.
