// options: -fopenmp
// `single` with `copyprivate` and `nowait`, `masked` with `filter`, `master`.
#include <omp.h>
#include <stdio.h>

static int value;
#pragma omp threadprivate(value)

int main(void)
{
    int wrong = 0, singles = 0, masked = 0, by_filter = 0, master = 0, local = 1;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    {
        int x;
        double cells[3];
        struct { int a; char c; } s;
        int *pointer;
        int here = omp_get_thread_num();
#pragma omp single copyprivate(x, cells, s, pointer, value)
        {
            x = 17;
            cells[0] = 1, cells[1] = 2, cells[2] = 4;
            s.a = 5, s.c = 'q';
            pointer = &singles;
            value = 33;
            singles++;
        }
        wrong += x != 17 || cells[2] != 4 || s.a != 5 || s.c != 'q' || pointer != &singles || value != 33;
        for (int i = 0; i < 20; i++) {
            int y = -1;
#pragma omp single copyprivate(y)
            y = i * 3;
            wrong += y != i * 3;
        }
#pragma omp single nowait
        {
#pragma omp atomic
            singles++;
        }
#pragma omp single firstprivate(local) private(x)
        {
            x = local + 1;
            local += x;
#pragma omp atomic
            singles += local;
        }
        wrong += x != 17;
#pragma omp masked
        {
            wrong += here != 0;
            masked++;
        }
#pragma omp masked filter(2)
        {
            wrong += here != 2;
            by_filter++;
        }
#pragma omp masked filter(9)
        by_filter += 100;
#pragma omp master
        master++;
    }
    printf("wrong %d local %d singles %d masked %d filtered %d master %d\n", wrong, local, singles, masked, by_filter, master);
    return 0;
}
