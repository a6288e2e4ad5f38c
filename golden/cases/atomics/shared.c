//! golden ptx: ptx
//! count ptx: atom=9 red=36
/* Atomic updates of a gang's own variables, which are in shared memory, by its workers and lanes; of variables that one thread
   has, they are plain accesses. */
void shared(int n, int *restrict out)
{
#pragma acc parallel num_gangs(4) copyout(out[0 : 4])
    {
        int count = 0, histogram[8];
        float sum = 0;
        for (int j = 0; j < 8; j++)
            histogram[j] = 0;
#pragma acc loop worker vector
        for (int i = 0; i < n; i++) {
            int own[2] = {0, 0};
#pragma acc atomic
            count++;
#pragma acc atomic
            histogram[i % 8] += 2;
#pragma acc atomic
            sum *= 1.5f;
#pragma acc atomic
            own[i % 2] += i;
#pragma acc atomic
            histogram[0] += own[0];
        }
#pragma acc loop gang
        for (int g = 0; g < 4; g++)
            out[g] = count + histogram[g] + (int)sum;
    }
}
