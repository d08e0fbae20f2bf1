import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/** Connect5 for a class of tests: BEHAVIOUR says what the program does with a position. */
public class Bot {
    static final String BEHAVIOUR = "first";
    static final int[][] WAYS = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    static final Random RANDOM = new Random(1);

    static int run(String[] grid, int r, int c, char stone) {
        int best = 0;
        for (int[] way : WAYS) {
            int count = 1;
            for (int sign = -1; sign <= 1; sign += 2) {
                int y = r + sign * way[0], x = c + sign * way[1];
                for (; y >= 0 && y < grid.length && x >= 0 && x < grid[0].length() && grid[y].charAt(x) == stone; count++) {
                    y += sign * way[0];
                    x += sign * way[1];
                }
            }
            best = Math.max(best, count);
        }
        return best;
    }

    static long worth(String[] grid, int[] at, char own, char other) {
        long near = -Math.abs(2 * at[0] - grid.length) - Math.abs(2 * at[1] - grid[0].length());
        if (BEHAVIOUR.equals("nearest")) return near;
        int mine = run(grid, at[0], at[1], own), theirs = run(grid, at[0], at[1], other);
        return near + 10000L * Math.max(mine, theirs) + (theirs == 5 ? 1000000 : 0) + (mine == 5 ? 10000000 : 0);
    }

    static int[] choose(String[] grid) {
        List<int[]> free = new ArrayList<>(), taken = new ArrayList<>();
        int black = 0, white = 0;
        for (int r = 0; r < grid.length; r++) {
            for (int c = 0; c < grid[r].length(); c++) {
                char cell = grid[r].charAt(c);
                black += cell == 'N' ? 1 : 0;
                white += cell == 'B' ? 1 : 0;
                (cell == '0' ? free : taken).add(new int[] {r, c});
            }
        }
        char own = black == white ? 'N' : 'B', other = black == white ? 'B' : 'N';
        switch (BEHAVIOUR) {
            case "cheat":
                return taken.isEmpty() ? free.get(0) : taken.get(0);
            case "random":
                return free.get(RANDOM.nextInt(free.size()));
            case "nearest":
            case "win":
                int[] best = free.get(0);
                for (int[] at : free) {
                    if (worth(grid, at, own, other) > worth(grid, best, own, other)) best = at;
                }
                return best;
            default:
                return free.get(0);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Scanner input = new Scanner(System.in);
        System.out.println("Class\nREADY");
        for (int asked = 1; input.hasNextInt(); asked++) {
            int rows = input.nextInt();
            if (rows == 0) return;
            input.nextInt();
            String[] grid = new String[rows];
            for (int row = 0; row < rows; row++) grid[row] = input.next();
            input.nextInt();
            if (BEHAVIOUR.equals("crash") && asked > 5) throw new IllegalStateException("a mistake in the program");
            if (BEHAVIOUR.equals("hang") && asked > 5) Thread.sleep(10000000);
            while (BEHAVIOUR.equals("flood")) System.out.println("thinking thinking thinking thinking");
            int[] at = choose(grid);
            System.out.println(at[0] + " " + at[1]);
        }
    }
}
