// options: -std=c23
// What C23 has, in regions and in functions of the device.
#include <stdckdint.h>
#include <stddef.h>
#include <stdio.h>

constexpr int size = 48;
constexpr struct {
    int factor;
    double half;
} parameters = {.factor = 3, .half = 0.5};
enum kind : unsigned char { EVEN = 254, ODD };
struct item {
    enum kind kind;
    bool large;
    const int *next;
};
struct item {
    enum kind kind;
    bool large;
    const int *next;
};

#pragma acc routine seq
static int clamped(int x, double) {
    constexpr int most = 1'000;
    int sum;
    return ckd_add(&sum, x, 0x7fff'ffff) || sum > most ? most : x;
}

#pragma acc routine seq
static int of_list(int n) {
    int zeros[n] = {}, sum = 0;
    for (auto i = 0; i < n; i++)
        sum += zeros[i] + i;
end:
    int result = sum;
    if (result > 40) {
        sum = 40;
        goto end;
    }
    return result;
}

int main() {
    struct item items[size];
    int limits[size], sums[size] = {};
#pragma acc parallel loop copyout(items, limits) copy(sums)
    for (int i = 0; i < size; i++) {
        auto kind = i % 2 ? ODD : EVEN;
        typeof_unqual(parameters.half) weight = parameters.half;
        weight *= parameters.factor * i;
        items[i] = (struct item){.kind = kind, .large = weight > 20.0, .next = nullptr};
        items[i].kind += i % 4;
        limits[i] = clamped(i - 1, weight);
        switch (i) {
        case size - 1: sums[i] = 1; [[fallthrough]];
        case parameters.factor: sums[i] += 2; break;
        default:
        }
        sums[i] += of_list(i % 12 + 1);
        constexpr int steps[] = {0b11, 0b101};
        sums[i] += steps[i & 1] + (constexpr int){7} + (int[2]){}[1];
    }
    int kinds = 0, large = 0, null = 0, limit = 0, sum = 0;
    for (int i = 0; i < size; i++) {
        kinds += items[i].kind;
        large += items[i].large == true;
        null += items[i].next == nullptr;
        limit += limits[i];
        sum += sums[i];
    }
    printf("%d %d %d %d %d\n", kinds, large, null, limit, sum);
}
