// options: -fopenmp
// `depobj`: initialised, used by tasks and by `taskwait`, updated, destroyed, in arrays and through pointers.
#include <omp.h>
#include <stdio.h>

static void make(omp_depend_t *object, int *place)
{
#pragma omp depobj(*object) depend(inout : *place)
}

int main(void)
{
    int x = 1, y = 2, z = 0, cells[4] = { 0 };
    omp_depend_t of_x, of_y, of_cells[4];
#pragma omp parallel
#pragma omp single
    {
#pragma omp depobj(of_x) depend(inout : x)
        make(&of_y, &y);
#pragma omp task depend(depobj : of_x) shared(x)
        x = 10;
#pragma omp task depend(depobj : of_y) shared(y)
        y = 20;
#pragma omp task depend(depobj : of_x, of_y) depend(out : z) shared(x, y, z)
        z = x + y;
#pragma omp depobj(of_x) update(in)
#pragma omp task depend(depobj : of_x) depend(inout : z) shared(x, z)
        z += x;
#pragma omp taskwait depend(in : z)
        printf("%d\n", z);
        for (int i = 0; i < 4; i++) {
#pragma omp depobj(of_cells[i]) depend(out : cells[i])
#pragma omp task depend(depobj : of_cells[i]) shared(cells) firstprivate(i)
            cells[i] = i + 1;
        }
        for (int i = 1; i < 4; i++) {
#pragma omp depobj(of_cells[i]) update(inout)
#pragma omp task depend(in : cells[i - 1]) depend(depobj : of_cells[i]) shared(cells) firstprivate(i)
            cells[i] += 10 * cells[i - 1];
        }
#pragma omp taskwait
        printf("%d %d %d %d\n", cells[0], cells[1], cells[2], cells[3]);
#pragma omp depobj(of_x) destroy
#pragma omp depobj(of_y) destroy
        for (int i = 0; i < 4; i++) {
#pragma omp depobj(of_cells[i]) destroy
        }
    }
    return 0;
}
