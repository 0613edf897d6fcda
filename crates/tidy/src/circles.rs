//! Files that call back and forth: in the crates named here, calls between files go in one direction.
//!
//! A file needs another one if it names a path in it (`use super::tags::Tags`), or calls a method that the other one
//! defines for the same type (`self.admit()` in an `impl Cache` here, `fn admit` in an `impl Cache` there, or
//! `Cache::admit()` anywhere). Both are told from text without guessing; a method of another value is not looked for.
//!
//! `mod.rs` and `lib.rs` declare their folder's files, pass names on and own the types that they share, so that a file
//! may name those of its parent and the parent the file. What counts between a parent and another file are calls: methods,
//! and functions by their path. A name that a parent passes on leads to the file that has it.

use crate::source::SourceFile;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The folders of crates whose files need each other in one direction.
pub const ONE_WAY: &[&str] = &["memory"];

/// What a file needs of another: from, to, and the name by which it does.
type Needs = BTreeMap<(usize, usize), String>;

/// A circle of files for each that is in one, shortest first; each file is named in one circle at most.
pub fn check(files: &[SourceFile], folder: &str) -> Vec<String> {
    let source = format!("crates/{folder}/src/");
    let of_crate = |file: &&SourceFile| file.path.to_string_lossy().starts_with(&source);
    let texts: Vec<Text> = files.iter().filter(of_crate).map(|file| Text::new(file, &source)).collect();
    let needs = needs(&texts);
    let mut circles: Vec<Vec<usize>> =
        (0..texts.len()).filter_map(|start| shortest_circle(start, texts.len(), &needs)).collect();
    circles.sort_by_key(|circle| (circle.len(), circle.clone()));
    let mut named = BTreeSet::new();
    circles.retain(|circle| {
        let new = circle.iter().all(|file| !named.contains(file));
        named.extend(circle.iter().copied().filter(|_| new));
        new
    });
    circles.iter().map(|circle| describe(circle, &texts, &needs)).collect()
}

/// The product's code of a file, and its place among the modules.
struct Text {
    path: String,
    /// Without its tests, each chain of calls in one line.
    code: String,
    /// The names of the modules around it, and its own.
    module: Vec<String>,
    is_parent: bool,
}

impl Text {
    fn new(file: &SourceFile, source: &str) -> Text {
        let path = file.path.to_string_lossy().into_owned();
        let product = file.code.split("#[cfg(test)]").next().unwrap_or_default();
        let mut code = String::new();
        for line in product.lines() {
            if line.trim_start().starts_with('.') {
                code.push_str(line.trim());
            } else {
                code.push('\n');
                code.push_str(line);
            }
        }
        let inside = path.strip_prefix(source).and_then(|rest| rest.strip_suffix(".rs")).unwrap_or_default();
        let mut module: Vec<String> = inside.split('/').map(str::to_owned).collect();
        let is_parent = module.last().is_some_and(|name| name == "mod" || name == "lib");
        if is_parent {
            module.pop();
        }
        Text { path, code, module, is_parent }
    }

    /// The types that have an `impl` in it, each with the text of that.
    fn impls(&self) -> Vec<(&str, &str)> {
        let starts = self.code.match_indices("\nimpl").map(|(at, _)| at + 1);
        let blocks = starts.filter_map(|at| {
            let block = &self.code[at..];
            let (head, body) = block[..block.find("\n}").unwrap_or(block.len())].split_once('{')?;
            Some((implemented(head), body))
        });
        blocks.collect()
    }

    /// The paths that it names, from the root of the crate.
    fn paths(&self) -> Vec<Vec<String>> {
        let mut paths = Vec::new();
        for root in ["crate", "super"] {
            for at in words(&self.code, root) {
                let rest = &self.code[at..];
                let (prefix, items) = match rest.find("::{") {
                    Some(brace) if rest[..brace].chars().all(is_of_path) => {
                        (&rest[..brace], rest[brace + 3..].split('}').next().unwrap_or_default())
                    }
                    _ => (rest, ""),
                };
                let end = prefix.find(|c| !is_of_path(c)).unwrap_or(prefix.len());
                paths.extend(items.split(',').map(|item| self.resolve(&prefix[..end], item)));
            }
        }
        paths
    }

    /// The paths that it names, and those that a parent has of its children, in `use` or where it calls a function of one.
    fn all_paths(&self) -> Vec<Vec<String>> {
        let mut paths = self.paths();
        if self.is_parent {
            paths.extend(self.paths_of_children());
            let called = self.code.match_indices("::").filter_map(|(at, _)| {
                let module = self.code[..at].rsplit(|c| !is_of_path(c)).next().unwrap_or_default();
                let item = name_at(&self.code[at + 2..]);
                let parts = module.split("::").chain([item]).map(str::to_owned);
                (!module.is_empty()).then(|| self.module.iter().cloned().chain(parts).collect())
            });
            paths.extend(called);
        }
        paths
    }

