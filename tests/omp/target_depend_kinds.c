// options: -fopenmp
// Every kind of dependence among target tasks, and between them and tasks of the host: sets, objects, iterators, all memory, waits for some
// tasks that later ones wait for, and a task that ends with an event. Each block is present, so that nothing but the dependences orders the tasks.
#include <omp.h>
#include <stdio.h>

enum { BLOCKS = 4, N = 32 };

static int a[BLOCKS][N], b[BLOCKS][N], total[N], steps[3];

int main(void)
{
    int host = 0;
    omp_depend_t whole;
#pragma omp target enter data map(to : a, b, total, steps)
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int k = 0; k < BLOCKS; k++)
#pragma omp target nowait depend(out : a[k])
            for (int i = 0; i < N; i++)
                a[k][i] = k + i;

        /* Each adds to all blocks, in places of its own. */
        for (int k = 0; k < 2; k++)
#pragma omp target nowait depend(iterator(j = 0 : BLOCKS), in : a[j]) depend(inoutset : b)
            for (int j = 0; j < BLOCKS; j++)
                for (int i = k; i < N; i += 2)
                    b[j][i] += a[j][i];

        /* One after the other, in any order. */
        for (int k = 0; k < 3; k++)
#pragma omp target nowait depend(in : b) depend(mutexinoutset : total)
            for (int i = 0; i < N; i++)
                total[i] += b[k][i];

#pragma omp depobj(whole) depend(inout : total)
#pragma omp target nowait depend(depobj : whole)
        for (int i = 0; i < N; i++)
            total[i] *= 2;
#pragma omp depobj(whole) update(in)
#pragma omp target nowait depend(depobj : whole) depend(out : steps[0])
        steps[0] = total[N - 1];
#pragma omp depobj(whole) destroy

        /* What names the first step waits for the second one, too. */
#pragma omp target nowait depend(out : steps[1])
        steps[1] = 5;
#pragma omp taskwait depend(in : steps[0], steps[1]) depend(out : steps[2]) nowait
#pragma omp target nowait depend(in : steps[2])
        steps[2] = steps[0] + steps[1];

#pragma omp target update from(steps) nowait depend(inout : omp_all_memory)
        omp_event_handle_t event;
#pragma omp task shared(host) detach(event) depend(inout : steps[2])
        {
            host = steps[2];
            omp_fulfill_event(event);
        }
#pragma omp target nowait depend(in : steps[2]) map(to : host)
        for (int i = 0; i < N; i++)
            total[i] += host;
#pragma omp task shared(host) depend(inoutset : steps[2])
        host++;
    }
#pragma omp target exit data map(from : total) map(release : a, b, steps)
    printf("%d %d %d, %d %d\n", steps[0], steps[1], steps[2], total[0], total[N - 1]);
    return 0;
}
