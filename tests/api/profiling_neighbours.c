// Constructs that could be one launch stay two where the program is told of each.
#include <acc_prof.h>
#include <stdio.h>

static int begun;

static void count(acc_prof_info *info, acc_event_info *event, acc_api_info *api)
{
    (void)event, (void)api;
    begun += info->event_type == acc_ev_compute_construct_start;
}

int main(void)
{
    acc_prof_register(acc_ev_compute_construct_start, count, acc_reg);
    int a[100];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 100; i++)
        a[i] *= 2;
    printf("%d constructs, %d\n", begun, a[7]);
}
