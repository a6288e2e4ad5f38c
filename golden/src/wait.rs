//! Waiting for a process, but not for ever.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// Waits until a process ends; nothing if it has not after `timeout`. The process goes on then.
///
/// The kernel says when a process ends: what asks again and again asks late, and thousands of short processes
/// are a test suite.
pub fn wait(child: &mut Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let end = Instant::now() + timeout;
    let process = handle(child);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        match &process {
            Some(process) => sleep_until_it_ends(process, left)?,
            // An old kernel, or a sandbox.
            None => std::thread::sleep(left.min(Duration::from_millis(2))),
        }
    }
}

/// A file descriptor that can be read from when the process has ended.
fn handle(child: &Child) -> Option<OwnedFd> {
    let process = libc::pid_t::try_from(child.id()).ok()?;
    // SAFETY: the call takes two numbers; the child has not been waited for, so that the number is its own.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, process, 0) };
    let descriptor = RawFd::try_from(descriptor).ok().filter(|&descriptor| descriptor >= 0)?;
    // SAFETY: it was opened just now, for nobody else.
    Some(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

fn sleep_until_it_ends(process: &OwnedFd, at_most: Duration) -> io::Result<()> {
    // Up to the next millisecond, so that the last wait is not divided into many of none.
    let milliseconds = i32::try_from(at_most.as_millis() + 1).unwrap_or(i32::MAX);
    let mut asked = libc::pollfd { fd: process.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: `asked` is one element, and lives throughout the call.
    let answer = unsafe { libc::poll(&raw mut asked, 1, milliseconds) };
    match io::Error::last_os_error() {
        error if answer < 0 && error.kind() != io::ErrorKind::Interrupted => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn shell(text: &str) -> Child {
        Command::new("sh").args(["-c", text]).spawn().expect("there is a shell")
    }

    #[test]
    fn an_end_is_seen_with_its_status() {
        let mut child = shell("sleep 0.1; exit 3");
        let status = wait(&mut child, Duration::from_secs(60)).expect("it can be waited for");
        assert_eq!(status.and_then(|status| status.code()), Some(3));
    }

    #[test]
    fn a_process_that_goes_on_is_left() {
        let mut child = shell("exec sleep 100");
        let started = Instant::now();
        let status = wait(&mut child, Duration::from_millis(50)).expect("it can be waited for");
        assert!(status.is_none() && started.elapsed() >= Duration::from_millis(50));
        child.kill().and_then(|()| child.wait()).expect("it can be ended");
    }
}
