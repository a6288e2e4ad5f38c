//! A task: one block of memory with its state, the edges from its predecessors, and its arguments.

use super::depend::{Exclusion, Table};
use super::group::Group;
use crate::abi::LaunchDesc;
use crate::memory::Memory;
use crate::plugin::{Event, Queue};
use crate::site::Site;
use crate::team::icvs::Icvs;
use crate::team::idle::Parker;
use crate::team::state::Team;
use crate::trace;
use crate::values::Kept;
use smallvec::SmallVec;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::{Cell, UnsafeCell};
use std::mem::align_of;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a task executes.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// Nothing of the host: it is there for its dependences, implicit, or a target task.
    Nothing,
    /// Host code of the region, by so many gangs in turn.
    Host(&'static LaunchDesc, u64),
}

/// What a target task is on its device.
pub(crate) struct Target {
    /// The device.
    pub(crate) memory: &'static Memory,
    /// What is done there.
    pub(crate) code: Code,
    /// A later task goes on with its queue, or it is back in the pool.
    pub(crate) is_continued: AtomicBool,
    /// The host knows that the device has done it.
    pub(crate) is_done: AtomicBool,
    state: Mutex<Submission>,
}

/// What a target task hands to its device.
#[derive(Clone, Copy)]
pub(crate) struct Code {
    /// Carries the directive out on a queue, from its values behind the clauses of the task.
    pub(crate) carry_out: unsafe fn(&Code, &'static Memory, Queue, *const u64),
    /// The directive's descriptor.
    pub(crate) desc: *const (),
    /// The directive.
    pub(crate) site: Site<'static>,
}

/// How far a target task has come.
#[derive(Default)]
pub(crate) struct Submission {
    /// Where it was submitted, and behind its work.
    pub(crate) mark: Option<(Queue, Event)>,
    /// Target tasks that it depends on, submitted ones.
    pub(crate) predecessors: SmallVec<[Held; 2]>,
    /// Target tasks that depend on it, as long as it is not submitted.
    pub(crate) waiting: Vec<NonNull<Node>>,
    /// The device is to tell, or will tell, when it has done the task.
    pub(crate) is_awaited: bool,
    /// A copy of the values, if it is submitted after the directive.
    pub(crate) values: Option<Kept>,
}

impl Target {
    /// A task that is not submitted.
    pub(crate) fn new(memory: &'static Memory, code: Code) -> Target {
        Target {
            memory,
            code,
            is_continued: AtomicBool::new(false),
            is_done: AtomicBool::new(false),
            state: Mutex::default(),
        }
    }

    /// How far it has come.
    pub(crate) fn state(&self) -> MutexGuard<'_, Submission> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Some((_, event)) = self.state().mark.take() {
            self.memory.device.release_event(event);
        }
    }
}

/// References to a node.
const REFERENCE: u64 = 1;
/// Children that are not complete; each of them refers to the node, too.
const CHILD: u64 = 1 << 32;
/// A thread sleeps until there are no children.
const AWAITED: u64 = 1 << 63;

/// What the number of predecessors begins with, so that none of them can start the task before all are known.
const GUARD: u32 = 1 << 31;

