//! Files that a plan names.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What is read of a pipe or a device, which does not say how long it is.
const STREAM_BYTES_MAX: u64 = 256 << 20;

/// The bytes of a file of at most `limit`. What is longer is refused before memory is taken for it.
pub(super) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let words = |error: io::Error| format!("{}: {error}", path.display());
    let too_long = |found: &str, limit: u64| {
        Err(format!("{}: {found} are more than the limit of {limit}", path.display()))
    };
    let file = File::open(path).map_err(words)?;
    let metadata = file.metadata().map_err(words)?;
    if metadata.len() > limit {
        return too_long(&format!("{} bytes", metadata.len()), limit);
    }
    let limit = if metadata.is_file() { limit } else { limit.min(STREAM_BYTES_MAX) };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(words)?;
    match bytes.len() as u64 > limit {
        true => too_long("its bytes", limit),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_than_the_limit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [7; 10]).unwrap();
        assert_eq!(read(&path, 10), Ok(vec![7; 10]));
        assert!(read(&path, 9).unwrap_err().contains("10 bytes are more than the limit of 9"));
        assert!(read(folder.path(), 10).is_err());
        assert!(read(&folder.path().join("nothing"), 10).unwrap_err().contains("nothing"));
    }

    #[test]
    #[cfg(unix)]
    fn a_file_without_end_is_refused() {
        let error = read(Path::new("/dev/zero"), 1 << 12).unwrap_err();
        assert!(error.contains("more than the limit of 4096"), "{error}");
    }
}
