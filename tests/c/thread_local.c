// _Thread_local objects: one per thread, initialised, static in functions, with addresses, arrays and structures.
// options: -lpthread
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static _Thread_local int number = 5;
_Thread_local struct { int a[4]; double d; } shape = {{1, 2, 3, 4}, 2.5};
static __thread char zeroed[100];
static int shared;

static int next(void)
{
    static thread_local int n = 100;
    return n++;
}

static void *work(void *argument)
{
    int *out = argument, *p = &number;
    *p += out[0];
    shape.a[2] += number;
    zeroed[50]++;
    next();
    out[1] = number;
    out[2] = shape.a[2];
    out[3] = zeroed[50];
    out[4] = next();
    out[5] = (int)(shape.d * 2);
    __atomic_add_fetch(&shared, 1, __ATOMIC_SEQ_CST);
    return p;
}

int main(void)
{
    pthread_t threads[3];
    int out[3][6] = {{10}, {20}, {30}};
    void *address;
    number = 1000;
    next();
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], 0, work, out[i]))
            return 1;
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], &address);
        printf("%d %d %d %d %d %d\n", out[i][1], out[i][2], out[i][3], out[i][4], out[i][5], address != &number);
    }
    printf("%d %d %d %d %d\n", number, shape.a[2], zeroed[50], next(), shared);
    return 0;
}