/// A task.
#[repr(align(64))]
pub(crate) struct Node {
    counts: AtomicU64,
    /// Predecessors that are not complete.
    predecessors: AtomicU32,
    /// Edges to successors; [`closed`] when the task is complete.
    successors: AtomicPtr<Edge>,
    /// The thread that executes it, or waits until it can; it is set before there is anything to wait for.
    waiter: AtomicPtr<Parker>,
    /// What it executes.
    pub(crate) work: Work,
    /// In a trace; 0 without one.
    pub(crate) number: u64,
    /// Of a target task, what it is on its device.
    pub(crate) target: Option<Box<Target>>,
    /// The task that created it; null of an implicit one. It stays while this one is not complete.
    pub(crate) parent: *const Node,
    /// The innermost task around that was not complete when this one created a task, and that may be waiting
    /// on a thread's stack. The creator of a task's creator may be complete, and gone, while the task is not.
    ancestor: Cell<*const Node>,
    /// This node refers to its ancestor, which is not an implicit task.
    holds_ancestor: Cell<bool>,
    /// The team whose barriers wait for it.
    pub(crate) team: *const Team,
    /// The `taskgroup` that waits for it, or null.
    pub(crate) group: *const Group,
    /// Tasks around it, up to the implicit one.
    pub(crate) depth: u32,
    /// Its priority.
    pub(crate) priority: u32,
    /// `final`, or a descendant of such.
    pub(crate) is_final: bool,
    /// Its creator waits for it, and starts it itself.
    pub(crate) is_awaited: bool,
    /// Of a task with an event: 2, less one for the end of its code and one for the event.
    open_ends: AtomicU32,
    /// Its control variables, which its own code changes.
    pub(crate) icvs: Cell<Icvs>,
    /// The innermost `taskgroup` that its code is in.
    pub(crate) inner_group: Cell<*const Group>,
    /// The dependences of its children; used by its own code only.
    table: UnsafeCell<Option<Box<Table>>>,
    /// What it must have for itself while it runs, in the order of their addresses.
    pub(crate) exclusions: UnsafeCell<Vec<Arc<Exclusion>>>,
    edges: *mut Edge,
    args: *mut u64,
    layout: Layout,
}

/// From a task to a successor.
pub(crate) struct Edge {
    next: *mut Edge,
    successor: *const Node,
    /// It is not in the successor's block.
    is_boxed: bool,
}

/// What a new node is made from.
pub(crate) struct Parts<'a> {
    /// What it executes.
    pub(crate) work: Work,
    /// Of a target task.
    pub(crate) target: Option<Box<Target>>,
    /// The task that creates it.
    pub(crate) parent: &'a Node,
    /// Its priority.
    pub(crate) priority: u32,
    /// `final`.
    pub(crate) is_final: bool,
    /// Its creator waits for it.
    pub(crate) is_awaited: bool,
    /// Room for edges from predecessors.
    pub(crate) edges: usize,
    /// Room for arguments.
    pub(crate) args: usize,
    /// Room for bytes behind them, which begin at a multiple of 64.
    pub(crate) bytes: usize,
}

/// Stands in a list of successors that takes no more.
fn closed() -> *mut Edge {
    ptr::without_provenance_mut(align_of::<Edge>())
}

impl Node {
    fn new(work: Work, parent: *const Node, team: *const Team, icvs: Icvs) -> Node {
        Node {
            counts: AtomicU64::new(REFERENCE),
            predecessors: AtomicU32::new(GUARD),
            successors: AtomicPtr::new(ptr::null_mut()),
            waiter: AtomicPtr::default(),
            work,
            number: 0,
            target: None,
            parent,
            ancestor: Cell::new(parent),
            holds_ancestor: Cell::new(false),
            team,
            group: ptr::null(),
            depth: 0,
            priority: 0,
            is_final: false,
            is_awaited: false,
            open_ends: AtomicU32::new(0),
            icvs: Cell::new(icvs),
            inner_group: Cell::new(ptr::null()),
            table: UnsafeCell::new(None),
            exclusions: UnsafeCell::new(Vec::new()),
            edges: ptr::null_mut(),
            args: ptr::null_mut(),
            layout: Layout::new::<Node>(),
        }
    }

    /// The implicit task of a member of a team.
    pub(crate) fn implicit(team: *const Team, icvs: Icvs) -> Node {
        Node::new(Work::Nothing, ptr::null(), team, icvs)
    }

