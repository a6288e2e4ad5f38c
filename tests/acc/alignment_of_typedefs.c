// A typedef may be aligned to more or to less than its type; so is what pointers to it lead to, and what
// members, arrays and copies consist of, on a device, too.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef int anywhere __attribute__((aligned(1)));
typedef double of_four __attribute__((aligned(4)));
typedef struct {
    float x, y, z, w;
} four __attribute__((aligned(16)));
typedef struct {
    double value;
    int tag;
} loose __attribute__((aligned(1)));

struct record {
    char kind;
    anywhere number;
    loose part;
};
struct old_record {
    int kind;
    of_four value;
};

#pragma acc routine seq
static double both(loose part)
{
    return part.value + part.tag;
}

#pragma acc routine seq
static loose next(const loose *part)
{
    return part[1];
}

struct __attribute__((packed)) packed {
    char kind;
    struct of_eight {
        double value;
        char tag;
    } part;
};

#pragma acc routine seq
static double of_part(struct of_eight part)
{
    return part.value - part.tag;
}

enum { COUNT = 40 };

int main(void)
{
    static unsigned char bytes[COUNT * 13 + 1], shifted[COUNT * sizeof(double) + 4] __attribute__((aligned(8)));
    for (int i = 0; i < COUNT; i++) {
        double value = i + 0.25;
        int tag = 3 * i;
        memcpy(bytes + 1 + 13 * i, &tag, sizeof tag);
        memcpy(shifted + 4 + sizeof value * i, &value, sizeof value);
    }
    long sum = 0;
    double values = 0;
#pragma acc parallel loop copyin(bytes, shifted) reduction(+ : sum, values)
    for (int i = 0; i < COUNT; i++) {
        sum += *(const anywhere *)(bytes + 1 + 13 * i);
        values += ((const of_four *)(shifted + 4))[i];
    }
    printf("%ld %g\n", sum, values);

    struct record records[COUNT];
    for (int i = 0; i < COUNT; i++)
        records[i] = (struct record){(char)i, i * i, {i / 2., -i}};
    double total = 0;
#pragma acc parallel loop copy(records) reduction(+ : total)
    for (int i = 0; i < COUNT; i++) {
        anywhere *number = &records[i].number;
        *number += records[i].kind;
        loose *part = &records[i].part;
        part->tag *= 2;
        loose copy = *part;
        copy.value += 1;
        total += both(records[i].part) + both(copy) + *number;
    }
    printf("%g %d %d\n", total, records[7].number, records[COUNT - 1].part.tag);

    four points[COUNT], sums = {0};
    for (int i = 0; i < COUNT; i++)
        points[i] = (four){i, 2 * i, 3 * i, 4 * i};
    float along = 0;
#pragma acc parallel loop copy(points) reduction(+ : along)
    for (int i = 0; i < COUNT; i++) {
        four *point = points + i, turned = {point->w, point->x, point->y, point->z};
        *point = turned;
        along += turned.x - turned.w;
    }
    for (int i = 0; i < COUNT; i++)
        sums.x += points[i].x, sums.w += points[i].w;
    printf("%g %g %g\n", along, sums.x, sums.w);

    struct packed packed[COUNT];
    loose parts[COUNT + 1];
    for (int i = 0; i < COUNT; i++) {
        packed[i] = (struct packed){(char)i, {i / 4., i}};
        parts[i + 1] = (loose){i, i + 1};
    }
    total = 0;
#pragma acc parallel loop copy(packed) copyin(parts) reduction(+ : total)
    for (int i = 0; i < COUNT; i++) {
        loose behind;
        behind = next(parts + i);
        packed[i].part.value += 1;
        total += of_part(packed[i].part) + behind.value * behind.tag + next(&parts[i]).tag;
    }
    printf("%g %g\n", total, packed[9].part.value);

    four *pointer = points;
    anywhere *odd = &records[1].number;
    printf("%zu %zu %zu %zu\n", __alignof__(*pointer), __alignof__(*odd), __alignof__(records[0].part),
           __alignof__(__typeof__(points[0])));
    printf("%zu %zu %zu\n", sizeof(struct record), offsetof(struct record, part), sizeof(struct old_record));
    return 0;
}
