//! golden ptx: ptx
//! golden explain: explain
//! count ptx: barrier.sync=2 bar.warp=1
/* A sequential loop around a worker loop: the record and what it describes are used again in every iteration; `break` and `continue`
   are decided by the leader and followed by all. */
void relax(int n, int steps, float *restrict x, int *restrict done)
{
#pragma acc parallel num_gangs(1) num_workers(4) copy(x[0 : n], done[0 : 2])
    for (int s = 0; s < steps; s++) {
        done[0] = s;
        if (s % 3 == 2)
            continue;
        if (x[0] > 100)
            break;
#pragma acc loop worker
        for (int i = 0; i < n; i++)
            x[i] = x[i] * 0.5f + s;
    }
}
