/* Module @k: records by key: sorting, searching, counting, formatting. */
typedef struct {
    int key, weight;
    char label[12];
} record_@k;

int compare_@k(const void *a, const void *b)
{
    const record_@k *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->weight > y->weight) - (x->weight < y->weight);
}

int find_@k(const record_@k *list, int n, int key)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && list[low].key == key ? low : -1;
}

void count_@k(const record_@k *list, int n, int *classes)
{
#pragma acc parallel loop copyin(list[0:n]) copy(classes[0:4])
    for (int i = 0; i < n; i++) {
        int class;
        switch (list[i].key % 4) {
        case 0: class = list[i].weight > @c ? 1 : 0; break;
        case 1: class = 2; break;
        default: class = 3; break;
        }
#pragma acc atomic
        classes[class] += 1;
    }
}

int test_@k(void)
{
    record_@k list[@n];
    int classes[4] = {0}, weight = 0, expected = 0;
    for (int i = 0; i < @n; i++) {
        list[i].key = i * 37 % @n;
        list[i].weight = i % 11;
        snprintf(list[i].label, sizeof list[i].label, "r%d", list[i].key);
        expected += list[i].weight * list[i].key;
    }
    qsort(list, @n, sizeof *list, compare_@k);
    count_@k(list, @n, classes);
#pragma acc parallel loop reduction(+:weight) copyin(list)
    for (int i = 0; i < @n; i++)
        weight += list[i].weight * list[i].key;
    int where = find_@k(list, @n, 0);
    if (weight != expected || classes[0] + classes[1] + classes[2] + classes[3] != @n || where != 0
        || list[where].label[1] != '0') {
        fprintf(stderr, "module @k: weight %d, expected %d\n", weight, expected);
        return 1;
    }
    return 0;
}
