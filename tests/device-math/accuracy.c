/* Accuracy of the device math library, run on the host. The argument is the number of pseudo-random arguments for each
   function; it fails where a bound stated in the rows is exceeded or a special value is wrong. */

#define _GNU_SOURCE
#include "harness.h"

#include "../../ptx-emit/library/exp.c"
#include "../../ptx-emit/library/log.c"
#include "../../ptx-emit/library/pow.c"
#include "../../ptx-emit/library/trig.c"
#include "../../ptx-emit/library/inverse_trig.c"
#include "../../ptx-emit/library/hyperbolic.c"
#include "../../ptx-emit/library/roots.c"
#include "../../ptx-emit/library/gamma.c"
#include "../../ptx-emit/library/error_function.c"
#include "../../ptx-emit/library/rounding.c"
#include "../../ptx-emit/library/classify.c"
#include "../../ptx-emit/library/scale.c"
#include "../../ptx-emit/library/remainder.c"

#include "real.h"

int main(int count, char **arguments) {
    if (count > 1) samples = atol(arguments[1]);
    check_real_functions();
    return failures != 0;
}
