/* <omp.h>: what device code may ask about itself. Teams are gangs. What the compiler makes of constructs in functions that
   a device calls is here for a team of one thread, which such a function has. */

#include "device.h"

int DEVICE(omp_is_initial_device)(void) { return 0; }

#pragma acc routine seq
int DEVICE(omp_get_team_num)(void) { return __builtin_goacc_parlevel_id(0); }

#pragma acc routine seq
int DEVICE(omp_get_num_teams)(void) { return __builtin_goacc_parlevel_size(0); }

/* Control variables are those of a task that ends with the construct, and bound nothing there. */

void DEVICE(omp_set_num_threads)(int threads) { (void)threads; }
void DEVICE(omp_set_dynamic)(int dynamic) { (void)dynamic; }
void DEVICE(omp_set_nested)(int nested) { (void)nested; }
void DEVICE(omp_set_max_active_levels)(int levels) { (void)levels; }
void DEVICE(omp_set_schedule)(int kind, int chunk) { (void)kind, (void)chunk; }
int DEVICE(omp_get_dynamic)(void) { return 0; }
int DEVICE(omp_get_nested)(void) { return 0; }
int DEVICE(omp_get_max_active_levels)(void) { return 1; }
int DEVICE(omp_get_cancellation)(void) { return 0; }

int DEVICE(omp_loop_start)(const char *place, int schedule, long chunk, unsigned long trip, unsigned long *from,
                           unsigned long *to)
{
    (void)place, (void)schedule, (void)chunk;
    *from = 0;
    *to = trip;
    return trip != 0;
}

int DEVICE(omp_loop_next)(unsigned long *from, unsigned long *to)
{
    (void)from, (void)to;
    return 0;
}

void DEVICE(omp_loop_end)(void) {}
void DEVICE(omp_ordered_start)(unsigned long iteration) { (void)iteration; }
void DEVICE(omp_ordered_end)(void) {}
void DEVICE(omp_ordered_iteration)(unsigned long iteration) { (void)iteration; }
void DEVICE(omp_ordered_called)(void) {}
void DEVICE(omp_ordered_left)(void) {}
void DEVICE(omp_doacross)(unsigned long stride) { (void)stride; }
void DEVICE(omp_doacross_wait)(unsigned long done) { (void)done; }
void DEVICE(omp_doacross_post)(unsigned long done) { (void)done; }
int DEVICE(omp_single_start)(void) { return 1; }
void DEVICE(omp_barrier)(void) {}

/* Tasks have been executed where they stand. */

void DEVICE(omp_taskwait)(const char *place) { (void)place; }
void DEVICE(omp_taskgroup_start)(void) {}
void DEVICE(omp_taskgroup_end)(void) {}
void DEVICE(omp_taskyield)(void) {}

void DEVICE(omp_taskwait_depend)(const char *place, void *depends, long count, int nowait)
{
    (void)place, (void)depends, (void)count, (void)nowait;
}
