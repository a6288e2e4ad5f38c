// Whether any, and whether all, by `if` and by operators.
#include "show.h"
#define N 300
static int a[N];

int main(void)
{
    int any = 0, all = 1, some = 0, none = 1;
    fill(a, N, 82);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: last any
            if (a[i] % 97 == 5)
                any = 1;
        for (int i = 0; i < N; i++) // expect: parallel: last all
            if (a[i] == 12345)
                all = 0;
        for (int i = 0; i < N; i++) // expect: parallel: reduction || some
            some = some || a[i] % 89 == 3;
        for (int i = 0; i < N; i++) // expect: parallel: reduction && none
            none = none && a[i] != 77777;
    }
    printf("%d %d %d %d\n", any, all, some, none);
}
