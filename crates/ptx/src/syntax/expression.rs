//! Constants and constant expressions (PTX ISA 8.5, section 4.5).
//!
//! Integers are 64 bits wide, signed unless one is marked or too large; an operation with an unsigned operand is
//! unsigned. Expressions are folded while they are read. Floating-point constants take a sign and nothing else.

use super::parser::{Parsed, Parser};
use super::token::Kind;
use super::tree::Expression;
use crate::Place;

/// Binds tighter the larger it is; `None` for what is no binary operator.
fn precedence(kind: Kind) -> Option<u8> {
    let Kind::Mark(mark) = kind else { return None };
    Some(match &mark {
        b"*\0" | b"/\0" | b"%\0" => 10,
        b"+\0" | b"-\0" => 9,
        b"<<" | b">>" => 8,
        b"<\0" | b">\0" | b"<=" | b">=" => 7,
        b"==" | b"!=" => 6,
        b"&\0" => 5,
        b"^\0" => 4,
        b"|\0" => 3,
        b"&&" => 2,
        b"||" => 1,
        _ => return None,
    })
}

/// The precedence of what may be added to a name without parentheses.
const TERM: u8 = 10;

/// A unary operator or a cast.
enum Unary {
    Minus,
    Not,
    Complement,
    ToSigned,
    ToUnsigned,
}

