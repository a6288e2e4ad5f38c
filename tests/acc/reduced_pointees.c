// Reductions of what a pointer points to that the gang has chosen itself: a row of its own of the program's data, an array of
// its own. Nothing of it is combined between gangs.
// also: --gangs 3
#include <stdio.h>

enum { GANGS = 5, N = 60 };

#pragma acc routine worker
static void into(int *row, const int *from)
{
#pragma acc loop worker vector reduction(+:row[0:3])
    for (int i = 0; i < N; i++)
        row[i % 3] += from[i];
}

int main(void)
{
    int a[GANGS][N], rows[GANGS][3], routine[GANGS][3], own[GANGS], late[GANGS], wrong = 0;
    for (int g = 0; g < GANGS; g++)
        for (int i = 0; i < N; i++)
            a[g][i] = g * 7 + i;
    for (int g = 0; g < GANGS; g++)
        for (int k = 0; k < 3; k++)
            rows[g][k] = routine[g][k] = g + k;
#pragma acc parallel loop gang copyin(a) copy(rows, routine) copyout(own, late) num_workers(4)
    for (int g = 0; g < GANGS; g++) {
        int *row = rows[g], some[4] = {1, 2, 3, 4}, length = g + 1, more[length];
        int *half = some + g % 2;
#pragma acc loop worker reduction(+:row[0:3])
        for (int i = 0; i < N; i++)
            row[i % 3] += a[g][i];
        own[g] = row[0];
#pragma acc loop worker vector reduction(max:half[1:2])
        for (int i = 0; i < N; i++)
            half[1 + i % 2] = half[1 + i % 2] > a[g][i] ? half[1 + i % 2] : a[g][i];
        for (int k = 0; k < length; k++)
            more[k] = k;
#pragma acc loop vector reduction(^:more)
        for (int i = 0; i < N; i++)
            more[i % length] ^= a[g][i];
        late[g] = some[1] + some[2] * 100 + some[3] * 10000 + more[g] * 1000000;
        into(routine[g], a[g]);
    }
    for (int g = 0; g < GANGS; g++) {
        int sums[3] = {g, g + 1, g + 2}, some[4] = {1, 2, 3, 4}, more = g;
        for (int i = 0; i < N; i++) {
            int *most = some + g % 2 + 1 + i % 2;
            *most = *most > a[g][i] ? *most : a[g][i];
            sums[i % 3] += a[g][i];
            more ^= i % (g + 1) == g ? a[g][i] : 0;
        }
        for (int k = 0; k < 3; k++)
            wrong += rows[g][k] != sums[k] || routine[g][k] != sums[k];
        wrong += own[g] != sums[0] || late[g] != some[1] + some[2] * 100 + some[3] * 10000 + more * 1000000;
    }
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
