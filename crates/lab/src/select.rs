//! Which launches of a run are simulated in time: by number, by kernel, by rank of size.
//!
//! The others are executed functionally, so that a chosen launch begins with the program's own state. Sizes are those of
//! a functional execution of the whole run. Where warps race, a launch that was simulated in time may leave the later
//! ones another size than that; their numbers stay.

use heddle_gpu::LaunchSet;
use std::fmt;
use std::ops::Range;

/// What may stand in a choice, for messages.
const EXPECTED: &str = "expected launches counted from 1, such as 3..5 (3, 4 and 5), 3.., ..5 or 3, and conditions \
                        kernel=NAME, largest=N, at-most=20M, at-least=1M (warp instructions), joined by commas";

/// A choice of launches, as it is written: `3..5`, `kernel=Kernel,largest=1,at-most=20M`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchChoice {
    /// Numbers from 0; all if there is none.
    numbers: Vec<Range<u64>>,
    kernel: Option<String>,
    /// How many, the largest first; all that fit if absent.
    largest: Option<u64>,
    /// Bounds of a launch's warp instructions.
    at_most: Option<u64>,
    at_least: Option<u64>,
}

/// What is known of a launch before any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchSize {
    /// Its kernel.
    pub kernel: String,
    /// Warp instructions.
    pub warp_instructions: u64,
}

impl LaunchChoice {
    /// Reads a choice; words are separated by commas.
    pub fn parse(text: &str) -> Result<LaunchChoice, String> {
        let mut choice = LaunchChoice::default();
        let mut given: Vec<&str> = Vec::new();
        for word in text.split(',').map(str::trim) {
            if let Some((condition, _)) = word.split_once('=') {
                if given.contains(&condition) {
                    return Err(format!("`{condition}` is given twice; {EXPECTED}"));
                }
                given.push(condition);
            }
            match word.split_once('=') {
                None => choice.numbers.push(numbers(word)?),
                Some(("kernel", name)) if !name.is_empty() => choice.kernel = Some(name.to_owned()),
                Some(("largest", count)) => choice.largest = Some(positive(count)?),
                Some(("at-most", size)) => choice.at_most = Some(positive(size)?),
                Some(("at-least", size)) => choice.at_least = Some(positive(size)?),
                Some(_) => return Err(format!("`{word}`: {EXPECTED}")),
            }
        }
        if choice.at_most.zip(choice.at_least).is_some_and(|(most, least)| most < least) {
            return Err(format!("no launch has at-least more than at-most; {EXPECTED}"));
        }
        Ok(choice)
    }

    /// The same, of one kernel.
    pub fn of_kernel(self, kernel: &str) -> LaunchChoice {
        LaunchChoice { kernel: Some(kernel.to_owned()), ..self }
    }

    /// The kernel whose launches are meant.
    pub fn kernel(&self) -> Option<&str> {
        self.kernel.as_deref()
    }

    /// Whether no launch of a run may be large enough, which leaves the run out and is no mistake.
    pub fn may_be_none(&self) -> bool {
        self.at_least.is_some()
    }

    /// A launch that is named, alone or as the beginning of a range, and that a run of so many has not; counted from 1.
    pub fn beyond(&self, launches: usize) -> Option<u64> {
        let numbers: LaunchSet = self.numbers.iter().cloned().collect();
        numbers.beyond(launches as u64).map(|number| number + 1)
    }

    /// Whether it chooses at most one launch, whatever the run.
    pub fn is_at_most_one(&self) -> bool {
        let is_one_number = |first: &Range<u64>| {
            first.end - first.start == 1 && self.numbers.iter().all(|other| other == first)
        };
        self.largest == Some(1) || self.numbers.first().is_some_and(is_one_number)
    }

    /// The launches, where that is known without their sizes.
    pub fn known(&self) -> Option<LaunchSet> {
        let by_number = LaunchChoice { numbers: self.numbers.clone(), ..LaunchChoice::default() };
        (*self == by_number && !self.numbers.is_empty()).then(|| self.numbers.iter().cloned().collect())
    }

    /// The launches of a run. Where no launch of the kernel is as small as `at-most`, the smallest one is taken, so that
    /// every kernel and input is represented.
    pub fn choose(&self, launches: &[LaunchSize]) -> LaunchSet {
        let is_numbered =
            |number: u64| self.numbers.is_empty() || self.numbers.iter().any(|range| range.contains(&number));
        let of_kernel = launches.iter().zip(0u64..).filter(|(launch, number)| {
            is_numbered(*number) && self.kernel.as_ref().is_none_or(|kernel| *kernel == launch.kernel)
        });
        let large: Vec<(u64, u64)> = of_kernel
            .map(|(launch, number)| (launch.warp_instructions, number))
            .filter(|&(size, _)| self.at_least.is_none_or(|least| size >= least))
            .collect();
        let mut fitting: Vec<(u64, u64)> =
            large.iter().copied().filter(|&(size, _)| self.at_most.is_none_or(|most| size <= most)).collect();
        if fitting.is_empty() {
            fitting.extend(large.iter().min());
        }
        // The largest first, of equal ones the earliest.
        fitting.sort_by_key(|&(size, number)| (std::cmp::Reverse(size), number));
        fitting.truncate(self.largest.map_or(usize::MAX, |count| count as usize));
        fitting.into_iter().map(|(_, number)| number).collect()
    }
}

