package Participants.OthelloPlayer;

import Othello.Move;

/** A participant of the course's tournament: keeps the board, and plays what {@link AlphaBeta} chooses. */
public class Joueur extends Othello.Joueur {
    private final AlphaBeta search = new AlphaBeta();
    private final int me;
    private final int plies;
    /** Discs of the two players, red (who begins) first. */
    private final long[] discs = { 1L << 28 | 1L << 35, 1L << 27 | 1L << 36 };

    public Joueur(int depth, int playerID) {
        super(depth, playerID);
        me = playerID;
        plies = Math.max(1, depth);
    }

    /** The opponent's move (null: it had none, or we begin) to ours (null: we have none). */
    @Override
    public Move nextPlay(Move move) {
        if (move != null) {
            play(1 - me, 8 * move.j + move.i);
        }
        int square = search.choose(discs[me], discs[1 - me], plies);
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
}
