//! Kernels that compilers wrote: those of accrue's golden cases, and a few by clang and GCC. All run without
//! a report, and with the right results, in the order of the moment and by chance.

mod common;

use common::Bench;
use std::path::Path;

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const SEEDS: [Option<u64>; 4] = [None, Some(1), Some(2), Some(3)];

fn f64s(values: impl IntoIterator<Item = f64>) -> Vec<u8> {
    values.into_iter().flat_map(f64::to_le_bytes).collect()
}

/// A golden case on a grid, without numbers of its launch; `params` adds the parameters, less the scratch
/// memory at the end.
fn golden(
    case: &str,
    kernel: &str,
    gangs: u32,
    params: impl Fn(&mut Bench) -> Vec<u64>,
    check: impl Fn(&Bench, &[u64]),
) {
    let text = text(&format!("../golden/cases/{case}"));
    for seed in SEEDS {
        let mut bench = Bench::new(&text);
        let info = bench.module.kernel(kernel).expect("the kernel is there");
        bench.block = info.required_threads.expect("the kernel says its shape");
        bench.grid = [gangs, 1, 1];
        bench.seed = seed;
        let buffers = params(&mut bench);
        bench.buffer("scratch", &vec![0; 16 + 4 * gangs as usize]);
        bench.launch(kernel).unwrap_or_else(|report| panic!("{case}, seed {seed:?}: {report}"));
        check(&bench, &buffers);
    }
}

#[test]
fn sums_of_workers_and_lanes() {
    golden(
        "reductions/worker_vector.ptx",
        "sums$region0",
        5,
        |bench| {
            let out = bench.raw_buffer("out", 12 * 8);
            bench.value(&12u32.to_le_bytes());
            vec![out]
        },
        |bench, buffers| {
            let sum = (0..12).map(|i| f64::from(i) * 0.5).sum::<f64>();
            assert!(bench.read_u64(buffers[0], 12).iter().all(|bits| f64::from_bits(*bits) == sum));
        },
    );
}

#[test]
fn every_strategy_of_reductions() {
    for case in ["strategies.ptx", "strategies.lock.ptx", "strategies.cas.ptx"] {
        golden(
            &format!("ptx/{case}"),
            "both$region0",
            6,
            |bench| {
                bench.buffer("x", &f64s((0..400).map(|i| if i % 50 == 0 { 2.0 } else { 1.0 })));
                let s = bench.buffer("s", &f64s([3.0]));
                let p = bench.buffer("p", &f64s([0.5]));
                bench.value(&400u32.to_le_bytes());
                vec![s, p]
            },
            |bench, buffers| {
                assert_eq!(f64::from_bits(bench.read_u64(buffers[0], 1)[0]), 411.0, "{case}");
                assert_eq!(f64::from_bits(bench.read_u64(buffers[1], 1)[0]), 128.0, "{case}");
            },
        );
    }
}

#[test]
fn nested_reductions() {
    golden(
        "reductions/nested.ptx",
        "total$region0",
        4,
        |bench| {
            let a = bench.buffer("a", &1u64.to_le_bytes());
            bench.value(&9u32.to_le_bytes());
            vec![a]
        },
        |bench, buffers| {
            let all = (0..9u64).flat_map(|k| (0..9).flat_map(move |j| (0..9).map(move |i| i ^ j ^ k)));
            assert_eq!(bench.read_u64(buffers[0], 1)[0], 1 + all.sum::<u64>());
        },
    );
}

#[test]
fn a_reduction_of_an_array() {
    golden(
        "reductions/array.ptx",
        "histogram$region0",
        3,
        |bench| {
            bench.buffer("x", &(0..=255).chain(0..100).collect::<Vec<u8>>());
            let bins = bench.words("bins", &[1, 0, 0, 0]);
            bench.value(&356u32.to_le_bytes());
            vec![bins]
        },
        |bench, buffers| assert_eq!(bench.read_u32(buffers[0], 4), [90, 89, 89, 89]),
    );
}