impl Parser<'_> {
    /// A constant, or an address with a constant added.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.nested(|parser| {
            let place = parser.peek().place;
            let condition = parser.binary(0)?;
            if !parser.eat(b'?') {
                return Ok(condition);
            }
            let (condition, _) = parser.integer_of(place, condition)?;
            let chosen = parser.expression()?;
            parser.expect(b':', "between the two values of a choice")?;
            let other = parser.expression()?;
            Ok(if condition != 0 { chosen } else { other })
        })
    }

    /// An integer constant that is not negative.
    pub(super) fn size(&mut self, purpose: &str) -> Parsed<u64> {
        let place = self.peek().place;
        let expression = self.expression()?;
        match self.integer_of(place, expression)? {
            (value, unsigned) if unsigned || value as i64 >= 0 => Ok(value),
            (value, _) => {
                let problem = format!("expected {purpose}, found the negative number {}", value as i64);
                self.report(place, problem, None)
            }
        }
    }

    /// `+ 4 - 8 …` after a name: the sum.
    pub(super) fn addend(&mut self) -> Parsed<i64> {
        let mut sum = 0i64;
        while self.is(b'+') || self.is(b'-') {
            let negative = self.take().kind == Kind::one(b'-');
            let place = self.peek().place;
            let term = self.nested(|parser| parser.binary(TERM))?;
            let value = self.integer_of(place, term)?.0 as i64;
            sum = if negative { sum.wrapping_sub(value) } else { sum.wrapping_add(value) };
        }
        Ok(sum)
    }

    fn integer_of(&mut self, place: Place, expression: Expression) -> Parsed<(u64, bool)> {
        match expression {
            Expression::Integer(value, unsigned) => Ok((value, unsigned)),
            _ => self.report(place, "expected an integer constant".to_string(), None),
        }
    }

    fn binary(&mut self, least: u8) -> Parsed<Expression> {
        let mut left = self.unary()?;
        while let Some(level) = precedence(self.peek().kind).filter(|&level| level >= least) {
            let operator = self.take();
            let right = self.binary(level + 1)?;
            left = match fold(operator.kind, left, right) {
                Ok(folded) => folded,
                Err(problem) => return self.report(operator.place, problem.to_string(), None),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expression> {
        let place = self.peek().place;
        let mut operators = Vec::new();
        loop {
            match self.peek().kind {
                Kind::Mark([b'+', _]) => {}
                Kind::Mark([b'-', _]) => operators.push(Unary::Minus),
                Kind::Mark([b'!', 0]) => operators.push(Unary::Not),
                Kind::Mark([b'~', _]) => operators.push(Unary::Complement),
                Kind::Mark([b'(', _]) if self.ahead(1).kind == Kind::Dotted => {
                    operators.push(self.cast()?);
                    continue;
                }
                _ => break,
            }
            self.take();
        }
        let mut value = self.primary()?;
        for operator in operators.into_iter().rev() {
            value = match (operator, value) {
                (Unary::Minus, Expression::Single(bits)) => Expression::Single(bits ^ 1 << 31),
                (Unary::Minus, Expression::Double(bits)) => Expression::Double(bits ^ 1 << 63),
                (operator, value) => {
                    let (bits, unsigned) = self.integer_of(place, value)?;
                    match operator {
                        Unary::Minus => Expression::Integer(bits.wrapping_neg(), unsigned),
                        Unary::Not => Expression::Integer(u64::from(bits == 0), false),
                        Unary::Complement => Expression::Integer(!bits, unsigned),
                        Unary::ToSigned => Expression::Integer(bits, false),
                        Unary::ToUnsigned => Expression::Integer(bits, true),
                    }
                }
            };
        }
        Ok(value)
    }

    fn cast(&mut self) -> Parsed<Unary> {
        self.expect(b'(', "in front of a type")?;
        let operator = match self.dotted() {
            Some("s64") => Unary::ToSigned,
            Some("u64") => Unary::ToUnsigned,
            _ => return self.fail("`.s64` or `.u64`"),
        };
        self.take();
        self.expect(b')', "after a type")?;
        Ok(operator)
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let token = self.peek();
        let text = self.text(token);
        match token.kind {
            Kind::Integer => {
                self.take();
                let Some((value, unsigned)) = integer(text) else {
                    let problem = format!("the integer `{text}` is malformed or has more than 64 bits");
                    return self.report(token.place, problem, None);
                };
                match self.is(b'(') {
                    true => self.mask(value),
                    false => Ok(Expression::Integer(value, unsigned)),
                }
            }
            Kind::Single | Kind::Double | Kind::Decimal => {
                self.take();
                match float(token.kind, text) {
                    Some(value) => Ok(value),
                    None => self.report(token.place, format!("malformed number `{text}`"), None),
                }
            }
            Kind::Mark([b'(', _]) => {
                self.take();
                let inner = self.expression()?;
                self.expect(b')', "after an expression in parentheses")?;
                Ok(inner)
            }
            Kind::Name => self.symbol(),
            _ => self.fail("a constant"),
        }
    }

    /// `name`, `generic(name)`, or the constant `WARP_SZ`.
    fn symbol(&mut self) -> Parsed<Expression> {
        let (_, name) = self.name("a name")?;
        if name == "WARP_SZ" {
            return Ok(Expression::Integer(32, false));
        }
        if name != "generic" || !self.eat(b'(') {
            return Ok(Expression::Symbol { name, addend: 0, generic: false });
        }
        let (_, name) = self.name("the name of a variable in `generic()`")?;
        let addend = self.addend()?;
        self.expect(b')', "after `generic(` and a name")?;
        Ok(Expression::Symbol { name, addend, generic: true })
    }

    /// `0xFF00(name)`, the mask being read already.
    fn mask(&mut self, mask: u64) -> Parsed<Expression> {
        self.take();
        let place = self.peek().place;
        let inner = self.expression()?;
        self.expect(b')', "after a masked address")?;
        match inner {
            Expression::Symbol { .. } => Ok(Expression::Mask(mask, Box::new(inner))),
            _ => self.report(place, "expected the name of a variable or function to mask".to_string(), None),
        }
    }
}

/// The value of an integer as written, and whether it is unsigned.
pub(super) fn integer(text: &str) -> Option<(u64, bool)> {
    let (digits, marked) = text.strip_suffix('U').map_or((text, false), |digits| (digits, true));
    let value = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => u64::from_str_radix(digits.get(2..)?, 16),
        [b'0', b'b' | b'B', ..] => u64::from_str_radix(digits.get(2..)?, 2),
        [b'0', _, ..] => u64::from_str_radix(digits, 8),
        _ => digits.parse(),
    };
    value.ok().map(|value| (value, marked || value > i64::MAX as u64))
}

fn float(kind: Kind, text: &str) -> Option<Expression> {
    match kind {
        Kind::Single => u32::from_str_radix(text.get(2..)?, 16).ok().map(Expression::Single),
        Kind::Double => u64::from_str_radix(text.get(2..)?, 16).ok().map(Expression::Double),
        _ => text.parse().ok().map(|value: f64| Expression::Double(value.to_bits())),
    }
}

fn fold(operator: Kind, left: Expression, right: Expression) -> Result<Expression, &'static str> {
    let Kind::Mark(mark) = operator else { return Err("expected an operator") };
    let moved = |name, addend: i64, generic, by: u64| match mark[0] {
        b'-' => Expression::Symbol { name, addend: addend.wrapping_sub(by as i64), generic },
        _ => Expression::Symbol { name, addend: addend.wrapping_add(by as i64), generic },
    };
    match (left, right) {
        (Expression::Integer(a, a_unsigned), Expression::Integer(b, b_unsigned)) => match &mark {
            // The type of a shift is that of its left side alone.
            b"<<" | b">>" => Ok(Expression::Integer(shift(mark[0], a, a_unsigned, b), a_unsigned)),
            _ => integers(mark, a, b, a_unsigned || b_unsigned),
        },
        (Expression::Symbol { name, addend, generic }, Expression::Integer(by, _))
            if mark == *b"+\0" || mark == *b"-\0" =>
        {
            Ok(moved(name, addend, generic, by))
        }
        (Expression::Integer(by, _), Expression::Symbol { name, addend, generic }) if mark == *b"+\0" => {
            Ok(moved(name, addend, generic, by))
        }
        (Expression::Integer(..), _) | (_, Expression::Integer(..)) => {
            Err("only an integer constant may be added to an address or taken off it")
        }
        _ => Err("only integer constants can be computed with"),
    }
}