    /// Whether a function of this name stands in it by itself.
    fn has_function(&self, name: &str) -> bool {
        let mut starts = words(&self.code, "fn").filter(|&at| {
            let line = self.code[..at].rsplit('\n').next().unwrap_or_default();
            !line.starts_with(' ')
        });
        starts.any(|at| name_at(self.code[at + 2..].trim_start()) == name)
    }

    /// The paths into modules inside it that it names in `use`, from the root of the crate.
    fn paths_of_children(&self) -> Vec<Vec<String>> {
        let uses = words(&self.code, "use").filter_map(|at| self.code[at + 3..].split(';').next());
        let inner = uses.flat_map(|path| {
            let (prefix, items) = path.trim().split_once("::{").unwrap_or((path.trim(), ""));
            let of_parts = |item: &str| {
                let parts = prefix.split("::").chain(item.trim().split("::")).filter(|part| !part.is_empty());
                self.module.iter().cloned().chain(parts.map(str::to_owned)).collect()
            };
            items.trim_end_matches('}').split(',').map(of_parts).collect::<Vec<Vec<String>>>()
        });
        inner.collect()
    }

    /// A path with an item of its braces, from the root of the crate.
    fn resolve(&self, prefix: &str, item: &str) -> Vec<String> {
        let mut path = Vec::new();
        let parts = prefix.split("::").chain(item.trim().split("::")).filter(|part| !part.is_empty());
        for (place, part) in parts.enumerate() {
            match part {
                "crate" => {}
                "super" => {
                    if place == 0 {
                        path.clone_from(&self.module);
                    }
                    path.pop();
                }
                name => path.push(name.to_owned()),
            }
        }
        path
    }
}

fn is_of_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == ':'
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn name_at(text: &str) -> &str {
    &text[..text.find(|c| !is_of_name(c)).unwrap_or(text.len())]
}

/// Where a word begins.
fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let whole =
        |at: &usize| !text[..*at].ends_with(is_of_name) && !text[*at + word.len()..].starts_with(is_of_name);
    text.match_indices(word).map(|(at, _)| at).filter(whole)
}

/// The type that the head of an `impl` is for.
fn implemented(head: &str) -> &str {
    let mut rest = head.trim_start_matches("impl").trim_start();
    if rest.starts_with('<') {
        let mut depth = 0;
        let close = |c: char| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        };
        rest = rest.find(close).map_or("", |end| rest[end + 1..].trim_start());
    }
    name_at(rest.split_once(" for ").map_or(rest, |(_, of)| of))
}

/// The names that are called behind a word such as `self.` in some text.
fn calls_behind<'a>(text: &'a str, receiver: &'a str, dot: &'a str) -> impl Iterator<Item = &'a str> {
    words(text, receiver).filter_map(move |at| {
        let rest = text[at + receiver.len()..].strip_prefix(dot)?;
        let name = name_at(rest);
        let behind = &rest[name.len()..];
        (behind.starts_with('(') || behind.starts_with("::<")).then_some(name)
    })
}

fn needs(texts: &[Text]) -> Needs {
    let mut needs = Needs::new();
    let mut defined: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (place, text) in texts.iter().enumerate() {
        for (of, body) in text.impls() {
            for at in words(body, "fn") {
                let name = name_at(body[at + 2..].trim_start());
                defined.entry((of, name)).or_default().push(place);
            }
        }
    }
    let mut need = |from: usize, to: usize, by: String| {
        if from != to {
            needs.entry((from, to)).or_insert(by);
        }
    };
    for (place, text) in texts.iter().enumerate() {
        for path in text.all_paths() {
            let Some(to) = file_of(&path, texts) else { continue };
            let with_parent = text.is_parent || texts[to].is_parent;
            let item = path.last().filter(|_| path != texts[to].module);
            if !with_parent || item.is_some_and(|item| texts[to].has_function(item)) {
                need(place, to, path.join("::"));
            }
        }
        for (of, body) in text.impls() {
            let by_value = calls_behind(body, "self", ".").chain(calls_behind(body, "Self", "::"));
            for name in by_value {
                for &to in defined.get(&(of, name)).into_iter().flatten() {
                    need(place, to, format!("{of}::{name}"));
                }
            }
        }
        for (&(of, name), places) in &defined {
            if calls_behind(&text.code, of, "::").any(|called| called == name) {
                places.iter().for_each(|&to| need(place, to, format!("{of}::{name}")));
            }
        }
    }
    needs
}

/// The file that a path leads to; where that is a parent, the file whose item the parent names as its own.
fn file_of(path: &[String], texts: &[Text]) -> Option<usize> {
    let of_length = |length: usize| texts.iter().position(|text| text.module == path[..length]);
    let (length, found) = (1..=path.len()).rev().find_map(|length| Some((length, of_length(length)?)))?;
    let Some(item) = path.get(length).filter(|_| texts[found].is_parent) else { return Some(found) };
    let inner = texts[found].paths_of_children().into_iter().find(|inner| inner.last() == Some(item));
    match inner {
        Some(inner) if inner.as_slice() != path => file_of(&inner, texts),
        _ => Some(found),
    }
}

