/* Ultimate tic-tac-toe for tests: `p POSITION` prints the position; POSITION alone plays the first legal move. */
#include <stdio.h>
#include <string.h>

enum { BITS = 169, DIGITS = 52 };
static const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
static int bits[BITS];

/* Halves a decimal number once for each bit. */
static void from_decimal(const char *text) {
    int digits[DIGITS], count = (int)strlen(text);
    if (count > DIGITS) count = DIGITS;
    for (int i = 0; i < count; i++) digits[i] = text[i] - '0';
    for (int bit = 0; bit < BITS; bit++) {
        int rest = 0;
        for (int i = 0; i < count; i++) {
            int value = 10 * rest + digits[i];
            digits[i] = value / 2;
            rest = value % 2;
        }
        bits[bit] = rest;
    }
}

/* Doubles a decimal number once for each bit. */
static void print_decimal(void) {
    int digits[DIGITS] = {0}, most = DIGITS - 1;
    for (int bit = BITS - 1; bit >= 0; bit--) {
        int carry = bits[bit];
        for (int i = 0; i < DIGITS; i++) {
            int value = 2 * digits[i] + carry;
            digits[i] = value % 10;
            carry = value / 10;
        }
    }
    while (most > 0 && digits[most] == 0) most--;
    for (; most >= 0; most--) putchar('0' + digits[most]);
    putchar('\n');
}

static int cell(int i) { return bits[160 - 2 * i] + 2 * bits[161 - 2 * i]; }

static int last(void) {
    int number = 0;
    for (int bit = BITS - 1; bit >= 162; bit--) number = 2 * number + bits[bit];
    return number;
}

static int is_closed(int board) {
    int full = 1;
    for (int i = 0; i < 9; i++) full = full && cell(9 * board + i) != 0;
    for (int i = 0; i < 8; i++) {
        int first = cell(9 * board + LINES[i][0]);
        if (first && first == cell(9 * board + LINES[i][1]) && first == cell(9 * board + LINES[i][2])) return 1;
    }
    return full;
}

static void picture(int empty) {
    for (int row = 0; row < 9; row++) {
        if (row && row % 3 == 0) puts("-----------------------------");
        for (int column = 0; column < 9; column++) {
            int at = 9 * (row / 3 * 3 + column / 3) + row % 3 * 3 + column % 3;
            int is_last = !empty && at == last();
            printf("%s %c ", column && column % 3 == 0 ? "|" : "", (is_last ? ".XO" : ".xo")[cell(at)]);
        }
        putchar('\n');
    }
}

int main(int count, char **words) {
    if (count < 2 || count > 3) return 1;
    from_decimal(words[count - 1]);
    int empty = 1;
    for (int i = 0; i < 81; i++) empty = empty && cell(i) == 0;
    if (count == 3) {
        if (strcmp(words[1], "p") != 0) return 1;
        picture(empty);
        return 0;
    }
    int me = empty ? 1 : 3 - cell(last()), board = empty || is_closed(last() % 9) ? -1 : last() % 9;
    for (int i = 0; i < 81; i++) {
        if (cell(i) || is_closed(i / 9) || (board >= 0 && i / 9 != board)) continue;
        bits[160 - 2 * i] = me % 2;
        bits[161 - 2 * i] = me / 2;
        for (int bit = 162; bit < BITS; bit++) bits[bit] = i >> (bit - 162) & 1;
        break;
    }
    print_decimal();
    return 0;
}
