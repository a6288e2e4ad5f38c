// Executes the golden case of small functions in regions.
#include <stdio.h>

#include "../../golden/cases/ptx/helpers.c"

enum { BOXES = 640, WORDS = BOXES / 32, SIDE = 70 };

static struct box boxes[BOXES];
static unsigned bits[BOXES * WORDS];
static float x[SIDE * SIDE], y[SIDE * SIDE];

static double weighted(const float *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * (double)(i % 1009 + 1);
    return sum;
}

int main(void)
{
    for (int i = 0; i < BOXES; i++) {
        boxes[i].left = i * 37 % 101;
        boxes[i].bottom = i * 53 % 97;
        boxes[i].right = boxes[i].left + 1 + i % 9;
        boxes[i].top = boxes[i].bottom + 1 + i % 7;
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        x[i] = i * 7919 % 1013;
#pragma acc data copyin(boxes, x) copyout(bits) copy(y)
    {
        touching(BOXES, WORDS, boxes, bits);
        differences(SIDE, x, y);
    }
    unsigned sum = 0;
    for (int i = 0; i < BOXES * WORDS; i++)
        sum = sum * 31 + bits[i];
    printf("%u %.0f\n", sum, weighted(y, SIDE * SIDE));
#pragma acc data copyin(x) copyout(y)
    calls(SIDE * SIDE, x, y);
    printf("%.0f\n", weighted(y, SIDE * SIDE));
    return 0;
}
