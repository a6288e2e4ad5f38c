//! Texts that were damaged: they are refused or run to some end, and nothing panics or hangs.

mod common;

use accrue_ptx_sim::{Config, Device, LaunchArgs};
use std::path::Path;
use std::sync::Arc;

const TEXTS: &[&str] = &[
    "../golden/cases/reductions/worker_vector.ptx",
    "../golden/cases/single_mode/storage.ptx",
    "../golden/cases/ptx/strategies.lock.ptx",
    "../golden/cases/ptx/atomics.ptx",
    "tests/ptx/clang.ptx",
    "tests/ptx/gcc_sum.ptx",
];

/// Numbers by chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// A text with a line removed, doubled, moved, or with a word or number of another line in it.
fn damage(text: &str, chance: &mut Chance) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + chance.below(3) {
        let (from, to) = (chance.below(lines.len()), chance.below(lines.len()));
        match chance.below(5) {
            0 => {
                lines.remove(from);
            }
            1 => {
                let line = lines[from].clone();
                lines.insert(to, line);
            }
            2 => lines.swap(from, to),
            3 => {
                let words: Vec<&str> = lines[from].split_whitespace().collect();
                let Some(word) = words.get(chance.below(words.len())).map(|word| (*word).to_owned()) else {
                    continue;
                };
                let mut target: Vec<String> = lines[to].split_whitespace().map(str::to_owned).collect();
                let at = chance.below(target.len());
                if let Some(place) = target.get_mut(at) {
                    *place = word;
                }
                lines[to] = target.join(" ");
            }
            _ => {
                let digits = ["0", "1", "4", "7", "31", "-1", "64", "0xffffffff"];
                let digit = digits[chance.below(digits.len())];
                lines[from] = lines[from].replace(|c: char| c.is_ascii_digit(), digit);
            }
        }
    }
    lines.join("\n")
}

#[test]
fn damaged_texts_do_no_harm() {
    let mut chance = Chance(42);
    let (mut loaded, mut ended) = (0, 0);
    for path in TEXTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = std::fs::read_to_string(&path).expect("the text can be read");
        for round in 0..150 {
            let print = Arc::new(|_: &[u8]| {});
            let config = Config {
                instruction_limit: Some(300_000),
                memory: 1 << 28,
                threads: 2,
                print,
                ..Config::default()
            };
            let device = Device::new(config);
            let Ok(module) = device.load(&damage(&text, &mut chance)) else { continue };
            loaded += 1;
            let kernels: Vec<_> = module.kernels().collect();
            for kernel in kernels {
                let buffer = device.alloc(8192, "buffer").expect("memory");
                device.set(buffer, 0, 8192).expect("it is there");
                let words = kernel.param_bytes.div_ceil(8) as usize;
                let mut params: Vec<u8> = buffer.to_le_bytes().repeat(words);
                for (_, offset, bytes) in &kernel.params {
                    if *bytes == 4 {
                        params[*offset as usize..][..4].copy_from_slice(&20u32.to_le_bytes());
                    }
                }
                let args = LaunchArgs {
                    grid: [2, 1, 1],
                    block: kernel.required_threads.unwrap_or([32, 2, 1]),
                    params: &params[..kernel.param_bytes as usize],
                    seed: (round % 3 == 0).then_some(round),
                    ..LaunchArgs::default()
                };
                ended += u32::from(device.launch(&module, &kernel.name, &args).is_ok());
            }
        }
    }
    assert!(loaded > 50 && ended > 10, "{loaded} were taken, {ended} ended well");
}
