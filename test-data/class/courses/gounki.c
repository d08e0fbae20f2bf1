/* Gounki for tests: the test mode alone, in which it knows the colours of the cells and no other rule. */
#include <stdio.h>
#include <string.h>

static char colours[8][8];

/* Reads a cell, and steps over it. */
static int cell(const char **text, char **at) {
    int x = (*text)[0] - 'a', y = x >= 0 && x < 8 ? (*text)[1] - '1' : -1;
    if (y < 0 || y > 7) return 0;
    *at = &colours[y][x];
    *text += 2;
    return 1;
}

/* Plays a move. Returns 0 for text that is none, or a start without a stack of this colour. */
static int play(const char *text, char me) {
    char *cells[16];
    int count = 0;
    if (!cell(&text, &cells[count++]) || *cells[0] != me) return 0;
    if (*text == '+' || *text == '*') {
        do {
            text++;
            if (count == 16 || !cell(&text, &cells[count++])) return 0;
        } while (*text == '-');
    } else if (*text == '-') {
        text++;
        if (!cell(&text, &cells[count++])) return 0;
    } else if (*text != '#') {
        return 0;
    }
    if (*text == '#') text++;
    if (*text) return 0;
    *cells[0] = '.';
    while (--count > 0) *cells[count] = me;
    return 1;
}

int main(int count, char **words) {
    char line[100];
    if (count != 2 || strcmp(words[1], "-t")) return 1;
    memset(colours, '.', sizeof colours);
    memset(colours[0], 'B', 16);
    memset(colours[6], 'N', 16);
    for (int number = 1; fgets(line, sizeof line, stdin); number++) {
        line[strcspn(line, "\n")] = 0;
        if (!play(line, number % 2 ? 'B' : 'N')) return 1;
        printf("Coup %d\n  a b c d e f g h\n", number);
        for (int y = 7; y >= 0; y--) {
            printf("%d", y + 1);
            for (int x = 0; x < 8; x++) printf(" %c", colours[y][x]);
            printf("\n");
        }
    }
    return 0;
}
