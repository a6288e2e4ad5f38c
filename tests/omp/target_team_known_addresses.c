// options: -fopenmp
// The threads of a gang use arrays whose addresses on the device are known, and which are thus in no memory of theirs.
#include <stdio.h>

int main(void)
{
	int a[40], out[3];
	for (int i = 0; i < 40; i++)
		a[i] = i;
#pragma omp target data map(tofrom : a) use_device_addr(a)
#pragma omp target parallel has_device_addr(a) map(from : out) num_threads(3)
	{
		int third = 3;
#pragma omp for
		for (int i = 0; i < 3; i++) {
			out[i] = a[third + i];
			a[i] = 100 * i;
		}
	}
	printf("%d %d %d, %d\n", out[0], out[1], out[2], a[2]);
}
