//! Text in pieces that end at line ends, parsed in parallel.
//!
//! A file is read, and expanded if it is compressed, a block at a time, the next block while the last is parsed, so
//! that the text is never held whole; what came through a pipe is cut where it lies. The size of a piece does not
//! depend on the number of threads, so neither does the result, nor the error of a bad file: it is always the first
//! in the text.

use super::context::Context;
use super::input::Input;
use super::scan::{Trouble, line_end};
use crate::error::GraphError;
use rayon::prelude::*;
use std::io::Read;

/// What one task parses.
const PIECE_BYTES: usize = 1 << 20;
/// How much of a file is held, apart from lines that are longer.
const BLOCK_BYTES: usize = 8 << 20;
/// How much of what is in memory is parsed between two reports of progress.
const STRIDE_BYTES: usize = 64 << 20;
/// No header line is longer; of a longer line only this much is looked at before the arcs are parsed.
const PEEK_BYTES: usize = 4 << 10;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The lines of an input: the first ones by hand, the others in parallel.
pub(super) struct Text<'a> {
    context: &'a Context<'a>,
    input: &'a Input,
    source: Source<'a>,
    /// Position in the text in memory or in the current block.
    at: usize,
    /// Line feeds before `mark`, which is a position at or before `at`.
    lines_before_mark: u64,
    mark: usize,
    reported: u64,
}

enum Source<'a> {
    Held(&'a [u8]),
    Streamed { reader: Box<dyn Read + Send + 'a>, block: Vec<u8>, ended: bool },
}

/// Where in a piece something stands, to be told as a line.
pub(super) struct Lines<'t> {
    before_mark: u64,
    since_mark: &'t [u8],
    piece_at: usize,
    /// The piece itself.
    pub(super) piece: &'t [u8],
}

impl Lines<'_> {
    /// The line, counted from 1, of a byte of the piece.
    pub(super) fn at(&self, at: usize) -> u64 {
        let end = (self.piece_at + at).min(self.since_mark.len());
        self.before_mark + memchr::memchr_iter(b'\n', &self.since_mark[..end]).count() as u64 + 1
    }
}

