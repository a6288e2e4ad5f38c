//! Sequences of kernels as the driver's graphs.
//!
//! To launch a graph costs the host what a single kernel costs, and its kernels begin one after the other in
//! a microsecond; launched one by one they take three. A graph is made of a sequence that a queue has had
//! before, and launched again with whatever grids and arguments the sequence has then: to give those to a
//! node takes a fifth of a microsecond, to give it another kernel eight times as long. So graphs are kept by
//! the sequence of their kernels.

use super::driver::check;
use crate::plugin::Result;
use cudarc::driver::sys;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::hash::{Hash, Hasher};

/// A kernel to be launched; its arguments are in a list for many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kernel {
    /// The driver's handle.
    pub(super) function: usize,
    /// CTAs.
    pub(super) grid: [u32; 3],
    /// Threads of a CTA.
    pub(super) block: [u32; 3],
    /// How many arguments it takes.
    pub(super) arguments: u32,
}

/// The graphs of a stream.
#[derive(Default)]
pub(super) struct Graphs {
    /// How often each sequence without a graph was launched, by its hash.
    seen: FxHashMap<u64, u8>,
    graphs: FxHashMap<u64, Graph>,
    /// Launches so far, by which the graph that was used longest ago is found.
    clock: u64,
    /// The driver has refused one.
    is_off: bool,
    /// The kernels wait themselves for what the one before has left, so that they may begin earlier.
    overlap: bool,
}

struct Graph {
    graph: sys::CUgraph,
    executable: sys::CUgraphExec,
    nodes: Vec<sys::CUgraphNode>,
    /// What the nodes hold.
    kernels: Vec<Kernel>,
    arguments: Vec<u64>,
    used: u64,
}

// SAFETY: handles of the driver may be used by any thread, one after the other.
unsafe impl Send for Graph {}

/// Launches of a sequence before it gets a graph: to make one takes as long as ten launches.
const PATIENCE: u8 = 2;
/// Graphs that a stream keeps, at most.
const KEPT: usize = 32;
/// Sequences that a stream remembers, at most.
const REMEMBERED: usize = 1024;

impl Graphs {
    /// Of kernels that wait for the one before, if they `overlap`.
    pub(super) fn new(overlap: bool) -> Graphs {
        Graphs { overlap, ..Graphs::default() }
    }

    /// Launches kernels one after the other as a graph. Says whether it has: not if they are new together,
    /// nor if the driver refuses, of whose reasons it tells when it gets them one by one.
    pub(super) fn launch(&mut self, kernels: &[Kernel], arguments: &[u64], stream: sys::CUstream) -> bool {
        if self.is_off {
            return false;
        }
        let launched = self.try_launch(kernels, arguments, stream);
        if launched.is_err() {
            self.graphs.clear();
            self.is_off = true;
        }
        launched.unwrap_or(false)
    }

    fn try_launch(&mut self, kernels: &[Kernel], arguments: &[u64], stream: sys::CUstream) -> Result<bool> {
        let mut hasher = FxHasher::default();
        kernels.iter().for_each(|kernel| (kernel.function, kernel.arguments).hash(&mut hasher));
        let key = hasher.finish();
        self.clock += 1;
        if !self.graphs.contains_key(&key) {
            if !self.is_due(key) {
                return Ok(false);
            }
            self.make_room();
            let graph = match Graph::new(kernels, arguments, self.overlap) {
                Err(_) if std::mem::take(&mut self.overlap) => Graph::new(kernels, arguments, false)?,
                graph => graph?,
            };
            self.graphs.insert(key, graph);
        }
        let Some(graph) = self.graphs.get_mut(&key).filter(|graph| graph.is_of(kernels)) else {
            return Ok(false);
        };
        graph.renew(kernels, arguments)?;
        graph.used = self.clock;
        // SAFETY: graph and stream exist.
        check("launch", unsafe { sys::cuGraphLaunch(graph.executable, stream) })?;
        Ok(true)
    }

    /// Whether a sequence has been launched often enough for a graph; counts.
    fn is_due(&mut self, key: u64) -> bool {
        if self.seen.len() >= REMEMBERED {
            self.seen.clear();
        }
        let times = self.seen.entry(key).or_insert(0);
        *times += 1;
        *times > PATIENCE && self.seen.remove(&key).is_some()
    }

    fn make_room(&mut self) {
        if self.graphs.len() >= KEPT
            && let Some(oldest) = self.graphs.iter().min_by_key(|(_, graph)| graph.used).map(|(&key, _)| key)
        {
            self.graphs.remove(&oldest);
        }
    }
}

