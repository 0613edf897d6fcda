//! Whole-number expressions of a plan: `vertices`, `level + 1`, `(arcs + 255) / 256`, `ceil(arcs, 256)`.

use super::error::Problem;

/// Names with values.
pub(super) trait Values {
    /// The value of a name.
    fn value(&self, name: &str) -> Option<i64>;
    /// Every name that has one, for messages.
    fn known(&self) -> Vec<String>;
}

/// Characters of an expression that a message shows.
const SHOWN_MAX: usize = 80;

/// Nesting of parentheses that is still read.
const DEPTH_MAX: u32 = 64;

/// Evaluates an expression. Division by zero and overflow are errors.
pub(super) fn evaluate(text: &str, values: &dyn Values) -> Result<i64, Problem> {
    let mut parser = Parser { text, rest: text, values, depth: 0 };
    let value = parser.sum()?;
    parser.skip_blanks();
    match parser.rest.is_empty() {
        true => Ok(value),
        false => Err(parser.problem("expected an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    values: &'a dyn Values,
    depth: u32,
}

impl Parser<'_> {
    fn problem(&self, expected: &str) -> Problem {
        let column = self.text.len() - self.rest.len() + 1;
        let shown: String = self.text.chars().take(SHOWN_MAX).collect();
        let more = if shown.len() < self.text.len() { "…" } else { "" };
        Problem::Words(format!("'{shown}{more}', column {column}: {expected}"))
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes one of these characters if it comes next.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        self.skip_blanks();
        let next = self.rest.chars().next().filter(|next| wanted.contains(next))?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn sum(&mut self) -> Result<i64, Problem> {
        let mut value = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            let right = self.product()?;
            let result = if operator == '+' { value.checked_add(right) } else { value.checked_sub(right) };
            value = result.ok_or_else(|| self.problem("the value does not fit 64 bits"))?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<i64, Problem> {
        let mut value = self.atom()?;
        while let Some(operator) = self.take(&['*', '/', '%']) {
            let right = self.atom()?;
            let result = match operator {
                '*' => value.checked_mul(right),
                _ if right == 0 => return Err(self.problem("division by zero")),
                '/' => value.checked_div(right),
                _ => value.checked_rem(right),
            };
            value = result.ok_or_else(|| self.problem("the value does not fit 64 bits"))?;
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<i64, Problem> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.problem("too many parentheses"));
        }
        let value = self.atom_inside();
        self.depth -= 1;
        value
    }

    fn atom_inside(&mut self) -> Result<i64, Problem> {
        if self.take(&['-']).is_some() {
            let value = self.atom()?;
            return value.checked_neg().ok_or_else(|| self.problem("the value does not fit 64 bits"));
        }
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            return self.closed(value);
        }
        self.skip_blanks();
        let word = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(word);
        if word.is_empty() {
            return Err(self.problem("expected a number, a name or '('"));
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let value = number(word).ok_or_else(|| self.problem("expected a whole number"))?;
            self.rest = rest;
            return Ok(value);
        }
        if matches!(word, "ceil" | "min" | "max") && rest.trim_start().starts_with('(') {
            self.rest = rest;
            return self.function(word);
        }
        let Some(value) = self.values.value(word) else { return Err(self.unknown(word)) };
        self.rest = rest;
        Ok(value)
    }

    /// `ceil(a, b)`: a / b rounded up; `min` and `max` of two.
    fn function(&mut self, name: &str) -> Result<i64, Problem> {
        self.take(&['(']);
        let left = self.sum()?;
        if self.take(&[',']).is_none() {
            return Err(self.problem("expected ',' and a second value"));
        }
        let right = self.sum()?;
        let value = match name {
            "min" => left.min(right),
            "max" => left.max(right),
            _ if right <= 0 || left < 0 => {
                return Err(self.problem("ceil needs a value of at least 0 and a divisor above 0"));
            }
            _ => left / right + i64::from(left % right != 0),
        };
        self.closed(value)
    }

    fn closed(&mut self, value: i64) -> Result<i64, Problem> {
        self.take(&[')']).map(|_| value).ok_or_else(|| self.problem("expected ')'"))
    }

    fn unknown(&self, word: &str) -> Problem {
        let known = self.values.known();
        let nearest = heddle_graph::error::nearest(word, known.iter().map(String::as_str));
        let help = match nearest {
            Some(nearest) => format!("did you mean '{nearest}'?"),
            None => format!("known are: {}", known.join(", ")),
        };
        self.problem(&format!("'{word}' has no whole value here; {help}"))
    }
}

fn number(word: &str) -> Option<i64> {
    match word.strip_prefix("0x") {
        // All 64 bits can be written: the highest is the sign.
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(|bits| bits as i64),
        None => word.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two;

    impl Values for Two {
        fn value(&self, name: &str) -> Option<i64> {
            match name {
                "vertices" => Some(1000),
                "level" => Some(3),
                _ => None,
            }
        }

        fn known(&self) -> Vec<String> {
            vec!["vertices".into(), "level".into()]
        }
    }

    fn value(text: &str) -> Result<i64, String> {
        evaluate(text, &Two).map_err(|problem| format!("{problem:?}"))
    }

    #[test]
    fn expressions_follow_the_usual_precedence() {
        assert_eq!(value("2 + 3 * level"), Ok(11));
        assert_eq!(value("(vertices + 255) / 256"), Ok(4));
        assert_eq!(value("ceil(vertices, 256)"), Ok(4));
        assert_eq!(value("-level - -0x10 % 7"), Ok(-1));
        assert_eq!(value("max(level, min(9, 5))"), Ok(5));
    }

    #[test]
    fn bad_expressions_are_errors() {
        for text in ["", "1 +", "(1", "1 / 0", "vertice", "1 2", "9223372036854775807 + 1", "ceil(1)", "1.5"]
        {
            assert!(value(text).is_err(), "{text}");
        }
        let deep = "(".repeat(100_000);
        assert!(value(&deep).is_err());
        assert!(value("vertice").unwrap_err().contains("did you mean 'vertices'"));
    }
}
