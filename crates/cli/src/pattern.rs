//! Names that a user selects.

/// Whether a name fits a pattern in which `*` stands for anything.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).filter(|&cut| tail.is_char_boundary(cut)).any(|cut| fits(rest, &tail[cut..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(fits("*", "h-bfs"));
        assert!(fits("bfs-*", "bfs-dd"));
        assert!(fits("*bfs*", "ls-bfs"));
        assert!(!fits("bfs-*", "h-bfs"));
        assert!(!fits("bfs", "bfs-dd"));
    }
}
