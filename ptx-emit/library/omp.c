/* <omp.h>: what device code may ask about itself. Teams are gangs. */

#include "device.h"

int DEVICE(omp_is_initial_device)(void) { return 0; }

#pragma acc routine seq
int DEVICE(omp_get_team_num)(void) { return __builtin_goacc_parlevel_id(0); }

#pragma acc routine seq
int DEVICE(omp_get_num_teams)(void) { return __builtin_goacc_parlevel_size(0); }
