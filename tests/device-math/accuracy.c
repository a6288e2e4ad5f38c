/* Accuracy of the device math library, run on the host. The argument is the number of pseudo-random arguments for each
   function; it fails where a bound stated in the rows is exceeded or a special value is wrong. */

#define _GNU_SOURCE
#include "harness.h"

#include "../../ptx-emit/library/arithmetic.c"
#include "../../ptx-emit/library/exp.c"
#include "../../ptx-emit/library/log.c"
#include "../../ptx-emit/library/pow.c"
#include "../../ptx-emit/library/trig.c"
#include "../../ptx-emit/library/inverse_trig.c"
#include "../../ptx-emit/library/hyperbolic.c"
#include "../../ptx-emit/library/roots.c"
#include "../../ptx-emit/library/gamma.c"
#include "../../ptx-emit/library/error_function.c"
#include "../../ptx-emit/library/bessel.c"
#include "../../ptx-emit/library/complex.c"
#include "../../ptx-emit/library/complex_inverse.c"
#include "../../ptx-emit/library/complex_float.c"
#include "../../ptx-emit/library/rounding.c"
#include "../../ptx-emit/library/classify.c"
#include "../../ptx-emit/library/scale.c"
#include "../../ptx-emit/library/remainder.c"
#include "../../ptx-emit/library/integer.c"
#include "../../ptx-emit/library/memory.c"
#include "../../ptx-emit/library/string.c"
#include "../../ptx-emit/library/search.c"
#include "../../ptx-emit/library/ctype.c"

#include "real.h"
#include "special_functions.h"
#include "complex_functions.h"
#include "exact.h"

int main(int count, char **arguments) {
    if (count > 1) samples = atol(arguments[1]);
    check_real_functions();
    check_special_functions();
    check_complex_functions();
    check_exact();
    return failures != 0;
}
