// Structures with an alignment of their own are loaded and stored whole. A section that begins in front of what is
// aligned leaves it so on the device.
#include <stdio.h>

typedef struct __attribute__((aligned(16))) {
    float x, y, z, w;
} Four;

typedef struct {
    int tag;
    Four at[3];
} Box;

static Four places[64], moved[64];
static Box boxes[16];
_Alignas(16) static float numbers[260];

int main(void)
{
    for (int i = 0; i < 64; i++)
        places[i] = (Four) { i, 2 * i, 3 * i, 1 };
    for (int i = 0; i < 260; i++)
        numbers[i] = i % 13;
    for (int i = 0; i < 16; i++)
        boxes[i].tag = i;
#pragma acc parallel loop copyin(places) copyout(moved)
    for (int i = 0; i < 64; i++) {
        Four place = places[63 - i];
        place.x += place.w, place.y -= place.z;
        moved[i] = place;
    }
#pragma acc parallel loop copy(numbers[3 : 255])
    for (int i = 0; i < 63; i++) {
        Four *four = (Four *)(numbers + 4) + i;
        four->z = four->x + four->y, four->w *= 2;
    }
#pragma acc parallel loop copy(boxes[1 : 14]) copyin(moved)
    for (int i = 1; i < 15; i++)
        for (int k = 0; k < 3; k++) {
            boxes[i].at[k] = moved[i * 3 + k];
            boxes[i].at[k].w = boxes[i].tag;
        }
    double sums[3] = { 0 };
    for (int i = 0; i < 64; i++)
        sums[0] += moved[i].x * 3 + moved[i].y * i + moved[i].z + moved[i].w;
    for (int i = 0; i < 260; i++)
        sums[1] += numbers[i] * (i % 7);
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 3; k++)
            sums[2] += boxes[i].at[k].x + 2 * boxes[i].at[k].y - boxes[i].at[k].w;
    printf("%g %g %g\n", sums[0], sums[1], sums[2]);
    return 0;
}
