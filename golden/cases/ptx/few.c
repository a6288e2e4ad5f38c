//! golden few.ir: ir --target ptx --stage few --no-positions
//! golden ptx: ptx
//! count ptx: ld.global.nc.f32=4
/* Each lane has two iterations of a row of 300, and 44 of 128 lanes one more; what the first loop loads, the second has. */

void below_largest(int rows, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang vector_length(128) present(x, y)
    for (int i = 0; i < rows; i++) {
        float most = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < 300; j++)
            most = x[i * 300 + j] > most ? x[i * 300 + j] : most;
#pragma acc loop vector
        for (int j = 0; j < 300; j++)
            y[i * 300 + j] = most - x[i * 300 + j];
    }
}

/* What a lane stores is not what another one loads, for all that is known: all loads come first. */
void swapped(int rows, float *x)
{
#pragma acc parallel loop gang vector_length(64) present(x)
    for (int i = 0; i < rows; i++) {
#pragma acc loop vector
        for (int j = 0; j < 128; j++) {
            float low = x[i * 256 + j];
            x[i * 256 + j] = x[i * 256 + 255 - j];
            x[i * 256 + 255 - j] = low;
        }
    }
}
