//! How often the host waits for a device, or a device has to tell it something: as often as the program asks
//! for it, and no more.

use std::collections::BTreeSet;

/// A span of a thread.
pub struct Span {
    pub thread: u64,
    pub start: f64,
    pub end: f64,
    pub name: String,
    /// The tasks whose end the host waits for.
    pub tasks: Vec<u64>,
}

impl Span {
    /// Ends are sums of two numbers.
    fn holds(&self, other: &Span) -> bool {
        self.thread == other.thread && self.start <= other.start && other.end <= self.end + 1e-3
    }
}

/// What a trace says of waits.
#[derive(Default)]
pub struct Waits {
    /// Waits of the program, by their kinds, and those for a device, named `synchronise`.
    pub waits: Vec<Span>,
    /// Submissions of target tasks.
    pub submissions: Vec<Span>,
    /// Target tasks that their creator waits for.
    pub undeferred: BTreeSet<u64>,
}

impl Waits {
    /// When the host knew from a wait that a target task was done.
    pub fn known(&self, task: u64) -> Option<f64> {
        let waits = self.synchronisations().filter(|wait| wait.tasks.contains(&task));
        waits.map(|wait| wait.end).reduce(f64::min)
    }

    fn synchronisations(&self) -> impl Iterator<Item = &Span> {
        self.waits.iter().filter(|wait| wait.name == "synchronise")
    }

    /// The innermost wait of the program that a wait for a device is part of.
    fn around(&self, inner: &Span) -> Option<usize> {
        let is_of_tasks = |wait: &Span| ["taskwait", "taskgroup", "barrier"].contains(&&*wait.name);
        let all = self.waits.iter().enumerate();
        let around = all.filter(|(_, wait)| is_of_tasks(wait) && wait.holds(inner));
        around.max_by(|(_, a), (_, b)| a.start.total_cmp(&b.start)).map(|(at, _)| at)
    }

    /// No wait for a device is part of a submission; each is one that the program asks for: the end of a
    /// target task without `nowait`, one for each `taskwait` and the like that finds target tasks, or a
    /// directive that is no task.
    pub fn check(&self, problems: &mut Vec<String>) {
        let (mut of_tasks, mut used) = (BTreeSet::new(), BTreeSet::new());
        for wait in self.synchronisations() {
            if self.submissions.iter().any(|submission| submission.holds(wait)) {
                problems.push(format!("the host waits at {} while it submits a task", wait.start));
            }
            match wait.tasks[..] {
                // A directive that is no task, and for whose queue the host waits.
                [] => {}
                [task] if self.undeferred.contains(&task) => {
                    if !of_tasks.insert(task) {
                        problems.push(format!("the host waits twice for task {task}"));
                    }
                }
                _ => match self.around(wait) {
                    None => problems.push(format!("no wait of the program at {}", wait.start)),
                    Some(at) if !used.insert(at) => {
                        problems.push(format!("a second wait for a device in one {}", self.waits[at].name));
                    }
                    Some(_) => {}
                },
            }
        }
        if of_tasks != self.undeferred {
            let (known, wanted) = (of_tasks.len(), self.undeferred.len());
            problems.push(format!("{known} waits for {wanted} target tasks without `nowait`"));
        }
    }
}