impl Graph {
    fn new(kernels: &[Kernel], arguments: &[u64], overlap: bool) -> Result<Graph> {
        let mut graph = Graph {
            graph: std::ptr::null_mut(),
            executable: std::ptr::null_mut(),
            nodes: Vec::with_capacity(kernels.len()),
            kernels: kernels.to_vec(),
            arguments: arguments.to_vec(),
            used: 0,
        };
        // SAFETY: the pointer is to a variable of the right type.
        check("cuGraphCreate", unsafe { sys::cuGraphCreate(&mut graph.graph, 0) })?;
        let mut rest = arguments;
        for kernel in kernels {
            let (own, others) = rest.split_at(kernel.arguments as usize);
            rest = others;
            let before = graph.nodes.last().copied();
            let mut node = std::ptr::null_mut();
            with_parameters(kernel, own, |parameters| {
                let none = std::ptr::null();
                // SAFETY: the graph exists, the parameters are the kernel's.
                let result =
                    unsafe { sys::cuGraphAddKernelNode_v2(&mut node, graph.graph, none, 0, parameters) };
                check("cuGraphAddKernelNode", result)
            })?;
            if let Some(before) = before {
                let (port, kind) = match overlap {
                    true => (
                        sys::CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                        sys::CUgraphDependencyType::CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC,
                    ),
                    false => (0, sys::CUgraphDependencyType::CU_GRAPH_DEPENDENCY_TYPE_DEFAULT),
                };
                let edge = sys::CUgraphEdgeData {
                    from_port: port as u8,
                    to_port: 0,
                    type_: kind as u8,
                    reserved: [0; 5],
                };
                // SAFETY: both are nodes of the graph.
                let result = unsafe { sys::cuGraphAddDependencies_v2(graph.graph, &before, &node, &edge, 1) };
                check("cuGraphAddDependencies", result)?;
            }
            graph.nodes.push(node);
        }
        // SAFETY: the graph exists; the pointer is to a variable of the right type.
        let result = unsafe { sys::cuGraphInstantiateWithFlags(&mut graph.executable, graph.graph, 0) };
        check("cuGraphInstantiate", result)?;
        Ok(graph)
    }

    /// Whether it has these kernels; sequences may have one hash.
    fn is_of(&self, kernels: &[Kernel]) -> bool {
        let name = |kernel: &Kernel| (kernel.function, kernel.arguments);
        self.kernels.len() == kernels.len() && self.kernels.iter().map(name).eq(kernels.iter().map(name))
    }

    /// Gives grids and arguments to the nodes that hold others.
    fn renew(&mut self, kernels: &[Kernel], arguments: &[u64]) -> Result<()> {
        let mut at = 0;
        for ((kernel, held), &node) in kernels.iter().zip(&mut self.kernels).zip(&self.nodes) {
            let range = at..at + kernel.arguments as usize;
            at = range.end;
            let own = &arguments[range.clone()];
            if kernel == held && *own == self.arguments[range.clone()] {
                continue;
            }
            with_parameters(kernel, own, |parameters| {
                // SAFETY: the node is one of the graph that this one was made of; the parameters are the
                // kernel's.
                let result =
                    unsafe { sys::cuGraphExecKernelNodeSetParams_v2(self.executable, node, parameters) };
                check("cuGraphExecKernelNodeSetParams", result)
            })?;
            *held = *kernel;
            self.arguments[range].copy_from_slice(own);
        }
        Ok(())
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: both exist or are null; launches of the graph that are on a stream are still executed.
        unsafe {
            if !self.executable.is_null() {
                let _ = sys::cuGraphExecDestroy(self.executable);
            }
            if !self.graph.is_null() {
                let _ = sys::cuGraphDestroy(self.graph);
            }
        }
    }
}

/// The parameters of a kernel as a graph takes them.
fn with_parameters<T>(
    kernel: &Kernel,
    arguments: &[u64],
    use_them: impl FnOnce(&sys::CUDA_KERNEL_NODE_PARAMS_v2) -> T,
) -> T {
    let mut pointers = pointers(arguments);
    let ([x, y, z], [lanes, workers, depth]) = (kernel.grid, kernel.block);
    use_them(&sys::CUDA_KERNEL_NODE_PARAMS_v2 {
        func: kernel.function as sys::CUfunction,
        gridDimX: x,
        gridDimY: y,
        gridDimZ: z,
        blockDimX: lanes,
        blockDimY: workers,
        blockDimZ: depth,
        sharedMemBytes: 0,
        kernelParams: pointers.as_mut_ptr(),
        extra: std::ptr::null_mut(),
        kern: std::ptr::null_mut(),
        ctx: std::ptr::null_mut(),
    })
}

/// Where the arguments are, which the driver only reads.
pub(super) fn pointers(arguments: &[u64]) -> SmallVec<[*mut c_void; 24]> {
    arguments.iter().map(|argument| std::ptr::from_ref(argument).cast_mut().cast()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_gets_a_graph_when_it_comes_back() {
        let mut graphs = Graphs::default();
        assert_eq!(
            [7, 8, 7, 7, 8, 8].map(|key| graphs.is_due(key)),
            [false, false, false, true, false, true]
        );
        for key in 100..100 + 2 * REMEMBERED as u64 {
            assert!(!graphs.is_due(key));
        }
        assert!(graphs.seen.len() <= REMEMBERED);
    }
}
