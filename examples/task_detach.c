// A task that starts something and is complete only when that has happened: here a thread that OpenMP does not
// know fills the buffer, as input and output do, and says so by `omp_fulfill_event`. No thread of the team
// waits meanwhile; the task behind starts when the event is fulfilled. Needs `-fopenmp`.
// options: -fopenmp
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { SIZE = 100 };
static int buffer[SIZE];

static void *reader(void *event)
{
    for (int i = 0; i < SIZE; i++)
        buffer[i] = 3 * i;
    omp_fulfill_event(*(omp_event_handle_t *)event);
    return NULL;
}

int main(void)
{
    omp_event_handle_t is_read;
    static omp_event_handle_t copy;
    pthread_t thread;
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(is_read) depend(out : buffer)
        {
            copy = is_read;
            pthread_create(&thread, NULL, reader, &copy);
        }
#pragma omp task depend(in : buffer)
        for (int i = 0; i < SIZE; i++)
            sum += buffer[i];
    }
    pthread_join(thread, NULL);
    printf("sum %d\n", sum);
    return 0;
}
