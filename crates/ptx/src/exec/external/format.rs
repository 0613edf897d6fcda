//! The format strings of C's `printf` (ISO C 2011, section 7.21.6.1), as far as devices support them.

use super::Failure;

/// Widths and precisions above this are cut, so that a format cannot ask for any amount of output.
const WIDEST: usize = 4096;

/// Where arguments come from.
pub(super) trait Arguments {
    /// The next one, of 4 or 8 bytes.
    fn next(&mut self, bytes: u64) -> Result<u64, Failure>;
    /// The string at an address.
    fn string(&self, address: u64) -> Result<Vec<u8>, Failure>;
}

/// One conversion specification.
#[derive(Debug, Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    long: bool,
    letter: u8,
}

/// Formats; returns the output and the number of arguments used. What is no conversion is printed as it is.
pub(super) fn format(text: &[u8], arguments: &mut impl Arguments) -> Result<(Vec<u8>, usize), Failure> {
    let mut output = Vec::new();
    let mut used = 0;
    let mut rest = text;
    while let Some(start) = rest.iter().position(|&byte| byte == b'%') {
        output.extend_from_slice(&rest[..start]);
        rest = &rest[start..];
        let (conversion, length, stars) = parse(rest, arguments)?;
        used += stars;
        match convert(&conversion, arguments)? {
            Some(body) => {
                used += usize::from(conversion.letter != b'%');
                output.extend_from_slice(&body);
            }
            None => output.extend_from_slice(&rest[..length]),
        }
        rest = &rest[length..];
    }
    output.extend_from_slice(rest);
    Ok((output, used))
}

/// Reads a specification at the start of `text`: its length, and how many arguments its stars took.
fn parse(text: &[u8], arguments: &mut impl Arguments) -> Result<(Conversion, usize, usize), Failure> {
    let mut conversion = Conversion::default();
    let mut at = 1;
    let mut stars = 0;
    let byte = |at: usize| text.get(at).copied().unwrap_or_default();
    loop {
        match byte(at) {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.alternative = true,
            b'0' => conversion.zero = true,
            _ => break,
        }
        at += 1;
    }
    let mut number = |at: &mut usize| -> Result<i32, Failure> {
        if byte(*at) == b'*' {
            *at += 1;
            stars += 1;
            return Ok(arguments.next(4)? as i32);
        }
        let mut value = 0i32;
        while byte(*at).is_ascii_digit() {
            value = value.saturating_mul(10).saturating_add(i32::from(byte(*at) - b'0'));
            *at += 1;
        }
        Ok(value)
    };
    let width = number(&mut at)?;
    conversion.left |= width < 0;
    conversion.width = (width.unsigned_abs() as usize).min(WIDEST);
    if byte(at) == b'.' {
        at += 1;
        let precision = number(&mut at)?;
        conversion.precision = usize::try_from(precision).ok().map(|precision| precision.min(WIDEST));
    }
    while matches!(byte(at), b'h' | b'l' | b'j' | b'z' | b't' | b'L') {
        conversion.long |= byte(at) != b'h';
        at += 1;
    }
    conversion.letter = byte(at);
    Ok((conversion, (at + 1).min(text.len()), stars))
}

/// The text of a conversion; none if there is no such conversion.
fn convert(conversion: &Conversion, arguments: &mut impl Arguments) -> Result<Option<Vec<u8>>, Failure> {
    let bytes = if conversion.long { 8 } else { 4 };
    let (sign, prefix, body) = match conversion.letter {
        b'%' => return Ok(Some(b"%".to_vec())),
        b'd' | b'i' => {
            let bits = arguments.next(bytes)?;
            let value = if conversion.long { bits as i64 } else { i64::from(bits as i32) };
            (sign(conversion, value < 0), "", digits(conversion, value.unsigned_abs().to_string()))
        }
        b'u' => ("", "", digits(conversion, arguments.next(bytes)?.to_string())),
        b'x' | b'X' | b'o' => {
            let value = arguments.next(bytes)?;
            let alternative = conversion.alternative && value != 0;
            match conversion.letter {
                b'x' => ("", if alternative { "0x" } else { "" }, digits(conversion, format!("{value:x}"))),
                b'X' => ("", if alternative { "0X" } else { "" }, digits(conversion, format!("{value:X}"))),
                _ => ("", if alternative { "0" } else { "" }, digits(conversion, format!("{value:o}"))),
            }
        }
        b'c' => return Ok(Some(padded(conversion, vec![arguments.next(4)? as u8]))),
        b's' => {
            let address = arguments.next(8)?;
            let mut text = arguments.string(address)?;
            text.truncate(conversion.precision.unwrap_or(usize::MAX));
            return Ok(Some(padded(conversion, text)));
        }
        b'p' => return Ok(Some(padded(conversion, format!("0x{:x}", arguments.next(8)?).into_bytes()))),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
            let value = f64::from_bits(arguments.next(8)?);
            let negative = value.is_sign_negative();
            (sign(conversion, negative), "", float(conversion, value.abs()))
        }
        _ => return Ok(None),
    };
    let integer = matches!(conversion.letter, b'd' | b'i' | b'u' | b'x' | b'X' | b'o');
    // Infinities and NaNs are not filled up with zeros.
    let is_number = integer || body.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let fills =
        conversion.zero && !conversion.left && is_number && !(integer && conversion.precision.is_some());
    let length = sign.len() + prefix.len() + body.len();
    let zeros = if fills { conversion.width.saturating_sub(length) } else { 0 };
    Ok(Some(padded(conversion, format!("{sign}{prefix}{}{body}", "0".repeat(zeros)).into_bytes())))
}

