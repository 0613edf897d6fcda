//! Operands of instructions (PTX ISA 8.5, chapter 6).

use super::parser::{Parsed, Parser};
use super::token::Kind;
use super::tree::{Expression, Operand};
use crate::Place;

impl Parser<'_> {
    /// An operand; in a call, parentheses hold arguments rather than an expression.
    pub(super) fn operand(&mut self, in_call: bool) -> Parsed<Operand> {
        self.nested(|parser| {
            let first = parser.single(in_call)?;
            if !parser.eat(b'|') {
                return Ok(first);
            }
            Ok(Operand::Pair(Box::new(first), Box::new(parser.single(false)?)))
        })
    }

    fn single(&mut self, in_call: bool) -> Parsed<Operand> {
        let token = self.peek();
        let place = token.place;
        match token.kind {
            Kind::Name => self.named(),
            Kind::Mark([b'!', 0]) if self.ahead(1).kind == Kind::Name => {
                self.take();
                let (_, name) = self.dotted_name()?;
                Ok(Operand::Not(place, name))
            }
            Kind::Mark([b'{', _]) => Ok(Operand::Vector(place, self.sequence(b'{', b'}')?)),
            Kind::Mark([b'(', _]) if in_call => Ok(Operand::List(place, self.sequence(b'(', b')')?)),
            Kind::Mark([b'[', _]) => self.address(),
            Kind::Integer | Kind::Single | Kind::Double | Kind::Decimal => self.constant(place),
            Kind::Mark([b'-' | b'+' | b'~' | b'!' | b'(', 0]) => self.constant(place),
            _ => self.fail("an operand"),
        }
    }

    fn constant(&mut self, place: Place) -> Parsed<Operand> {
        Ok(as_operand(place, self.expression()?))
    }

    /// `open a, b close`, perhaps empty.
    fn sequence(&mut self, open: u8, close: u8) -> Parsed<Vec<Operand>> {
        self.expect(open, "in front of operands")?;
        let mut operands = Vec::new();
        if self.eat(close) {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand(false)?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(close, "or `,` after an operand")?;
        Ok(operands)
    }

    /// A name with what stands behind its dot (`%tid.x`).
    fn dotted_name(&mut self) -> Parsed<(Place, String)> {
        let token = self.peek();
        let (place, mut name) = self.name("a name")?;
        let mut end = token.end;
        // A dotted token starts behind its dot.
        while self.peek().kind == Kind::Dotted && self.peek().start == end + 1 {
            let word = self.take();
            name.push('.');
            name.push_str(self.text(word));
            end = word.end;
        }
        Ok((place, name))
    }

    /// `name`, `name+4`, `generic(name)`.
    fn named(&mut self) -> Parsed<Operand> {
        let token = self.peek();
        let next = self.ahead(1).kind;
        let computes = match self.text(token) {
            "generic" => next == Kind::one(b'('),
            "WARP_SZ" => {
                matches!(next, Kind::Mark([b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'&', _]))
            }
            _ => false,
        };
        if computes {
            return self.constant(token.place);
        }
        let (place, name) = self.dotted_name()?;
        match self.addend()? {
            0 => Ok(Operand::Name(place, name)),
            addend => Ok(Operand::Constant(place, Expression::Symbol { name, addend, generic: false })),
        }
    }

    /// `[base+offset]`, or several things in brackets.
    fn address(&mut self) -> Parsed<Operand> {
        let place = self.expect(b'[', "in front of an address")?.place;
        let first = self.operand(false)?;
        if !self.is(b',') {
            self.expect(b']', "after an address")?;
            return Ok(match first {
                Operand::Constant(at, Expression::Symbol { name, addend, generic: false }) => {
                    Operand::Address(place, Box::new(Operand::Name(at, name)), addend)
                }
                base => Operand::Address(place, Box::new(base), 0),
            });
        }
        let mut parts = vec![first];
        while self.eat(b',') {
            parts.push(self.operand(false)?);
        }
        self.expect(b']', "or `,` after an operand in brackets")?;
        Ok(Operand::Bracket(place, parts))
    }
}

/// A name by itself is a name, however it was written.
fn as_operand(place: Place, expression: Expression) -> Operand {
    match expression {
        Expression::Symbol { name, addend: 0, generic: false } => Operand::Name(place, name),
        expression => Operand::Constant(place, expression),
    }
}
