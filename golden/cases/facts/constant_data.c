//! golden lower.ir: ir --stage lower --no-positions
//! golden constant-data.ir: ir --stage constant-data --no-positions
//! golden ptx: ptx
// Constant objects whose value is known are part of the device's code, but for those that hold addresses.

static const int step[3] = {-1, 0, 1};
static const double none[2];
static const int *const other[1] = {step};

int constant_data(int n, const int *a, int *b)
{
    int sum = 0;
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int k = 0; k < 3; k++)
            b[i] += step[k] * a[(i + step[k] + n) % n];
        sum += b[i] + (int)none[i & 1] + (other[0] != 0);
    }
    return sum;
}
