//! Command lines as they are pasted from makefiles: the spellings of GCC, Clang and NVIDIA's compilers become
//! accrue's own options; what has no meaning for a compiler that writes no file is dropped.

use crate::args::{self, Cli};
use accrue_frontend::suggest::nearest;
use clap::{CommandFactory, Subcommand};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

/// A command line for the option parser.
#[derive(Default, Debug)]
pub struct CommandLine {
    /// The arguments.
    pub args: Vec<OsString>,
    /// What the user should know about options that were dropped, one line each.
    pub warnings: Vec<String>,
    /// Why it cannot be carried out.
    pub error: Option<String>,
}

/// What a subcommand does with the program.
#[derive(Clone, Copy)]
struct Command {
    /// Loads libraries.
    links: bool,
    /// Writes a file.
    writes: bool,
}

/// What becomes of an argument.
#[derive(PartialEq, Eq, Debug)]
enum Fate {
    /// It is accrue's own, or none of this module's business.
    Keep,
    /// It becomes this.
    Become(&'static str),
    /// It becomes this, and what follows the given number of bytes stays.
    Respell(&'static str, usize),
    /// Dropped: what it asks for is so, or concerns files that are not written.
    Drop,
    /// Dropped with the argument that follows.
    DropPair,
    /// Dropped, and said so.
    Ignore,
    /// It would change what programs mean.
    Refuse,
}

/// Translates the arguments of a process, up to `--`. The first one is its name, the second the subcommand.
pub fn translate(args: impl Iterator<Item = OsString>) -> CommandLine {
    let mut line = CommandLine::default();
    let mut args = args;
    line.args.extend(args.by_ref().take(2));
    line.error = missing_command(&line.args);
    let is = |name: &str| line.args.get(1).is_some_and(|command| command == name);
    let command = Command { links: is("run") || is("check"), writes: is("ptx") };
    while let Some(arg) = args.next() {
        if arg == "--" {
            line.args.push(arg);
            break;
        }
        let Some(text) = arg.to_str() else {
            line.args.push(arg);
            continue;
        };
        match fate(text, command) {
            Fate::Keep => {
                let value_follows = matches!(text, "-I" | "-D" | "-U" | "-L" | "-l" | "-o");
                line.args.push(arg);
                if value_follows {
                    line.args.extend(args.next());
                }
            }
            Fate::Become(option) => line.args.push(option.into()),
            Fate::Respell(option, from) => {
                let rest = &arg.as_bytes()[from..];
                let mut option = OsString::from(option);
                option.push(std::ffi::OsStr::from_bytes(rest));
                line.args.push(option);
            }
            Fate::Drop => {}
            Fate::DropPair => {
                args.next();
            }
            Fate::Refuse => line.error = Some(format!("option `{text}` is not supported")),
            Fate::Ignore => line.warnings.push(format!("option `{text}` is ignored")),
        }
    }
    line.args.extend(args);
    line
}

/// What to write, where a file stands in the place of the command.
fn missing_command(args: &[OsString]) -> Option<String> {
    let first = args.get(1)?.to_str()?;
    if first.starts_with('-') {
        return None;
    }
    if first.ends_with(".c") {
        return Some(format!("`{first}` is no command; `accrue run {first}` compiles and runs it"));
    }
    if args::Command::has_subcommand(first) {
        return None;
    }
    let cli = Cli::command();
    let commands: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let meant = nearest(first, commands.iter().copied()).map(|name| format!("; did you mean `{name}`?"));
    Some(format!("`{first}` is no command{} (commands: {})", meant.unwrap_or_default(), commands.join(", ")))
}

fn fate(arg: &str, command: Command) -> Fate {
    let is_output = arg.starts_with("-o") && command.writes;
    if !arg.starts_with('-') || arg.starts_with("--") || arg == "-" || is_output {
        return Fate::Keep;
    }
    word(arg).or_else(|| family(arg, command.links)).unwrap_or(Fate::Keep)
}

/// Options that are whole words.
fn word(arg: &str) -> Option<Fate> {
    Some(match arg {
        "-ansi" => Fate::Become("--std=c89"),
        "-O" => Fate::Become("-O1"),
        "-acc" => Fate::Become("-fopenacc"),
        "-noacc" => Fate::Become("-fno-openacc"),
        "-mp" => Fate::Become("-fopenmp"),
        "-fast" => Fate::Become("-O3"),
        "-pedantic" | "-pedantic-errors" => Fate::Become("-Wpedantic"),
        "-include" => Fate::Become("--include"),
        "-isystem" | "-idirafter" => Fate::Become("--isystem"),
        "-iquote" => Fate::Become("--iquote"),
        "-std" => Fate::Become("--std"),
        "-o" | "-x" | "-MF" | "-MT" | "-MQ" | "-Xlinker" | "-Xassembler" | "-Xcompiler" | "-T" | "-z"
        | "-u" | "--param" => Fate::DropPair,
        "-c" | "-S" | "-M" | "-MM" | "-shared" | "-v" | "-###" => Fate::Ignore,
        "-MD" | "-MMD" | "-MP" | "-MG" | "-p" | "-pg" | "-pipe" | "-pthread" | "-s" | "-static"
        | "-static-libgcc" | "-rdynamic" | "-pie" | "-no-pie" | "-nopie" | "-save-temps" | "-Q" | "-H"
        | "-P" | "-C" | "-traditional" => Fate::Drop,
        _ => return None,
    })
}

/// Options with something joined to them.
fn family(arg: &str, links: bool) -> Option<Fate> {
    // Machine options that would change what a program means.
    const MACHINE: [&str; 5] = ["-m32", "-mx32", "-m16", "-mlong-double-64", "-mms-bitfields"];
    const RESPELT: [(&str, &str); 6] = [
        ("-std=", "--std="),
        ("-include=", "--include="),
        ("-isystem", "--isystem="),
        ("-idirafter", "--isystem="),
        ("-iquote", "--iquote="),
        ("-include", "--include="),
    ];
    const DROPPED: [&str; 15] = [
        "-Wl,",
        "-Wa,",
        "-MF",
        "-MT",
        "-MQ",
        "-acc=",
        "-ta=",
        "-tp=",
        "-gpu=",
        "-Minfo",
        "-Mneginfo",
        "-target=",
        "-save-temps=",
        "-dump",
        "-x",
    ];
    if let Some((prefix, option)) = RESPELT.iter().find(|(prefix, _)| arg.starts_with(prefix)) {
        let joined = arg.as_bytes().get(prefix.len()) == Some(&b'=');
        return Some(Fate::Respell(option, prefix.len() + usize::from(joined)));
    }
    if MACHINE.contains(&arg) {
        return Some(Fate::Refuse);
    }
    if DROPPED.iter().any(|prefix| arg.starts_with(prefix)) || arg.starts_with("-m") || arg.starts_with("-g")
    {
        return Some(Fate::Drop);
    }
    if (arg.starts_with("-o") && arg.len() > 2) || arg.starts_with("-Wp,") || arg.starts_with("-M") {
        return Some(if arg.starts_with("-o") { Fate::Drop } else { Fate::Ignore });
    }
    if matches!(arg, "-lgomp" | "-lomp" | "-liomp5") {
        // The runtime is accrue's own.
        return Some(Fate::Drop);
    }
    let library = arg.starts_with("-l") || arg.starts_with("-L");
    if library && !links {
        return Some(if arg.len() > 2 { Fate::Drop } else { Fate::DropPair });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> (String, usize) {
        let words = std::iter::once("accrue").chain(line.split_whitespace());
        let line = translate(words.map(OsString::from));
        let args: Vec<_> = line.args.iter().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
        (args.join(" "), line.warnings.len())
    }

    #[test]
    fn what_concerns_files_and_machines_is_dropped() {
        for line in [
            "run a.c -o x -march=native -mavx2 -g3 -ggdb -pipe -pg -s -pthread",
            "run -Wl,-rpath,/x -MD -MF a.d -x c -static a.c",
            "run -Minfo=accel -ta=tesla:cc70 -gpu=cc80 -ox a.c",
        ] {
            assert_eq!(translated(line), ("run a.c".to_owned(), 0), "{line}");
        }
        assert_eq!(translated("ptx a.c -o x -march=native"), ("ptx a.c -o x".to_owned(), 0));
        assert_eq!(translated("run a.c -lgomp"), ("run a.c".to_owned(), 0));
        assert_eq!(translated("run -c a.c"), ("run a.c".to_owned(), 1));
        assert_eq!(translated("ir a.c -lm -L /x -L/y -l m"), ("ir a.c".to_owned(), 0));
        assert_eq!(translated("run a.c -lm -L /x"), ("run a.c -lm -L /x".to_owned(), 0));
    }

    #[test]
    fn spellings_of_other_compilers_are_translated() {
        assert_eq!(translated("run -acc -mp -fast a.c").0, "run -fopenacc -fopenmp -O3 a.c");
        assert_eq!(
            translated("run -std=c99 -isystem /x -idirafter /y -isystem/z -include stdint.h a.c").0,
            "run --std=c99 --isystem /x --isystem /y --isystem=/z --include stdint.h a.c"
        );
        assert_eq!(translated("run -ansi -pedantic -O a.c").0, "run --std=c89 -Wpedantic -O1 a.c");
    }

    #[test]
    fn values_and_arguments_of_the_program_stay() {
        for line in ["run a.c -- -o -march=x -c", "run -D -o -U -c -I -s a.c", "run --gangs 3 a.c -funknown"]
        {
            assert_eq!(translated(line), (line.to_owned(), 0));
        }
    }

    #[test]
    fn what_cannot_be_carried_out_is_an_error() {
        let error = |line: &str| {
            let words = std::iter::once("accrue").chain(line.split_whitespace());
            translate(words.map(OsString::from)).error
        };
        assert_eq!(error("run a.c -m64"), None);
        assert_eq!(error("run a.c -m32").as_deref(), Some("option `-m32` is not supported"));
        assert!(error("a.c").is_some_and(|error| error.contains("accrue run a.c")));
        assert!(
            error("rnu a.c")
                .is_some_and(|error| error.starts_with("`rnu` is no command; did you mean `run`?"))
        );
        assert!(error("compile a.c").is_some_and(|error| error.contains("(commands: run, check, ")));
        assert_eq!(error("--version"), None);
    }
}
