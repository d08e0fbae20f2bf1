package Participants.OthelloPlayer;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URI;
import java.net.URL;

import Othello.Move;

/**
 * A participant of the course's tournament. It lets the executable {@code othello-player} think, and plays by its own
 * small alpha-beta where there is none, where none may be started, or once it has failed.
 *
 * The executable is looked for in the system property {@code othello.player}, the environment variable
 * {@code OTHELLO_PLAYER}, this package's folder, and PATH.
 *
 * This class keeps the board itself: it checks every answer of the executable before it hands it on, and can go on
 * alone at any moment.
 */
public class Joueur extends Othello.Joueur {
    private static final String PROGRAM = "othello-player";

    private final AlphaBeta fallback;
    private final int me;
    private final int plies;
    /** Discs of the two players, red (who begins) first. */
    private final long[] discs = { 1L << 28 | 1L << 35, 1L << 27 | 1L << 36 };

    /**
     * Null once it has failed. While the executable runs, the virtual machine itself holds its process and the pipes
     * to it: they do not close when this participant is collected as garbage.
     */
    private Process process;
    private Writer toProgram;
    private BufferedReader fromProgram;

    public Joueur(int depth, int playerID) {
        super(depth, playerID);
        me = playerID;
        plies = Math.max(1, depth);
        fallback = new AlphaBeta();
        try {
            start();
        } catch (Throwable failure) {
            stop();
        }
    }

    /** The opponent's move (null: it had none, or we begin) to ours (null: we have none). */
    @Override
    public Move nextPlay(Move move) {
        if (move != null) {
            play(1 - me, 8 * move.j + move.i);
        }
        int square = ask(move);
        if (square < 0) {
            square = fallback.choose(discs[me], discs[1 - me], plies);
        }
        if (square < 0) {
            return null;
        }
        play(me, square);
        return new Move(square % 8, square / 8);
    }

    private void play(int player, int square) {
        long flips = AlphaBeta.flips(square, discs[player], discs[1 - player]);
        discs[player] |= flips | 1L << square;
        discs[1 - player] &= ~flips;
    }

    /** The executable's answer; -1 where it says that there is no move, or has failed. */
    private int ask(Move move) {
        if (process == null) {
            return -1;
        }
        try {
            toProgram.write(move == null ? "null\n" : move.i + " " + move.j + "\n");
            toProgram.flush();
            String line = fromProgram.readLine();
            long legal = AlphaBeta.moves(discs[me], discs[1 - me]);
            if (line.equals("null") && legal == 0) {
                return -1;
            }
            String[] words = line.split(" ");
            int square = 8 * Integer.parseInt(words[1]) + Integer.parseInt(words[0]);
            if (words.length == 2 && square >= 0 && square < 64 && (legal >>> square & 1) == 1) {
                return square;
            }
        } catch (Throwable failure) {
            // Ended, killed, or talking nonsense: we go on alone.
        }
        stop();
        return -1;
    }

    private void start() throws Exception {
        File program = find();
        if (program == null) {
            return;
        }
        ProcessBuilder builder = new ProcessBuilder(program.getPath(), "tournoi", "--joueur", String.valueOf(me),
                "--depth", String.valueOf(plies));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        process = builder.start();
        toProgram = new OutputStreamWriter(process.getOutputStream(), "US-ASCII");
        fromProgram = new BufferedReader(new InputStreamReader(process.getInputStream(), "US-ASCII"));
    }

    private void stop() {
        if (process != null) {
            process.destroy();
        }
        process = null;
    }

    /**
     * Stops the executable: nobody tells a participant that it is no longer needed. Java 9 has the Cleaner for this and
     * discourages finalizers; Java 8 has only these.
     */
    @Override
    @SuppressWarnings({ "deprecation", "removal" })
    protected void finalize() throws Throwable {
        try {
            stop();
        } finally {
            super.finalize();
        }
    }

    /** The executable, or null. */
    private static File find() {
        File named = executable(System.getProperty("othello.player"));
        if (named == null) {
            named = executable(System.getenv("OTHELLO_PLAYER"));
        }
        if (named == null) {
            named = besideThisClass();
        }
        String path = System.getenv("PATH");
        if (named == null && path != null) {
            for (String folder : path.split(File.pathSeparator)) {
                named = executable(folder + File.separator + PROGRAM);
                if (named == null) {
                    named = executable(folder + File.separator + PROGRAM + ".exe");
                }
                if (named != null) {
                    break;
                }
            }
        }
        return named;
    }

    private static File besideThisClass() {
        for (String name : new String[] { PROGRAM, PROGRAM + ".exe" }) {
            URL url = Joueur.class.getResource(name);
            if (url != null && url.getProtocol().equals("file")) {
                File file = executable(new File(URI.create(url.toString())).getPath());
                if (file != null) {
                    return file;
                }
            }
        }
        return null;
    }

    private static File executable(String path) {
        if (path == null || path.isEmpty()) {
            return null;
        }
        File file = new File(path);
        return file.isFile() && file.canExecute() ? file : null;
    }
}
