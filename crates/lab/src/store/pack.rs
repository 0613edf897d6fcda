//! Records in one file, to be committed with a project and resumed elsewhere: gzip'ed lines, each a record with its
//! checksum, sorted by key. The same records give the same bytes.

use super::{Found, Member, Store, StoreError, Timing, Unsealed, seal, unseal, write_whole};
use crate::record::{Outcome, Record};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use heddle_graph::write::whole_file;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::Duration;

/// Longest line that is read: far more than a record has.
const LINE_BYTES_MAX: u64 = 256 << 20;

/// What came of unpacking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unpacked {
    /// Points that the store did not have.
    pub new: usize,
    /// Points that it had, with the same figures.
    pub known: usize,
    /// Builds whose points are not to be mixed with those of this one.
    pub left_out: BTreeSet<String>,
}

/// Packs the finished points among some records into a file; tells how many.
pub fn pack<'a>(records: impl IntoIterator<Item = &'a Record>, path: &Path) -> Result<usize, StoreError> {
    let is_done = |record: &&Record| matches!(record.outcome, Outcome::Done { .. });
    let mut records: Vec<&Record> = records.into_iter().filter(is_done).collect();
    records.sort_by_key(|record| &record.key);
    records.dedup_by_key(|record| &record.key);
    // Nothing in the header depends on the moment: flate2 leaves the time of modification zero.
    whole_file(path, |file: &mut File| {
        let mut packer = GzEncoder::new(BufWriter::new(file), Compression::best());
        for record in &records {
            let line = seal(record).map_err(|why| StoreError::new(path, why, "run the point again"))?;
            packer.write_all(line.as_bytes()).map_err(|error| StoreError::writing(path, &error))?;
        }
        let written = packer.finish().and_then(|mut file| file.flush());
        written.map_err(|error| StoreError::writing(path, &error))?;
        Ok(records.len())
    })
    .map_err(|error: PackError| match error {
        PackError::Store(error) => error,
        PackError::Io(error) => StoreError::writing(path, &error),
    })
}

/// What [`whole_file`] and the store can say.
enum PackError {
    Store(StoreError),
    Io(io::Error),
}

impl From<StoreError> for PackError {
    fn from(error: StoreError) -> PackError {
        PackError::Store(error)
    }
}

impl From<io::Error> for PackError {
    fn from(error: io::Error) -> PackError {
        PackError::Io(error)
    }
}

/// Unpacks a file into a store that `build` is about to add to. Nothing is written unless every line verifies and
/// agrees with what the store has.
///
/// Where the store has a point of `build` itself, that one counts: a build whose packed figures differ from it is known
/// to be another, and none of its points is unpacked. So are those of all other builds if they are `replaced`.
pub fn unpack(path: &Path, store: &Store, build: &str, replaced: bool) -> Result<Unpacked, StoreError> {
    // Registered as a runner is, so that nobody takes its temporary files for those of one that was killed.
    let member = Member::register(store, "unpack", Timing::default(), Duration::ZERO)?;
    let unpacked = unpack_as_member(path, store, build, replaced);
    member.leave().and(unpacked)
}

fn unpack_as_member(path: &Path, store: &Store, build: &str, replaced: bool) -> Result<Unpacked, StoreError> {
    let left_out = others(path, store, build, replaced)?;
    let mut unpacked = Unpacked { left_out, ..Unpacked::default() };
    each_line(path, |_, record, line| {
        let found = store.find(&record.key)?;
        match found {
            _ if unpacked.left_out.contains(&record.made.build) => {}
            Found::Done(_) => unpacked.known += 1,
            _ => {
                if let Found::Corrupt { path: damaged, .. } = &found
                    && damaged.starts_with(store.folder.join("points"))
                {
                    store.set_aside(damaged)?;
                }
                write_whole(&store.point_path(&record.key), line)?;
                store.forget_failure(&record.key)?;
                unpacked.new += 1;
            }
        }
        Ok(())
    })?;
    Ok(unpacked)
}

/// The builds of a packed file that are replaced, or give other figures than `build` does in the store. An error where
/// others differ.
fn others(path: &Path, store: &Store, build: &str, replaced: bool) -> Result<BTreeSet<String>, StoreError> {
    let mut others = BTreeSet::new();
    each_line(path, |number, record, _| {
        if replaced && record.made.build != build {
            others.insert(record.made.build);
            return Ok(());
        }
        match store.find(&record.key)? {
            Found::Done(known) if is_equal(&known, &record) => Ok(()),
            Found::Done(known) if known.made.build == build && record.made.build != build => {
                others.insert(record.made.build);
                Ok(())
            }
            Found::Done(_) => {
                let problem = format!(
                    "line {number}: the point {} has other figures in {}",
                    record.key,
                    store.folder.display()
                );
                let help = "two builds gave different figures: name another folder, or give --replace-older, which runs \
                            the points of other builds again";
                Err(StoreError::new(path, problem, help))
            }
            _ => Ok(()),
        }
    })?;
    Ok(others)
}

/// Reads the records of a packed file, one after the other.
pub fn read_packed(path: &Path, mut visit: impl FnMut(Record)) -> Result<(), StoreError> {
    each_line(path, |_, record, _| {
        visit(record);
        Ok(())
    })
}

/// Whether two records of one point say the same; what it is called and which build made it does not matter.
fn is_equal(a: &Record, b: &Record) -> bool {
    crate::runner::differences(a, b).is_empty()
}

fn each_line(
    path: &Path,
    mut visit: impl FnMut(usize, Record, &[u8]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let help = "take the file from where it was packed again";
    let reading = |error: io::Error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            StoreError::new(path, "it is cut off, or no packed records", help)
        }
        _ => StoreError::reading(path, &error),
    };
    let mut lines = BufReader::new(GzDecoder::new(BufReader::new(File::open(path).map_err(reading)?)));
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = lines.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line).map_err(reading)?;
        if read == 0 {
            break;
        }
        let record = unseal(&line, None).map_err(|why| match why {
            Unsealed::Corrupt(why) => StoreError::new(path, format!("line {number}: {why}"), help),
            newer => StoreError::new(path, format!("line {number}: {newer}"), "use the newer program"),
        })?;
        if let Outcome::Failed { .. } = record.outcome {
            return Err(StoreError::new(path, format!("line {number}: a point that failed"), help));
        }
        visit(number, record, &line)?;
    }
    Ok(())
}
