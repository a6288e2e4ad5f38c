// Streams: temporary files, formatted reading, seeking, character and line input, error states.
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    FILE *f = tmpfile();
    char line[32], word[16];
    int a, n;
    double d;
    if (!f)
        return 1;
    fprintf(f, "%d %s %.2f\nsecond line\n%c%c", 42, "word", 2.5, 'x', '\n');
    rewind(f);
    n = fscanf(f, "%d %15s %lf", &a, word, &d);
    printf("%d %d %s %g\n", n, a, word, d);
    fgetc(f);
    fgets(line, sizeof line, f);
    printf("%s", line);
    n = getc(f);
    printf("%c %d\n", n, (int)ftell(f));
    fseek(f, 3, SEEK_SET);
    n = fread(word, 1, 4, f);
    printf("%d %.4s\n", n, word);
    ungetc('!', f);
    printf("%c\n", fgetc(f));
    while (fgetc(f) != EOF)
        ;
    printf("%d %d\n", feof(f) != 0, ferror(f) != 0);
    fclose(f);
    errno = 0;
    f = fopen("/no/such/file", "r");
    printf("%d %d\n", f == NULL, errno == ENOENT);
    fputs("fputs\n", stdout);
    fwrite("raw\n", 1, 4, stdout);
    fflush(stdout);
    return 0;
}