#[test]
fn rows_of_several_warps() {
    golden(
        "single_mode/long_rows.ptx",
        "sums$region0",
        3,
        |bench| {
            let count = bench.words("count", &[1; 10]);
            bench.words("x", &vec![1f32.to_bits(); 1280]);
            let out = bench.raw_buffer("out", 40);
            bench.value(&10u32.to_le_bytes());
            vec![count, out]
        },
        |bench, buffers| {
            assert_eq!(bench.read_u32(buffers[0], 10), [2; 10]);
            assert_eq!(bench.read_u32(buffers[1], 10), [256f32.to_bits(); 10]);
        },
    );
}

#[test]
fn leaders_and_exits() {
    golden(
        "single_mode/leader.ptx",
        "numbered$region0",
        4,
        |bench| {
            let counter = bench.words("counter", &[0]);
            bench.raw_buffer("out", 80);
            bench.value(&10u32.to_le_bytes());
            vec![counter]
        },
        |bench, buffers| assert_eq!(bench.read_u32(buffers[0], 1), [10]),
    );
    golden(
        "single_mode/lanes.ptx",
        "rows$region0",
        2,
        |bench| {
            let count = bench.words("count", &[2; 9]);
            let x = bench.words("x", &vec![1f32.to_bits(); 9 * 32]);
            bench.value(&9u32.to_le_bytes());
            vec![count, x]
        },
        |bench, buffers| {
            assert_eq!(bench.read_u32(buffers[0], 9), [3; 9]);
            assert_eq!(bench.read_u32(buffers[1], 9 * 32), vec![3f32.to_bits(); 9 * 32]);
        },
    );
    golden(
        "single_mode/routine.ptx",
        "rows$region0",
        3,
        |bench| {
            bench.words("of", &[7; 5]);
            let a = bench.raw_buffer("a", 5 * 16 * 4);
            bench.value(&5u32.to_le_bytes());
            vec![a]
        },
        |bench, buffers| {
            let expected: Vec<u32> =
                (0..5).flat_map(|j| (0..16).map(move |i| 2 * j + 1 + 8 + 2 * i + 1)).collect();
            assert_eq!(bench.read_u32(buffers[0], 80), expected);
        },
    );
}

#[test]
fn storage_by_level() {
    golden(
        "single_mode/storage.ptx",
        "places$region0",
        1,
        |bench| vec![bench.raw_buffer("out", 4)],
        |bench, buffers| assert_eq!(bench.read_u32(buffers[0], 1), [u32::MAX]),
    );
}

#[test]
fn every_form_of_atomic() {
    for case in ["atomics.ptx", "atomics.sm_70.ptx"] {
        golden(
            &format!("ptx/{case}"),
            "forms$region0",
            4,
            |bench| {
                let i = bench.words("i", &[0; 4]);
                let c = bench.buffer("c", &[250, 1, 2, 3]);
                let d = bench.buffer("d", &f64s([1.0, 0.0, 1.0, 0.0]));
                bench.buffer("l", &[0; 32]);
                bench.value(&20u32.to_le_bytes());
                vec![i, c, d]
            },
            |bench, buffers| {
                assert_eq!(bench.read_u32(buffers[0], 2), [190, 20]);
                assert_eq!(bench.bytes(buffers[1], 4), [14, 1, 2, 3]);
                let d: Vec<f64> = bench.read_u64(buffers[2], 3).into_iter().map(f64::from_bits).collect();
                assert_eq!(d, [1.0, 20.0, 1.5f64.powi(20)]);
            },
        );
    }
}

