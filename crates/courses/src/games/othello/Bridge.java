import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Lets a participant's class of the course's framework play by lines: the opponent's move in, its own out, each
 * "column row" or "null". The framework is reached by name, so that this compiles without it.
 *
 * Arguments: the class, the depth, the player's number.
 */
public final class Bridge {
    public static void main(String[] arguments) throws Exception {
        PrintStream lines = System.out;
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, "US-ASCII"));
        // What a class prints is no move, and what it reads are not the opponent's.
        System.setOut(System.err);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        try {
            Class<?> move = Class.forName("Othello.Move");
            Constructor<?> at = move.getConstructor(int.class, int.class);
            Field column = move.getField("i");
            Field row = move.getField("j");
            Method nextPlay = Class.forName("Othello.Joueur").getMethod("nextPlay", move);
            Object player = Class.forName(arguments[0])
                .getConstructor(int.class, int.class)
                .newInstance(Integer.valueOf(arguments[1]), Integer.valueOf(arguments[2]));
            lines.println("ready");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                Object before = null;
                if (!line.equals("null")) {
                    String[] numbers = line.split(" ");
                    before = at.newInstance(Integer.valueOf(numbers[0]), Integer.valueOf(numbers[1]));
                }
                Object answer = nextPlay.invoke(player, before);
                lines.println(answer == null ? "null" : column.getInt(answer) + " " + row.getInt(answer));
                lines.flush();
            }
        } catch (Throwable thrown) {
            Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
            lines.println("exception " + cause);
            lines.flush();
            cause.printStackTrace();
            System.exit(1);
        }
        // A class may have left a thread behind.
        System.exit(0);
    }
}
