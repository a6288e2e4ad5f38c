// A plate whose rows are divided among all devices there are. Each holds its rows and one more at either end,
// which its neighbour sends it after each step: from device to device, and no step waits for the host.
// `accrue run --device sim --devices 3` has three of them without any GPU; the sum is the same with one.
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 96, COLUMNS = 64, STEPS = 24, MOST = 16 };
static double plate[2][ROWS][COLUMNS];

// The rows of a part: it computes those from low up to high - 1.
struct part {
    int low, high;
};

static struct part part_of(int device, int count)
{
    int inner = ROWS - 2;
    return (struct part){ 1 + inner * device / count, 1 + inner * (device + 1) / count };
}

int main(void)
{
    acc_device_t type = acc_get_device_type();
    int count = acc_get_num_devices(type);
    if (count > MOST) count = MOST;
    for (int j = 0; j < COLUMNS; j++) plate[0][0][j] = plate[1][0][j] = 100;

    for (int d = 0; d < count; d++) {
        struct part p = part_of(d, count);
        acc_set_device_num(d, type);
        for (int k = 0; k < 2; k++) {
            double (*rows)[COLUMNS] = &plate[k][p.low - 1];
            #pragma acc enter data copyin(rows[0:p.high - p.low + 2])
        }
    }
    for (int step = 0; step < STEPS; step++) {
        int from = step % 2, to = 1 - from;
        for (int d = 0; d < count; d++) {
            struct part p = part_of(d, count);
            int n = p.high - p.low + 2;
            double (*old)[COLUMNS] = &plate[from][p.low - 1], (*new)[COLUMNS] = &plate[to][p.low - 1];
            acc_set_device_num(d, type);
            // Queue 2 of a neighbour brings the rows of the step before.
            if (d > 0) {
                #pragma acc wait(devnum: d - 1 : 2) async(1)
            }
            if (d + 1 < count) {
                #pragma acc wait(devnum: d + 1 : 2) async(1)
            }
            #pragma acc parallel loop collapse(2) present(old[0:n], new[0:n]) async(1)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < COLUMNS - 1; j++)
                    new[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
        }
        for (int d = 0; d < count; d++) {
            struct part p = part_of(d, count);
            acc_set_device_num(d, type);
            #pragma acc wait(1) async(2)
            for (int other = d - 1; other <= d + 1; other += 2) {
                if (other < 0 || other >= count) continue;
                double *row = plate[to][other < d ? p.low : p.high - 1], *here = acc_deviceptr(row);
                acc_set_device_num(other, type);
                double *there = acc_deviceptr(row);
                acc_set_device_num(d, type);
                acc_memcpy_d2d_async(there, here, sizeof plate[0][0], other, d, 2);
            }
        }
    }
    for (int d = 0; d < count; d++) {
        struct part p = part_of(d, count);
        double (*rows)[COLUMNS] = &plate[STEPS % 2][p.low];
        acc_set_device_num(d, type);
        #pragma acc wait
        #pragma acc update self(rows[0:p.high - p.low])
        for (int k = 0; k < 2; k++) {
            double (*all)[COLUMNS] = &plate[k][p.low - 1];
            #pragma acc exit data delete(all[0:p.high - p.low + 2])
        }
    }
    double sum = 0;
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++) sum += plate[STEPS % 2][i][j];
    printf("sum %.6f, near the edge %.6f\n", sum, plate[STEPS % 2][3][COLUMNS / 2]);
    return 0;
}
