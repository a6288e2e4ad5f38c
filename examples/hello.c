// What a region can say: printf and assert on the device. One thread prints, so that the order is known.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int squares[10];
#pragma acc parallel loop copyout(squares)
    for (int i = 0; i < 10; i++) {
        squares[i] = i * i;
        assert(squares[i] >= i);
    }
#pragma acc serial copyin(squares)
    {
        printf("hello from a region\n");
        for (int i = 0; i < 10; i++)
            printf("%d squared is %3d, half of it %.1f%s", i, squares[i], squares[i] / 2.0, i % 2 ? "\n" : "; ");
    }
    return 0;
}
