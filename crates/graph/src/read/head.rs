//! The first lines of a text that are no comments: what its format is told from.
//!
//! Comments are passed over however long they are, since what follows them decides. They are read as a
//! stream and never held.

use super::input::{HEAD_BYTES, Input};
use crate::error::GraphError;
use std::io::{self, BufRead, BufReader, Read};

/// The beginning of a text, without comments and without empty lines before the first that is not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// About 64 KiB of lines, all of them complete unless there is only one.
    pub(super) text: Vec<u8>,
    /// Where in the file each of these lines stands, counted from 1.
    pub(super) numbers: Vec<u64>,
    /// There is nothing behind these lines.
    pub(super) whole: bool,
    /// A comment begins with `#`.
    pub(super) hash_comments: bool,
    /// A comment says that this is a METIS file.
    pub(super) says_metis: bool,
}

/// How a line that was read ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    LineFeed,
    /// The text ends here.
    Text,
    /// There was no room for more.
    Room,
}

impl Head {
    /// Reads as much of `input` as is needed.
    pub(super) fn read(input: &Input) -> Result<Head, GraphError> {
        let reader = BufReader::with_capacity(HEAD_BYTES, input.reader()?);
        Head::gather(reader).map_err(|error| input.error(&error))
    }

    fn gather(mut reader: impl BufRead) -> io::Result<Head> {
        let mut head = Head::default();
        if reader.fill_buf()?.starts_with(b"\xEF\xBB\xBF") {
            reader.consume(3);
        }
        let mut number = 1;
        loop {
            let start = head.text.len();
            let end = read_line(&mut reader, &mut head.text, HEAD_BYTES.saturating_sub(start))?;
            let kept = head.keep(start, number, end);
            head.whole = end == End::Text;
            match end {
                End::LineFeed => number += 1,
                End::Text => return Ok(head),
                End::Room if kept => return Ok(head),
                End::Room => {
                    reader.skip_until(b'\n')?;
                    number += 1;
                }
            }
        }
    }

    /// Decides about the line that begins at `start`: false for comments and leading empty lines.
    fn keep(&mut self, start: usize, number: u64, end: End) -> bool {
        let line = self.text.get(start..).unwrap_or_default().trim_ascii();
        let comment = matches!(line.first(), Some(b'#' | b'%'));
        if comment {
            self.hash_comments |= line.starts_with(b"#");
            self.says_metis |= line.windows(5).any(|word| word.eq_ignore_ascii_case(b"metis"));
        }
        let leading = line.is_empty() && self.numbers.is_empty();
        let content = !comment && !leading;
        // What is cut off tells nothing, unless there is nothing else; and behind the last line feed there
        // is no line.
        let complete = end != End::Room || start == 0;
        if content && complete && self.text.len() > start {
            self.numbers.push(number);
        } else {
            self.text.truncate(start);
        }
        content
    }
}

/// Appends the next line, with its line feed, if it is not longer than `room`.
fn read_line(reader: &mut impl BufRead, text: &mut Vec<u8>, room: usize) -> io::Result<End> {
    let count = reader.by_ref().take(room as u64).read_until(b'\n', text)?;
    if count > 0 && text.ends_with(b"\n") {
        return Ok(End::LineFeed);
    }
    Ok(if reader.fill_buf()?.is_empty() { End::Text } else { End::Room })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(text: &[u8]) -> (String, Vec<u64>, bool) {
        let head = Head::gather(text).unwrap();
        (String::from_utf8(head.text).unwrap(), head.numbers, head.whole)
    }

    #[test]
    fn comments_and_leading_empty_lines_are_passed_over() {
        let found = gathered(b"\xEF\xBB\xBF\n# a\n \n0 1\n% b\n\n1 2");
        assert_eq!(found, ("0 1\n\n1 2".to_owned(), vec![4, 6, 7], true));
        let long =
            ["% ".repeat(HEAD_BYTES).into_bytes(), b"\n".repeat(HEAD_BYTES), b"3 4\n".to_vec()].concat();
        assert_eq!(gathered(&long), ("3 4\n".to_owned(), vec![HEAD_BYTES as u64 + 1], true));
        assert!(Head::gather(&b"# a\n0 1\n"[..]).unwrap().hash_comments);
        assert_eq!(gathered(b"% a"), (String::new(), vec![], true));
    }

    #[test]
    fn a_line_that_is_cut_counts_only_where_it_is_alone() {
        let long = "1 ".repeat(HEAD_BYTES);
        assert_eq!(gathered(format!("3 4\n{long}").as_bytes()), ("3 4\n".to_owned(), vec![1], false));
        let (text, numbers, whole) = gathered(long.as_bytes());
        assert_eq!((text.len(), numbers, whole), (HEAD_BYTES, vec![1], false));
    }
}
