//! The host's version of a region that ran on a device.

use crate::abi::{ArgKind, Elements, LaunchDesc, MapKind};
use crate::check::{Array, Images, compared, count_region, is_on};
use crate::gangs::number_of_gangs_again;
use crate::memory::{Entry, Item, Work};
use crate::plugin::Shape;
use crate::values::Values;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Device memory of the program's own (`acc_malloc`): sizes by address.
static ALLOCATIONS: Mutex<BTreeMap<u64, usize>> = Mutex::new(BTreeMap::new());

fn allocations() -> MutexGuard<'static, BTreeMap<u64, usize>> {
    ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The program got memory of a device.
pub(crate) fn allocated(device: u64, bytes: usize) {
    if is_on() {
        allocations().insert(device, bytes);
    }
}

/// The program gives memory of a device back.
pub(crate) fn freed(device: u64) {
    if is_on() {
        allocations().remove(&device);
    }
}

/// Host memory in place of device memory that has no counterpart there, for one region.
struct Shadow {
    name: &'static str,
    elements: Option<&'static Elements>,
    device: u64,
    bytes: usize,
    /// The contents before the region; wide so that it is aligned.
    contents: Vec<u128>,
    /// Distance of the region's pointer from the start of the memory.
    offset: u64,
}

impl Shadow {
    fn address(&mut self) -> u64 {
        self.contents.as_mut_ptr().expose_provenance() as u64
    }

    fn contents(&self) -> &[u8] {
        // SAFETY: any bytes are bytes, and there are at least so many.
        unsafe { std::slice::from_raw_parts(self.contents.as_ptr().cast(), self.bytes) }
    }
}

/// What the host's version of a region needs, taken before the device's version runs.
pub(crate) struct Twin {
    args: Vec<u64>,
    shadows: Vec<Shadow>,
}

impl Twin {
    /// The arguments of the host's version. `values` are at those of the launch.
    pub(crate) fn new(
        desc: &LaunchDesc,
        items: &[Item<'_>],
        entries: &[Entry],
        mut values: Values,
        work: &Work<'_>,
    ) -> Twin {
        let mut twin = Twin { args: Vec::with_capacity(desc.args().len()), shadows: Vec::new() };
        for arg in desc.args() {
            let map = arg.map as usize;
            let value = match arg.kind() {
                ArgKind::Address => items[map].values.start,
                ArgKind::Pointer => twin.pointer(items[map], &entries[map], work),
                ArgKind::Value | ArgKind::PointerValue => values.next(),
            };
            twin.args.push(value);
        }
        work.memory.note_region(entries, &format!("{}:{} ({})", desc.pos.file, desc.pos.line, desc.function));
        twin
    }

    /// A pointer of the program for the host's version: one to device memory leads to what stands for that.
    fn pointer(&mut self, item: Item<'_>, entry: &Entry, work: &Work<'_>) -> u64 {
        let pointer = item.values.pointer();
        if pointer == 0 || entry.device.is_some() {
            return pointer;
        }
        if let Some(host) = work.memory.host_address(pointer) {
            return host;
        }
        let inside = |shadow: &&mut Shadow| pointer.wrapping_sub(shadow.device) <= shadow.bytes as u64;
        if let Some(shadow) = self.shadows.iter_mut().find(inside) {
            return shadow.address() + (pointer - shadow.device);
        }
        let found = allocations().range(..=pointer).next_back().map(|(&start, &bytes)| (start, bytes));
        match found.filter(|&(start, bytes)| pointer - start <= bytes as u64) {
            Some((device, bytes)) => {
                let mut contents = vec![0u128; bytes.div_ceil(size_of::<u128>())];
                // SAFETY: any bytes are numbers, and there are at least so many.
                let image = unsafe { std::slice::from_raw_parts_mut(contents.as_mut_ptr().cast(), bytes) };
                work.fetch(device, image, &item.desc.name);
                let (name, elements) = (item.desc.name.text(), item.desc.elements);
                let offset = pointer - device;
                let mut shadow = Shadow { name, elements, device, bytes, contents, offset };
                let address = shadow.address() + offset;
                self.shadows.push(shadow);
                address
            }
            None if item.desc.kind() == MapKind::DevicePtr => work.site.fail(format_args!(
                "`{}': `accrue check` knows device memory of acc_malloc and of data clauses only",
                item.desc.name
            )),
            None => pointer,
        }
    }

    /// Runs the host's version; the device's is done. What both did to memory that only the device has is
    /// compared now.
    pub(crate) fn run(
        self,
        desc: &LaunchDesc,
        entries: &[Entry],
        (asked, shape): (u64, &Shape),
        work: &Work<'_>,
    ) {
        let gangs = number_of_gangs_again(desc, asked as i64, shape.grid[0]);
        let entry = desc.entry();
        MOST_TERMS.set(0);
        for gang in 0..gangs {
            // SAFETY: there is one argument per parameter, in the order of the descriptor.
            unsafe { entry(self.args.as_ptr(), gang, gangs) };
        }
        count_region();
        let terms = MOST_TERMS.get();
        work.memory.note_terms(entries, terms);
        for shadow in &self.shadows {
            let mut device = vec![0; shadow.bytes];
            work.fetch(shadow.device, &mut device, shadow.name);
            // Elements lie around the pointer, which need not be the start of the memory.
            let size = shadow.elements.map_or(1, |elements| elements.bytes.max(1));
            let before = shadow.offset % size;
            let from = if before == 0 { 0 } else { size - before };
            let array = Array { name: shadow.name, elements: shadow.elements, first: 0, region: None, terms };
            let images = Images { host: shadow.contents(), device: &device, gaps: 0 };
            compared(&work.site, images, from, array);
        }
    }
}

thread_local! {
    /// Most terms of a reduction in the region that runs.
    static MOST_TERMS: Cell<u64> = const { Cell::new(0) };
}

/// The host's version of a region has done a reduction of so many terms: the function behind
/// [`crate::abi::TERMS_SYMBOL`].
pub(crate) extern "C" fn terms(terms: u64) {
    MOST_TERMS.set(MOST_TERMS.get().max(terms));
}
