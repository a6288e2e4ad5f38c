// Every form of `atomic`: update, read, write and capture; the results do not depend on the order.
#include <stdio.h>

int main(void)
{
    enum { N = 20000, BUCKETS = 16 };
    int count = 0, flag = 0, reads = 0;
    unsigned bits = 0;
    long long total = 0, product = 1;
    float sum = 0;
    double least = 1e30;
    short narrow = 0;
    static int slots[N], order[N], buckets[BUCKETS];
    int used = 0;
#pragma acc parallel loop copy(count, flag, reads, bits, total, product, sum, narrow, used, buckets) copyout(slots)
    for (int i = 0; i < N; i++) {
        int mine, seen;
#pragma acc atomic update
        count++;
#pragma acc atomic
        bits |= 1u << i % 20;
#pragma acc atomic
        total += (long long)i * i;
#pragma acc atomic
        sum += 0.5f;
#pragma acc atomic
        narrow ^= (short)i;
#pragma acc atomic
        buckets[i * 7 % BUCKETS] += 1;
        if (i % 5000 == 0) {
#pragma acc atomic
            product *= 3;
        }
#pragma acc atomic capture
        mine = used++;
        slots[mine] = i;
#pragma acc atomic write
        flag = 1;
#pragma acc atomic read
        seen = flag;
#pragma acc atomic
        reads += seen;
    }
    for (int i = 0; i < N; i++)
        order[slots[i]]++;
    for (int i = 0; i < N; i++)
        least = order[i] < least ? order[i] : least;
    printf("%d %d %d %x %lld %lld %g %d %d %g\n", count, used, reads, bits, total, product, sum, narrow, buckets[3],
           least);
    return 0;
}
