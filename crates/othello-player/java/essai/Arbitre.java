import Othello.Move;
import Participants.OthelloPlayer.Joueur;

/**
 * Plays games between the participant and a player that takes its legal moves in turn, as the framework would call
 * them, and checks every answer by the rules. Prints one line a game: red's discs less blue's, empty squares to the
 * winner; ends with 1 at the first illegal answer.
 *
 * Arguments: depth, games, and optionally "kill", to end the helper process in the middle of each game, or "drop", to
 * see at the end of each that a participant which nobody holds any more leaves no helper behind.
 */
public final class Arbitre {
    private static final int[] STEPS = { -1, 0, 1 };
    private final int[][] board = new int[8][8];
    /** The participant's helper process; null where there is none. */
    private Process helper;

    public static void main(String[] arguments) throws Exception {
        int depth = Integer.parseInt(arguments[0]);
        int games = Integer.parseInt(arguments[1]);
        boolean kill = arguments.length > 2 && arguments[2].equals("kill");
        boolean drop = arguments.length > 2 && arguments[2].equals("drop");
        for (int game = 0; game < games; game++) {
            Arbitre arbiter = new Arbitre();
            System.out.println(arbiter.play(depth, game, kill));
            if (drop) {
                arbiter.expectEnd();
            }
        }
    }

    private int play(int depth, int game, boolean kill) throws Exception {
        board[3][3] = board[4][4] = 2;
        board[4][3] = board[3][4] = 1;
        int participant = game % 2;
        Othello.Joueur player = new Joueur(depth, participant);
        helper = helperOf(player);
        Move last = null;
        for (int turn = 0, passes = 0; passes < 2; turn++) {
            int mover = turn % 2;
            int moves = count(mover + 1);
            if (moves == 0 && count(2 - mover) == 0) {
                break;
            }
            if (kill && turn == 20) {
                helper = helperOf(player);
                existing().destroy();
                helper.waitFor();
            }
            Move move = mover == participant ? player.nextPlay(last) : nth(mover + 1, (turn * 7 + game) % Math.max(1, moves));
            if (move == null ? moves > 0 : flip(move.i, move.j, mover + 1, false) == 0) {
                System.err.println("game " + game + ", turn " + turn + ": illegal answer " + text(move));
                System.exit(1);
            }
            if (move != null) {
                flip(move.i, move.j, mover + 1, true);
            }
            passes = move == null ? passes + 1 : 0;
            last = move;
        }
        return margin();
    }

    private static Process helperOf(Othello.Joueur player) throws Exception {
        try {
            java.lang.reflect.Field field = Joueur.class.getDeclaredField("process");
            field.setAccessible(true);
            return (Process) field.get(player);
        } catch (NoSuchFieldException alone) {
            return null;
        }
    }

    private Process existing() {
        if (helper == null) {
            System.err.println("there is no helper");
            System.exit(1);
        }
        return helper;
    }

    /** Collects garbage until the helper of a participant that is no longer held has ended. */
    private void expectEnd() throws Exception {
        for (int wait = 0; existing().isAlive(); wait++) {
            if (wait == 100) {
                System.err.println("the helper outlives its participant");
                existing().destroy();
                System.exit(1);
            }
            System.gc();
            Thread.sleep(50);
        }
    }

    private static String text(Move move) {
        return move == null ? "null" : move.i + " " + move.j;
    }

    private int count(int player) {
        int count = 0;
        for (int square = 0; square < 64; square++) {
            count += flip(square % 8, square / 8, player, false) > 0 ? 1 : 0;
        }
        return count;
    }

    private Move nth(int player, int n) {
        for (int square = 0; square < 64; square++) {
            if (flip(square % 8, square / 8, player, false) > 0 && n-- == 0) {
                return new Move(square % 8, square / 8);
            }
        }
        return null;
    }

    /** How many discs a disc here turns; 0 where it may not be put. */
    private int flip(int column, int row, int player, boolean play) {
        if (column < 0 || column > 7 || row < 0 || row > 7 || board[row][column] != 0) {
            return 0;
        }
        int turned = 0;
        for (int rows : STEPS) {
            for (int columns : STEPS) {
                int length = 0;
                int x = column + columns;
                int y = row + rows;
                while ((rows != 0 || columns != 0) && x >= 0 && x < 8 && y >= 0 && y < 8 && board[y][x] == 3 - player) {
                    length++;
                    x += columns;
                    y += rows;
                }
                if (length > 0 && x >= 0 && x < 8 && y >= 0 && y < 8 && board[y][x] == player) {
                    turned += length;
                    for (int step = 1; play && step <= length; step++) {
                        board[row + step * rows][column + step * columns] = player;
                    }
                }
            }
        }
        if (play && turned > 0) {
            board[row][column] = player;
        }
        return turned;
    }

    private int margin() {
        int red = 0;
        int blue = 0;
        for (int[] row : board) {
            for (int cell : row) {
                red += cell == 1 ? 1 : 0;
                blue += cell == 2 ? 1 : 0;
            }
        }
        return red - blue + Integer.signum(red - blue) * (64 - red - blue);
    }
}
