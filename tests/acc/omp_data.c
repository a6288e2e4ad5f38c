// The data environment of OpenMP: one counter, modifiers of `map`, implicit mappings, `defaultmap`.
// options: -fopenmp
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(const char *what, int holds) {
    if (!holds) {
        printf("%s\n", what);
        failures++;
    }
}

static int A[4], B[4];

static void one_counter(int separate) {
    int d = omp_get_default_device();
    for (int i = 0; i < 4; i++) A[i] = 10;
#pragma omp target data map(tofrom : A) map(from : B)
    {
#pragma omp target exit data map(delete : A)
        expect("deleted inside of target data", omp_target_is_present(A, d) == !separate);
        for (int i = 0; i < 4; i++) A[i] = 0;
#pragma omp target map(to : A)
        for (int i = 0; i < 4; i++) B[i] = A[i];
    }
    expect("copied again", B[1] == 0);
#pragma omp target enter data map(to : A)
#pragma omp target enter data map(to : A[1 : 2])
    A[1] = 5;
#pragma omp target exit data map(release : A)
    expect("released once", omp_target_is_present(&A[3], d));
#pragma omp target exit data map(from : A)
    expect("gone", omp_target_is_present(A, d) == !separate);
    expect("copied at the end", A[1] == (separate ? 0 : 5));
#pragma omp target enter data map(alloc : A)
#pragma omp target data map(tofrom : A)
    {
#pragma omp target exit data map(release : A)
        expect("held by the construct", omp_target_is_present(A, d));
    }
    expect("gone with the construct", omp_target_is_present(A, d) == !separate);
}

static void modifiers(int separate) {
    int n = 1, m = 2;
#pragma omp target data map(tofrom : n, m)
    {
        n = 5;
#pragma omp target map(always, to : n) map(always from : m)
        m = n + 1;
        expect("always", m == 6);
        n = 7;
#pragma omp target map(present, close, tofrom : n) map(from : B)
        B[0] = n;
        expect("not copied again", B[0] == (separate ? 5 : 7));
#pragma omp target update to(present : n)
#pragma omp target exit data map(always, from : m)
#pragma omp target enter data map(to : m)
    }
    // What is not present is not copied.
    m = 9;
#pragma omp target update to(m) from(n)
    expect("absent", m == 9);
}

struct pair {
    int a, b;
};

static void implicit(int separate) {
    int scalar = 1, array[4] = { 1, 2, 3, 4 }, out = 0;
    struct pair pair = { 1, 2 };
    int *p = array;
#pragma omp target map(from : out)
    {
        scalar++;
        array[1]++;
        pair.b++;
        out = scalar;
    }
    expect("scalars are firstprivate", scalar == 1 && out == 2);
    expect("aggregates are mapped", array[1] == 3 && pair.b == 3);
#pragma omp target data map(tofrom : scalar) map(to : array)
    {
#pragma omp target
        scalar = 5;
#pragma omp target map(from : out)
        out = p[2];
    }
    expect("a scalar that is mapped around", scalar == 1);
    expect("a pointer to what is present", out == 3);
#pragma omp target defaultmap(tofrom : scalar) defaultmap(firstprivate : aggregate)
    {
        scalar = 8;
        array[0] = 8;
    }
    expect("defaultmap", scalar == 8 && array[0] == 1);
#pragma omp target defaultmap(to) map(from : out)
    {
        scalar = 9;
        out = array[3];
    }
    expect("defaultmap(to)", out == 4 && scalar == (separate ? 8 : 9));
    scalar = 8;
#pragma omp target defaultmap(none) map(tofrom : out) firstprivate(scalar)
    out += scalar;
    expect("defaultmap(none)", out == 12);
#pragma omp target teams distribute parallel for default(none) shared(array, scalar)
    for (int i = 0; i < 4; i++) array[i] += scalar;
    expect("default(none)", array[3] == 12);
}

struct list {
    int n;
    int *first;
};

static void members(void) {
    int values[5] = { 1, 2, 3, 4, 5 };
    struct list list = { 5, values };
    int sum = 0;
#pragma omp target map(to : list.n, list.first[0 : 5]) map(tofrom : sum)
    for (int i = 0; i < list.n; i++) sum += list.first[i];
    expect("members", sum == 15);
#pragma omp target enter data map(to : list) map(to : list.first[ : 5])
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < list.n; i++) {
        sum += list.first[i];
        list.first[i] = 0;
    }
#pragma omp target exit data map(from : list.first[ : 5]) map(release : list)
    expect("attached", sum == 30 && values[4] == 0 && list.first == values);
}

static void conditions(int separate) {
    int where = 5;
#pragma omp target map(from : where) if (0)
    where = omp_is_initial_device();
    expect("if", where == 1);
#pragma omp target map(from : where) device(omp_get_initial_device())
    where = omp_is_initial_device();
    expect("the initial device", where == 1);
#pragma omp target map(from : where) device(omp_initial_device)
    where = omp_is_initial_device();
    expect("the initial device by name", where == 1);
#pragma omp target map(from : where)
    where = omp_is_initial_device();
    expect("the default device", where == !separate);
    omp_set_default_device(omp_get_initial_device());
#pragma omp target map(from : where)
    where = omp_is_initial_device();
    omp_set_default_device(0);
    expect("another default device", where == 1);
#pragma omp target parallel for if (target : 0) if (parallel : separate) map(from : where)
    for (int i = 0; i < 10; i++)
        if (i == 9) where = omp_is_initial_device();
    expect("if of target", where == 1);
}

int main(void) {
    int separate = omp_get_num_devices() > 0;
    expect("numbers", omp_get_initial_device() == omp_get_num_devices() && omp_is_initial_device());
    one_counter(separate);
    modifiers(separate);
    implicit(separate);
    members();
    conditions(separate);
    printf("%d\n", failures);
    return failures;
}
