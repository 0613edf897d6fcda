//! The words of an opcode: what stands between its dots.
//!
//! Assemblers read modifiers in any order (`add.ftz.rn.f32` is `add.rn.ftz.f32`), types in the order of the
//! text. So an instruction *asks* for the words that it knows, in the order of the syntax box of the ISA; what
//! nobody asked for is an error, and the nearest word that was asked for is its help.

use crate::ir::ScalarType;
use crate::resolve::scope::Problem;

/// A table of words with their meaning.
pub(super) type Table<T> = &'static [(&'static str, T)];

/// The words after the opcode, and which of them were asked for.
pub(super) struct Words<'a> {
    all: &'a [String],
    taken: Vec<bool>,
    asked: Vec<&'static str>,
}

/// A problem at the instruction's own place.
pub(super) fn problem(text: impl Into<String>) -> Problem {
    Problem { place: None, text: text.into(), help: None }
}

/// A problem at the instruction's own place, with help.
pub(super) fn problem_with(text: impl Into<String>, help: impl Into<String>) -> Problem {
    Problem { place: None, text: text.into(), help: Some(help.into()) }
}

/// The nearest of some words to one that is not known.
pub(super) fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let scored = known.map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate));
    // The first of the equally near ones wins, so that the answer depends on the table's order alone.
    scored.min_by_key(|&(distance, _)| distance).map(|(_, candidate)| candidate)
}

/// `.a, .b, .c`
pub(super) fn dotted<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(|word| format!(".{word}")).collect::<Vec<_>>().join(", ")
}

impl<'a> Words<'a> {
    /// The words of an opcode, the opcode itself first.
    pub(super) fn new(all: &'a [String]) -> Words<'a> {
        let mut taken = vec![false; all.len()];
        if let Some(opcode) = taken.first_mut() {
            *opcode = true;
        }
        Words { all, taken, asked: Vec::new() }
    }

    /// The first word.
    pub(super) fn opcode(&self) -> &'a str {
        self.all.first().map_or("", String::as_str)
    }

    fn take(&mut self, word: &str) -> bool {
        let found = (0..self.all.len()).find(|&at| !self.taken[at] && self.all[at] == word);
        if let Some(at) = found {
            self.taken[at] = true;
        }
        found.is_some()
    }

    /// Whether a word is there and nobody took it; does not take it.
    pub(super) fn has(&self, word: &str) -> bool {
        (0..self.all.len()).any(|at| !self.taken[at] && self.all[at] == word)
    }

    /// Takes a word if it is there.
    pub(super) fn flag(&mut self, word: &'static str) -> bool {
        self.asked.push(word);
        self.take(word)
    }

    /// Takes the first of these words that is there.
    pub(super) fn choice<T: Copy>(&mut self, table: Table<T>) -> Option<T> {
        self.asked.extend(table.iter().map(|&(word, _)| word));
        table.iter().find(|&&(word, _)| self.take(word)).map(|&(_, meaning)| meaning)
    }

    /// Takes one of these words, which must be there.
    pub(super) fn need<T: Copy>(&mut self, what: &str, table: Table<T>) -> Result<T, Problem> {
        match self.choice(table) {
            Some(meaning) => Ok(meaning),
            None => {
                let expected = dotted(table.iter().map(|&(word, _)| word));
                Err(self.stranger().unwrap_or_else(|| {
                    problem(format!("{what} is missing; expected {}{expected}", one_of(table.len())))
                }))
            }
        }
    }

    /// Takes a word that must be there.
    pub(super) fn need_flag(&mut self, word: &'static str) -> Result<(), Problem> {
        if self.flag(word) {
            return Ok(());
        }
        Err(self.stranger().unwrap_or_else(|| problem(format!("`.{word}` is missing"))))
    }

    /// The first type that nobody took; does not take it.
    pub(super) fn peek_type(&self) -> Option<ScalarType> {
        (0..self.all.len()).filter(|&at| !self.taken[at]).find_map(|at| ScalarType::named(&self.all[at]))
    }

    /// Takes the first type that is there, which must be one of these.
    pub(super) fn ty(&mut self, allowed: &[ScalarType]) -> Result<ScalarType, Problem> {
        self.asked.extend(allowed.iter().map(|ty| ty.name()));
        let found =
            (0..self.all.len()).find(|&at| !self.taken[at] && ScalarType::named(&self.all[at]).is_some());
        let expected = || format!("{}{}", one_of(allowed.len()), dotted(allowed.iter().map(|ty| ty.name())));
        let Some(at) = found else {
            return Err(self
                .stranger()
                .unwrap_or_else(|| problem(format!("the type is missing; expected {}", expected()))));
        };
        self.taken[at] = true;
        match ScalarType::named(&self.all[at]) {
            Some(ty) if allowed.contains(&ty) => Ok(ty),
            _ => Err(problem(format!(
                "the type `.{}` is not valid here; expected {}",
                self.all[at],
                expected()
            ))),
        }
    }

    /// Takes a type if there is one.
    pub(super) fn ty_if_any(&mut self, allowed: &[ScalarType]) -> Result<Option<ScalarType>, Problem> {
        match self.peek_type() {
            Some(_) => self.ty(allowed).map(Some),
            None => Ok(None),
        }
    }

    /// Refuses words that are in the ISA and not supported: each with what it needs.
    pub(super) fn refuse(&mut self, table: Table<&'static str>) -> Result<(), Problem> {
        match table.iter().find(|&&(word, _)| self.has(word)) {
            Some(&(word, why)) => Err(problem_with(format!("`.{word}` is not supported"), why)),
            None => Ok(()),
        }
    }

    /// The problem with the first word that nobody knows, if there is one.
    fn stranger(&self) -> Option<Problem> {
        let known = |word: &str| self.asked.contains(&word) || ScalarType::named(word).is_some();
        let at = (0..self.all.len()).find(|&at| !self.taken[at] && !known(&self.all[at]))?;
        Some(self.unexpected(at))
    }

    fn unexpected(&self, at: usize) -> Problem {
        let word = &self.all[at];
        if self.all[..at].contains(word) {
            return problem(format!("`.{word}` is given twice"));
        }
        if self.asked.contains(&word.as_str()) {
            return problem(format!("`.{word}` does not go with another of its modifiers"));
        }
        let text = format!("`.{word}` is not a modifier of this form of `{}`", self.opcode());
        match nearest(word, self.asked.iter().copied()) {
            Some(known) => problem_with(text, format!("the nearest valid one is `.{known}`")),
            None => problem_with(text, "it takes none"),
        }
    }

    /// Every word must have been asked for.
    pub(super) fn finish(&self) -> Result<(), Problem> {
        match self.taken.iter().position(|taken| !taken) {
            Some(at) => Err(self.unexpected(at)),
            None => Ok(()),
        }
    }
}

fn one_of(choices: usize) -> &'static str {
    if choices > 1 { "one of " } else { "" }
}
