// options: -fopenmp
// More tasks than fit anywhere at once: chains, trees, and one producer per thread.
#include <stdio.h>

enum { CHAINS = 8, LENGTH = 1500 };

static int tree(int depth)
{
    if (depth == 0)
        return 1;
    int left, right;
#pragma omp task shared(left)
    left = tree(depth - 1);
#pragma omp task shared(right)
    right = tree(depth - 1);
#pragma omp taskwait
    return left + right;
}

int main(void)
{
    unsigned state[CHAINS] = { 0 }, check = 0;
    int nodes = 0, produced = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < LENGTH; i++)
            for (int chain = 0; chain < CHAINS; chain++) {
#pragma omp task depend(inout : state[chain]) shared(state) firstprivate(i, chain)
                state[chain] = state[chain] * 1664525u + 1013904223u + (unsigned)(i ^ chain);
            }
#pragma omp single nowait
        nodes = tree(12);
#pragma omp for
        for (int i = 0; i < 3000; i++) {
#pragma omp task shared(produced)
            {
#pragma omp atomic
                produced++;
            }
        }
    }
    for (int chain = 0; chain < CHAINS; chain++)
        check = check * 31 + state[chain];
    printf("%u %d %d\n", check, nodes, produced);
    return 0;
}
