package referee;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Lets a student's class of the course's first interface play by the lines of the second one. The framework is reached
 * by name, so that this compiles with that of any year. The argument is the class.
 */
public final class Bridge {
    private final Object player;
    private final Method move;
    private final Constructor<?> grid;
    private final Method set;

    private Bridge(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName(name);
        Constructor<?> made = type.getDeclaredConstructor();
        made.setAccessible(true);
        player = made.newInstance();
        move = move(type);
        move.setAccessible(true);
        Class<?> grille = move.getParameterTypes()[0];
        grid = grille.getConstructor(int.class, int.class);
        set = grille.getMethod("set", int.class, int.class, int.class);
    }

    /** Finds the method that answers: its name differs from year to year. */
    private static Method move(Class<?> type) throws NoSuchMethodException {
        for (Method method : type.getMethods()) {
            boolean isNamed = method.getName().equals("getProchainCoup") || method.getName().equals("getAction");
            Class<?>[] parameters = method.getParameterTypes();
            boolean isOwn = !method.getDeclaringClass().isInterface();
            if (isNamed && isOwn && parameters.length == 2 && parameters[1] == int.class) {
                return method;
            }
        }
        throw new NoSuchMethodException(type.getName() + ": getProchainCoup(Grille, int)");
    }

    /** Returns the lines about the team, none of which may end the start. */
    private String team() {
        String team = "";
        try {
            Method authors = player.getClass().getMethod("getAuteurs");
            authors.setAccessible(true);
            team = String.valueOf(authors.invoke(player));
        } catch (ReflectiveOperationException without) {
            // Not every year asks for it.
        }
        team = team.trim().replaceAll("\\s+", " ");
        return team.isEmpty() || team.equals("READY") ? player.getClass().getName() : team;
    }

    /** Answers the request whose first line is given. */
    private String answer(String size, BufferedReader input) throws IOException, ReflectiveOperationException {
        String[] sizes = size.trim().split("\\s+");
        int rows = Integer.parseInt(sizes[0]);
        int columns = Integer.parseInt(sizes[1]);
        Object stones = grid.newInstance(rows, columns);
        for (int row = 0; row < rows; row++) {
            String line = input.readLine();
            for (int column = 0; column < columns; column++) {
                int stone = "0NB".indexOf(line.charAt(column));
                if (stone > 0) {
                    set.invoke(stones, row, column, stone);
                }
            }
        }
        int millis = Integer.parseInt(input.readLine().trim());
        Object answer = move.invoke(player, stones, millis);
        if (answer instanceof int[]) {
            int[] cell = (int[]) answer;
            return cell[0] + " " + cell[1];
        }
        if (answer == null) {
            throw new IllegalStateException(move.getName() + " returned null");
        }
        return field(answer, "ligne") + " " + field(answer, "colonne");
    }

    private static int field(Object position, String name) throws ReflectiveOperationException {
        Field field = position.getClass().getField(name);
        return field.getInt(position);
    }

    public static void main(String[] arguments) {
        PrintStream lines = System.out;
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        // What a class prints is no move, and what it reads is no request.
        System.setOut(System.err);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        try {
            Bridge bridge = new Bridge(arguments[0]);
            lines.println(bridge.team());
            lines.println("READY");
            lines.flush();
            String line = input.readLine();
            while (line != null && !line.trim().startsWith("0")) {
                lines.println(bridge.answer(line, input));
                lines.flush();
                line = input.readLine();
            }
        } catch (InvocationTargetException thrown) {
            end(thrown.getCause());
        } catch (Throwable thrown) {
            end(thrown);
        }
        // A class may have left a thread behind.
        System.exit(0);
    }

    private static void end(Throwable thrown) {
        thrown.printStackTrace();
        System.exit(1);
    }
}
