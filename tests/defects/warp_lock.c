// Each lane of a warp takes the same spin lock.
// expect: one lock for two lanes of a warp at 14
int main(void)
{
    int lock = 0, count = 0;
#pragma acc parallel num_gangs(1) vector_length(32) copy(lock, count)
    {
#pragma acc loop vector
        for (int i = 0; i < 32; i++) {
            int taken;
            do {
#pragma acc atomic capture
                {
                    taken = lock;
                    lock = 1;
                }
            } while (taken);
#pragma acc atomic update
            count++;
#pragma acc atomic write
            lock = 0;
        }
    }
    return count != 32;
}
