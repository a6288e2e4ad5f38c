// options: -fopenmp
// Tasks of a device are executed at once, and their events have been fulfilled when somebody waits. `nothing`
// may stand in front of any statement.
#include <omp.h>
#include <stdio.h>

struct pair {
#pragma omp nothing
    int first, second;
};

int main(void)
{
    int x = 0, y = 0;
#pragma omp target map(tofrom : x, y)
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t done;
#pragma omp task detach(done) shared(x)
        x = 1;
#pragma omp task shared(y) firstprivate(done)
        {
            y = 2;
            omp_fulfill_event(done);
        }
#pragma omp taskwait
        x += y;
    }
    printf("%d %d\n", x, y);
    struct pair pair = {5, 6};
    if (x == 0)
#pragma omp nothing
        pair.first++;
    else
#pragma omp nothing
        pair.second++;
    goto end;
end:
#pragma omp nothing
    printf("%d %d\n", pair.first, pair.second);
    return 0;
}
