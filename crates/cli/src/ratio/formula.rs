//! Arithmetic over named counts: `1000 * l2.misses / run.warp_instructions`.
//!
//! Numbers, dotted names, `+ - * /` with the usual precedence, brackets. Names may have hyphens inside, so a minus stands
//! between blanks. A name that is not there, and a division by zero, make the whole formula undefined: a report shows
//! a dash there, never a wrong figure.

use std::iter::Peekable;
use std::str::CharIndices;

/// Evaluates a formula; `None` if it is undefined or cannot be read.
pub(crate) fn evaluate(formula: &str, value: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
    let mut reader = Reader { text: formula, rest: formula.char_indices().peekable(), value };
    let result = reader.sum()?;
    reader.skip_blanks();
    reader.rest.peek().is_none().then_some(result).filter(|result| result.is_finite())
}

/// The names in a formula, in their order, each as often as it stands there.
pub(crate) fn names(formula: &str) -> impl Iterator<Item = &str> {
    let words = formula.split(|c: char| !is_part_of_name(c) && c != '-');
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
}

fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.' || c == '_'
}

struct Reader<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    value: &'a dyn Fn(&str) -> Option<f64>,
}

impl Reader<'_> {
    fn skip_blanks(&mut self) {
        while self.rest.next_if(|&(_, c)| c == ' ').is_some() {}
    }

    fn takes(&mut self, sign: char) -> bool {
        self.skip_blanks();
        self.rest.next_if(|&(_, c)| c == sign).is_some()
    }

    fn sum(&mut self) -> Option<f64> {
        let mut sum = self.product()?;
        loop {
            if self.takes('+') {
                sum += self.product()?;
            } else if self.takes('-') {
                sum -= self.product()?;
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut product = self.atom()?;
        loop {
            if self.takes('*') {
                product *= self.atom()?;
            } else if self.takes('/') {
                let divisor = self.atom()?;
                if divisor == 0.0 {
                    return None;
                }
                product /= divisor;
            } else {
                return Some(product);
            }
        }
    }

    fn atom(&mut self) -> Option<f64> {
        if self.takes('(') {
            let inner = self.sum()?;
            return self.takes(')').then_some(inner);
        }
        let &(start, _) = self.rest.peek()?;
        let mut end = start;
        let is_name = self.text[start..].starts_with(|c: char| c.is_ascii_alphabetic());
        let goes_on = |c: char, at: usize| {
            is_part_of_name(c) || is_name && c == '-' && self.text[at + 1..].starts_with(is_part_of_name)
        };
        while let Some((at, c)) = self.rest.next_if(|&(at, c)| goes_on(c, at)) {
            end = at + c.len_utf8();
        }
        let word = self.text.get(start..end).filter(|word| !word.is_empty())?;
        word.parse().ok().or_else(|| (self.value)(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(formula: &str) -> Option<f64> {
        evaluate(formula, &|name| match name {
            "l2.misses" => Some(30.0),
            "run.cycles" => Some(4.0),
            "zero" => Some(0.0),
            "last-level.reads" => Some(5.0),
            _ => None,
        })
    }

    #[test]
    fn products_bind_stronger_than_sums_and_brackets_strongest() {
        assert_eq!(value("1 + 2 * 3"), Some(7.0));
        assert_eq!(value("(1 + 2) * 3"), Some(9.0));
        assert_eq!(value("10 - 2 - 3"), Some(5.0));
        assert_eq!(value("1000 * l2.misses / (run.cycles + 6)"), Some(3000.0));
        assert_eq!(value("last-level.reads - 2"), Some(3.0));
    }

    #[test]
    fn what_is_undefined_or_unreadable_has_no_value() {
        for formula in ["l2.misses / zero", "l3.misses + 1", "1 +", "(1", "1 2", "", "1 $ 2", "*"] {
            assert_eq!(value(formula), None, "{formula}");
        }
    }

    #[test]
    fn names_are_found_and_numbers_are_not() {
        let found: Vec<&str> = names("1000 * l2.misses / (run.cycles + 6)").collect();
        assert_eq!(found, ["l2.misses", "run.cycles"]);
        assert_eq!(names("last-level.reads - 2").collect::<Vec<_>>(), ["last-level.reads"]);
    }
}
