// Variables of the function that iterations of independent loops in `kernels` use as temporaries.
// also: --gangs 3
#include <stdio.h>

#define ROWS 7
#define COLUMNS 40

static double in[ROWS][COLUMNS], out[ROWS][COLUMNS];

static void smooth(double weight) {
  int row, column, left, right;
  double sum, edge;
#pragma acc kernels copyin(in) copy(out)
  {
#pragma acc loop independent
    for (row = 0; row < ROWS; row++) {
      edge = in[row][0] + in[row][COLUMNS - 1];
#pragma acc loop independent
      for (column = 0; column < COLUMNS; column++) {
        left = column > 0 ? column - 1 : column;
        if (column < COLUMNS - 1)
          right = column + 1;
        else
          right = column;
        sum = 0;
        for (int other = left; other <= right; other++)
          sum += in[row][other];
        out[row][column] = weight * sum + edge;
      }
    }
  }
}

static int last(int n) {
  int square = -1, *squares = (int *)out;
#pragma acc kernels loop independent num_gangs(1) vector_length(1) copyout(squares[0:n])
  for (int i = 0; i < n; i++) {
    square = i * i;
    squares[i] = square;
  }
  // The value is wanted here, so that the variable was common to the iterations: of one thread, the last one counts.
  return square;
}

int main(void) {
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++)
      in[row][column] = row + column % 5;
  smooth(0.5);
  double total = 0;
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++)
      total += (row + 1) * out[row][column] * (column % 3);
  printf("%g\n", total);
  printf("%d\n", last(1));
  return 0;
}
