// options: -fopenmp
// Reductions of sections behind pointers that each iteration of a loop around chooses for itself.
#include <stdio.h>

#define START {1, 2, 4, 1, 3, 3, 3, 3}
#define ADD(directive) \
	_Pragma(directive) for (int k = 1; k <= 6; k++) at[k] += k
#define FIRST_OF(values) (values[1] + 10 * values[2] + 100 * values[6])

static void print(const char *what, const int *values)
{
	printf("%s: %d %d %d\n", what, values[0], values[1], values[2]);
}

int main(void)
{
	int out[3];
#pragma omp target teams distribute map(from : out)
	for (int i = 0; i < 3; i++) {
		int held[8] = START, *at = held;
		ADD("omp parallel for reduction(+ : at[1:6])");
		out[i] = i + FIRST_OF(held);
	}
	print("teams", out);
#pragma omp target parallel for map(from : out)
	for (int i = 0; i < 3; i++) {
		int held[8] = START, *at = held;
		ADD("omp simd reduction(+ : at[1:6])");
		out[i] = i + FIRST_OF(held);
	}
	print("threads", out);
#pragma omp target map(from : out)
#pragma omp loop bind(thread)
	for (int i = 0; i < 3; i++) {
		short held[8] = START, *at = held;
		ADD("omp simd reduction(+ : at[1:6])");
		out[i] = i + FIRST_OF(held);
	}
	print("lanes", out);
#pragma omp target map(from : out)
	for (int i = 0; i < 3; i++) {
		unsigned held[16] = START, *at = held + i;
		ADD("omp parallel for reduction(+ : at[1:6])");
		out[i] = FIRST_OF(at);
	}
	print("one after the other", out);
}
