// Seconds of the host's clock.
#ifndef TASKS_CLOCK_H
#define TASKS_CLOCK_H

#include <time.h>

static inline double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

#endif
