// 128-bit integers in regions whose only values of that type are constants, and updates of elements that no
// device does at once.

#include <stdio.h>

static __int128 totals[40];

int main(void)
{
    __int128 a[40] = {0};
    int place[40];
    for (int i = 0; i < 40; i++)
        place[i] = i * 3 % 7;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 40; i++)
        a[i] = 512;
#pragma acc parallel loop worker num_gangs(1) copy(a)
    for (int i = 20; i < 40; i++)
        a[i] = -1;
#pragma acc serial copy(a)
    a[3] = (__int128)1 << 100;
#pragma acc kernels copyin(place)
    for (int i = 0; i < 40; i++)
        totals[place[i]] |= i;
#pragma acc kernels copyin(place)
    for (int i = 0; i < 40; i++)
        totals[place[i] + 7] += a[i];
    for (int i = 0; i < 40; i++)
        printf("%d: %lld %lld, %lld %lld\n", i, (long long)a[i], (long long)(a[i] >> 64), (long long)totals[i],
               (long long)(totals[i] >> 64));
    return 0;
}
