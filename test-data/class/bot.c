/* Connect5 for a class of tests: BEHAVIOUR says what the program does with a position. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BEHAVIOUR "first"
#define IS(name) (strcmp(BEHAVIOUR, name) == 0)
#define SIDE 1100

static char grid[SIDE][SIDE];
static int rows, columns;
static const int WAYS[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

static int run(int r, int c, char stone) {
    int best = 0;
    for (int way = 0; way < 4; way++) {
        int count = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int y = r + sign * WAYS[way][0], x = c + sign * WAYS[way][1];
            for (; y >= 0 && y < rows && x >= 0 && x < columns && grid[y][x] == stone; count++)
                y += sign * WAYS[way][0], x += sign * WAYS[way][1];
        }
        best = count > best ? count : best;
    }
    return best;
}

static long worth(int r, int c, char own, char other) {
    long near = -labs(2 * r - rows) - labs(2 * c - columns);
    if (IS("nearest")) return near;
    int mine = run(r, c, own), theirs = run(r, c, other), most = mine > theirs ? mine : theirs;
    return near + 10000L * most + 1000000L * (theirs == 5) + 10000000L * (mine == 5);
}

static void choose(int *row, int *column) {
    int black = 0, white = 0, free = 0;
    long best = 0;
    *row = -1;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) black += grid[r][c] == 'N', white += grid[r][c] == 'B';
    char own = black == white ? 'N' : 'B', other = black == white ? 'B' : 'N';
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            if (grid[r][c] != '0') {
                if (IS("cheat")) { *row = r, *column = c; return; }
                continue;
            }
            long now = IS("nearest") || IS("win") ? worth(r, c, own, other) : IS("random") ? rand() : -free;
            if (free++ == 0 || now > best) best = now, *row = r, *column = c;
        }
}

int main(void) {
    printf("Class\nREADY\n");
    fflush(stdout);
    for (int asked = 1; scanf("%d", &rows) == 1 && rows > 0 && scanf("%d", &columns) == 1; asked++) {
        int time, r, c;
        for (int row = 0; row < rows; row++)
            if (scanf("%1099s", grid[row]) != 1) return 1;
        if (scanf("%d", &time) != 1) return 1;
        if (IS("crash") && asked > 5) *(volatile int *)0 = 1;
        if (IS("hang") && asked > 5) for (;;) pause();
        while (IS("flood")) puts("thinking thinking thinking thinking thinking thinking");
        choose(&r, &c);
        printf("%d %d\n", r, c);
        fflush(stdout);
    }
    return 0;
}
