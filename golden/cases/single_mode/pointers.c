//! golden ptx: ptx
//! golden explain: explain
/* Writes through pointers in single mode, to a scalar whose address is taken, an array and a structure of the gang: these are in
   shared memory, so that nothing needs to be broadcast but what is in registers. */
struct pair {
    int first, second;
};

void pointers(int n, int which, int *restrict out)
{
#pragma acc parallel num_gangs(2) num_workers(4) copyout(out[0 : n])
    {
        int scalar = 1, array[4] = {0};
        struct pair pair = {2, 3}, copy;
        int *to = which ? &scalar : &array[1];
        *to = 5;
        (which > 1 ? &pair : &copy)->second = which;
        copy = pair;
#pragma acc loop gang worker
        for (int i = 0; i < n; i++)
            out[i] = scalar + array[i % 4] + pair.second + copy.first + *to;
    }
}