    /// A child of a task, which counts it, and the first reference to it.
    pub(crate) fn create(parts: Parts<'_>) -> NonNull<Node> {
        let parent = parts.parent;
        parent.skip_complete_ancestors();
        let align = align_of::<Node>();
        let edges = size_of::<Node>();
        let args = edges + parts.edges * size_of::<Edge>();
        let bytes = args + parts.args * size_of::<u64>();
        let size = if parts.bytes == 0 { bytes } else { bytes.next_multiple_of(align) + parts.bytes };
        let Ok(layout) = Layout::from_size_align(size, align) else {
            crate::fatal::fatal(format_args!("out of memory: a task with {size} bytes"))
        };
        // SAFETY: the size is not zero.
        let Some(block) = NonNull::new(unsafe { alloc(layout) }) else { handle_alloc_error(layout) };
        let node = Node {
            number: trace::number(),
            target: parts.target,
            group: parent.inner_group.get(),
            inner_group: Cell::new(parent.inner_group.get()),
            holds_ancestor: Cell::new(!parent.is_implicit()),
            depth: parent.depth + 1,
            priority: parts.priority,
            is_final: parts.is_final,
            is_awaited: parts.is_awaited,
            // SAFETY: the block is as large as `layout` says; edges and arguments lie in it.
            edges: unsafe { block.add(edges) }.as_ptr().cast(),
            // SAFETY: as above.
            args: unsafe { block.add(args) }.as_ptr().cast(),
            layout,
            ..Node::new(parts.work, parent, parent.team, parent.icvs.get())
        };
        let place = block.cast::<Node>();
        // SAFETY: as above; nobody knows the node yet.
        unsafe { place.write(node) };
        let reference = if parent.is_implicit() { 0 } else { REFERENCE };
        parent.counts.fetch_add(CHILD + reference, Ordering::Relaxed);
        if !place_ref(&place).group.is_null() {
            // SAFETY: the group's construct has not ended, as the parent is in it.
            unsafe { &*place_ref(&place).group }.add();
        }
        place
    }

    fn is_implicit(&self) -> bool {
        self.parent.is_null()
    }

    /// The ancestors that can be on a thread's stack, innermost first, the implicit task last.
    ///
    /// # Safety
    /// The task is not complete.
    pub(crate) unsafe fn ancestors(&self) -> impl Iterator<Item = &Node> {
        // SAFETY: a node refers to its ancestor, and an implicit task stays while the team has tasks.
        std::iter::successors(Some(self), |node| unsafe { node.ancestor.get().as_ref() }).skip(1)
    }

    /// Forgets ancestors that are complete, so that a chain of tasks, each created by the one before, does
    /// not stay in memory. The thread that executes the task does this while the task has no children, so
    /// that no other thread goes through its ancestors.
    fn skip_complete_ancestors(&self) {
        if !self.holds_ancestor.get() || self.children() > 0 {
            return;
        }
        // SAFETY: this node refers to its ancestor, and that to the next one.
        unsafe {
            while self.holds_ancestor.get() && (*self.ancestor.get()).is_complete() {
                let ancestor = self.ancestor.get();
                let next = (*ancestor).ancestor.get();
                let holds_next = (*ancestor).holds_ancestor.get();
                if holds_next {
                    (*next).hold();
                }
                self.ancestor.set(next);
                self.holds_ancestor.set(holds_next);
                drop_reference(ancestor);
            }
        }
    }

    /// Its arguments.
    pub(crate) fn args(&self) -> *mut u64 {
        self.args
    }

    /// The bytes behind its `count` arguments.
    pub(crate) fn bytes(&self, count: usize) -> *mut u8 {
        // SAFETY: the arguments are in the node's block, and what follows them begins there.
        let end = unsafe { self.args.add(count) }.cast::<u8>();
        end.wrapping_add(end.align_offset(align_of::<Node>()))
    }

