//! The successor lists, one after the other.
//!
//! A list is its length, parts copied from the list of a vertex shortly before, intervals, and the rest one
//! by one. Lists are appended to the final array, which also serves the copying. Whatever a damaged stream
//! says, work and memory stay within the arcs that the properties promise (which were granted before) and
//! the bits there are: a list never grows beyond its stated length, nor all lists beyond the arcs.

use super::codes::{self, CodeError};
use super::flags::Flags;
use super::properties::Properties;
use crate::csr::{Csr, Vertex};
use crate::error::GraphError;
use crate::read::context::Context;
use dsi_bitstream::codes::ToInt;
use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::traits::{BitRead, BitSeek, Endianness};
use std::marker::PhantomData;
use std::path::Path;

/// What is wrong with a list, before it is said where.
enum ListError {
    Code(CodeError),
    Problem(String),
}

impl From<CodeError> for ListError {
    fn from(error: CodeError) -> ListError {
        ListError::Code(error)
    }
}

fn problem<T>(text: impl Into<String>) -> Result<T, ListError> {
    Err(ListError::Problem(text.into()))
}

const DAMAGED: &str = "the .graph is damaged, or the .properties are not its own";

struct Decoder<E, R> {
    bits: R,
    flags: Flags,
    vertices: u64,
    arcs: u64,
    offsets: Vec<u64>,
    targets: Vec<Vertex>,
    _order: PhantomData<E>,
}

/// Vertices between two reports of progress.
const VERTICES_PER_REPORT: u64 = 1 << 16;

/// Bits that may follow the last list: writers fill up their last word.
const PADDING_BITS_MAX: u64 = 128;

/// What the bits come with.
pub(super) struct Source<'a> {
    pub(super) properties: &'a Properties,
    /// The file, for errors.
    pub(super) graph: &'a Path,
    /// How many bits the file has.
    pub(super) bits: u64,
}

/// Decodes all lists.
pub(super) fn rows<E: Endianness, R: BitRead<E> + BitSeek>(
    bits: R,
    source: &Source<'_>,
    context: &Context<'_>,
) -> Result<Csr, GraphError> {
    let &Properties { vertices, arcs, flags, .. } = source.properties;
    let mut decoder = Decoder {
        bits,
        flags,
        vertices,
        arcs,
        offsets: Vec::with_capacity(vertices as usize + 1),
        targets: Vec::new(),
        _order: PhantomData,
    };
    context.progress.begin("decoding", vertices);
    decoder.offsets.push(0);
    for vertex in 0..vertices {
        if let Err(error) = decoder.list(vertex) {
            return Err(decoder.located(error, vertex, source.graph));
        }
        decoder.offsets.push(decoder.targets.len() as u64);
        if vertex % VERTICES_PER_REPORT == VERTICES_PER_REPORT - 1 {
            context.progress.advance(VERTICES_PER_REPORT);
        }
    }
    context.progress.advance(vertices % VERTICES_PER_REPORT);
    decoder.check_end(source)?;
    decoder.targets.shrink_to_fit();
    Csr::new(decoder.offsets, decoder.targets, None)
        .map_err(|problem| GraphError::new(source.graph, problem.to_string()))
}

impl<E: Endianness, R: BitRead<E> + BitSeek> Decoder<E, R> {
    fn located(&mut self, error: ListError, vertex: u64, graph: &Path) -> GraphError {
        let offset = self.bits.bit_pos().unwrap_or_default() / 8;
        let text = match error {
            ListError::Problem(text) => text,
            ListError::Code(CodeError::End) => "the bits end within it".to_owned(),
            ListError::Code(CodeError::TooLong) => "it has a number of more than 56 bits".to_owned(),
            ListError::Code(CodeError::Unknown) => "it uses an unknown code".to_owned(),
        };
        let problem = format!("the list of vertex {vertex} cannot be decoded: {text}");
        GraphError::new(graph, problem).at_offset(offset).with_help(DAMAGED)
    }

    /// All arcs must have come, and the file must end with the last list.
    fn check_end(&mut self, source: &Source<'_>) -> Result<(), GraphError> {
        let (found, arcs) = (self.targets.len() as u64, self.arcs);
        let position = self.bits.bit_pos().unwrap_or_default();
        let problem = if position > source.bits {
            "the bits end within the last list".to_owned()
        } else if found != arcs {
            format!("the lists hold {found} arcs, but the properties promise {arcs}")
        } else if source.bits - position >= PADDING_BITS_MAX {
            "the last list ends here, but more bytes follow".to_owned()
        } else {
            return Ok(());
        };
        Err(GraphError::new(source.graph, problem).at_offset(position / 8).with_help(DAMAGED))
    }