impl<'a> Text<'a> {
    /// The text of `input` from its beginning, without a byte order mark.
    pub(super) fn open(input: &'a Input, context: &'a Context<'a>) -> Result<Text<'a>, GraphError> {
        let source = match input.held() {
            Some(text) => Source::Held(text),
            None => Source::Streamed { reader: input.reader()?, block: Vec::new(), ended: false },
        };
        let mut text = Text { context, input, source, at: 0, lines_before_mark: 0, mark: 0, reported: 0 };
        if text.peek()?.is_some_and(|line| line.starts_with(BYTE_ORDER_MARK)) {
            text.at = BYTE_ORDER_MARK.len();
        }
        context.progress.begin("reading", input.stored_bytes());
        Ok(text)
    }

    /// An upper bound on the bytes from here to the end, where it is known.
    pub(super) fn bytes_left_max(&self) -> u64 {
        match &self.source {
            Source::Held(text) => (text.len() - self.at) as u64,
            Source::Streamed { block, .. } => match self.input.plain_bytes_left() {
                Some(left) => left + (block.len() - self.at) as u64,
                None => self.context.limits.decompressed_bytes,
            },
        }
    }

    fn loaded(&self) -> &[u8] {
        match &self.source {
            Source::Held(text) => text,
            Source::Streamed { block, .. } => block,
        }
    }

    /// The next line, without its end, or as much of it as any header needs; `None` at the end of the text.
    pub(super) fn peek(&mut self) -> Result<Option<&[u8]>, GraphError> {
        let at = self.at;
        if let Source::Streamed { reader, block, ended } = &mut self.source {
            while !*ended && block.len() < at + PEEK_BYTES && memchr::memchr(b'\n', &block[at..]).is_none() {
                *ended = grow(reader, block, BLOCK_BYTES).map_err(|error| self.input.error(&error))?;
            }
        }
        let text = self.loaded();
        if at >= text.len() {
            return Ok(None);
        }
        let near = &text[..text.len().min(at + PEEK_BYTES)];
        let line = &near[at..line_end(near, at)];
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// Leaves the line that [`peek`](Text::peek) showed.
    pub(super) fn skip(&mut self) -> Result<(), GraphError> {
        loop {
            let text = self.loaded();
            let end = line_end(text, self.at);
            if end < text.len() {
                (self.at, self.mark) = (end + 1, end + 1);
                self.lines_before_mark += 1;
                return Ok(());
            }
            (self.at, self.mark) = (end, end);
            let Source::Streamed { reader, block, ended: ended @ false } = &mut self.source else {
                return Ok(());
            };
            // The line goes on behind what is loaded, which nobody needs any more.
            block.clear();
            (self.at, self.mark) = (0, 0);
            *ended = grow(reader, block, BLOCK_BYTES).map_err(|error| self.input.error(&error))?;
        }
    }

    /// The number of the line that [`peek`](Text::peek) shows.
    pub(super) fn line(&self) -> u64 {
        self.lines_before_mark + 1
    }

    /// An error about the line that [`peek`](Text::peek) shows.
    pub(super) fn error(&self, problem: impl Into<String>) -> GraphError {
        self.context.error(problem).at_line(self.line())
    }

    /// Parses all further lines in parallel and passes the results on in the order of the text.
    pub(super) fn parse<T: Send>(
        mut self,
        parse: impl Fn(&[u8]) -> Result<T, Trouble> + Sync,
        mut take: impl FnMut(T, &Lines<'_>) -> Result<(), Trouble>,
    ) -> Result<(), GraphError> {
        match std::mem::replace(&mut self.source, Source::Held(&[])) {
            Source::Held(text) => self.parse_held(text, &parse, &mut take),
            Source::Streamed { reader, block, ended } => {
                self.parse_streamed(reader, block, ended, &parse, &mut take)
            }
        }
    }

    fn parse_held<T: Send>(
        &mut self,
        text: &[u8],
        parse: &(impl Fn(&[u8]) -> Result<T, Trouble> + Sync),
        take: &mut impl FnMut(T, &Lines<'_>) -> Result<(), Trouble>,
    ) -> Result<(), GraphError> {
        self.report(self.at as u64);
        while self.at < text.len() {
            let end = cut(text, self.at, STRIDE_BYTES);
            let pieces = pieces(&text[self.at..end]);
            let results = parse_all(&pieces, parse);
            self.take_all(&text[self.mark..], self.at - self.mark, &pieces, results, take)?;
            self.at = end;
            self.report(end as u64);
        }
        Ok(())
    }

    fn parse_streamed<T: Send>(
        &mut self,
        mut reader: Box<dyn Read + Send + '_>,
        mut block: Vec<u8>,
        mut ended: bool,
        parse: &(impl Fn(&[u8]) -> Result<T, Trouble> + Sync),
        take: &mut impl FnMut(T, &Lines<'_>) -> Result<(), Trouble>,
    ) -> Result<(), GraphError> {
        block.drain(..self.at);
        loop {
            let mut lines = whole_lines(&block, 0);
            while lines == 0 && !ended {
                let searched = block.len();
                ended =
                    grow(&mut reader, &mut block, BLOCK_BYTES).map_err(|error| self.input.error(&error))?;
                lines = whole_lines(&block, searched);
            }
            if ended {
                lines = block.len();
            }
            let (text, tail) = block.split_at(lines);
            let pieces = pieces(text);
            let mut next = tail.to_vec();
            let (results, grown) = rayon::join(
                || parse_all(&pieces, parse),
                || if ended { Ok(true) } else { grow(&mut reader, &mut next, BLOCK_BYTES) },
            );
            self.take_all(text, 0, &pieces, results, take)?;
            self.lines_before_mark += memchr::memchr_iter(b'\n', text).count() as u64;
            self.report(self.input.consumed());
            let finished = ended;
            ended = grown.map_err(|error| self.input.error(&error))?;
            if finished {
                return Ok(());
            }
            block = next;
        }
    }

    fn take_all<T>(
        &self,
        since_mark: &[u8],
        mut piece_at: usize,
        pieces: &[&[u8]],
        results: Vec<Result<T, Trouble>>,
        take: &mut impl FnMut(T, &Lines<'_>) -> Result<(), Trouble>,
    ) -> Result<(), GraphError> {
        for (piece, result) in pieces.iter().zip(results) {
            let lines = Lines { before_mark: self.lines_before_mark, since_mark, piece_at, piece };
            result.and_then(|result| take(result, &lines)).map_err(|trouble| GraphError {
                help: trouble.help,
                ..self.context.error(trouble.problem).at_line(lines.at(trouble.at))
            })?;
            piece_at += piece.len();
        }
        Ok(())
    }

    fn report(&mut self, bytes: u64) {
        self.context.progress.advance(bytes.saturating_sub(self.reported));
        self.reported = self.reported.max(bytes);
    }
}

fn parse_all<T: Send>(
    pieces: &[&[u8]],
    parse: &(impl Fn(&[u8]) -> Result<T, Trouble> + Sync),
) -> Vec<Result<T, Trouble>> {
    pieces.par_iter().with_max_len(1).map(|piece| parse(piece)).collect()
}

/// Cuts whole lines into pieces of about [`PIECE_BYTES`].
fn pieces(text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::with_capacity(text.len() / PIECE_BYTES + 1);
    let mut at = 0;
    while at < text.len() {
        let end = cut(text, at, PIECE_BYTES);
        pieces.push(&text[at..end]);
        at = end;
    }
    pieces
}

/// The end of the line that is `length` bytes beyond `at`.
fn cut(text: &[u8], at: usize, length: usize) -> usize {
    let near = at.saturating_add(length);
    if near >= text.len() { text.len() } else { (line_end(text, near) + 1).min(text.len()) }
}

/// The length of the lines that are complete. There is no line end before `searched`.
fn whole_lines(block: &[u8], searched: usize) -> usize {
    memchr::memrchr(b'\n', &block[searched..]).map_or(0, |at| searched + at + 1)
}

/// Appends up to `length` bytes; true at the end of the stream.
fn grow(reader: &mut dyn Read, block: &mut Vec<u8>, length: usize) -> std::io::Result<bool> {
    block.reserve(length);
    let read = reader.take(length as u64).read_to_end(block)?;
    Ok(read < length)
}
