// options: -fopenmp
// `defaultmap` is about variables that no clause names: not by a member, not behind a pointer, not as what is reduced.
#include <stdio.h>

struct parts {
	int x[4], y[4];
};

int main(void)
{
	struct parts there = {{1, 2, 3, 4}, {5, 6, 7, 8}}, *way = &there, box = there;
	int sum = 0, last = 0, one = 1;
#pragma omp target defaultmap(none) map(tofrom : way->x) firstprivate(one)
	way->x[one] = 20;
#pragma omp target defaultmap(tofrom : pointer) map(tofrom : way->x[0:4], way->y)
	way->y[2] = way->x[1];
#pragma omp target defaultmap(none) map(tofrom : box.x) firstprivate(one)
	box.x[one] = 30;
#pragma omp target teams distribute parallel for defaultmap(none) map(to : box) reduction(+ : sum) lastprivate(last)
	for (int i = 0; i < 4; i++) {
		sum += box.x[i];
		last = i;
	}
	int first = 0, second = 0;
#pragma omp target teams default(firstprivate) shared(first) shared(second) map(tofrom : first, second) num_teams(1)
	{
		first = 5;
		second = 6;
	}
	printf("%d %d\n", first, second);
	printf("%d %d %d %d %d\n", there.x[1], there.y[2], box.x[1], sum, last);
}
