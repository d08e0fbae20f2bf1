import java.util.Scanner;

/** Gounki for tests: the test mode alone, in which it knows the colours of the cells and no other rule. */
public class Gounki {
    static final String CELL = "[a-h][1-8]";

    public static void main(String[] words) {
        if (words.length != 1 || !words[0].equals("-t")) System.exit(1);
        String[] rows = {"BBBBBBBB", "BBBBBBBB", "........", "........", "........", "........", "NNNNNNNN", "NNNNNNNN"};
        char[][] colours = new char[8][];
        for (int y = 0; y < 8; y++) colours[y] = rows[y].toCharArray();
        Scanner input = new Scanner(System.in);
        for (int number = 1; input.hasNextLine(); number++) {
            String move = input.nextLine();
            char me = number % 2 == 1 ? 'B' : 'N';
            if (!move.matches(CELL + "(#|-" + CELL + "#?|[+*]" + CELL + "(-" + CELL + ")*#?)")) System.exit(1);
            for (int at = 0; at + 1 < move.length(); at += 3) {
                int x = move.charAt(at) - 'a', y = move.charAt(at + 1) - '1';
                if (at == 0 && colours[y][x] != me) System.exit(1);
                colours[y][x] = at == 0 ? '.' : me;
            }
            System.out.print("Coup " + number + "\n  a b c d e f g h\n");
            for (int y = 7; y >= 0; y--) System.out.print((y + 1) + " " + String.join(" ", new String(colours[y]).split("")) + "\n");
        }
    }
}
