//! A line on the terminal that shows that a long simulation goes on.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A launch that takes less long shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two changes of the line.
const STEP: Duration = Duration::from_millis(200);

/// The line; it vanishes when this is dropped. Without a terminal there is none.
pub(super) struct Progress {
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Shows that something is being simulated, once that takes long.
    pub(super) fn start(title: String) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress { shown: None };
        }
        let text = format!("simulating {title}");
        let (stop, stopped) = channel();
        let started = Instant::now();
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || {
            if stopped.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("accrue: {msg}, {elapsed}") {
                line.set_style(style);
            }
            let line = line.with_elapsed(started.elapsed()).with_message(text);
            while stopped.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
                line.tick();
            }
            line.finish_and_clear();
        });
        // Without a thread there is no line, which is no reason to stop.
        Progress { shown: thread.ok().map(|thread| (stop, thread)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.shown.take() {
            drop(stop);
            // A thread that failed has shown less than it should.
            let _ = thread.join();
        }
    }
}
