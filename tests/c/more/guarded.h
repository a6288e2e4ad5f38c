/* Guarded: read once, however often it is included. */
#ifndef GUARDED
#define GUARDED
static int times_included = 1;
#endif
