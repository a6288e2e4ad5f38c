//! How mistakes are shown that a device finds while the program runs: as the compiler's own diagnostics are.

use accrue::driver::DiagnosticFormat;
use accrue_frontend::diag::{self, Late, LatePlace, Severity};
use accrue_runtime::finding::{Finding, Place, Render};

/// What makes the text of a mistake, in the format that the user wants.
pub fn render(format: DiagnosticFormat) -> Render {
    match format {
        DiagnosticFormat::Text => |finding| late(finding).text(diag::wants_color()),
        DiagnosticFormat::Json => |finding| late(finding).json(),
    }
}

fn late(finding: &Finding) -> Late {
    let Finding { is_warning, id, message, place, label, related, notes, help } = finding.clone();
    let related = related.into_iter().map(|(place, text)| (late_place(place), text));
    Late {
        label,
        related: related.collect(),
        notes,
        help,
        ..Late::new(
            if is_warning { Severity::Warning } else { Severity::Error },
            id,
            message,
            late_place(place),
        )
    }
}

fn late_place(place: Option<Place>) -> LatePlace {
    place.map_or_else(LatePlace::default, |Place { file, line, column }| LatePlace { file, line, column })
}
