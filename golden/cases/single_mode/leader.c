//! golden ptx: ptx -fno-launch-numbers
//! golden explain: explain
/* What writes is executed by the leader; what it changed and the loop reads goes through the broadcast record. */
void numbered(int n, int *restrict counter, long *restrict out)
{
#pragma acc parallel loop gang copy(counter[0 : 1]) copyout(out[0 : n])
    for (int j = 0; j < n; j++) {
        int ticket;
#pragma acc atomic capture
        ticket = counter[0]++;
        long base = ticket * 10L;
#pragma acc loop worker
        for (int i = 0; i < 4; i++)
            if (i == 3)
                out[j] = base + ticket;
    }
}
