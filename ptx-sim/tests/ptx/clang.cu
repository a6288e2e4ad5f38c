#define GLOBAL
#define SHARED __attribute__((shared))
#define KERNEL extern "C" __attribute__((global))
#define tid() __nvvm_read_ptx_sreg_tid_x()
#define ctaid() __nvvm_read_ptx_sreg_ctaid_x()
#define ntid() __nvvm_read_ptx_sreg_ntid_x()

typedef struct { int n; double a; char c; } config;

static SHARED double partial[256];

__attribute__((noinline, device)) static double twice(double x, int depth) {
    return depth == 0 ? x : 2 * twice(x, depth - 1);
}

KERNEL void saxpy(config c, GLOBAL const double *x, GLOBAL double *y) {
    int i = ctaid() * ntid() + tid();
    if (i < c.n)
        y[i] = c.a * x[i] + y[i];
}

KERNEL void block_sum(GLOBAL const double *x, GLOBAL double *out, int n) {
    int t = tid();
    double sum = 0;
    for (int i = ctaid() * ntid() + t; i < n; i += ntid() * __nvvm_read_ptx_sreg_nctaid_x())
        sum += x[i];
    partial[t] = sum;
    __nvvm_bar_sync(0);
    for (int step = 128; step > 0; step /= 2) {
        if (t < step)
            partial[t] += partial[t + step];
        __nvvm_bar_sync(0);
    }
    if (t == 0)
        out[ctaid()] = twice(partial[0], 3);
}

KERNEL void classify(GLOBAL const int *x, GLOBAL int *out, int n) {
    int i = ctaid() * ntid() + tid();
    if (i >= n)
        return;
    int counts[4] = {0, 0, 0, 0};
    int v = x[i];
    for (int k = 0; k < v % 7; k++)
        counts[(v + k) & 3] += k;
    switch (v & 7) {
    case 0: out[i] = counts[0]; break;
    case 1: out[i] = counts[1] + 10; break;
    case 2: out[i] = -counts[2]; break;
    case 5: out[i] = v / 3; break;
    case 6: out[i] = v % 5; break;
    default: out[i] = counts[3] * 100;
    }
}