    fn number(&mut self, code: Codes) -> Result<u64, ListError> {
        Ok(codes::read(&mut self.bits, code)?)
    }

    /// Appends the successors of `vertex`.
    fn list(&mut self, vertex: u64) -> Result<(), ListError> {
        let degree = self.number(self.flags.outdegrees)?;
        if degree == 0 {
            return Ok(());
        }
        let start = self.targets.len();
        let left = self.arcs - start as u64;
        if degree > left || degree > self.vertices {
            let promised = format!("{left} of {} arcs are left", self.arcs);
            return problem(format!("{degree} successors among {} vertices; {promised}", self.vertices));
        }
        let end = start + degree as usize;
        if self.flags.compression_window != 0 {
            self.copy(vertex, end)?;
        }
        if self.targets.len() < end && self.flags.min_interval_length != 0 {
            self.intervals(vertex, end)?;
        }
        if self.targets.len() < end {
            self.residuals(vertex, end)?;
        }
        let list = &mut self.targets[start..];
        list.sort();
        if let Some(twice) = list.windows(2).find(|pair| pair[0] == pair[1]) {
            return problem(format!("vertex {} is listed twice", twice[0]));
        }
        Ok(())
    }

    /// Copies blocks of an earlier list: every other one, beginning with the first.
    fn copy(&mut self, vertex: u64, end: usize) -> Result<(), ListError> {
        let distance = self.number(self.flags.references)?;
        if distance == 0 {
            return Ok(());
        }
        if distance > vertex.min(self.flags.compression_window) {
            return problem(format!("it refers {distance} vertices back"));
        }
        let reference = (vertex - distance) as usize;
        let (mut from, to) = (self.offsets[reference] as usize, self.offsets[reference + 1] as usize);
        let blocks = self.number(self.flags.blocks)?;
        if blocks > (to - from) as u64 + 1 {
            return problem(format!("{blocks} blocks of a list of {}", to - from));
        }
        for block in 0..blocks {
            let stated = self.number(self.flags.blocks)?;
            // No block but the first is empty, so the others are stored one less.
            let length = if block == 0 { stated } else { stated.saturating_add(1) };
            if length > (to - from) as u64 {
                return problem(format!("a block of {length} where {} are left", to - from));
            }
            if block % 2 == 0 {
                self.copy_block(from, from + length as usize, end)?;
            }
            from += length as usize;
        }
        if blocks % 2 == 0 { self.copy_block(from, to, end) } else { Ok(()) }
    }

    fn copy_block(&mut self, from: usize, to: usize, end: usize) -> Result<(), ListError> {
        if to - from > end - self.targets.len() {
            return problem("more successors are copied than it has");
        }
        self.targets.extend_from_within(from..to);
        Ok(())
    }

    fn intervals(&mut self, vertex: u64, end: usize) -> Result<(), ListError> {
        let code = self.flags.intervals;
        let count = self.number(code)?;
        let mut next = 0;
        for interval in 0..count {
            let stated = self.number(code)?;
            let first = if interval == 0 {
                self.relative(vertex, stated)?
            } else {
                // Between two intervals there is a gap of at least one.
                next + 1 + stated
            };
            let length = self.number(code)?.saturating_add(self.flags.min_interval_length);
            if length > (end - self.targets.len()) as u64 {
                return problem(format!("an interval of {length}, more successors than it has"));
            }
            next = first.saturating_add(length);
            if next > self.vertices {
                return problem(format!("an interval ends at vertex {next} of {}", self.vertices));
            }
            self.targets.extend(first as Vertex..next as Vertex);
        }
        Ok(())
    }

    fn residuals(&mut self, vertex: u64, end: usize) -> Result<(), ListError> {
        let code = self.flags.residuals;
        let stated = self.number(code)?;
        let mut target = self.relative(vertex, stated)?;
        loop {
            if target >= self.vertices {
                return problem(format!("an arc leads to vertex {target} of {}", self.vertices));
            }
            self.targets.push(target as Vertex);
            if self.targets.len() >= end {
                return Ok(());
            }
            target += 1 + self.number(code)?;
        }
    }

    /// The vertex that is `stated` away, before or after. (Numbers have at most 57 bits: no sum overflows.)
    fn relative(&self, vertex: u64, stated: u64) -> Result<u64, ListError> {
        match vertex.checked_add_signed(stated.to_int()) {
            Some(target) => Ok(target),
            None => problem("an arc leads before the first vertex"),
        }
    }
}
