//! `ACC_DEVICE_TYPE`, `ACC_DEVICE_NUM` (OpenACC 3.3, chapter 4).

use super::kind;
use super::units::units;
use crate::fatal::fatal;
use crate::gangs;
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// An environment variable that chooses a device. What is wrong with it is reported when the device that it
/// names is needed, and forgotten once the program has chosen for itself.
pub(super) struct Variable {
    choice: OnceLock<Result<c_int, String>>,
    overridden: AtomicBool,
}

pub(super) static TYPE: Variable = Variable::new();
pub(super) static NUMBER: Variable = Variable::new();

impl Variable {
    const fn new() -> Variable {
        Variable { choice: OnceLock::new(), overridden: AtomicBool::new(false) }
    }

    /// Reads the variable; empty ones count as absent.
    fn read(&self, name: &str, check: fn(&str) -> Result<c_int, String>) {
        let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else { return };
        let choice = check(&value.to_string_lossy()).map_err(|message| format!("{name}: {message}"));
        // A second call changes nothing: the environment is the same.
        let _ = self.choice.set(choice);
    }

    /// What it says, if that makes sense.
    pub(super) fn value(&self) -> Option<c_int> {
        self.choice.get().and_then(|choice| choice.as_ref().ok()).copied()
    }

    /// The program has chosen for itself.
    pub(super) fn override_(&self) {
        self.overridden.store(true, Ordering::Relaxed);
    }

    /// Ends the program if the variable is wrong and still matters.
    pub(super) fn require(&self) {
        if let Some(Err(message)) = self.choice.get()
            && !self.overridden.load(Ordering::Relaxed)
        {
            fatal(format_args!("{message}"));
        }
    }
}

/// Reads both.
pub(crate) fn read() {
    TYPE.read("ACC_DEVICE_TYPE", check_type);
    NUMBER.read("ACC_DEVICE_NUM", check_number);
}

fn check_type(name: &str) -> Result<c_int, String> {
    const NAMES: [(&str, c_int); 6] = [
        ("host", kind::HOST),
        ("multicore", kind::HOST),
        ("default", kind::DEFAULT),
        ("not_host", kind::NOT_HOST),
        ("nvidia", kind::NVIDIA),
        ("radeon", kind::RADEON),
    ];
    let known = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
    match known {
        Some(&("multicore", _)) if !gangs::are_at_once() => Err(format!(
            "device type `{name}` is not available: regions were compiled for another device (`--device multicore`)"
        )),
        Some(&(_, kind)) if units().of(kind, kind::DEFAULT).is_ok() => Ok(kind),
        _ => Err(format!("device type `{name}` is not available")),
    }
}

fn check_number(text: &str) -> Result<c_int, String> {
    let default = TYPE.value().unwrap_or(kind::DEFAULT);
    match text.trim().parse::<c_int>() {
        Ok(number) if number >= 0 => {
            let found = units().find(kind::DEFAULT, number, default);
            found.map(|_| number).map_err(|error| error.to_string())
        }
        _ => Err(format!("`{text}` is not the number of a device")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_variables() {
        assert_eq!((check_type("HOST"), check_type("default")), (Ok(kind::HOST), Ok(kind::DEFAULT)));
        assert!(check_type("nvidia").unwrap_err().contains("`nvidia` is not available"));
        // It is no device of a program whose regions are compiled for one thread.
        assert!(check_type("multicore").unwrap_err().contains("--device multicore"));
        assert_eq!(check_number(" 0 "), Ok(0));
        assert!(check_number("1").unwrap_err().contains("device 1 out of range"));
        for number in ["-1", "one", "99999999999"] {
            assert!(check_number(number).unwrap_err().contains("is not the number of a device"), "{number}");
        }
    }
}
