// A worker's lanes add, then the workers do, and each gang writes a sum of its own.
void sums(int n, int *restrict out)
{
#pragma acc parallel num_workers(3) copyout(out[0:n])
#pragma acc loop gang
    for (int j = 0; j < n; j++) {
        int sum = j;
#pragma acc loop worker vector reduction(+ : sum)
        for (int i = 0; i < 200; i++)
            sum += i;
        out[j] = sum;
    }
}
