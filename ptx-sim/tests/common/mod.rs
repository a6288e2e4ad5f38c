//! What the tests of kernels share: a device that keeps what is printed, and launches in one line.

#![allow(dead_code, reason = "each test file uses a part")]

use accrue_ptx_sim::{Config, Device, Kind, LaunchArgs, Module, Report, Stats};
use std::sync::{Arc, Mutex};

/// A device with a module on it.
pub struct Bench {
    pub device: Device,
    pub module: Module,
    printed: Arc<Mutex<Vec<u8>>>,
    params: Vec<u8>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub seed: Option<u64>,
}

/// The head of a module.
pub const HEAD: &str = ".version 8.4\n.target sm_90\n.address_size 64\n";

/// The registers that kernels of the tests use.
pub const REGISTERS: &str = ".reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<40>; .reg .b64 %rd<40>;\n\
                             .reg .f32 %f<20>; .reg .f64 %fd<20>; .reg .b128 %q<4>;\n";

/// A module with a kernel `k(.u64 out)` of which this is the body; `%rd0` is `out`.
pub fn kernel(body: &str) -> String {
    format!(
        "{HEAD}.shared .align 8 .b8 s[1024];\n.global .u32 g;\n.visible .entry k(.param .u64 out)\n{{\n{REGISTERS}\
         ld.param.u64 %rd0, [out];\n{body}\nret;\n}}\n"
    )
}

impl Bench {
    pub fn new(ptx: &str) -> Bench {
        Bench::with(ptx, Config::default())
    }

    pub fn with(ptx: &str, config: Config) -> Bench {
        let printed = Arc::new(Mutex::new(Vec::new()));
        let sink = printed.clone();
        let print = Arc::new(move |text: &[u8]| sink.lock().expect("a lock").extend_from_slice(text));
        let device = Device::new(Config { print, ..config });
        let module = device.load(ptx).unwrap_or_else(|error| panic!("{error}\n{ptx}"));
        Bench {
            device,
            module,
            printed,
            params: Vec::new(),
            grid: [1; 3],
            block: [32, 1, 1],
            dynamic_shared: 0,
            seed: None,
        }
    }

    pub fn shape(mut self, ctas: u32, threads: u32) -> Bench {
        (self.grid, self.block) = ([ctas, 1, 1], [threads, 1, 1]);
        self
    }

    pub fn seeded(mut self, seed: u64) -> Bench {
        self.seed = Some(seed);
        self
    }

    /// Adds a pointer to a new buffer with these bytes; gives its address.
    pub fn buffer(&mut self, name: &str, data: &[u8]) -> u64 {
        let address = self.device.alloc(data.len() as u64, name).expect("memory");
        self.device.copy_in(address, data).expect("a copy");
        self.value(&address.to_le_bytes());
        address
    }

    /// As `buffer`, undefined.
    pub fn raw_buffer(&mut self, name: &str, bytes: u64) -> u64 {
        let address = self.device.alloc(bytes, name).expect("memory");
        self.value(&address.to_le_bytes());
        address
    }

    pub fn words(&mut self, name: &str, data: &[u32]) -> u64 {
        let bytes: Vec<u8> = data.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.buffer(name, &bytes)
    }

    /// Adds a parameter.
    pub fn value(&mut self, bytes: &[u8]) {
        let at = self.params.len().next_multiple_of(bytes.len());
        self.params.resize(at, 0);
        self.params.extend_from_slice(bytes);
    }

    pub fn launch(&self, kernel: &str) -> Result<Stats, Box<Report>> {
        let args = LaunchArgs {
            grid: self.grid,
            block: self.block,
            dynamic_shared: self.dynamic_shared,
            params: &self.params,
            seed: self.seed,
            ..LaunchArgs::default()
        };
        self.device.launch(&self.module, kernel, &args)
    }

    pub fn args(&self) -> LaunchArgs<'_> {
        LaunchArgs {
            grid: self.grid,
            block: self.block,
            dynamic_shared: self.dynamic_shared,
            params: &self.params,
            seed: self.seed,
            ..LaunchArgs::default()
        }
    }

    /// Launches `k`, which must succeed.
    pub fn run(&self) -> Stats {
        self.launch("k").unwrap_or_else(|report| panic!("{report}"))
    }

    /// Launches `k`, which must fail so; gives the report.
    pub fn fails(&self, kind: Kind) -> Report {
        match self.launch("k") {
            Ok(_) => panic!("nothing was found, and {} should be", kind.name()),
            Err(report) => {
                assert_eq!(report.kind, kind, "{report}");
                *report
            }
        }
    }

    pub fn bytes(&self, address: u64, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.device.copy_out(address, &mut bytes).expect("a copy");
        bytes
    }

    pub fn read_u32(&self, address: u64, count: usize) -> Vec<u32> {
        let bytes = self.bytes(address, count * 4);
        bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    pub fn read_u64(&self, address: u64, count: usize) -> Vec<u64> {
        let bytes = self.bytes(address, count * 8);
        bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
    }

    pub fn printed(&self) -> String {
        String::from_utf8_lossy(&self.printed.lock().expect("a lock")).into_owned()
    }
}

/// Runs a body of 32 threads, each of which leaves a word in `%r1`.
pub fn lanes(body: &str) -> Vec<u32> {
    let body = format!(
        "{body}\nmov.u32 %r30, %tid.x;\nmad.wide.u32 %rd30, %r30, 4, %rd0;\nst.global.u32 [%rd30], %r1;"
    );
    let mut bench = Bench::new(&kernel(&body));
    let out = bench.words("out", &[0; 32]);
    bench.run();
    bench.read_u32(out, 32)
}
