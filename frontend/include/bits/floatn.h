/* Takes the place of the C library's header of this name, which concludes from the version of the compiler that there
   is a 128-bit floating type. accrue has none; the narrower types of TS 18661-3 are as the library thinks. */
#ifndef _BITS_FLOATN_H
#define _BITS_FLOATN_H

#include <features.h>

#define __HAVE_FLOAT128 0
#define __HAVE_DISTINCT_FLOAT128 0
#define __HAVE_FLOAT64X 1
#define __HAVE_FLOAT64X_LONG_DOUBLE 1

#include <bits/floatn-common.h>

#endif
