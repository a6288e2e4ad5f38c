// Initialisers that say something twice: ranges over what was there before, members of unions, strings of which
// an element is set, bit-fields beside a member that is set anew.
#include <stdio.h>

struct pair {
    int first, second;
};
struct packed {
    _Bool flag;
    short list[2];
    int bits : 14;
};
union either {
    struct pair pair;
    char bytes[8];
    double number;
};
struct holder {
    union either either;
    struct pair pairs[2];
    char text[4];
};

static struct pair behind[3] = {7, 8, 9, [0 ... 1] = {1, 2}};
static char row[5] = {42, 4, [1 ... 4] = {9}, [3] = {47}};
static char rows[2][4] = {[0 ... 1] = {0, 10, 5}, [0 ... 1] = "ab"};
static struct pair grid[2][3] = {{{5, 6}, {7, 8}, {9, 10}}, [0 ... 1][1 ... 2] = {.second = 3}, {4}};
static struct packed packed = {1, {33, 56}, 6389, .list = {{35}, 19}};
static union either number = {.pair = {11, 12}, .number = 1.5};
static union either bytes = {.number = 2.5, .bytes = {[2] = 7}, .bytes[3] = 8};
static struct holder holders[3] = {
    [0 ... 2] = {.either.pair = {1, 2}, .pairs = {{3, 4}, {5, 6}}, .text = "abc"},
    [1].either.pair.second = 20,
    [1].text[0] = {'x'},
    [2].either.bytes[7] = 1,
    [2].pairs[1] = {.second = 30},
};
static struct holder after[3] = {[0 ... 1] = {.pairs = {{1, 2}}, .text = "z"}, 3, 4, 5, 6, 7, 8, "end"};

int main(void)
{
    struct pair local[4] = {{1, 2}, {3, 4}, [0 ... 2] = {.first = 5}, [2].second = 6};
    char text[6] = {"abcde"}, other[] = {[0] = 'q', [3 ... 5] = 'r', [4] = 's'};
    for (int i = 0; i < 3; i++)
        printf("%d,%d ", behind[i].first, behind[i].second);
    for (int i = 0; i < 5; i++)
        printf("%d ", row[i]);
    printf("%.3s %.3s\n", rows[0], rows[1]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            printf("%d,%d ", grid[i][j].first, grid[i][j].second);
    printf("\n%d %d %d %d\n", packed.flag, packed.list[0], packed.list[1], packed.bits);
    printf("%g %d\n", number.number, number.bytes[0]);
    for (int i = 0; i < 8; i++)
        printf("%d ", bytes.bytes[i]);
    for (int i = 0; i < 3; i++) {
        struct holder *holder = holders + i;
        printf("\n%d %d %d %d %d %d %s", holder->either.pair.first, holder->either.pair.second, holder->pairs[0].first,
               holder->pairs[0].second, holder->pairs[1].first, holder->pairs[1].second, holder->text);
    }
    for (int i = 0; i < 3; i++) {
        struct holder *holder = after + i;
        printf("\n%d %d %d %d %d %d %s", holder->either.pair.first, holder->either.pair.second, holder->pairs[0].first,
               holder->pairs[0].second, holder->pairs[1].first, holder->pairs[1].second, holder->text);
    }
    printf("\n");
    for (int i = 0; i < 4; i++)
        printf("%d,%d ", local[i].first, local[i].second);
    printf("%s %zu %c%c%c\n", text, sizeof other, other[3], other[4], other[5]);
    return 0;
}
