//! Opening a file: plain, gzip or zstd, told apart by its first bytes.
//!
//! A regular file is read a piece at a time and never held whole, nor is it mapped: a map of a file that another
//! process cuts short ends the program by a signal. A pipe is read into memory, under the limit on decompressed
//! bytes. Compressed data is expanded as it is read. The limit is enforced while the stream expands, so that a small
//! file cannot become an endless one.

use super::binary::make_room;
use super::frames::Frames;
use super::stream::{Counted, Limited, Members, OverLimit, Stored};
use crate::error::GraphError;
use crate::limits::Limits;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How much of the text decides about its format.
pub(super) const HEAD_BYTES: usize = 64 << 10;

/// A file that can be read, once or several times.
pub(super) struct Input {
    path: PathBuf,
    store: Store,
    compression: Compression,
    decompressed_bytes_max: u64,
    /// Stored bytes that the latest reader has taken.
    consumed: AtomicU64,
}

enum Store {
    /// A file, with its size when it was opened.
    File(File, u64),
    Held(Vec<u8>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Input {
    /// Opens `path`, which must be a file (or a pipe) with something in it.
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Input, GraphError> {
        let file = File::open(path).map_err(|error| cannot_open(path, &error))?;
        let metadata = file.metadata().map_err(|error| cannot_open(path, &error))?;
        if metadata.is_dir() {
            return Err(GraphError::new(path, "this is a directory, not a graph file")
                .with_help("name a file inside it"));
        }
        let store = if metadata.is_file() && metadata.len() > 0 {
            Store::File(file, metadata.len())
        } else {
            Store::Held(hold(path, file, limits.decompressed_bytes)?)
        };
        let mut input = Input {
            path: path.to_path_buf(),
            store,
            compression: Compression::None,
            decompressed_bytes_max: limits.decompressed_bytes,
            consumed: AtomicU64::new(0),
        };
        if input.stored_bytes() == 0 {
            return Err(GraphError::new(path, "the file is empty"));
        }
        let mut magic = Vec::new();
        let read = input.stored().take(MAGIC_BYTES).read_to_end(&mut magic);
        read.map_err(|error| cannot_open(path, &error))?;
        input.compression = compression_of(path, &magic)?;
        Ok(input)
    }

    /// The bytes as they are stored, from the first on.
    fn stored(&self) -> Stored<'_> {
        match &self.store {
            Store::File(file, bytes) => Stored::File { file, at: 0, end: *bytes },
            Store::Held(bytes) => Stored::Held(bytes),
        }
    }

    /// Size as stored.
    pub(super) fn stored_bytes(&self) -> u64 {
        match &self.store {
            Store::File(_, bytes) => *bytes,
            Store::Held(bytes) => bytes.len() as u64,
        }
    }

    /// Stored bytes that the latest [`reader`](Input::reader) has taken: how far reading is.
    pub(super) fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    /// Stored bytes that the latest [`reader`](Input::reader) has yet to take, where they are the content itself.
    pub(super) fn plain_bytes_left(&self) -> Option<u64> {
        (self.compression == Compression::None).then(|| self.stored_bytes().saturating_sub(self.consumed()))
    }

    /// The whole content, where it is in memory as it is.
    pub(super) fn held(&self) -> Option<&[u8]> {
        match &self.store {
            Store::Held(bytes) if self.compression == Compression::None => Some(bytes),
            _ => None,
        }
    }

    /// The first bytes of the content, and whether they are all of it.
    pub(super) fn head(&self) -> Result<(Vec<u8>, bool), GraphError> {
        let mut head = Vec::new();
        let mut reader = self.reader()?.take(HEAD_BYTES as u64 + 1);
        reader.read_to_end(&mut head).map_err(|error| self.error(&error))?;
        let whole = head.len() <= HEAD_BYTES;
        head.truncate(HEAD_BYTES);
        if head.is_empty() {
            return Err(GraphError::new(&self.path, "the compressed file holds nothing"));
        }
        Ok((head, whole))
    }

    /// The content from its beginning, expanded on the way.
    pub(super) fn reader(&self) -> Result<Box<dyn Read + Send + '_>, GraphError> {
        self.consumed.store(0, Ordering::Relaxed);
        let source = Counted::new(self.stored(), &self.consumed);
        let limit = self.decompressed_bytes_max;
        Ok(match self.compression {
            Compression::None => Box::new(source),
            Compression::Gzip => Box::new(Limited::new(Members::new(source.buffered()), "gzip", limit)),
            Compression::Zstd => Box::new(Limited::new(Frames::new(source.buffered()), "zstd", limit)),
        })
    }