/// The shortest way from a file back to itself.
fn shortest_circle(start: usize, files: usize, needs: &Needs) -> Option<Vec<usize>> {
    let mut from = vec![None; files];
    let mut next = VecDeque::from([start]);
    while let Some(file) = next.pop_front() {
        for &(_, to) in needs.range((file, 0)..=(file, usize::MAX)).map(|(pair, _)| pair) {
            if to == start {
                let mut circle = vec![file];
                while let Some(before) = from[circle[circle.len() - 1]] {
                    circle.push(before);
                }
                circle.reverse();
                return Some(circle);
            }
            if from[to].is_none() {
                from[to] = Some(file);
                next.push_back(to);
            }
        }
    }
    None
}

fn describe(circle: &[usize], texts: &[Text], needs: &Needs) -> String {
    let steps = circle.iter().zip(circle.iter().cycle().skip(1)).map(|(&from, &to)| {
        let by = needs.get(&(from, to)).map_or("", String::as_str);
        format!("{} needs `{by}` of {}", texts[from].path, texts[to].path)
    });
    let steps: Vec<String> = steps.collect();
    format!(
        "{}: return what the earlier stage has to do, or give what both need a file of its own",
        steps.join(", and ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(name, text): &(&str, &str)| SourceFile::new(format!("crates/memory/src/{name}"), *text);
        check(&files.iter().map(file).collect::<Vec<_>>(), "memory")
    }

    #[test]
    fn files_that_call_methods_of_one_type_back_and_forth_are_found() {
        let found = circles(&[
            ("dram/mod.rs", "mod enter;\nmod issue;\n"),
            (
                "dram/enter.rs",
                "\nimpl Channel {\n    fn enter(&mut self) {\n        self\n            .issue();\n    }\n}\n",
            ),
            (
                "dram/issue.rs",
                "\nimpl Channel {\n    pub(super) fn issue(&mut self) {\n        self.enter();\n    }\n}\n",
            ),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("enter.rs needs `Channel::issue` of"), "{found:?}");
        assert!(found[0].contains("issue.rs needs `Channel::enter` of"), "{found:?}");
    }

    #[test]
    fn paths_that_lead_in_a_circle_of_three_are_found_whatever_their_form() {
        let found = circles(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("a.rs", "\nuse crate::b::{self, Two};\n"),
            ("b.rs", "\nfn two() { super::c::three() }\n"),
            ("c.rs", "\nuse super::{a::One, b_is_not_meant};\n"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("src/a.rs needs") && found[0].contains("src/c.rs needs"), "{found:?}");
    }

    #[test]
    fn a_name_that_a_parent_passes_on_leads_to_its_file() {
        let found = circles(&[
            ("cache/mod.rs", "\nmod tags;\npub(crate) use tags::{Line, Tags};\n"),
            ("cache/tags.rs", "\nuse crate::order;\n"),
            ("order.rs", "\nuse crate::cache::Tags;\n"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_parent_that_calls_its_files_and_is_called_by_them_is_found() {
        let by_methods = circles(&[
            (
                "agent/mod.rs",
                "\nmod run;\nimpl Fabric {\n    fn command(&mut self) {\n        self.follow_up();\n    }\n    fn arrive() {}\n}\n",
            ),
            (
                "agent/run.rs",
                "\nuse super::Fabric;\nimpl Fabric {\n    fn follow_up(&mut self) {\n        Fabric::arrive();\n    }\n}\n",
            ),
        ]);
        assert_eq!(by_methods.len(), 1, "{by_methods:?}");
        let by_functions = circles(&[
            ("c/mod.rs", "\nmod d;\npub(super) fn ask() { d::answer() }\n"),
            ("c/d.rs", "\nuse super::ask;\npub(super) fn answer() {}\n"),
        ]);
        assert_eq!(by_functions.len(), 1, "{by_functions:?}");
    }

    #[test]
    fn types_of_parents_tests_fields_and_other_types_make_no_circle() {
        let found = circles(&[
            ("a.rs", "\nimpl<'a> One<'a> {\n    fn go(&self) {\n        self.b.go_on();\n    }\n}\n"),
            (
                "b.rs",
                "\nuse super::a::One;\nimpl Two {\n    fn go_on(&self) {\n        self.go();\n    }\n    fn go(&self) {}\n}\n",
            ),
            ("c/mod.rs", "\nuse d::Three;\npub(super) struct Ask;\nfn ask() { d::answer() }\n"),
            (
                "c/d.rs",
                "\nuse super::Ask;\npub(super) fn answer() {}\n#[cfg(test)]\nmod tests {\n    use crate::e::Five;\n}\n",
            ),
            ("e.rs", "\nuse crate::c::d::Four;\n"),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }
}
