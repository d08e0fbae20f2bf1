package Participants.OthelloPlayer;

/**
 * Alpha-beta on two 64-bit words, the mover's discs and the opponent's; bit {@code 8 * row + column}.
 *
 * The evaluation counts moves, corners and the squares that give corners away: who has more moves chooses, who has few
 * must give something up, and a corner is never turned again.
 */
final class AlphaBeta {
    private static final int INFINITY = 1 << 30;
    /** One disc at the end of the game; above all evaluations. */
    private static final int FINAL_DISC = 1 << 20;

    private static final int MOVE = 10;
    private static final int CORNER = 80;
    private static final int CORNER_NEIGHBOUR = -13;
    private static final int CORNER_DIAGONAL = -35;
    private static final int EDGE = 5;

    private static final long NOT_A = 0xfefefefefefefefeL;
    private static final long NOT_H = 0x7f7f7f7f7f7f7f7fL;
    private static final long CORNERS = 0x8100000000000081L;
    private static final long EDGES = 0x3c0081818181003cL;

    /** Steps to a neighbour, each with the squares it may arrive on: no line wraps around an edge. */
    private static final int[] STEPS = { 1, 7, 8, 9, -1, -7, -8, -9 };
    private static final long[] ARRIVALS = { NOT_A, NOT_H, -1L, NOT_A, NOT_H, NOT_A, -1L, NOT_H };

    /** In this order moves are tried: corners first, the squares beside them last. */
    private static final int[] ORDER = new int[64];

    static {
        int[][] quarter = { { 9, 2, 8, 6 }, { 2, 1, 3, 4 }, { 8, 3, 7, 5 }, { 6, 4, 5, 0 } };
        int next = 0;
        for (int rank = 9; rank >= 0; rank--) {
            for (int square = 0; square < 64; square++) {
                int row = Math.min(square / 8, 7 - square / 8);
                int column = Math.min(square % 8, 7 - square % 8);
                if (quarter[row][column] == rank) {
                    ORDER[next++] = square;
                }
            }
        }
    }

    /** The best square for the owner of {@code own}, looking {@code depth} plies ahead; -1 where it has no move. */
    int choose(long own, long opponent, int depth) {
        long legal = moves(own, opponent);
        int best = -1;
        int alpha = -INFINITY;
        for (int square : ORDER) {
            if ((legal >>> square & 1) == 0) {
                continue;
            }
            long flips = flips(square, own, opponent);
            int score = -search(opponent & ~flips, own | flips | 1L << square, depth - 1, -INFINITY, -alpha);
            if (best < 0 || score > alpha) {
                best = square;
                alpha = score;
            }
        }
        return best;
    }

    private int search(long own, long opponent, int depth, int alpha, int beta) {
        long legal = moves(own, opponent);
        if (legal == 0 && moves(opponent, own) == 0) {
            return finalScore(own, opponent);
        }
        if (depth <= 0) {
            return evaluate(own, opponent, legal);
        }
        if (legal == 0) {
            return -search(opponent, own, depth - 1, -beta, -alpha);
        }
        int best = -INFINITY;
        for (int square : ORDER) {
            if ((legal >>> square & 1) == 0) {
                continue;
            }
            long flips = flips(square, own, opponent);
            int score = -search(opponent & ~flips, own | flips | 1L << square, depth - 1, -beta, -Math.max(alpha, best));
            if (score > best) {
                best = score;
                if (best >= beta) {
                    break;
                }
            }
        }
        return best;
    }

    /** The empty squares belong to the winner. */
    private static int finalScore(long own, long opponent) {
        int difference = Long.bitCount(own) - Long.bitCount(opponent);
        int empties = 64 - Long.bitCount(own | opponent);
        return FINAL_DISC * (difference + Integer.signum(difference) * empties);
    }

    private static int evaluate(long own, long opponent, long legal) {
        long open = CORNERS & ~(own | opponent);
        long beside = around(open, 0) | around(open, 2) | around(open, 4) | around(open, 6);
        long diagonal = around(open, 1) | around(open, 3) | around(open, 5) | around(open, 7);
        return MOVE * (Long.bitCount(legal) - Long.bitCount(moves(opponent, own)))
                + CORNER * difference(CORNERS, own, opponent)
                + CORNER_NEIGHBOUR * difference(beside, own, opponent)
                + CORNER_DIAGONAL * difference(diagonal, own, opponent)
                + EDGE * difference(EDGES, own, opponent);
    }

    private static int difference(long squares, long own, long opponent) {
        return Long.bitCount(own & squares) - Long.bitCount(opponent & squares);
    }

    /** The squares one step away in this direction. */
    private static long around(long squares, int direction) {
        int step = STEPS[direction];
        return (step > 0 ? squares << step : squares >>> -step) & ARRIVALS[direction];
    }

    /** The squares on which the owner of {@code own} may put a disc. */
    static long moves(long own, long opponent) {
        long moves = 0;
        for (int direction = 0; direction < 8; direction++) {
            long run = around(own, direction) & opponent;
            for (int length = 1; length < 6; length++) {
                run |= around(run, direction) & opponent;
            }
            moves |= around(run, direction);
        }
        return moves & ~(own | opponent);
    }

    /** The opponent's discs that a disc on {@code square} turns. */
    static long flips(int square, long own, long opponent) {
        long flips = 0;
        for (int direction = 0; direction < 8; direction++) {
            long run = 0;
            long next = around(1L << square, direction);
            while ((next & opponent) != 0) {
                run |= next;
                next = around(next, direction);
            }
            if ((next & own) != 0) {
                flips |= run;
            }
        }
        return flips;
    }
}
