import java.util.Scanner;

/** Othello by GTP for tests: the first legal move, by file and rank. */
public class Othello {
    static char[][] discs;

    static void begin() {
        discs = new char[8][8];
        discs[3][3] = discs[4][4] = 'w';
        discs[3][4] = discs[4][3] = 'b';
    }

    /** Returns the number of discs that a move turns, and plays it if it is asked to. */
    static int turns(char me, int x, int y, boolean plays) {
        int sum = 0;
        if (discs[x][y] != 0) return 0;
        for (int dx = -1; dx <= 1; dx++) {
            for (int dy = -1; dy <= 1; dy++) {
                int count = 0, i = x + dx, j = y + dy;
                while ((dx != 0 || dy != 0) && isOn(i, j) && discs[i][j] != 0 && discs[i][j] != me) {
                    i += dx;
                    j += dy;
                    count++;
                }
                if (!isOn(i, j) || discs[i][j] != me) continue;
                sum += count;
                for (; plays && count > 0; count--) discs[x + count * dx][y + count * dy] = me;
            }
        }
        if (plays) discs[x][y] = me;
        return sum;
    }

    static boolean isOn(int x, int y) {
        return x >= 0 && x < 8 && y >= 0 && y < 8;
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        begin();
        while (input.hasNextLine()) {
            String[] words = input.nextLine().toLowerCase().trim().split(" +");
            String answer = "";
            if (words[0].equals("clear_board")) begin();
            if (words[0].equals("play") && !words[2].equals("pass")) {
                turns(words[1].charAt(0), words[2].charAt(0) - 'a', words[2].charAt(1) - '1', true);
            }
            if (words[0].equals("genmove")) {
                answer = "pass";
                for (int i = 0; i < 64 && answer.equals("pass"); i++) {
                    if (turns(words[1].charAt(0), i / 8, i % 8, false) > 0) {
                        turns(words[1].charAt(0), i / 8, i % 8, true);
                        answer = "" + (char) ('a' + i / 8) + (i % 8 + 1);
                    }
                }
            }
            System.out.print("= " + answer + "\n\n");
            System.out.flush();
            if (words[0].equals("quit")) return;
        }
    }
}
