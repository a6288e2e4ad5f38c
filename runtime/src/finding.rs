//! Mistakes of the program that a device finds while it runs: structured until they are shown, as diagnostics
//! of the compiler are, and shown in the same form by whoever set the runtime up.

use std::fmt;
use std::sync::OnceLock;

/// Id of the warning that what a region wrote was freed, and the host goes on with its own values.
pub const LOST_RESULT: &str = "lost-result";

/// Id of the error that a loop which was called parallel carried something from one iteration to another.
pub const CARRIED_DEPENDENCE: &str = "carried-dependence";

/// Id of the error that two accesses, one of them a write, are not ordered.
pub(crate) const DATA_RACE: &str = "data-race";

/// A place in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1; 0 if only the line is known.
    pub column: u32,
}

/// A mistake.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Finding {
    /// The program goes on.
    pub is_warning: bool,
    /// Stable kebab-case id: `data-race`.
    pub id: String,
    /// One short sentence, lower case, without a full stop.
    pub message: String,
    /// The place at fault, if it is known.
    pub place: Option<Place>,
    /// What happens there; may be empty.
    pub label: String,
    /// Other places that explain it.
    pub related: Vec<(Option<Place>, String)>,
    /// Remarks without a place.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Vec<String>,
}

/// Makes the text of a mistake.
pub type Render = fn(&Finding) -> String;

static RENDER: OnceLock<Render> = OnceLock::new();

/// Says how mistakes are shown.
pub(crate) fn show_by(render: Render) {
    // Whoever is first decides: the runtime is set up once.
    let _ = RENDER.set(render);
}

impl Finding {
    /// The text that the user sees.
    pub(crate) fn text(&self) -> String {
        let plain = || {
            let severity = if self.is_warning { "warning" } else { "error" };
            format!("{severity}[{}]: {self}\n", self.id)
        };
        RENDER.get().map_or_else(plain, |render| render(self))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n  at {place}")?;
        }
        if !self.label.is_empty() {
            write!(f, "\n  {}", self.label)?;
        }
        for (place, text) in &self.related {
            write!(f, "\n  {text}")?;
            if let Some(place) = place {
                write!(f, " at {place}")?;
            }
        }
        for note in self.notes.iter().chain(&self.help) {
            write!(f, "\n  {note}")?;
        }
        Ok(())
    }
}
