//! The known name that a user probably meant.

/// The known name nearest to what was written, if it is near enough to be a slip; the first of several.
pub(crate) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&written, &name.to_lowercase());
    known
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|&(distance, name)| distance <= slips(&written, name))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Slips of the pen that leave a word recognisable: one in a short word, one more for every three letters. A word of
/// three letters that shares only its first with another was not meant as that.
fn slips(written: &str, name: &str) -> usize {
    (written.len().min(name.len()) / 3).max(1)
}

/// The known path nearest to one that was written: as a whole, or else by its last word, or else one that it
/// begins with.
pub fn nearest_path<'a>(written: &str, known: &'a [String]) -> Option<&'a str> {
    let last = |path: &'a str| path.rsplit('.').next().unwrap_or(path);
    let word = written.rsplit('.').next().unwrap_or(written);
    let by_word = || {
        let found = nearest(word, known.iter().map(|path| last(path)))?;
        known.iter().map(String::as_str).find(|path| last(path) == found)
    };
    let begins = || {
        let inside = |path: &&str| written.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        known.iter().map(String::as_str).find(inside)
    };
    // Tables in common do not make a short word like another.
    let alike = |path: &&'a str| nearest(word, [last(path)]).is_some();
    let whole = || nearest(written, known.iter().map(String::as_str).filter(alike));
    match written.contains('.') {
        true => whole().or_else(by_word).or_else(begins),
        false => by_word(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_whole_or_by_their_last_word() {
        let known = ["core.warps", "l1.size", "l1.mshrs", "l2.mshrs"].map(str::to_string);
        assert_eq!(nearest_path("l1.sise", &known), Some("l1.size"));
        assert_eq!(nearest_path("mshr", &known), Some("l1.mshrs"));
        assert_eq!(nearest_path("cache.mshrs", &known), Some("l1.mshrs"));
        assert_eq!(nearest_path("l2.mshr", &known), Some("l2.mshrs"));
        assert_eq!(nearest_path("l1.size.in.bytes", &known), Some("l1.size"));
        assert_eq!(nearest_path("colour.of.the.case", &known), None);
        let timings = ["dram.timing.tCL", "dram.timing.tFAW", "dram.timing.tRCD"].map(str::to_string);
        assert_eq!(nearest_path("dram.timing.tXYZ", &timings), None);
        assert_eq!(nearest_path("dram.timing.tFWA", &timings), Some("dram.timing.tFAW"));
    }
}
