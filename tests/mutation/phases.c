// One lane fills what the gang shares, workers use it, and one lane uses what they made.
void phases(int n, int *restrict out)
{
#pragma acc parallel num_gangs(2) num_workers(2) vector_length(64) copyout(out[0:n])
#pragma acc loop gang
    for (int j = 0; j < n; j++) {
        int shared[96];
        int first = j + 1;
        for (int k = 0; k < 3; k++)
            shared[k] = first + k;
#pragma acc loop worker vector
        for (int i = 3; i < 96; i++)
            shared[i] = shared[i % 3] + i;
        int last = 0;
        for (int k = 90; k < 96; k++)
            last += shared[k];
        out[j] = last;
    }
}
