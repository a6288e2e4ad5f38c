// Executes the golden case of formats with widths and precisions that are arguments.
#include "../../golden/cases/ptx/print.c"

int main(void)
{
    double x[4] = {1, -2.5, 1e10, 1.0 / 3};
    print(4, 3, x);
    print(2, -1, x);
    return 0;
}
