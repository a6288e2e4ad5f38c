//! What a program's comments expect of the decisions about its loops.

use serde_json::Value;

/// The comment in the line of a loop.
#[derive(Debug)]
pub struct Expectation {
    /// The line of the loop.
    pub line: usize,
    /// What stands behind `expect: `.
    pub text: String,
    verdict: String,
    details: Vec<Detail>,
}

/// A field of a decision.
#[derive(Debug)]
enum Detail {
    /// The reason, and a variable that the text names.
    Reason(String, Option<String>),
    Distance(i64),
    Private(String),
    Last(String),
    Reduction {
        operator: String,
        name: String,
    },
    /// A scan that is executed in parts.
    Scan {
        operator: String,
        name: String,
    },
    /// Variables that the condition of a version names.
    If(Vec<String>),
}

const VERDICTS: [&str; 3] = ["parallel", "sequential", "versioned"];

/// Reasons why a loop is sequential.
const REASONS: [&str; 14] = [
    "carried",
    "unknown-subscript",
    "alias",
    "call",
    "exit",
    "scalar",
    "scan",
    "bound",
    "region",
    "size",
    "strict-fp",
    "cycle",
    "order",
    "result",
];

/// The expectations of a program.
pub fn expectations(source: &str) -> Result<Vec<Expectation>, String> {
    let comments = source.lines().enumerate();
    let comments = comments.filter_map(|(line, text)| Some((line + 1, text.split_once("// expect: ")?.1)));
    comments
        .map(|(line, text)| Expectation::parse(line, text).map_err(|problem| format!("{line}: {problem}")))
        .collect()
}

/// The warnings that a program expects: lines and ids.
pub fn warnings(source: &str) -> Vec<(usize, &str)> {
    let comments = source.lines().enumerate();
    comments.filter_map(|(line, text)| Some((line + 1, text.split_once("// warn: ")?.1))).collect()
}

impl Expectation {
    fn parse(line: usize, text: &str) -> Result<Expectation, String> {
        let (verdict, details) = text.split_once(": ").unwrap_or((text, ""));
        if !VERDICTS.contains(&verdict) {
            return Err(format!("no verdict: {verdict}"));
        }
        let details = details.split(", ").filter(|detail| !detail.is_empty()).map(Detail::parse);
        let details: Vec<Detail> = details.collect::<Result<_, _>>()?;
        let has_reason = details.iter().any(|detail| matches!(detail, Detail::Reason(..)));
        if has_reason != (verdict == "sequential") {
            return Err(format!("a sequential loop has a reason, and no other one: {text}"));
        }
        Ok(Expectation { line, text: text.to_owned(), verdict: verdict.to_owned(), details })
    }

    /// What of it a decision lacks, and what the decision has beyond it; empty if nothing. Scalars that are
    /// private need not be named: counters of inner loops are.
    pub fn missed(&self, decision: &Value) -> String {
        let mut missed = Vec::new();
        if decision["verdict"] != *self.verdict {
            missed.push(self.verdict.clone());
        }
        let lacking = self.details.iter().filter(|detail| !detail.is_met(decision));
        missed.extend(lacking.map(|detail| format!("{detail:?}")));
        let count = |is_one: fn(&Detail) -> bool| self.details.iter().filter(|detail| is_one(detail)).count();
        let found = |field: &str| decision[field].as_array().map_or(0, Vec::len);
        let more = [
            ("last values", found("last") > count(|detail| matches!(detail, Detail::Last(_)))),
            ("reductions", found("reductions") > count(|detail| matches!(detail, Detail::Reduction { .. }))),
            ("scans", found("scans") > count(|detail| matches!(detail, Detail::Scan { .. }))),
            (
                "a distance",
                decision["distance"].is_i64() && count(|detail| matches!(detail, Detail::Distance(_))) == 0,
            ),
        ];
        missed.extend(more.iter().filter(|(_, is_more)| *is_more).map(|(what, _)| format!("no {what}")));
        missed.join(", ")
    }
}

impl Detail {
    fn parse(text: &str) -> Result<Detail, String> {
        let words: Vec<&str> = text.split(' ').collect();
        let owned = |word: &str| word.to_owned();
        match words[..] {
            ["distance", number] => number.parse().map(Detail::Distance).map_err(|error| error.to_string()),
            ["private", name] => Ok(Detail::Private(owned(name))),
            ["last", name] => Ok(Detail::Last(owned(name))),
            ["reduction", operator, name] => {
                Ok(Detail::Reduction { operator: owned(operator), name: owned(name) })
            }
            ["scan", operator, name] => Ok(Detail::Scan { operator: owned(operator), name: owned(name) }),
            ["if", ref names @ ..] if !names.is_empty() => {
                Ok(Detail::If(names.iter().map(|name| owned(name)).collect()))
            }
            [reason] if REASONS.contains(&reason) => Ok(Detail::Reason(owned(reason), None)),
            [reason, name] if REASONS.contains(&reason) => {
                Ok(Detail::Reason(owned(reason), Some(owned(name))))
            }
            _ => Err(format!("what is `{text}`?")),
        }
    }

    fn is_met(&self, decision: &Value) -> bool {
        let list = |field: &str| decision[field].as_array().map_or(&[][..], Vec::as_slice);
        let has = |field: &str, operator: &str, name: &str| {
            list(field).iter().any(|one| one["op"] == *operator && one["name"] == *name)
        };
        match self {
            Detail::Reason(reason, name) => {
                decision["reason"] == **reason
                    && name.as_ref().is_none_or(|name| mentions(&decision["text"], name))
            }
            Detail::Distance(distance) => decision["distance"] == *distance,
            Detail::Private(name) => list("private").iter().any(|private| private == name),
            Detail::Last(name) => list("last").iter().any(|last| last == name),
            Detail::Reduction { operator, name } => has("reductions", operator, name),
            Detail::Scan { operator, name } => has("scans", operator, name),
            Detail::If(names) => names.iter().all(|name| mentions(&decision["condition"], name)),
        }
    }
}

/// Whether a text has a word.
fn mentions(text: &Value, name: &str) -> bool {
    let text = text.as_str().unwrap_or_default();
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}
