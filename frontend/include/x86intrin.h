/* <x86intrin.h>: see <xmmintrin.h>. */
#include <immintrin.h>
