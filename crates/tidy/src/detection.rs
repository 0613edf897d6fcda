//! What hardware finds while programs run must not be taken from the compiler: the files of detection know nothing of the
//! front end's analysis.

use crate::Finding;
use crate::source::SourceFile;

/// The folder of mechanisms that inject instructions.
const FOLDER: &str = "crates/gpu/src/core/inject/";

/// The files of detection in hardware, and of the mechanisms that rest on it.
pub const FILES: &[&str] = &[
    "decoded.rs",
    "load_id_tags.rs",
    "loop_body.rs",
    "spref.rs",
    "spref1.rs",
    "spref1_c.rs",
    "training.rs",
    "value_tags.rs",
];

/// What they may take of it: which registers an instruction writes, as any decoder knows.
const ALLOWED: &str = "use heddle_ptx::analysis::registers_written;";

/// Words that lead to the analysis, or to what is made from it.
const WORDS: [&str; 4] = ["analysis", "prefetch_plan", "PrefetchPlan", "plan::"];

/// Everything in a file of detection that leads to the compiler's analysis.
pub fn check(file: &SourceFile) -> Vec<Finding> {
    let path = file.path.to_string_lossy();
    let name = path.split_once(FOLDER).map_or("", |(_, name)| name);
    if !FILES.contains(&name) {
        return Vec::new();
    }
    let leads = |code: &str| WORDS.iter().find(|word| code.contains(**word) && code.trim() != ALLOWED);
    let lines = file.code.lines().enumerate();
    lines
        .filter_map(|(index, code)| {
            let word = leads(code)?;
            let problem = format!(
                "`{word}` leads to the front end's analysis; hardware finds loads by its tags and by what it decodes"
            );
            Some(Finding { file: file.path.clone(), line: index + 1, problem })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(name: &str, text: &str) -> usize {
        check(&SourceFile::new(format!("{FOLDER}{name}"), text)).len()
    }

    #[test]
    fn detection_in_hardware_does_not_ask_the_compiler() {
        for name in FILES {
            assert_eq!(problems(name, "use heddle_ptx::analysis::prefetch_plan;\n"), 1, "{name}");
            assert_eq!(
                problems(name, "use heddle_ptx::analysis::{loops, registers_written};\n"),
                1,
                "{name}"
            );
            assert_eq!(problems(name, "fn f(plan: &super::plan::InjectionPlan) {}\n"), 1, "{name}");
            assert_eq!(problems(name, "use heddle_ptx::early::LoopTest;\n// no analysis\n"), 0, "{name}");
        }
    }

    #[test]
    fn a_decoder_knows_what_instructions_write_and_other_files_are_free() {
        assert_eq!(problems("decoded.rs", "use heddle_ptx::analysis::registers_written;\n"), 0);
        assert_eq!(problems("plan.rs", "use heddle_ptx::analysis::prefetch_plan;\n"), 0);
    }
}
