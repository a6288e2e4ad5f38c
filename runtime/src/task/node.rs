//! A task: one block of memory with its state, the edges from its predecessors, and its arguments.

use super::blocks;
use super::depend::{Exclusion, Table};
use super::group::Group;
use super::ranges::Piece;
use crate::abi::LaunchDesc;
use crate::memory::{Mark, Memory};
use crate::plugin::Queue;
use crate::races::course::Course;
use crate::site::Site;
use crate::strand::Strand;
use crate::team::icvs::Icvs;
use crate::team::idle::Parker;
use crate::team::state::Team;
use crate::trace;
use crate::values::Kept;
use serde_json::json;
use smallvec::SmallVec;
use std::cell::{Cell, UnsafeCell};
use std::mem::align_of;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What a task executes.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// Nothing of the host: it is there for its dependences, implicit, or a target task.
    Nothing,
    /// Host code of the region, by so many gangs in turn.
    Host(&'static LaunchDesc, u64),
    /// The tasks of a piece of a `taskloop`.
    Loop(&'static LaunchDesc),
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
    /// Entries of the dependence table in which new tasks find it.
    entries: AtomicU32,
    state: Mutex<Submission>,
}

/// What a target task hands to its device.
#[derive(Clone, Copy)]
pub(crate) struct Code {
    /// Carries the directive out on a queue, from its values behind the clauses of the task. Gives a mark
    /// behind its work.
    pub(crate) carry_out: unsafe fn(&Code, &'static Memory, Queue, *const u64) -> Arc<Mark>,
    /// The directive's descriptor.
    pub(crate) desc: *const (),
    /// The directive.
    pub(crate) site: Site<'static>,
    /// In which order of the program.
    pub(crate) strand: Strand,
}

/// How far a target task has come.
#[derive(Default)]
pub(crate) struct Submission {
    /// Where it was submitted, and behind its work.
    pub(crate) mark: Option<Arc<Mark>>,
    /// Target tasks that it depends on, submitted ones.
    pub(crate) predecessors: SmallVec<[Held; 2]>,
    /// Target tasks that depend on it, as long as it is not submitted.
    pub(crate) waiting: Vec<NonNull<Node>>,
    /// The device is to tell, or will tell, when it has done the task.
    pub(crate) is_awaited: bool,
    /// Where the device tells, as long as nobody has heard it.
    pub(crate) told_on: Option<Queue>,
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
            entries: AtomicU32::new(0),
            state: Mutex::default(),
        }
    }

    /// Whether a task that is still to come can depend on it. May say so of one on which none can, but not
    /// the other way round.
    pub(crate) fn can_be_found(&self) -> bool {
        self.entries.load(Ordering::Relaxed) > 0
    }

    /// An entry of the dependence table leads to it now, or does no longer.
    pub(crate) fn is_entered(&self, enters: bool) {
        match enters {
            true => self.entries.fetch_add(1, Ordering::Relaxed),
            false => self.entries.fetch_sub(1, Ordering::Relaxed),
        };
    }

    /// How far it has come.
    pub(crate) fn state(&self) -> MutexGuard<'_, Submission> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Children of an implicit task that are complete, and [`AWAITED`]. Whoever executes them writes here, in
/// memory that the thread which creates them does not touch meanwhile.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Ended(AtomicU64);

impl Ended {
    /// An implicit task begins.
    pub(crate) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// A task.
#[repr(align(64))]
pub(crate) struct Node {
    counts: AtomicU64,
    /// Of an implicit task, instead of [`CHILD`]: the children that are complete, and how many its thread has
    /// created.
    ended: *const Ended,
    begun: AtomicU64,
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
    /// Tasks of a `taskloop` that it stands for.
    pub(super) piece: Option<Box<Piece>>,
    /// Its number among the tasks of a `taskloop`.
    pub(crate) number_in_loop: Cell<u64>,
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
    /// Where races are looked for, its place in the program's order.
    pub(crate) course: OnceLock<Arc<Course>>,
    edges: *mut Edge,
    args: *mut u64,
    /// Of the block.
    size: usize,
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
    /// Of the node of a `taskloop`.
    pub(super) piece: Option<Box<Piece>>,
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
            ended: ptr::null(),
            begun: AtomicU64::new(0),
            predecessors: AtomicU32::new(GUARD),
            successors: AtomicPtr::new(ptr::null_mut()),
            waiter: AtomicPtr::default(),
            work,
            number: 0,
            target: None,
            piece: None,
            number_in_loop: Cell::new(0),
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
            course: OnceLock::new(),
            edges: ptr::null_mut(),
            args: ptr::null_mut(),
            size: size_of::<Node>(),
        }
    }

    /// The implicit task of a member of a team, in which `ended` counts its children.
    pub(crate) fn implicit(team: *const Team, ended: &Ended, icvs: Icvs) -> Node {
        ended.reset();
        Node { ended, ..Node::new(Work::Nothing, ptr::null(), team, icvs) }
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
        let block = blocks::take(size);
        let node = Node {
            number: trace::number(),
            target: parts.target,
            piece: parts.piece,
            group: parent.inner_group.get(),
            inner_group: Cell::new(parent.inner_group.get()),
            holds_ancestor: Cell::new(!parent.is_implicit()),
            depth: parent.depth + 1,
            priority: parts.priority,
            is_final: parts.is_final,
            is_awaited: parts.is_awaited,
            // SAFETY: the block has `size` bytes; edges and arguments lie in it.
            edges: unsafe { block.add(edges) }.as_ptr().cast(),
            // SAFETY: as above.
            args: unsafe { block.add(args) }.as_ptr().cast(),
            size,
            ..Node::new(parts.work, parent, parent.team, parent.icvs.get())
        };
        let place = block.cast::<Node>();
        // SAFETY: as above; nobody knows the node yet.
        unsafe { place.write(node) };
        if parent.is_implicit() {
            parent.begun.store(parent.begun.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        } else {
            parent.counts.fetch_add(CHILD + REFERENCE, Ordering::Relaxed);
        }
        if !place_ref(&place).group.is_null() {
            // SAFETY: the group's construct has not ended, as the parent is in it.
            unsafe { &*place_ref(&place).group }.add(ptr::from_ref(parent).cast());
        }
        place
    }

    /// A child of a task that is executed before the parent goes on. Nobody waits for it, so that neither the
    /// parent nor a group counts it, until it turns out that it ends before its own children.
    #[inline]
    pub(crate) fn included(spares: &Spares, work: Work, parent: &Node, is_final: bool) -> NonNull<Node> {
        let place = spares.take();
        // SAFETY: a spare node is nobody's.
        let node = unsafe { &mut *place.as_ptr() };
        let group = parent.inner_group.get();
        node.work = work;
        node.parent = parent;
        node.ancestor = Cell::new(parent);
        node.team = parent.team;
        node.group = group;
        node.inner_group = Cell::new(group);
        node.depth = parent.depth + 1;
        node.is_final = is_final;
        node.icvs = Cell::new(parent.icvs.get());
        place
    }

    /// The code of an included task has ended.
    ///
    /// # Safety
    /// The node is [`Node::included`]'s, its parent's code has not gone on, and the caller does not use the
    /// node any more.
    #[inline]
    pub(crate) unsafe fn end_included(spares: &Spares, place: NonNull<Node>) {
        // SAFETY: the caller's promise.
        let node = unsafe { place.as_ref() };
        if node.counts.load(Ordering::Acquire) == REFERENCE {
            return spares.give(place);
        }
        // SAFETY: as above.
        unsafe {
            // Its children lead through the node to its parent.
            if !(*node.parent).is_implicit() {
                (*node.parent).hold();
                node.holds_ancestor.set(true);
            }
            node.close();
            drop_reference(place.as_ptr());
        }
    }

    /// It is no task that a directive has created.
    pub(crate) fn is_implicit(&self) -> bool {
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

    /// Whether the group that it belongs to is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        // SAFETY: a group stays until its tasks are complete, and this one is alive.
        unsafe { self.group.as_ref() }.is_some_and(Group::is_cancelled)
    }

    /// A cancelled task does not wait for its event.
    pub(crate) fn forget_event(&self) {
        self.open_ends.store(0, Ordering::Relaxed);
    }

    /// Whether a device should do it before others that it could begin with.
    pub(crate) fn is_urgent(&self) -> bool {
        self.priority > 0
    }

    /// Whether it is complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.successors.load(Ordering::Acquire) == closed()
    }

    /// Of an implicit task, the count of children that are complete.
    fn ended(&self) -> Option<&AtomicU64> {
        // SAFETY: the team stays while the implicit task does.
        unsafe { self.ended.as_ref() }.map(|ended| &ended.0)
    }

    /// Children that are not complete, for the thread that executes the task.
    pub(crate) fn children(&self) -> u64 {
        if let Some(ended) = self.ended() {
            return self.begun.load(Ordering::Relaxed) - (ended.load(Ordering::Acquire) & !AWAITED);
        }
        (self.counts.load(Ordering::Acquire) & !AWAITED) / CHILD
    }

    /// The thread that executes the task is about to sleep until it has no children. Says whether there are
    /// some.
    pub(crate) fn await_children(&self) -> bool {
        if let Some(ended) = self.ended() {
            return ended.fetch_or(AWAITED, Ordering::AcqRel) & !AWAITED
                != self.begun.load(Ordering::Relaxed);
        }
        let before = self.counts.fetch_or(AWAITED, Ordering::AcqRel);
        (before & !AWAITED) >= CHILD
    }

    /// This thread does not sleep any more.
    pub(crate) fn stop_awaiting(&self) {
        self.ended().unwrap_or(&self.counts).fetch_and(!AWAITED, Ordering::AcqRel);
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
        if count == 0 {
            // Nobody else counts down.
            self.predecessors.store(0, Ordering::Release);
            return true;
        }
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
            successor.trace_order(self, "end");
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

    /// Tells the trace what the order of a target task behind another one comes from.
    pub(crate) fn trace_order(&self, on: &Node, by: &str) {
        trace::instant("target", "after", || json!({ "task": self.number, "on": on.number, "by": by }));
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

    /// Whether later tasks can depend on it: it has dependences of its own, and so room for edges.
    fn is_in_a_table(&self) -> bool {
        !ptr::addr_eq(self.edges, self.args)
    }

    /// The task is complete: gives the successors, in the order in which they were added.
    pub(crate) fn close(&self) -> Successors {
        let mut next = if self.is_in_a_table() {
            self.successors.swap(closed(), Ordering::AcqRel)
        } else {
            self.successors.store(closed(), Ordering::Release);
            ptr::null_mut()
        };
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
        if let Some(ended) = parent.ended() {
            // The team, and with it the implicit task, stays until this task counts as completed there.
            let before = ended.fetch_add(1, Ordering::AcqRel);
            if before & AWAITED != 0 && (before & !AWAITED) + 1 == parent.begun.load(Ordering::Relaxed) {
                parent.waiter().into_iter().for_each(Parker::unpark);
            }
            return;
        }
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
        let counts = &(*node).counts;
        // Nobody else can refer to the node where this is the only reference.
        let is_last = counts.load(Ordering::Acquire) == REFERENCE;
        if is_last || counts.fetch_sub(REFERENCE, Ordering::AcqRel) == REFERENCE {
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
        // SAFETY: the caller's promise; `create` has taken a block of this size, and nobody refers to nodes
        // of implicit tasks by counting. The reference to the ancestor goes with the node.
        unsafe {
            let (size, ancestor) = ((*node).size, (*node).ancestor.get());
            let refers = (*node).holds_ancestor.get();
            ptr::drop_in_place(node.cast_mut());
            blocks::give(NonNull::new_unchecked(node.cast_mut().cast()), size);
            if !refers || (*ancestor).counts.fetch_sub(REFERENCE, Ordering::AcqRel) != REFERENCE {
                return;
            }
            node = ancestor;
        }
    }
}

/// Nodes of a member that were included tasks and will be: only what differs is written anew.
pub(crate) struct Spares {
    /// They lead to each other as to ancestors.
    first: Cell<*const Node>,
}

impl Default for Spares {
    fn default() -> Spares {
        Spares { first: Cell::new(ptr::null()) }
    }
}

impl Spares {
    #[inline]
    fn take(&self) -> NonNull<Node> {
        match NonNull::new(self.first.get().cast_mut()) {
            Some(place) => {
                self.first.set(place_ref(&place).ancestor.get());
                place
            }
            None => Spares::new_node(),
        }
    }

    #[cold]
    fn new_node() -> NonNull<Node> {
        let place = blocks::take(size_of::<Node>()).cast::<Node>();
        let icvs = Icvs::initial();
        // SAFETY: the block has the size of a node.
        unsafe { place.write(Node::new(Work::Nothing, ptr::null(), ptr::null(), icvs)) };
        place
    }

    /// Keeps a node that nobody refers to.
    #[inline]
    fn give(&self, place: NonNull<Node>) {
        place_ref(&place).ancestor.set(self.first.replace(place.as_ptr()));
    }
}

impl Drop for Spares {
    fn drop(&mut self) {
        while !self.first.get().is_null() {
            let node = self.take();
            // SAFETY: nobody refers to a spare node, and none of them holds an ancestor.
            unsafe { free(node.as_ptr()) };
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
