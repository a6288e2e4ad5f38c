// 128-bit integers reduced over every level: lanes exchange them in halves.
#include <stdio.h>

typedef __int128 wide;

static wide a[20][32];

static void print(const char *name, wide value) {
  printf("%s %lld %llu\n", name, (long long)(value >> 64), (unsigned long long)value);
}

int main(void) {
  for (int j = 0; j < 20; j++)
    for (int i = 0; i < 32; i++)
      a[j][i] = ((wide)((i * 7 + j) % 23 - 5) << 62) + i;

  wide sum = 3, product = 1, largest = -((wide)1 << 120), smallest = (wide)1 << 120, bits = 0;
#pragma acc parallel loop gang reduction(+ : sum) reduction(max : largest)
  for (int j = 0; j < 20; j++) {
#pragma acc loop worker vector reduction(+ : sum) reduction(max : largest)
    for (int i = 0; i < 32; i++) {
      sum += a[j][i];
      largest = a[j][i] > largest ? a[j][i] : largest;
    }
  }
#pragma acc parallel loop gang worker vector collapse(2) reduction(* : product) reduction(min : smallest)
  for (int j = 0; j < 20; j++)
    for (int i = 0; i < 32; i++) {
      product *= a[j][i] | 1;
      if (a[j][i] < smallest)
        smallest = a[j][i];
    }
#pragma acc kernels
  for (int i = 0; i < 32; i++)
    bits ^= a[7][i] << i;
  print("sum", sum);
  print("product", product);
  print("max", largest);
  print("min", smallest);
  print("xor", bits);

  wide rows[20], columns[4] = {1, 2, 3, 4};
#pragma acc parallel loop gang copyout(rows)
  for (int j = 0; j < 20; j++) {
    wide row = j;
#pragma acc loop vector reduction(+ : row)
    for (int i = 0; i < 32; i++)
      row += a[j][i];
    rows[j] = row;
  }
#pragma acc parallel loop gang vector reduction(+ : columns)
  for (int j = 0; j < 20; j++)
    columns[j % 4] += a[j][3];
  print("row", rows[19]);
  print("column", columns[2]);
}
