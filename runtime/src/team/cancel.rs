//! Cancellation (OpenMP 5.2, 11.6): a construct is marked, and its threads and tasks ask at cancellation
//! points whether they should go to its end, which compiled code does by itself.

use super::environment::environment;
use super::loops::shared;
use super::member::Member;
use crate::fatal::fatal;
use std::ffi::c_int;
use std::sync::atomic::Ordering;

/// What is cancelled, as compiled code numbers it.
const PARALLEL: c_int = 1;
/// A worksharing loop, and `sections`.
const WORKSHARING: c_int = 2;
const TASKGROUP: c_int = 3;

/// `cancel`: marks the construct if `wanted`. Says whether the thread goes to its end.
pub(crate) fn cancel(member: &Member, what: c_int, wanted: bool) -> bool {
    if !environment().cancellation {
        return false;
    }
    if wanted {
        match what {
            PARALLEL => member.team.cancel(),
            WORKSHARING => {
                let own = &member.in_loop;
                if own.is_shared.get() {
                    shared(member, own).cancelled.store(true, Ordering::Release);
                }
            }
            // SAFETY: a group stays while it has tasks, and this one is executed.
            TASKGROUP => match unsafe { member.task().group.as_ref() } {
                Some(group) => group.cancel(),
                // Without a group the task ends, and nothing else does.
                None => return true,
            },
            _ => unknown(what),
        }
    }
    point(member, what)
}

/// `cancellation point`: whether the thread goes to the end of the construct.
pub(crate) fn point(member: &Member, what: c_int) -> bool {
    match what {
        PARALLEL => member.team.is_cancelled(),
        WORKSHARING => {
            let own = &member.in_loop;
            own.is_shared.get() && shared(member, own).cancelled.load(Ordering::Acquire)
        }
        TASKGROUP => member.task().is_cancelled(),
        _ => unknown(what),
    }
}

fn unknown(what: c_int) -> ! {
    fatal(format_args!("the construct {what} is cancelled: the program is newer"))
}
