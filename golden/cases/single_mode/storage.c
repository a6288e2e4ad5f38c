//! golden ptx: ptx -fno-launch-numbers
/* Places by the declaring level: one array per gang, one per worker, one per lane; a scalar that a loop writes is shared. */
void places(int n, int *restrict out)
{
#pragma acc parallel num_gangs(2) num_workers(4) vector_length(32) copyout(out[0 : n])
    {
        int of_gang[16], found = -1;
#pragma acc loop worker
        for (int w = 0; w < 16; w++) {
            int of_worker[8];
#pragma acc loop vector
            for (int i = 0; i < 8; i++) {
                int of_lane[4] = {i, w};
                of_worker[i] = of_lane[(i + w) % 4];
            }
            of_gang[w] = of_worker[w % 8];
        }
#pragma acc loop vector
        for (int i = 0; i < 16; i++)
            if (of_gang[i] == 3)
                found = i;
        out[0] = found;
    }
}