    /// The dependences of its children.
    ///
    /// # Safety
    /// This thread executes the task, and has no other reference to the table.
    #[expect(clippy::mut_from_ref, reason = "the caller's promise makes it unique")]
    pub(crate) unsafe fn table(&self) -> &mut Option<Box<Table>> {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.table.get() }
    }

    /// Whether it is complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.successors.load(Ordering::Acquire) == closed()
    }

    /// Children that are not complete.
    pub(crate) fn children(&self) -> u64 {
        (self.counts.load(Ordering::Acquire) & !AWAITED) / CHILD
    }

    /// The thread that executes the task is about to sleep until it has no children. Says whether there are
    /// some.
    pub(crate) fn await_children(&self) -> bool {
        let before = self.counts.fetch_or(AWAITED, Ordering::AcqRel);
        (before & !AWAITED) >= CHILD
    }

    /// This thread does not sleep any more.
    pub(crate) fn stop_awaiting(&self) {
        self.counts.fetch_and(!AWAITED, Ordering::AcqRel);
    }

    /// The thread executes the task, or waits until it can.
    pub(crate) fn set_waiter(&self, parker: &'static Parker) {
        self.waiter.store(ptr::from_ref(parker).cast_mut(), Ordering::Release);
    }

    /// The thread that has called [`Node::set_waiter`].
    pub(crate) fn waiter(&self) -> Option<&'static Parker> {
        // SAFETY: parkers live for ever.
        unsafe { self.waiter.load(Ordering::Acquire).as_ref() }
    }

    /// The task is complete only when an event has happened, too.
    pub(crate) fn set_detachable(&self) {
        self.open_ends.store(2, Ordering::Relaxed);
    }

    /// Its code has ended, or its event has happened. Says whether it is complete.
    pub(crate) fn end(&self) -> bool {
        self.open_ends.load(Ordering::Relaxed) == 0 || self.open_ends.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Whether all its predecessors are complete.
    pub(crate) fn may_begin(&self) -> bool {
        self.predecessors.load(Ordering::Acquire) == 0
    }

    /// All predecessors are known, `count` of them. Says whether none is left.
    pub(crate) fn release_guard(&self, count: u32) -> bool {
        let taken = GUARD - count;
        self.predecessors.fetch_sub(taken, Ordering::AcqRel) == taken
    }

    /// A predecessor is complete. Says whether none is left.
    pub(crate) fn release(&self) -> bool {
        self.predecessors.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Makes the task the `index`th predecessor of another one. Says whether the other one is to count it:
    /// not if it is complete, and a target task only waits until others are submitted.
    pub(crate) fn precede(&self, successor: &Node, index: usize, room: usize) -> bool {
        let (Some(own), Some(target)) = (&self.target, &successor.target) else {
            return self.add_successor(successor, index, room);
        };
        if self.is_complete() {
            return false;
        }
        let mut state = own.state();
        let is_submitted = state.mark.is_some();
        if !is_submitted {
            state.waiting.push(NonNull::from(successor));
        }
        drop(state);
        if is_submitted {
            target.state().predecessors.push(Held::new(self));
        }
        !is_submitted
    }

    fn add_successor(&self, successor: &Node, index: usize, room: usize) -> bool {
        let mut next = self.successors.load(Ordering::Acquire);
        if next == closed() {
            return false;
        }
        let edge = Edge { next, successor, is_boxed: index >= room };
        let place = if edge.is_boxed {
            Box::into_raw(Box::new(edge))
        } else {
            // SAFETY: the successor's block has `room` edges, of which this one is not used yet.
            unsafe {
                let place = successor.edges.add(index);
                place.write(edge);
                place
            }
        };
        loop {
            match self.successors.compare_exchange_weak(next, place, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return true,
                Err(now) if now == closed() => {
                    if index >= room {
                        // SAFETY: the box is ours.
                        drop(unsafe { Box::from_raw(place) });
                    }
                    return false;
                }
                Err(now) => next = now,
            }
            // SAFETY: the edge is ours until it is in the list.
            unsafe { (*place).next = next };
        }
    }

    /// The task is complete: gives the successors, in the order in which they were added.
    pub(crate) fn close(&self) -> Successors {
        let mut next = self.successors.swap(closed(), Ordering::AcqRel);
        let mut first: *mut Edge = ptr::null_mut();
        while !next.is_null() {
            // SAFETY: the edges of the list are alive: their successors have not begun.
            unsafe {
                let edge = next;
                next = (*edge).next;
                (*edge).next = first;
                first = edge;
            }
        }
        Successors { next: first }
    }

    /// Refers to the node once more.
    pub(crate) fn hold(&self) {
        self.counts.fetch_add(REFERENCE, Ordering::Relaxed);
    }

    /// The task is complete: its parent has a child less.
    pub(crate) fn leave_parent(&self) {
        // SAFETY: a parent stays while children are not complete.
        let Some(parent) = (unsafe { self.parent.as_ref() }) else { return };
        // The parent may be gone as soon as it has a child less.
        let waiter = parent.waiter();
        let before = parent.counts.fetch_sub(CHILD, Ordering::AcqRel);
        if before & !AWAITED == CHILD {
            // SAFETY: it was the last child, and nobody else referred to the parent.
            unsafe { free(self.parent) };
        } else if before & AWAITED != 0 && (before & !AWAITED) < 2 * CHILD {
            waiter.into_iter().for_each(Parker::unpark);
        }
    }
}

fn place_ref(place: &NonNull<Node>) -> &Node {
    // SAFETY: the caller has a reference to the node.
    unsafe { place.as_ref() }
}

/// Gives up a reference to a node.
///
/// # Safety
/// The reference was the caller's.
pub(crate) unsafe fn drop_reference(node: *const Node) {
    // SAFETY: the caller's promise.
    unsafe {
        if (*node).counts.fetch_sub(REFERENCE, Ordering::AcqRel) == REFERENCE {
            free(node);
        }
    }
}

/// Frees a node, and its ancestors that nobody else refers to.
///
/// # Safety
/// Nobody refers to the node.
unsafe fn free(mut node: *const Node) {
    loop {
        // SAFETY: the caller's promise; `create` has allocated the block with this layout, and nobody refers
        // to nodes of implicit tasks by counting. The reference to the ancestor goes with the node.
        unsafe {
            let (layout, ancestor) = ((*node).layout, (*node).ancestor.get());
            let refers = (*node).holds_ancestor.get();
            ptr::drop_in_place(node.cast_mut());
            dealloc(node.cast_mut().cast(), layout);
            if !refers || (*ancestor).counts.fetch_sub(REFERENCE, Ordering::AcqRel) != REFERENCE {
                return;
            }
            node = ancestor;
        }
    }
}

/// Successors of a complete task.
pub(crate) struct Successors {
    next: *mut Edge,
}

impl Iterator for Successors {
    type Item = NonNull<Node>;

    fn next(&mut self) -> Option<NonNull<Node>> {
        let edge = self.next;
        if edge.is_null() {
            return None;
        }
        // SAFETY: the successor has not begun, as this predecessor has not released it yet.
        unsafe {
            self.next = (*edge).next;
            let successor = NonNull::new((*edge).successor.cast_mut());
            if (*edge).is_boxed {
                drop(Box::from_raw(edge));
            }
            successor
        }
    }
}

/// A task that may be executed: the reference that its creator has handed on.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Ready(pub(crate) NonNull<Node>);

// SAFETY: a node is made to go from thread to thread.
unsafe impl Send for Ready {}

impl Ready {
    /// The task.
    pub(crate) fn node(&self) -> &Node {
        place_ref(&self.0)
    }

    /// Its priority.
    pub(crate) fn priority(&self) -> u32 {
        self.node().priority
    }
}

/// A counted reference to a task, which may be complete.
#[derive(Debug)]
pub(crate) struct Held(NonNull<Node>);

impl Held {
    /// Refers to a task.
    pub(crate) fn new(node: &Node) -> Held {
        node.hold();
        Held(NonNull::from(node))
    }

    /// The task.
    pub(crate) fn node(&self) -> &Node {
        place_ref(&self.0)
    }
}

// SAFETY: references are counted by an atomic number, and a node is made to go from thread to thread.
unsafe impl Send for Held {}

impl Clone for Held {
    fn clone(&self) -> Held {
        Held::new(self.node())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the reference is ours.
        unsafe { drop_reference(self.0.as_ptr()) };
    }
}
