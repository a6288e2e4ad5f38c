//! golden explain: explain
//! golden collapse.ir: ir --target ptx --stage collapse --no-positions
/* Nests of which a thread may execute several iterations together, and others: with loops that are not equally long for all, with an
   array or a sum that the order of operations matters for, with nothing to share. */
enum { TOGETHER_N = 9 };

void together(int n, int m, const int *restrict row, const int *restrict column, const long *restrict each,
              long *restrict out, long *restrict sum)
{
    long total = 0;
#pragma acc parallel loop collapse(2) copyin(row[0 : n * m], column[0 : n * m]) copy(out[0 : n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long result = 0;
            for (int k = 0; k < m; k++)
                result += row[i * m + k] * column[k * n + j];
            out[i * n + j] += result;
        }
#pragma acc parallel loop collapse(2) copyin(row[0 : n * m], column[0 : n * m]) copy(out[0 : n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long result = 0;
            for (int k = 0; k < (i + j) % m; k++)
                result += row[i * m + k] * column[k * n + j];
            out[i * n + j] += result;
        }
#pragma acc parallel loop collapse(2) copyin(row[0 : n * m], column[0 : n * m]) copy(out[0 : n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int own[TOGETHER_N] = {0};
            for (int k = 0; k < m; k++)
                own[k % TOGETHER_N] += row[i * m + k] * column[k * n + j];
            out[i * n + j] += own[0];
        }
#pragma acc parallel loop collapse(2) copyin(row[0 : n * m], column[0 : n * m]) reduction(+ : total)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                total += row[i * m + k] * column[k * n + j];
#pragma acc parallel loop collapse(2) copyin(each[0 : n * n]) copy(out[0 : n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                out[i * n + j] += each[(i * n + j) * (k % 2)];
    *sum = total;
}
