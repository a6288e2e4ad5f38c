// Numbers that a region prints have the flags, widths and precisions of C.
#include <stdio.h>

int main(void)
{
    double tenth = 0.1, large = 1e300, none = 0, fifth = 0.2;
    int count = 3;
#pragma acc serial copyin(tenth, large, none, fifth, count)
    {
        printf("<%.3a> <%.0a> <%12.1A> <%a>\n", tenth, large, none, fifth);
        printf("<%#.0f> <%#.0e> <%#g> <%#.3g>\n", large / 1e299, tenth, fifth, 1.);
        printf("<%012.3f> <%+012.3e> <%-12.2g>|\n", -tenth, large, fifth);
        printf("<%012f> <%+8f> <%G>\n", 1 / none, 1 / none, -1 / none);
        printf("<%#o> <%#.3o> <%#x> <%#X> <%+.0d> <%.0d>\n", count - 3, count, count - 3, 255 * count, count, count - 3);
        printf("<%08.3d> <%-6d> <%+d> <% d> <%x>\n", count, count, count, count, -count);
        printf("<%hhd> <%hu> <%ld> <%llx>\n", 255 * count, -count, -5l * count, 1ull << (20 * count));
        printf("<%5c> <%-5c> <%.2s> <%7s>\n", 'a' + count, 'b', "abc", "word");
    }
    return 0;
}
