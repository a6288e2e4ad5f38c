// Each worker finds the greatest element of a row of its own and what precedes it, over long rows of lanes.
void rows(int n, int *restrict out)
{
#pragma acc parallel num_workers(2) vector_length(96) copyout(out[0:n])
#pragma acc loop gang worker
    for (int j = 0; j < n; j++) {
        int greatest = 0, count = 0;
#pragma acc loop vector reduction(max : greatest) reduction(+ : count)
        for (int i = 0; i < 300; i++) {
            int value = (i * 37 + j) % 311;
            if (value > greatest)
                greatest = value;
            count += value % 2;
        }
        out[j] = greatest * 1000 + count;
    }
}