    /// What a failing [`reader`](Input::reader) means to the user.
    pub(super) fn error(&self, error: &io::Error) -> GraphError {
        let problem = GraphError::new(&self.path, error.to_string());
        match error.get_ref().and_then(|inner| inner.downcast_ref::<OverLimit>()) {
            Some(_) => problem.with_help("raise it with --decompressed-limit if the file is to be trusted"),
            None => problem,
        }
    }
}

/// Reads what has no size beforehand (a pipe, `/dev/stdin`, files of `/proc` that claim to have no bytes).
fn hold(path: &Path, file: File, bytes_max: u64) -> Result<Vec<u8>, GraphError> {
    let mut reader = Limited::new(file, "input", bytes_max);
    match read_all(&mut reader, bytes_max) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.get_ref().is_some_and(|inner| inner.is::<OverLimit>()) => {
            Err(GraphError::new(path, error.to_string()).with_help("raise it with --decompressed-limit"))
        }
        Err(error) => Err(GraphError::new(path, format!("cannot be read: {error}"))),
    }
}

/// Everything up to the end, in an array that never grows beyond what may come.
fn read_all(reader: &mut impl Read, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut block = vec![0; HEAD_BYTES];
    loop {
        match reader.read(&mut block) {
            Ok(0) => return Ok(bytes),
            Ok(count) => {
                make_room(&mut bytes, count, bytes_max);
                bytes.extend_from_slice(&block[..count]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn cannot_open(path: &Path, error: &io::Error) -> GraphError {
    let problem = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission to read this file is denied".to_owned(),
        _ => format!("cannot be opened: {error}"),
    };
    GraphError::new(path, problem)
}

/// The first bytes that a compression is told from.
pub(super) const MAGIC_BYTES: u64 = 8;

/// Compressions that are recognised only to say that they are not read.
const FOREIGN: [(&[u8], &str, &str); 3] =
    [(b"BZh", "bzip2", "bunzip2"), (b"\xFD7zXZ\0", "xz", "unxz"), (b"PK\x03\x04", "zip", "unzip")];

pub(super) fn compression_of(path: &Path, stored: &[u8]) -> Result<Compression, GraphError> {
    let zstd_skippable = matches!(stored, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]);
    if stored.starts_with(&[0x1F, 0x8B]) {
        return Ok(Compression::Gzip);
    }
    if stored.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) || zstd_skippable {
        return Ok(Compression::Zstd);
    }
    match FOREIGN.iter().find(|(magic, ..)| stored.starts_with(magic)) {
        Some((_, name, tool)) => {
            Err(GraphError::new(path, format!("compressed with {name}; only gzip and zstd are read"))
                .with_help(format!("expand it with {tool} first")))
        }
        None => Ok(Compression::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const LIMITS: Limits = Limits { memory_bytes: 1 << 20, decompressed_bytes: 1 << 20 };

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn content(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let file = file(bytes);
        let input = Input::open(file.path(), &LIMITS).map_err(|error| error.problem)?;
        let mut content = Vec::new();
        let mut reader = input.reader().map_err(|error| error.problem)?;
        reader.read_to_end(&mut content).map_err(|error| input.error(&error).problem)?;
        Ok(content)
    }

    #[test]
    fn a_plain_file_is_read_byte_for_byte() {
        let file = file(b"0 1\n1 2\n");
        let input = Input::open(file.path(), &LIMITS).unwrap();
        assert_eq!(input.head().unwrap(), (b"0 1\n1 2\n".to_vec(), true));
        assert_eq!(content(b"0 1\n1 2\n").unwrap(), b"0 1\n1 2\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_has_no_size_is_held_under_the_limit() {
        let path = Path::new("/proc/self/cmdline");
        let input = Input::open(path, &LIMITS).unwrap();
        assert_eq!(input.held(), Some(&std::fs::read(path).unwrap()[..]));
        let none = Limits { decompressed_bytes: 1, ..LIMITS };
        assert!(Input::open(path, &none).is_err_and(|error| error.problem.contains("more than 1 bytes")));
    }

    #[test]
    fn a_file_that_shrinks_or_grows_while_it_is_read_is_no_crash() {
        let text = "0 1\n".repeat(100_000);
        for stored in [text.clone().into_bytes(), gzip(text.as_bytes()), zstd(text.as_bytes())] {
            let file = file(&stored);
            let shrunk = Input::open(file.path(), &LIMITS).unwrap();
            file.as_file().set_len(stored.len() as u64 / 2).unwrap();
            let error = shrunk.reader().unwrap().read_to_end(&mut Vec::new()).unwrap_err();
            let problem = shrunk.error(&error).problem;
            let left = format!(
                "became shorter while it was read: {} of {} bytes are left",
                stored.len() / 2,
                stored.len()
            );
            assert!(problem.contains(&left), "{problem}");
        }
        let file = file(text.as_bytes());
        let grown = Input::open(file.path(), &LIMITS).unwrap();
        file.as_file().set_len(1 << 20).unwrap();
        let mut content = Vec::new();
        grown.reader().unwrap().read_to_end(&mut content).unwrap();
        assert_eq!(content, text.as_bytes(), "what was added behind the end is not looked at");
    }

    #[test]
    fn members_of_a_gzip_file_are_one_text() {
        let two = [gzip(b"0 1\n"), gzip(b"1 2\n")].concat();
        assert_eq!(content(&two).unwrap(), b"0 1\n1 2\n");
    }

    #[test]
    fn zeros_behind_a_gzip_file_are_padding_and_nothing_else_is() {
        let padded = [gzip(b"0 1\n"), gzip(b"1 2\n"), vec![0; 1000]].concat();
        assert_eq!(content(&padded).unwrap(), b"0 1\n1 2\n");
        let problem = content(&[gzip(b"0 1\n"), vec![0; 20], gzip(b"1 2\n")].concat()).unwrap_err();
        assert!(problem.contains("gzip data is corrupt after 4 "), "{problem}");
    }

    #[test]
    fn frames_of_a_zstd_file_are_one_text() {
        let two = [zstd(b"0 1\n"), zstd(b"1 2\n")].concat();
        assert_eq!(content(&two).unwrap(), b"0 1\n1 2\n");
    }

    #[test]
    fn damage_to_compressed_data_is_named() {
        let text = vec![b'7'; 5000];
        let whole = gzip(&text);
        assert!(content(&whole[..whole.len() - 9]).unwrap_err().contains("gzip data is truncated"));
        let mut bad = whole.clone();
        let crc = bad.len() - 6;
        bad[crc] ^= 1;
        assert!(content(&bad).unwrap_err().contains("gzip data is corrupt after 5000"));
        let frame = zstd(&text);
        assert!(content(&frame[..frame.len() - 3]).unwrap_err().contains("zstd data is truncated"));
        assert!(content(b"BZh91AY&SY").unwrap_err().contains("bzip2"));
    }

    #[test]
    fn a_bomb_stops_at_the_limit_and_names_the_option() {
        let lines = vec![b'\n'; 2 << 20];
        for bomb in [gzip(&lines), zstd(&lines)] {
            let file = file(&bomb);
            let input = Input::open(file.path(), &LIMITS).unwrap();
            let error = input.reader().unwrap().read_to_end(&mut Vec::new()).unwrap_err();
            let error = input.error(&error);
            assert!(error.problem.contains("1048576") && error.problem.contains("--decompressed-limit"));
            assert!(error.help.is_some());
        }
    }

    #[test]
    fn what_is_no_file_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let problem = |path: &Path| Input::open(path, &LIMITS).map(|_| ()).unwrap_err().problem;
        assert!(problem(folder.path()).contains("directory"));
        assert!(problem(&folder.path().join("none")).contains("no such file"));
        assert!(problem(file(b"").path()).contains("empty"));
    }
}
