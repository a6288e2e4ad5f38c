// Reductions of sections behind pointers that each iteration of a loop around chooses for itself.
#include <stdio.h>

#define START {1, 2, 4, 1, 3, 3, 3, 3}

int main(void)
{
	int out[3];
#pragma acc parallel loop gang copyout(out)
	for (int i = 0; i < 3; i++) {
		int held[8] = START, *at = held;
#pragma acc loop vector reduction(+ : at[1:6])
		for (int k = 1; k <= 6; k++)
			at[k] += k;
		out[i] = i + held[1] + 10 * held[2] + 100 * held[6];
	}
	printf("%d %d %d\n", out[0], out[1], out[2]);
#pragma acc parallel loop gang worker copyout(out)
	for (int i = 0; i < 3; i++) {
		double held[8] = START, *at = held;
#pragma acc loop vector reduction(max : at[1:6])
		for (int k = 1; k <= 6; k++)
			at[k] = at[k] > k ? at[k] : k;
		out[i] = i + held[1] + 10 * held[2] + 100 * held[6];
	}
	printf("%d %d %d\n", out[0], out[1], out[2]);
}
