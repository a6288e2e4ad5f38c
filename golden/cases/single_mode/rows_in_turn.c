//! golden ptx: ptx
// Rows in shared memory, one for each gang: the barrier for what stands in front of the loop over steps is not one in each step,
// addresses in shared memory have 32 bits, and `i % 3` is a product.
void relax_rows(int n, int steps, float const *restrict start, float *restrict end)
{
#pragma acc parallel loop gang num_workers(1) vector_length(64) copyin(start[0:n * 60]) copyout(end[0:n])
    for (int p = 0; p < n; p++) {
        float row[62], scales[3];
        scales[0] = 0.25f;
        scales[1] = 0.5f;
        scales[2] = start[p];
#pragma acc loop vector
        for (int i = 0; i < 62; i++) {
            row[i] = 0;
        }
        for (int step = 0; step < steps; step++) {
#pragma acc loop vector
            for (int i = 1 + step % 2; i < 61; i += 2) {
                row[i] = scales[i % 3] * (row[i - 1] + row[i + 1]) + start[p * 60 + i - 1];
            }
        }
        end[p] = row[n % 62];
    }
}
