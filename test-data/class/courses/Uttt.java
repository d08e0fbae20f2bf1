import java.math.BigInteger;

/** Ultimate tic-tac-toe for tests: `p POSITION` prints the position; POSITION alone plays the first legal move. */
public class Uttt {
    static final int[][] LINES = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    static BigInteger position;

    static int cell(int i) {
        return position.shiftRight(160 - 2 * i).intValue() & 3;
    }

    static int last() {
        return position.shiftRight(162).intValue();
    }

    static boolean isClosed(int board) {
        for (int[] line : LINES) {
            int first = cell(9 * board + line[0]);
            if (first != 0 && first == cell(9 * board + line[1]) && first == cell(9 * board + line[2])) return true;
        }
        for (int i = 0; i < 9; i++) {
            if (cell(9 * board + i) == 0) return false;
        }
        return true;
    }

    static void picture(boolean empty) {
        for (int row = 0; row < 9; row++) {
            if (row > 0 && row % 3 == 0) System.out.println("-".repeat(29));
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < 9; column++) {
                int at = 9 * (row / 3 * 3 + column / 3) + row % 3 * 3 + column % 3;
                String signs = !empty && at == last() ? ".XO" : ".xo";
                line.append(column > 0 && column % 3 == 0 ? "| " : " ").append(signs.charAt(cell(at))).append(' ');
            }
            System.out.println(line);
        }
    }

    public static void main(String[] words) {
        position = new BigInteger(words[words.length - 1]);
        boolean empty = position.mod(BigInteger.ONE.shiftLeft(162)).signum() == 0;
        if (words.length == 2 && words[0].equals("p")) {
            picture(empty);
            return;
        }
        if (words.length != 1) System.exit(1);
        int me = empty ? 1 : 3 - cell(last());
        int board = empty || isClosed(last() % 9) ? -1 : last() % 9;
        for (int i = 0; i < 81; i++) {
            if (cell(i) != 0 || isClosed(i / 9) || board >= 0 && i / 9 != board) continue;
            BigInteger cells = position.mod(BigInteger.ONE.shiftLeft(162));
            position = cells.or(BigInteger.valueOf(me).shiftLeft(160 - 2 * i)).or(BigInteger.valueOf(i).shiftLeft(162));
            break;
        }
        System.out.println(position);
    }
}