#[test]
fn the_device_library() {
    let values: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.37 - 5.0).collect();
    golden(
        "ptx/math.ptx",
        "lengths$region0",
        2,
        |bench| {
            bench.buffer("x", &f64s(values.iter().copied()));
            let out = bench.raw_buffer("out", 800);
            bench.value(&100u32.to_le_bytes());
            vec![out]
        },
        |bench, buffers| {
            for (x, bits) in values.iter().zip(bench.read_u64(buffers[0], 100)) {
                let expected = x.abs().sqrt() + x.mul_add(*x, 1.0).cbrt();
                let found = f64::from_bits(bits);
                assert!((found - expected).abs() <= 1e-15 * expected, "{x}: {found} {expected}");
            }
        },
    );
}

#[test]
fn clang() {
    let text = text("tests/ptx/clang.ptx");
    let values: Vec<f64> = (0..1000).map(f64::from).collect();
    for seed in SEEDS {
        let mut bench = Bench::new(&text).shape(4, 256);
        bench.seed = seed;
        let mut config = Vec::new();
        config.extend_from_slice(&1000u32.to_le_bytes());
        config.extend_from_slice(&[0; 4]);
        config.extend_from_slice(&3f64.to_le_bytes());
        config.extend_from_slice(&[0; 8]);
        bench.value(&config);
        bench.buffer("x", &f64s(values.iter().copied()));
        let y = bench.buffer("y", &f64s(values.iter().map(|_| 1.0)));
        bench.launch("saxpy").unwrap_or_else(|report| panic!("{report}"));
        let found = bench.read_u64(y, 1000);
        assert!(values.iter().zip(found).all(|(x, bits)| f64::from_bits(bits) == 3.0 * x + 1.0));

        let mut bench = Bench::new(&text).shape(4, 256);
        bench.seed = seed;
        bench.buffer("x", &f64s(values.iter().copied()));
        let out = bench.raw_buffer("out", 32);
        bench.value(&1000u32.to_le_bytes());
        bench.launch("block_sum").unwrap_or_else(|report| panic!("{report}"));
        let total: f64 = bench.read_u64(out, 4).into_iter().map(f64::from_bits).sum();
        assert_eq!(total, 8.0 * 499_500.0);

        let mut bench = Bench::new(&text).shape(4, 256);
        bench.seed = seed;
        bench.words("x", &(0..1000).collect::<Vec<u32>>());
        let out = bench.raw_buffer("out", 4000);
        bench.value(&1000u32.to_le_bytes());
        bench.launch("classify").unwrap_or_else(|report| panic!("{report}"));
        let expected: Vec<u32> = (0..1000).map(|v| classify(v) as u32).collect();
        assert_eq!(bench.read_u32(out, 1000), expected);
    }
}

/// What the kernel of this name computes.
fn classify(v: i32) -> i32 {
    let mut counts = [0; 4];
    for k in 0..v % 7 {
        counts[(v + k) as usize & 3] += k;
    }
    match v & 7 {
        0 => counts[0],
        1 => counts[1] + 10,
        2 => -counts[2],
        5 => v / 3,
        6 => v % 5,
        _ => counts[3] * 100,
    }
}

#[test]
fn gcc() {
    let text = text("tests/ptx/gcc_sum.ptx");
    for seed in SEEDS {
        let mut bench = Bench::new(&text);
        (bench.grid, bench.block, bench.seed) = ([4, 1, 1], [32, 2, 1], seed);
        let total = bench.device.alloc(8, "total").expect("memory");
        let x = bench.device.alloc(8000, "x").expect("memory");
        let n = bench.device.alloc(4, "n").expect("memory");
        bench.device.copy_in(total, &f64s([1.0])).expect("a copy");
        bench.device.copy_in(x, &f64s((0..1000).map(f64::from))).expect("a copy");
        bench.device.copy_in(n, &1000u32.to_le_bytes()).expect("a copy");
        let args: Vec<u8> = [total, x, n].iter().flat_map(|address| address.to_le_bytes()).collect();
        bench.buffer("arguments", &args);
        bench.launch("main$_omp_fn$0").unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(f64::from_bits(bench.read_u64(total, 1)[0]), 1.0 + 249_750.0);
    }
}
