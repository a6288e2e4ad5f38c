// options: -fopenmp
// Which variables a task shares: those that are shared in all constructs around it up to the team; others
// are firstprivate, with the value of when the task was created.
#include <stdio.h>

static int global = 1;
struct box { int v[4]; };

static int in_function(int parameter)
{
    int local = 2, out = 0;
    static int kept = 4;
    // No team is in sight: `parameter` and `local` are firstprivate, `kept` and `global` shared.
#pragma omp task shared(out)
    {
        parameter++, local++;
        out = parameter + local;
        kept++;
#pragma omp atomic
        global++;
    }
#pragma omp taskwait
    return 1000 * out + 100 * parameter + 10 * local + kept;
}

int main(void)
{
    int shared_in_team = 0, out[6] = { 0 };
    struct box box = { { 1, 2, 3, 4 } };
    int created[10], sum = 0;
    printf("%d ", in_function(5));
    printf("%d\n", global);
#pragma omp parallel firstprivate(box)
#pragma omp single
    {
        int own = 7;
#pragma omp task
        {
            // `own` was the thread's, `shared_in_team` the team's.
            own += 1;
            shared_in_team += own;
#pragma omp task
            {
                own += 100;
                box.v[0] += own;
                out[0] = box.v[0];
            }
#pragma omp taskwait
            out[1] = own;
            out[2] = box.v[0];
        }
#pragma omp taskwait
        out[3] = own;
        for (int i = 0; i < 10; i++) {
            int square = i * i;
#pragma omp task
            created[i] = square;
            square = -1;
        }
#pragma omp taskwait
#pragma omp task shared(own)
        own = 50;
#pragma omp taskwait
        out[4] = own;
#pragma omp task private(own) firstprivate(shared_in_team)
        {
            own = 5;
            shared_in_team += own;
            out[5] = shared_in_team;
        }
#pragma omp task default(none) shared(global)
        global++;
#pragma omp task default(firstprivate) shared(sum)
        {
            shared_in_team = 999;
            sum += shared_in_team;
        }
    }
    for (int i = 0; i < 6; i++)
        printf("%d ", out[i]);
    for (int i = 0; i < 10; i++)
        sum += created[i];
    printf("| %d %d %d\n", shared_in_team, sum, global);
    return 0;
}