fn sign(conversion: &Conversion, negative: bool) -> &'static str {
    match (negative, conversion.plus, conversion.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    }
}

/// At least as many digits as the precision says; none for zero with precision zero.
fn digits(conversion: &Conversion, text: String) -> String {
    match conversion.precision {
        Some(0) if text == "0" => String::new(),
        Some(precision) => format!("{text:0>precision$}"),
        None => text,
    }
}

fn padded(conversion: &Conversion, body: Vec<u8>) -> Vec<u8> {
    let blanks = vec![b' '; conversion.width.saturating_sub(body.len())];
    if conversion.left { [body, blanks].concat() } else { [blanks, body].concat() }
}

fn float(conversion: &Conversion, value: f64) -> String {
    let upper = conversion.letter.is_ascii_uppercase();
    let precision = conversion.precision.unwrap_or(6);
    let text = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        match conversion.letter.to_ascii_lowercase() {
            b'f' => with_point(conversion, format!("{value:.precision$}")),
            b'e' => exponential(conversion, value, precision),
            _ => shortest(conversion, value, precision.max(1)),
        }
    };
    if upper { text.to_uppercase() } else { text }
}

fn with_point(conversion: &Conversion, text: String) -> String {
    if conversion.alternative && !text.contains('.') { text + "." } else { text }
}

/// `d.ddde±dd`.
fn exponential(conversion: &Conversion, value: f64, precision: usize) -> String {
    let (mantissa, exponent) = parts(value, precision);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", with_point(conversion, mantissa), exponent.unsigned_abs())
}

/// Mantissa and exponent, rounded to this many digits after the point.
fn parts(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_owned(), exponent.parse().unwrap_or_default()),
        None => (text, 0),
    }
}

/// `%g`: the shorter of the two forms, without zeros at the end unless asked for.
fn shortest(conversion: &Conversion, value: f64, precision: usize) -> String {
    let (mantissa, exponent) = parts(value, precision - 1);
    let trim = |text: String| {
        if conversion.alternative || !text.contains('.') {
            text
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    if exponent >= -4 && exponent < precision as i32 {
        let digits = (precision as i32 - 1 - exponent) as usize;
        return trim(with_point(conversion, format!("{value:.digits$}")));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trim(with_point(conversion, mantissa)), exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct List(Vec<u64>);

    impl Arguments for List {
        fn next(&mut self, _: u64) -> Result<u64, Failure> {
            Ok(self.0.remove(0))
        }

        fn string(&self, _: u64) -> Result<Vec<u8>, Failure> {
            Ok(b"text".to_vec())
        }
    }

    fn check(text: &str, arguments: &[u64], expected: &str) {
        let (output, _) = format(text.as_bytes(), &mut List(arguments.to_vec())).expect("no failure");
        assert_eq!(String::from_utf8_lossy(&output), expected, "{text}");
    }

    #[test]
    fn integers_are_printed_as_c_does() {
        check("%d|%5d|%-5d|%05d|%+d", &[u64::from(u32::MAX), 42, 42, 42, 42], "-1|   42|42   |00042|+42");
        check(
            "%u %lld %llu",
            &[u64::from(u32::MAX), u64::MAX, u64::MAX],
            "4294967295 -1 18446744073709551615",
        );
        check("%x %#X %o %.3d %.0d.", &[255, 255, 8, 7, 0], "ff 0XFF 10 007 .");
        check("%*d %-*d|", &[4, 7, 4, 7], "   7 7   |");
    }

    #[test]
    fn floats_are_printed_as_c_does() {
        let bits = |value: f64| value.to_bits();
        check("%f %.2f %8.3f|", &[bits(1.5), bits(2.675), bits(-3.25)], "1.500000 2.67   -3.250|");
        check("%e %.0e", &[bits(12345.678), bits(0.00015)], "1.234568e+04 1e-04");
        check(
            "%g %g %g %g",
            &[bits(100_000.0), bits(1_000_000.0), bits(0.0001), bits(0.5)],
            "100000 1e+06 0.0001 0.5",
        );
        check("%f %5.1f %F", &[bits(f64::INFINITY), bits(f64::NAN), bits(f64::INFINITY)], "inf   nan INF");
    }

    #[test]
    fn characters_strings_and_per_cent_signs_are_printed() {
        check("%c%5s|%-6.2s|%p 100%%", &[65, 1, 1, 0x1000], "A text|te    |0x1000 100%");
    }

    #[test]
    fn what_is_no_conversion_is_printed_as_it_is() {
        check("%q %", &[], "%q %");
    }
}
