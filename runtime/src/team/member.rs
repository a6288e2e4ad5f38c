//! A thread's place in a team: its number, its implicit task, and what it is doing.

use super::icvs::Icvs;
use super::idle::Parker;
use super::shared_loop::LoopMemory;
use super::state::{Slot, Team};
use crate::strand::Strand;
use crate::task::node::{Node, Spares};
use std::cell::Cell;
use std::ptr::{self, NonNull};
use std::sync::Arc;

/// A thread in a team. It lives on the thread's stack while the thread executes the region.
pub(crate) struct Member {
    /// The team.
    pub(crate) team: Arc<Team>,
    /// Its number in the team.
    pub(crate) number: u32,
    /// Where it sleeps.
    pub(crate) parker: &'static Parker,
    /// Its implicit task.
    pub(crate) implicit: Node,
    /// The task that it executes.
    pub(crate) current: Cell<NonNull<Node>>,
    /// A task that waits on this thread: only its descendants may be executed meanwhile. Null at a barrier.
    pub(crate) constraint: Cell<*const Node>,
    /// Tasks that it has begun and not ended, each on the stack of the one before.
    pub(crate) nested: Cell<u32>,
    /// Nodes of tasks that it has executed at once.
    pub(crate) spares: Spares,
    /// The thread whose tasks it stole last.
    pub(crate) victim: Cell<u32>,
    /// `single` constructs that it has come to.
    pub(crate) singles: Cell<u64>,
    /// Worksharing loops that it has come to.
    pub(crate) loops: Cell<u64>,
    /// The one that it is in.
    pub(crate) in_loop: OwnLoop,
    /// Iterations of the nest in one of those that the next loop shares, if its iterations wait for single
    /// ones.
    pub(crate) doacross: Cell<u64>,
    /// Tasks of the `taskloop` that comes next.
    pub(crate) tasks_of_loop: Cell<u64>,
    /// What a loop keeps for its threads, where the region was cancelled before this thread came to the loop.
    pub(crate) memory: LoopMemory,
}

/// A thread's part in a worksharing loop.
#[derive(Default, Debug)]
pub(crate) struct OwnLoop {
    /// A kind of schedule, without modifiers; 0 outside of loops.
    pub(crate) kind: Cell<i32>,
    /// `ordered` stands there.
    pub(crate) is_ordered: Cell<bool>,
    /// The team keeps a record of it.
    pub(crate) is_shared: Cell<bool>,
    /// The record may have memory.
    pub(crate) has_memory: Cell<bool>,
    /// Its number among the loops of the region.
    pub(crate) number: Cell<u64>,
    /// Iterations.
    pub(crate) trip: Cell<u64>,
    /// Iterations of a chunk; of a static schedule, 0 stands for one chunk per thread.
    pub(crate) chunk: Cell<u64>,
    /// Chunks that the thread has had.
    pub(crate) chunks: Cell<u64>,
    /// The range that it has.
    pub(crate) range: Cell<(u64, u64)>,
    /// Threads that come later in `ordered` need not wait for the range any more.
    pub(crate) is_released: Cell<bool>,
    /// The iteration whose `ordered` block the thread is in.
    pub(crate) iteration: Cell<u64>,
    /// Where functions that the iterations call may have the `ordered` block: the running iteration, and
    /// whether its block was executed.
    pub(crate) in_callee: Cell<Option<(u64, bool)>>,
    /// Iterations of the nest in each, if they wait for single ones; 0 otherwise.
    pub(crate) stride: Cell<u64>,
}

thread_local! {
    static MEMBER: Cell<*const Member> = const { Cell::new(ptr::null()) };
}

impl Member {
    /// A thread that joins a team. [`Member::settle`] must follow, once the member has its place in memory.
    pub(crate) fn new(team: Arc<Team>, number: u32, icvs: Icvs) -> Member {
        let implicit = Node::implicit(Arc::as_ptr(&team), &team.slots[number as usize].ended, icvs);
        let parker = Parker::of_this_thread();
        implicit.set_waiter(parker);
        Member {
            team,
            number,
            parker,
            implicit,
            current: Cell::new(NonNull::dangling()),
            constraint: Cell::new(ptr::null()),
            nested: Cell::new(0),
            spares: Spares::default(),
            victim: Cell::new(0),
            singles: Cell::new(0),
            loops: Cell::new(0),
            in_loop: OwnLoop::default(),
            doacross: Cell::new(0),
            tasks_of_loop: Cell::new(0),
            memory: LoopMemory::default(),
        }
    }

    /// Begins with the implicit task.
    pub(crate) fn settle(&self) {
        self.current.set(NonNull::from(&self.implicit));
        self.constraint.set(&raw const self.implicit);
    }

    /// Its part of the team.
    pub(crate) fn slot(&self) -> &Slot {
        &self.team.slots[self.number as usize]
    }

    /// The task that it executes.
    pub(crate) fn task(&self) -> &Node {
        // SAFETY: `settle` has set a task, and those that follow are alive while they are executed.
        unsafe { self.current.get().as_ref() }
    }

    /// The member of the team around that created this one's team.
    pub(crate) fn parent(&self) -> Option<&Member> {
        // SAFETY: the thread that has created a team is in its region as long as any member.
        unsafe { self.team.parent.cast::<Member>().as_ref() }
    }

    /// Whether the team is that of an initial task, and the thread executes just this task.
    pub(crate) fn is_initial(&self) -> bool {
        self.team.level == 0 && ptr::eq(self.task(), &raw const self.implicit)
    }
}

/// The place of this thread; an initial task begins if it has none.
#[inline]
pub(crate) fn current<'a>() -> &'a Member {
    // SAFETY: a member is this thread's while it executes the region, and what asks for it returns before the
    // region ends.
    match unsafe { MEMBER.get().as_ref() } {
        Some(member) => member,
        None => begin(),
    }
}

/// The place of this thread, if it has used OpenMP.
pub(crate) fn known<'a>() -> Option<&'a Member> {
    // SAFETY: as for `current`.
    unsafe { MEMBER.get().as_ref() }
}

thread_local! {
    /// A place in memory that no other thread has.
    static THREAD: u8 = const { 0 };
}

/// Where in the program's order this thread is.
pub(crate) fn strand() -> Strand {
    let Some(member) = known() else { return THREAD.with(Strand::at) };
    let task = member.task();
    // SAFETY: a task that is executed is not complete.
    Strand::at(unsafe { task.ancestors() }.last().unwrap_or(task))
}

/// A thread that OpenMP did not know: its initial task. It stays for the rest of the process, since its tasks
/// may outlive the thread.
#[cold]
fn begin<'a>() -> &'a Member {
    let team = Arc::new(Team::new(1, 0, 0, ptr::null()));
    let member: &'static Member = Box::leak(Box::new(Member::new(team, 0, Icvs::initial())));
    member.settle();
    MEMBER.set(member);
    member
}

/// Makes the thread a member of a team while it does something.
pub(crate) fn with(member: &Member, work: impl FnOnce(&Member)) {
    member.settle();
    let outer = MEMBER.replace(member);
    work(member);
    MEMBER.set(outer);
}
