//! `ptxas` judges each kernel once.
//!
//! Nearly half of the matrix are kernels that were assembled before: of `long` and `long long`, of bytes
//! with and without sign where the operator asks for none, of positions that differ only in what the host
//! does. Whether a kernel is accepted follows from its own text and from what stands around the kernels of
//! its module; how it and its parameters are called is all the same.

use accrue::ptxas::Ptxas;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Kernels that were given to the assembler, by what makes them alike.
#[derive(Default)]
pub struct Assembler {
    known: Mutex<HashSet<u64>>,
}

impl Assembler {
    /// Lets `ptxas` judge the kernels of a module that no module before had; `file` is a place for the text.
    pub fn judge(&self, text: &str, arch: &str, file: &Path) -> Result<(), String> {
        let ptxas = Ptxas::find().ok_or("there is no ptxas; ./test.sh installs it")?;
        let (around, kernels) = divide(text);
        if kernels.is_empty() {
            return Err("a module without kernels".to_owned());
        }
        let frame = plain(&around);
        let is_new = |kernel: &String| {
            let mut hasher = DefaultHasher::new();
            (arch, &frame, nameless(kernel)).hash(&mut hasher);
            self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(hasher.finish())
        };
        let new: Vec<String> = kernels.into_iter().filter(is_new).collect();
        if new.is_empty() {
            return Ok(());
        }
        std::fs::write(file, around + &new.concat())
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let verdict = ptxas.check(file, arch).map_err(|error| format!("ptxas: {error}"))?;
        if verdict.accepted && verdict.messages.is_empty() && verdict.usage.len() == new.len() {
            let _ = std::fs::remove_file(file);
            return Ok(());
        }
        let judged: Vec<&str> = verdict.usage.iter().map(|usage| &*usage.name).collect();
        let messages = verdict.messages;
        Err(format!(
            "{}: {} kernels, of which {judged:?} were assembled; {messages:?}",
            file.display(),
            new.len()
        ))
    }
}

/// A module without its kernels, and these.
fn divide(text: &str) -> (String, Vec<String>) {
    let (mut around, mut kernels) = (String::new(), Vec::new());
    let mut is_inside = false;
    for line in text.split_inclusive('\n') {
        if line.starts_with(".visible .entry ") {
            kernels.push(String::new());
            is_inside = true;
        }
        match kernels.last_mut() {
            Some(kernel) if is_inside => kernel.push_str(line),
            _ => around.push_str(line),
        }
        is_inside &= line.trim_end() != "}";
    }
    (around, kernels)
}

/// The text without comments and without places in the source.
fn plain(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim_start();
        if line.starts_with(".loc ") || line.starts_with(".file ") {
            continue;
        }
        let line = line.split("//").next().unwrap_or_default().trim_end();
        if !line.is_empty() {
            all.push_str(line);
            all.push('\n');
        }
    }
    all
}

/// The plain text of a kernel with numbers in the place of its name and those of its parameters.
fn nameless(kernel: &str) -> String {
    let kernel = plain(kernel);
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
    let words = || kernel.split_inclusive(|c| !is_of_word(c));
    let bare = |word: &str| word.trim_end_matches(|c| !is_of_word(c)).len();
    // What stands between the parentheses are declarations, each of which ends in a name.
    let parameters = kernel.split_once(')').map_or("", |(head, _)| head);
    let name = parameters.split_once('(').and_then(|(head, _)| head.split_whitespace().last());
    let declared = parameters.split_once('(').map_or("", |(_, declared)| declared).split(',');
    let names: Vec<&str> =
        name.into_iter().chain(declared.filter_map(|one| one.split_whitespace().last())).collect();
    let mut all = String::with_capacity(kernel.len());
    for word in words() {
        let (name, after) = word.split_at(bare(word));
        match names.iter().position(|&other| other == name) {
            Some(number) => {
                all.push('#');
                all.push_str(&number.to_string());
            }
            None => all.push_str(name),
        }
        all.push_str(after);
    }
    all
}

/// Kernels are alike if only names, places and comments differ, and not if an instruction does.
pub fn alike() -> Result<(), String> {
    let kernel = |name: &str, parameter: &str, instruction: &str| {
        format!(
            ".visible .entry {name}(\n\t.param .u64 {parameter},\n\t.param .u32 n\n)\n{{\n\t\
             .loc 1 {} 5\n\tld.param.u64 %rd1, [{parameter}];\n\t{instruction};\t// of {name}\n}}\n",
            name.len()
        )
    };
    let module =
        |kernels: &[String]| format!(".version 8.0\n.file 1 \"{}\"\n\n{}", kernels.len(), kernels.concat());
    let [first, same, other] = [
        kernel("test_long$region0", "a_long", "add.s64 %rd2, %rd1, 1"),
        kernel("test_llong$region0", "a_llong", "add.s64 %rd2, %rd1, 1"),
        kernel("test_long$region0", "a_long", "add.s64 %rd2, %rd1, 2"),
    ];
    let text = module(&[first.clone(), same.clone(), other.clone()]);
    let (around, kernels) = divide(&text);
    if kernels != [&*first, &*same, &*other].map(str::to_owned) || plain(&around) != plain(&module(&[])) {
        return Err(format!("{around}\n{kernels:?}"));
    }
    if nameless(&first) != nameless(&same) || nameless(&first) == nameless(&other) {
        return Err(format!("{}{}{}", nameless(&first), nameless(&same), nameless(&other)));
    }
    Ok(())
}
