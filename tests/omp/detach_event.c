// options: -fopenmp
// `detach`: a task is complete when its event is fulfilled, by another thread, by itself, or before its end.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int cells[8];

struct order { omp_event_handle_t event; int cell, value; };

static void *fulfil(void *argument)
{
    struct order *order = argument;
    usleep(2000);
    cells[order->cell] = order->value;
    omp_fulfill_event(order->event);
    return 0;
}

int main(void)
{
    struct order orders[8];
    pthread_t threads[8];
    int sum = 0, own = 0, in_group = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 8; i++) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(out : cells[i]) firstprivate(i) shared(orders, threads)
            {
                orders[i] = (struct order){ event, i, 10 + i };
                pthread_create(&threads[i], 0, fulfil, &orders[i]);
            }
#pragma omp task depend(in : cells[i]) firstprivate(i) shared(sum)
            {
#pragma omp atomic
                sum += cells[i];
            }
        }
#pragma omp taskwait
        omp_event_handle_t event;
#pragma omp task detach(event) shared(own)
        {
            own = 1;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        own *= 2;
        // A group waits for the event, too.
        omp_event_handle_t late;
        struct order order = { 0, 0, 77 };
        pthread_t thread;
#pragma omp taskgroup
        {
#pragma omp task detach(late) shared(in_group)
            in_group = 1;
            order.event = late;
            pthread_create(&thread, 0, fulfil, &order);
        }
        in_group += cells[0];
        pthread_join(thread, 0);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    printf("%d %d %d\n", sum, own, in_group);
    return 0;
}
