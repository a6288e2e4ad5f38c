// options: -fopenmp
// `if`, `num_threads`, `private`, `firstprivate` of structures, arrays and static variables, `default(...)`.
#include <omp.h>
#include <stdio.h>

struct point { int x; double y; char name[5]; };
static int file_scope = 3;

int main(void)
{
    int entered = 0, level = -1;
#pragma omp parallel if(file_scope > 5) num_threads(4)
    {
#pragma omp atomic
        entered++;
#pragma omp single
        level = omp_get_num_threads();
    }
    printf("if(false): %d entered, team of %d\n", entered, level);

    entered = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp atomic
        entered++;
#pragma omp single
        level = omp_get_num_threads();
    }
    printf("num_threads(3): %d entered, team of %d\n", entered, level);

    struct point p = { 1, 2.5, "abc" };
    int cells[4] = { 1, 2, 3, 4 };
    static long kept = 40;
    int scratch = 99, wrong = 0;
#pragma omp parallel num_threads(4) firstprivate(p, cells, kept, file_scope) private(scratch) reduction(+ : wrong)
    {
        int me = omp_get_thread_num();
        scratch = me;
        p.x += me;
        p.y *= me;
        p.name[0] = (char)('A' + me);
        cells[me] += 10;
        kept += me;
        file_scope += me;
#pragma omp barrier
        wrong += scratch != me || p.x != 1 + me || p.y != 2.5 * me || p.name[0] != 'A' + me || p.name[1] != 'b';
        for (int i = 0; i < 4; i++)
            wrong += cells[i] != i + 1 + (i == me ? 10 : 0);
        wrong += kept != 40 + me || file_scope != 3 + me;
    }
    printf("wrong %d; outside %d %.1f %s %d %ld %d %d\n", wrong, p.x, p.y, p.name, cells[0], kept, file_scope, scratch);

    int a = 5, sum = 0;
#pragma omp parallel num_threads(4) default(none) shared(sum) firstprivate(a)
    {
        a += omp_get_thread_num();
#pragma omp critical
        sum += a;
    }
#pragma omp parallel num_threads(2) default(shared)
    {
#pragma omp atomic
        sum += a;
    }
    printf("default %d %d\n", a, sum);
    return 0;
}
