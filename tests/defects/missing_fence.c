// A lock between gangs: its atomics order nothing but themselves, so the counter may be read before it was written.
// expect: data race at 17
int main(void)
{
    int lock = 0, count = 0;
#pragma acc parallel num_gangs(4) vector_length(32) copy(lock, count)
    {
#pragma acc loop gang
        for (int i = 0; i < 4; i++) {
            int taken;
            do {
#pragma acc atomic capture
                { taken = lock; lock = 1; }
            } while (taken);
            // The lock is held, but nobody promises that what its last owner wrote is seen.
            {
                count++;
            }
#pragma acc atomic write
            lock = 0;
        }
    }
    return count != 4;
}
