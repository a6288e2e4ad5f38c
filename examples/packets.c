// Network packets: bit-fields, unions, copies of structures and 64-bit arithmetic inside of a region.
#include <stdint.h>
#include <stdio.h>

struct header {
    unsigned version : 4;
    unsigned length : 12;
    unsigned urgent : 1;
    unsigned port : 15;
};

struct packet {
    struct header header;
    union {
        uint8_t bytes[8];
        uint64_t word;
    } payload;
};

#pragma acc routine seq
static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 29;
    return x * 0x9e3779b97f4a7c15ULL >> 7;
}

int main(void)
{
    enum { N = 10000 };
    static struct packet in[N], out[N];
    uint64_t hash = 0;
    int urgent = 0;
    for (int i = 0; i < N; i++) {
        in[i].header = (struct header){4, i % 1500, i % 7 == 0, i * 31 % 32768};
        in[i].payload.word = 0x0102030405060708ULL * (unsigned)i;
    }
#pragma acc parallel loop copyin(in) copyout(out) reduction(^ : hash) reduction(+ : urgent)
    for (int i = 0; i < N; i++) {
        struct packet p = in[i];
        p.header.version++;
        p.header.length -= p.header.urgent ? 20 : 0;
        p.payload.bytes[i % 8] ^= 0xff;
        urgent += p.header.urgent;
        hash ^= mix(p.payload.word + p.header.length) + p.header.port;
        out[i] = p;
    }
    printf("%d urgent, hash %016llx, packet 777: %u %u %u\n", urgent, (unsigned long long)hash, out[777].header.version,
           out[777].header.length, out[777].header.port);
    return 0;
}
