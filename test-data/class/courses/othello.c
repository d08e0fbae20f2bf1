/* Othello by GTP for tests: the first legal move, by file and rank. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char discs[8][8];

static void begin(void) {
    memset(discs, 0, sizeof discs);
    discs[3][3] = discs[4][4] = 'w';
    discs[3][4] = discs[4][3] = 'b';
}

/* Returns the number of discs that a move turns, and plays it if it is asked to. */
static int turns(char me, int x, int y, int plays) {
    int sum = 0;
    if (discs[x][y]) return 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int count = 0, i = x + dx, j = y + dy;
            for (; (dx || dy) && i >= 0 && i < 8 && j >= 0 && j < 8 && discs[i][j] && discs[i][j] != me; count++)
                i += dx, j += dy;
            if (i < 0 || i > 7 || j < 0 || j > 7 || discs[i][j] != me) continue;
            sum += count;
            for (; plays && count > 0; count--) discs[x + count * dx][y + count * dy] = me;
        }
    if (plays) discs[x][y] = me;
    return sum;
}

int main(void) {
    char line[200], word[20], colour[20], at[20];
    begin();
    while (fgets(line, sizeof line, stdin)) {
        for (char *c = line; *c; c++) *c = (char)tolower((unsigned char)*c);
        int count = sscanf(line, "%19s %19s %19s", word, colour, at);
        char answer[5] = "";
        if (count >= 1 && !strcmp(word, "clear_board")) begin();
        if (count == 3 && !strcmp(word, "play") && strcmp(at, "pass")) turns(colour[0], at[0] - 'a', at[1] - '1', 1);
        if (count == 2 && !strcmp(word, "genmove")) {
            strcpy(answer, "pass");
            for (int i = 0; i < 64 && answer[0] == 'p'; i++)
                if (turns(colour[0], i / 8, i % 8, 0)) {
                    turns(colour[0], i / 8, i % 8, 1);
                    sprintf(answer, "%c%c", 'a' + i / 8, '1' + i % 8);
                }
        }
        printf("= %s\n\n", answer);
        fflush(stdout);
        if (!strcmp(word, "quit")) return 0;
    }
    return 0;
}