fn shift(direction: u8, value: u64, unsigned: bool, by: u64) -> u64 {
    let by = by.min(64) as u32;
    match (direction, unsigned) {
        (b'<', _) => value.checked_shl(by).unwrap_or(0),
        (_, true) => value.checked_shr(by).unwrap_or(0),
        (_, false) => ((value as i64) >> by.min(63)) as u64,
    }
}

fn integers(mark: [u8; 2], a: u64, b: u64, unsigned: bool) -> Result<Expression, &'static str> {
    let (signed_a, signed_b) = (a as i64, b as i64);
    let order = if unsigned { a.cmp(&b) } else { signed_a.cmp(&signed_b) };
    let truth = |truth: bool| Ok(Expression::Integer(u64::from(truth), false));
    let value = match &mark {
        b"*\0" => a.wrapping_mul(b),
        b"+\0" => a.wrapping_add(b),
        b"-\0" => a.wrapping_sub(b),
        b"/\0" | b"%\0" if b == 0 => return Err("division by zero in a constant expression"),
        b"/\0" if unsigned => a / b,
        b"/\0" => signed_a.wrapping_div(signed_b) as u64,
        b"%\0" if unsigned => a % b,
        b"%\0" => signed_a.wrapping_rem(signed_b) as u64,
        b"&\0" => a & b,
        b"^\0" => a ^ b,
        b"|\0" => a | b,
        b"<\0" => return truth(order.is_lt()),
        b">\0" => return truth(order.is_gt()),
        b"<=" => return truth(order.is_le()),
        b">=" => return truth(order.is_ge()),
        b"==" => return truth(a == b),
        b"!=" => return truth(a != b),
        b"&&" => return truth(a != 0 && b != 0),
        _ => return truth(a != 0 || b != 0),
    };
    Ok(Expression::Integer(value, unsigned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<Expression> {
        let mut parser = Parser::new("", text);
        parser.expression().ok().filter(|_| parser.is_end())
    }

    #[test]
    fn integers_are_signed_unless_marked_or_large() {
        for (text, number, unsigned) in [
            ("12", 12, false),
            ("0x1F", 31, false),
            ("0X1fU", 31, true),
            ("017", 15, false),
            ("0b101", 5, false),
            ("0", 0, false),
            ("7U", 7, true),
            ("9223372036854775807", i64::MAX as u64, false),
            ("9223372036854775808", 1 << 63, true),
            ("-9223372036854775807-1", 1 << 63, false),
        ] {
            assert_eq!(value(text), Some(Expression::Integer(number, unsigned)), "{text}");
        }
    }

    #[test]
    fn expressions_are_folded_with_the_precedence_of_c() {
        for (text, expected) in [
            ("1+2*3", 7),
            ("(1+2)*3", 9),
            ("2-3-4", -5),
            ("1<<2+1", 8),
            ("7&3==3", 1),
            ("6|1^3&2", 7),
            ("1||0&&0", 1),
            ("!5+!0", 1),
            ("~0", -1),
            ("- -4", 4),
            ("-7/2", -3),
            ("-7%3", -1),
            ("17%5", 2),
            ("-8>>1", -4),
            ("1<<64", 0),
            ("-1>>64", -1),
            ("2>1?10:20", 10),
            ("0?1:0?2:3", 3),
            ("-1<1", 1),
            ("-1<1U", 0),
            ("(.s64)0xFFFFFFFFFFFFFFFF < 0", 1),
            ("(.u64)-1 > 0", 1),
            ("WARP_SZ*2", 64),
            ("3!=4", 1),
            ("3>=4", 0),
        ] {
            let Some(Expression::Integer(number, _)) = value(text) else { panic!("{text}") };
            assert_eq!(number as i64, expected, "{text}");
        }
    }

    #[test]
    fn floats_are_kept_to_the_bit() {
        assert_eq!(value("0f7FC00001"), Some(Expression::Single(0x7FC0_0001)));
        assert_eq!(value("-0f00000000"), Some(Expression::Single(0x8000_0000)));
        assert_eq!(value("0d7FF8000000000001"), Some(Expression::Double(0x7FF8_0000_0000_0001)));
        assert_eq!(value("-1.5e-3"), Some(Expression::Double((-1.5e-3f64).to_bits())));
        assert_eq!(value(".5"), Some(Expression::Double(0.5f64.to_bits())));
        assert_eq!(value("1."), Some(Expression::Double(1f64.to_bits())));
        assert_eq!(value("2E3"), Some(Expression::Double(2000f64.to_bits())));
    }

    #[test]
    fn addresses_take_an_addend_and_nothing_else() {
        let symbol = |addend, generic| Some(Expression::Symbol { name: "a".to_string(), addend, generic });
        assert_eq!(value("a"), symbol(0, false));
        assert_eq!(value("a+4*2-1"), symbol(7, false));
        assert_eq!(value("4+a"), symbol(4, false));
        assert_eq!(value("generic(a)+8"), symbol(8, true));
        assert_eq!(value("generic(a+4)"), symbol(4, true));
        for text in ["a*2", "4-a", "a+b", "-a", "a?1:2", "1.5+2", "0xFF(4)", "1 2", ""] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