/// `FIRST..LAST`, `FIRST..`, `..LAST` or one number, counted from 1 with both ends included; as a range from 0.
fn numbers(text: &str) -> Result<Range<u64>, String> {
    let expected = || format!("`{text}`: {EXPECTED}");
    let number = |text: &str| match text.parse::<u64>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(expected()),
    };
    let (first, last) = match text.split_once("..") {
        None => (number(text)?, number(text)?),
        Some(("", "")) => return Err(expected()),
        Some(("", last)) => (1, number(last)?),
        Some((first, "")) => (number(first)?, u64::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    match first <= last {
        true => Ok(first - 1..last),
        false => Err(format!("{first} comes after {last}; {EXPECTED}")),
    }
}

/// A number above 0, with `k`, `M` or `G` for its thousands.
fn positive(text: &str) -> Result<u64, String> {
    let units = [('k', 1_000), ('M', 1_000_000), ('G', 1_000_000_000)];
    let unit = units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (digits, factor) = unit.unwrap_or((text, 1));
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    number.filter(|&number| number > 0).ok_or_else(|| format!("`{text}`: {EXPECTED}"))
}

impl fmt::Display for LaunchChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = Vec::new();
        words.extend(self.numbers.iter().map(|range| match range.end {
            u64::MAX => format!("{}..", range.start + 1),
            end => format!("{}..{end}", range.start + 1),
        }));
        words.extend(self.kernel.as_ref().map(|kernel| format!("kernel={kernel}")));
        let bounds = [("largest", self.largest), ("at-most", self.at_most), ("at-least", self.at_least)];
        words.extend(bounds.iter().filter_map(|(name, value)| Some(format!("{name}={}", (*value)?))));
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(sizes: &[(&str, u64)]) -> Vec<LaunchSize> {
        let size =
            |&(kernel, size): &(&str, u64)| LaunchSize { kernel: kernel.into(), warp_instructions: size };
        sizes.iter().map(size).collect()
    }

    fn chosen(choice: &str, launches: &[(&str, u64)]) -> Vec<u64> {
        let set = LaunchChoice::parse(choice).unwrap().choose(&sizes(launches));
        (0..launches.len() as u64).filter(|&number| set.contains(number)).collect()
    }

    #[test]
    fn numbers_count_from_one_with_both_ends() {
        let known = |text: &str| LaunchChoice::parse(text).unwrap().known().unwrap();
        assert_eq!(known("3..5"), LaunchSet::from(2..5));
        assert_eq!(known("3"), LaunchSet::from(2..3));
        assert_eq!(known("..2"), LaunchSet::from(0..2));
        assert_eq!(known("2.."), LaunchSet::from(1..u64::MAX));
        assert_eq!(known("7,1..2"), [6..7, 0..2].into_iter().collect::<LaunchSet>());
        for text in [
            "",
            "..",
            "0",
            "0..3",
            "5..3",
            "a..b",
            "3...5",
            "-1..2",
            "3..5..7",
            "kernel=",
            "largest=0",
            "at-most=M",
            "colour=red",
            "at-most=1,at-least=2",
            "largest=1,largest=2",
        ] {
            assert!(LaunchChoice::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_number_behind_the_last_launch_is_seen_and_an_open_end_is_none() {
        let beyond = |text: &str, launches| LaunchChoice::parse(text).unwrap().beyond(launches);
        assert_eq!(beyond("7,9..12", 8), Some(9));
        assert_eq!(beyond("7,8,9", 8), Some(9));
        assert_eq!(beyond("9,largest=1", 8), Some(9));
        assert_eq!(beyond("3..", 2), Some(3));
        for text in ["3..", "8..12", "..12", "8", "largest=9"] {
            assert_eq!(beyond(text, 8), None, "{text}");
        }
    }

    #[test]
    fn the_largest_launches_of_a_kernel_are_chosen() {
        let run = [("a", 5), ("b", 90), ("a", 30), ("b", 1), ("a", 30), ("a", 31)];
        assert_eq!(chosen("kernel=a,largest=1", &run), [5]);
        assert_eq!(chosen("kernel=a,largest=2", &run), [2, 5]);
        assert_eq!(chosen("kernel=a,largest=1,at-most=30", &run), [2]);
        assert_eq!(chosen("kernel=b", &run), [1, 3]);
        assert_eq!(chosen("at-least=31", &run), [1, 5]);
        assert_eq!(chosen("kernel=a,1..3", &run), [0, 2]);
    }

    #[test]
    fn a_kernel_whose_launches_are_all_too_large_is_represented_by_the_smallest() {
        assert_eq!(chosen("kernel=a,largest=1,at-most=20", &[("a", 70), ("a", 50), ("b", 3)]), [1]);
        assert_eq!(chosen("kernel=a,largest=1,at-least=100", &[("a", 70), ("a", 50)]), [0; 0]);
    }

    #[test]
    fn a_choice_knows_whether_it_can_be_of_several_launches() {
        let is_at_most_one = |text: &str| LaunchChoice::parse(text).unwrap().is_at_most_one();
        for text in
            ["4", "4..4", "4,4", "kernel=a,4", "4,at-least=9", "largest=1", "1..9,largest=1,at-most=20M"]
        {
            assert!(is_at_most_one(text), "{text}");
        }
        for text in ["4..5", "4..", "4,5", "kernel=a", "at-most=9", "largest=2", "kernel=a,at-least=9"] {
            assert!(!is_at_most_one(text), "{text}");
        }
    }

    #[test]
    fn a_choice_is_shown_as_it_can_be_written() {
        for text in ["3..5", "3..", "kernel=Kernel,largest=1,at-most=20000000", "1..1,4..9,at-least=1000"] {
            let choice = LaunchChoice::parse(text).unwrap();
            assert_eq!(choice.to_string(), text);
        }
    }
}
