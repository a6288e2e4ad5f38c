//! golden ptx: ptx
//! golden explain: explain
/* What must happen once: volatile reads, atomic captures, printing. Divisions may be executed by all. */
#include <stdio.h>

void once(int n, volatile int *flag, int *restrict ticket, int *restrict out)
{
#pragma acc parallel num_gangs(1) num_workers(2) copy(flag[0 : 1], ticket[0 : 1]) copyout(out[0 : n])
    {
        int seen = *flag, mine;
#pragma acc atomic capture
        mine = (*ticket)++;
        printf("%d\n", mine);
#pragma acc loop worker
        for (int i = 0; i < n; i++)
            out[i] = seen + mine;
        int quotient = n / (n + 1);
#pragma acc loop worker
        for (int i = 0; i < n; i++)
            out[i] += quotient;
    }
}
