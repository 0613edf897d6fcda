//! Streams that are no graphs and may be compressed all the same, such as traces.

use super::frames::Frames;
use super::input::{Compression, MAGIC_BYTES, compression_of};
use super::stream::{Limited, Members};
use crate::error::GraphError;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// The content of a stream that is plain, gzip or zstd, told apart by its first bytes and expanded as it is read. `name` is
/// what errors call it. There is no limit: whoever reads keeps a piece at a time.
pub fn expanded(name: &Path, mut source: Box<dyn BufRead>) -> Result<Box<dyn BufRead>, GraphError> {
    let mut magic = Vec::new();
    let read = source.by_ref().take(MAGIC_BYTES).read_to_end(&mut magic);
    read.map_err(|error: io::Error| GraphError::new(name, format!("cannot be read: {error}")))?;
    let compression = compression_of(name, &magic)?;
    let whole = Cursor::new(magic).chain(source);
    Ok(match compression {
        Compression::None => Box::new(whole),
        Compression::Gzip => Box::new(BufReader::new(Limited::new(Members::new(whole), "gzip", u64::MAX))),
        Compression::Zstd => Box::new(BufReader::new(Limited::new(Frames::new(whole), "zstd", u64::MAX))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn content(bytes: Vec<u8>) -> Result<String, GraphError> {
        let mut text = String::new();
        let mut reader = expanded(Path::new("t"), Box::new(Cursor::new(bytes)))?;
        reader
            .read_to_string(&mut text)
            .map_err(|error| GraphError::new(Path::new("t"), error.to_string()))?;
        Ok(text)
    }

    #[test]
    fn plain_gzip_and_zstd_streams_give_the_same_and_damaged_ones_say_so() {
        let text = "0 0 read 0 4\n".repeat(1000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        let fast = ruzstd::encoding::CompressionLevel::Fastest;
        let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), fast);
        let mut cut = gzip.clone();
        cut.truncate(gzip.len() / 2);
        for bytes in [text.clone().into_bytes(), gzip, zstd] {
            assert_eq!(content(bytes).unwrap(), text);
        }
        assert!(content(cut).unwrap_err().problem.contains("truncated"));
        assert_eq!(content(Vec::new()).unwrap(), "");
        assert!(content(b"BZh91AY&SY".to_vec()).unwrap_err().problem.contains("bzip2"));
    }
}
