//! How many instructions of threads the simulator executes in a second on one core, with all checks on: a
//! sum, a stencil, a product of matrices.

use accrue_ptx_sim::{Config, Device, LaunchArgs, Module};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const HEAD: &str = ".version 7.8\n.target sm_90\n.address_size 64\n";

/// Each thread sums a stride, each warp by shuffles, each CTA in shared memory, all by atomics.
const SUM: &str = "
.shared .align 4 .b8 slots[128];
.entry k(.param .u64 x, .param .u64 out, .param .u32 n)
{
    .reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .f32 %f<10>;
    ld.param.u64 %rd0, [x];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %nctaid.x;
    mad.lo.s32 %r5, %r2, %r3, %r1;
    mul.lo.s32 %r6, %r3, %r4;
    mov.f32 %f0, 0f00000000;
    mul.wide.s32 %rd2, %r5, 4;
    add.s64 %rd3, %rd0, %rd2;
    mul.wide.s32 %rd4, %r6, 4;
$loop:
    setp.ge.s32 %p1, %r5, %r0;
    @%p1 bra $done;
    ld.global.f32 %f1, [%rd3];
    add.rn.f32 %f0, %f0, %f1;
    add.s32 %r5, %r5, %r6;
    add.s64 %rd3, %rd3, %rd4;
    bra $loop;
$done:
    mov.b32 %r7, %f0;
    shfl.sync.down.b32 %r8, %r7, 16, 31, -1;
    mov.b32 %f2, %r8;
    add.rn.f32 %f0, %f0, %f2;
    mov.b32 %r7, %f0;
    shfl.sync.down.b32 %r8, %r7, 8, 31, -1;
    mov.b32 %f2, %r8;
    add.rn.f32 %f0, %f0, %f2;
    mov.b32 %r7, %f0;
    shfl.sync.down.b32 %r8, %r7, 4, 31, -1;
    mov.b32 %f2, %r8;
    add.rn.f32 %f0, %f0, %f2;
    mov.b32 %r7, %f0;
    shfl.sync.down.b32 %r8, %r7, 2, 31, -1;
    mov.b32 %f2, %r8;
    add.rn.f32 %f0, %f0, %f2;
    mov.b32 %r7, %f0;
    shfl.sync.down.b32 %r8, %r7, 1, 31, -1;
    mov.b32 %f2, %r8;
    add.rn.f32 %f0, %f0, %f2;
    shr.u32 %r9, %r1, 5;
    and.b32 %r10, %r1, 31;
    setp.ne.u32 %p2, %r10, 0;
    mov.u32 %r11, slots;
    mad.lo.u32 %r12, %r9, 4, %r11;
    @!%p2 st.shared.f32 [%r12], %f0;
    bar.sync 0;
    setp.ne.u32 %p3, %r1, 0;
    @%p3 bra $end;
    shr.u32 %r13, %r3, 5;
    mov.f32 %f3, 0f00000000;
$fold:
    ld.shared.f32 %f4, [%r11];
    add.rn.f32 %f3, %f3, %f4;
    add.u32 %r11, %r11, 4;
    sub.u32 %r13, %r13, 1;
    setp.ne.u32 %p4, %r13, 0;
    @%p4 bra $fold;
    red.global.add.f32 [%rd1], %f3;
$end:
    ret;
}";

/// `out[i] = a[i-1] + 2 a[i] + a[i+1]`
const STENCIL: &str = "
.entry k(.param .u64 a, .param .u64 out, .param .u32 n)
{
    .reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .f64 %f<10>;
    ld.param.u64 %rd0, [a];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %nctaid.x;
    mad.lo.s32 %r5, %r2, %r3, %r1;
    mul.lo.s32 %r6, %r3, %r4;
    sub.s32 %r7, %r0, 1;
    add.s32 %r5, %r5, 1;
$loop:
    setp.ge.s32 %p1, %r5, %r7;
    @%p1 bra $done;
    mul.wide.s32 %rd2, %r5, 8;
    add.s64 %rd3, %rd0, %rd2;
    add.s64 %rd4, %rd1, %rd2;
    ld.global.f64 %f1, [%rd3+-8];
    ld.global.f64 %f2, [%rd3];
    ld.global.f64 %f3, [%rd3+8];
    fma.rn.f64 %f4, %f2, 0d4000000000000000, %f1;
    add.rn.f64 %f4, %f4, %f3;
    st.global.f64 [%rd4], %f4;
    add.s32 %r5, %r5, %r6;
    bra $loop;
$done:
    ret;
}";

/// `out = a b` of square matrices, an element per thread.
const MATMUL: &str = "
.entry k(.param .u64 a, .param .u64 b, .param .u64 out, .param .u32 n)
{
    .reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<10>;
    ld.param.u64 %rd0, [a];
    ld.param.u64 %rd1, [b];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mul.wide.u32 %rd3, %r0, 4;
    mad.wide.u32 %rd4, %r1, 4, %rd1;
    mul.lo.u32 %r3, %r2, %r0;
    mad.wide.u32 %rd5, %r3, 4, %rd0;
    mad.wide.u32 %rd6, %r3, 4, %rd2;
    mad.wide.u32 %rd6, %r1, 4, %rd6;
    mov.f32 %f0, 0f00000000;
    mov.u32 %r4, 0;
$loop:
    ld.global.f32 %f1, [%rd5];
    ld.global.f32 %f2, [%rd4];
    fma.rn.f32 %f0, %f1, %f2, %f0;
    add.s64 %rd5, %rd5, 4;
    add.s64 %rd4, %rd4, %rd3;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, %r0;
    @%p1 bra $loop;
    st.global.f32 [%rd6], %f0;
    ret;
}";

struct Case {
    device: Device,
    module: Module,
    grid: u32,
    block: u32,
    params: Vec<u8>,
}

fn case(text: &str, buffers: &[u64], n: u32, grid: u32, block: u32) -> Case {
    let device = Device::new(Config { threads: 1, ..Config::default() });
    let module = device.load(&format!("{HEAD}{text}")).expect("the module is right");
    let mut params = Vec::new();
    for (index, bytes) in buffers.iter().enumerate() {
        let address = device.alloc(*bytes, &format!("buffer {index}")).expect("there is memory");
        device.set(address, 0, *bytes).expect("it is there");
        params.extend_from_slice(&address.to_le_bytes());
    }
    params.extend_from_slice(&n.to_le_bytes());
    Case { device, module, grid, block, params }
}

impl Case {
    fn run(&self) -> u64 {
        let args = LaunchArgs {
            grid: [self.grid, 1, 1],
            block: [self.block, 1, 1],
            params: &self.params,
            ..LaunchArgs::default()
        };
        self.device.launch(&self.module, "k", &args).expect("the kernel is right").instructions
    }
}

fn speed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one core, checks on");
    group.sample_size(10);
    let elements = 1 << 20;
    let cases = [
        ("sum", case(SUM, &[elements * 4, 4], elements as u32, 16, 256)),
        ("stencil", case(STENCIL, &[elements * 8, elements * 8], elements as u32, 16, 256)),
        ("matmul", case(MATMUL, &[256 * 256 * 4; 3], 256, 256, 256)),
    ];
    for (name, case) in &cases {
        group.throughput(Throughput::Elements(case.run()));
        group.bench_function(*name, |bencher| bencher.iter(|| case.run()));
    }
    group.finish();
}

criterion_group!(benches, speed);
criterion_main!(benches);
