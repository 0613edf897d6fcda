//! Errors with a place in a PTX file.

use std::fmt;

/// A place in a PTX file: line and column, both from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One thing that is wrong in a PTX file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file, as the user named it.
    pub file: String,
    /// Where.
    pub place: Place,
    /// What is wrong, and what was expected; names the instruction where there is one.
    pub problem: String,
    /// What would help, if that is known.
    pub help: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.place.line, self.place.column, self.problem)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

/// All that is wrong in a PTX file, in the order of the file; never empty when it is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

/// The most errors of one file that are shown.
pub(crate) const MOST_ERRORS: usize = 200;

impl Diagnostics {
    /// Errors in the order of the file. Of very many the first are kept, and a last entry says so; very long
    /// words are cut.
    pub(crate) fn ordered(mut errors: Vec<Diagnostic>) -> Diagnostics {
        errors.sort_by_key(|error| error.place);
        if errors.len() > MOST_ERRORS {
            errors.truncate(MOST_ERRORS);
            if let Some(last) = errors.last().cloned() {
                let problem = format!("more than {MOST_ERRORS} errors: the rest is not shown");
                errors.push(Diagnostic { problem, help: None, ..last });
            }
        }
        for error in &mut errors {
            error.problem = with_short_words(&error.problem);
            error.help = error.help.as_deref().map(with_short_words);
        }
        Diagnostics(errors)
    }
}

/// A text whose words are at most some 60 characters long.
fn with_short_words(text: &str) -> String {
    const MOST: usize = 60;
    let short = |word: &str| match word.char_indices().nth(MOST) {
        Some((end, _)) => {
            let quoted = word.starts_with('`') && word.get(1..).is_some_and(|rest| rest.contains('`'));
            format!("{}…{}", word.get(..end).unwrap_or_default(), if quoted { "`" } else { "" })
        }
        None => word.to_string(),
    };
    text.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: u32, problem: &str) -> Diagnostic {
        let place = Place { line, column: 1 };
        Diagnostic { file: "x.ptx".to_string(), place, problem: problem.to_string(), help: None }
    }

    #[test]
    fn the_cap_on_errors_is_told() {
        let told = |count| Diagnostics::ordered((0..count).map(|line| error(line, "bad")).collect()).0;
        assert_eq!(told(200).len(), 200);
        let many = told(201);
        assert_eq!(many.len(), 201);
        assert_eq!(many[200].problem, "more than 200 errors: the rest is not shown");
    }

    #[test]
    fn huge_names_are_cut() {
        let name = "x".repeat(100_000);
        let told = Diagnostics::ordered(vec![error(1, &format!("`{name}` is not declared"))]).0;
        assert_eq!(told[0].problem, format!("`{}…` is not declared", &name[..59]));
    }
}
