// options: -fopenmp
// What threads and teams of a device reduce of arrays: elements that all iterations have in common.
#include <stdio.h>

static void join(unsigned *to, unsigned value) { *to += value; }
#pragma omp declare reduction(join : unsigned : join(&omp_out, omp_in)) initializer(omp_priv = 0)

static void print(const char *what, const int *values, int count)
{
	printf("%s:", what);
	for (int i = 0; i < count; i++)
		printf(" %d", values[i]);
	puts("");
}

// Each thread has a copy of the array, and all of them are combined.
static void threads(void)
{
	int sums[4] = {1, 2, 3, 4}, out[4];
#pragma omp target parallel reduction(+ : sums) num_threads(4)
	sums[1] += 5;
	print("threads", sums, 4);
#pragma omp target map(from : out)
	{
		int most[4] = {1, 2, 3, 4}, *at = most, least = 7, bits = 0;
#pragma omp parallel reduction(max : at[1:2]) reduction(min : least) reduction(| : bits) num_threads(3)
		{
			at[2] = 5;
			least = 6;
			bits = 8;
#pragma omp single
			at[1] = 77;
		}
		for (int i = 0; i < 4; i++)
			out[i] = most[i] + 1000 * least + 100000 * bits;
	}
	print("sections", out, 4);
}

// A team has one copy, which the threads that share its iterations must not change at the same time.
static void teams(void)
{
	int sums[3] = {1, 1, 1}, some[3] = {0, 0, 0}, seven = 7;
#pragma omp target teams reduction(+ : sums[:3]) map(to : seven)
#pragma omp distribute
	for (int i = 0; i < 40; i++)
		sums[seven % 3] += i;
	print("teams", sums, 3);
#pragma omp target teams reduction(|| : some) map(to : seven)
#pragma omp distribute
	for (int i = 0; i < 40; i++)
		some[seven % 3] = some[seven % 3] || seven;
	print("or", some, 3);
}

// A thread of a team combines for itself what it alone has reduced.
static void one_thread(void)
{
	int out[8];
#pragma omp target parallel map(from : out) num_threads(3)
	{
		int more = 7;
#pragma omp for
		for (int i = 0; i < 8; i++) {
			unsigned own[2] = {1, 2};
#pragma omp simd reduction(join : own)
			for (int k = 1; k <= i; k++)
				own[1] += k;
			out[i] = own[1] + more;
		}
	}
	print("one thread", out, 8);
}

// The loop of one thread reduces what its team reduces, too.
static void both(void)
{
	double product = 2, out[1];
	int n = 3;
#pragma omp target map(from : out) firstprivate(product)
	{
#pragma omp parallel reduction(* : product)
		{
#pragma omp masked
			{
#pragma omp simd reduction(* : product)
				for (int i = 0; i <= 32; i++)
					product *= n & 1 ? -1 : 1;
			}
		}
		out[0] = product;
	}
	printf("both: %g\n", out[0]);
}

int main(void)
{
	both();
	threads();
	teams();
	one_thread();
}
