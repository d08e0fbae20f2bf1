package Participants.OthelloPlayer;

/**
 * Alpha-beta in Java alone, strictly to a given depth, a pass being a ply. A position is two words of 64 squares (a1 is
 * bit 0, b1 bit 1, a2 bit 8): the discs of who is to move, and the opponent's.
 *
 * A position at the horizon is worth a few counts, the mover's less the opponent's: moves, empty squares beside the
 * other's discs, discs by kind of square, discs beside an empty corner, and discs of an unbroken row along an edge from
 * a corner, which can never be turned. What each count is worth changes every ten plies. To them comes what the state of
 * each edge is worth, all eight squares of it. Both were fitted to positions of games that othello-player played against
 * itself, each worth what its search finds ("trainer othello course").
 */
final class AlphaBeta {
    private static final int INFINITY = 1 << 30;
    /** A disc at the end of the game, against one that is only expected. */
    private static final int FINAL_DISC = 1 << 20;
    /** With so many plies to go and more, moves are tried in the order of the replies they leave. */
    private static final int SORTED_FROM = 3;

    private static final long A_FILE = 0x0101010101010101L;
    private static final long H_FILE = A_FILE << 7;
    private static final long CORNERS = 0x8100000000000081L;
    private static final long BORDER = 0xff818181818181ffL;

    /** One step in each direction, and the squares on which it can end: it leaves no edge for the opposite one. */
    private static final int[] STEPS = { 1, 7, 8, 9, -1, -7, -8, -9 };
    private static final long[] ENDS = { ~A_FILE, ~H_FILE, -1L, ~A_FILE, ~H_FILE, ~A_FILE, -1L, ~H_FILE };

    /** The squares of an octant and their mirror images: a1, b1, c1, d1, b2, c2, d2, c3, d3, d4. */
    private static final long[] CLASSES = { CORNERS, 0x4281000000008142L, 0x2400810000810024L, 0x1800008181000018L,
            0x0042000000004200L, 0x0024420000422400L, 0x0018004242001800L, 0x0000240000240000L, 0x0000182424180000L,
            0x0000001818000000L };
    private static final int C_SQUARES = 1;
    private static final int X_SQUARES = 4;

    /** What each count is worth in plies 0 to 9, 10 to 19 and so on, in 1/100 disc. */
    private static final int[][] WORTHS = {
        // moves frontier     a1     b1    c1    d1     b2     c2     d2    c3    d3    d4 open-C open-X  firm  turn
        {    57,       9,   550,  -253,  162,    4,  -458,  -314,  -212,  -63,  -30,  -69,  -202,  -989,  550,  -16 },
        {    58,      35,   706,  -399,   31,    5,  -303,  -193,  -166,  -33,  -65,  -76,  -134,  -913,  455,  -74 },
        {    78,      24,   690,  -117,   -9,    8,  -191,  -149,  -129,  -26,  -61,  -45,  -326,  -747,  206,  -60 },
        {   103,       1,   338,   -13,  -47,   -8,   -63,  -100,   -78,  -24,  -33,  -21,  -325,  -494,  158,   18 },
        {   165,     -31,    86,   -19,  -68,  -20,    33,   -47,   -21,  -21,   -3,    0,  -236,  -327,  143,  196 },
        {   297,     -77,  -125,   -56,  -45,  -39,   112,    41,    34,   31,   55,   49,  -116,  -224,  150,  261 },
    };

    /** An edge's states: a digit a square in base three, 0 empty, 1 the mover's, 2 the opponent's. */
    private static final int EDGE_STATES = 6561;
    /** Units of {@link #EDGES} in 1/100 disc, and the character that is worth nothing. */
    private static final int EDGE_UNIT = 20;
    private static final char EDGE_MIDDLE = 'P';
    /**
     * What an edge's states are worth, a character each, in ascending order, but only for those that stand for others: a
     * state's mirror image is worth as much as it, and with the colours changed both are worth as much to the opponent.
     */
    private static final String EDGES = ""
            + "NJS?K?<PTB`KCJRG:N9S[HG<CTXB`TFMWS<IP`QAHIOLERZMA=7JPNXQ?N^QBRUQ^HERH>@;MZMNEIUR?WOFL^MIGP[QJRIK"
            + "TAU`QJGGAYHPPPOZ\\;ERWNHKJDRERZEICBUPQ^QEWR=WJRTIIJ:PFQMH<C?>F>WDHFXIGNPO?CLIU]G\\\\SVIMC\\USPQSYYLW"
            + "VOVFCGSQLKQIFKHGLTLM]OHUMNQLWKBH3QjGSFF[NC_RFP_Z=OPURFRFQVFW\\MRCHGLMPPP[TEQIXELRQROERWLMJYVG^KIX"
            + "YOVSQ^POJAUNWUMCEDS`SPLPPPPPPPPNGQSFT`HJDH@L]RPTXTDFP[BGFTQTLROHJQRO_PMUSQTKOQPLQPONVSUKQ]XPYTNU"
            + "SOPPQPPUPPQONQNOPIVPSPQR[OYLTVQMKOONPLNOLPPOPRPJMPTNORVPPOZNPMNKMIRGTINMPPVANOQLRPPPQQOKPPPPVXOO"
            + "OTGINLJMVLKMRVPZMKQ[JRTNQSPOMNTPEPXUOWQRROPPPPQLOQTPMQPPMMRQRPRWHORGPZXPNOOPOLOQPRTQMQQLTPUNROOQ"
            + "ROPPGINRQKQOPQPNLMSPPRUQNM[TOPPPTPPSTSXWKM\\LVSILSMXKJXVKQQcT\\VH@[QLUjQL_BMUHGEPM?MEERIROIJGUOPPP"
            + "MSEJP9OKOJPQNKINMLMPNTTRNUNKNOORNLNPPLPOPPPPPPPIIOKTRHJIMPPPPOUMJP=PENMMSQMOENLOSKHOPMEIOOMMMFPM"
            + "GHOMKPNNPMGROSINMTTTQPPPS`UPRPPLOOMMPOPLPPPQOPRMPPPNPPQHKKROPQOPPPPPOPPPPPPPPPPPPPPPPPPPJONGKLNN"
            + "RMNKJPQRMTLQRNQNKMNPPISNPPPSMISI\\QNOMUPPMCJFJ:TNLMVNKQSQUOSSROQNKJPJQLNPNMSHRQRPJNRQSKTPPMNUPPPO"
            + "TLSMNMQONINMQJQPSPSMQUPPRRDKRKLFUMOPSVUPNUQPMXQPPTOQOLPRNRNQOOPMTWPNQUSOJPNSILRQUOUPPQOOROSOLPOY"
            + "POGZPNPRONPPPNNOQNPOONMPLOPPLFPOJMRPPLKKPOMKPOSPPPMPSMPOOQTOLPLRSPPQNJHUSEFIE;@KUHPG<PPNOQOLOPPL"
            + "JP<SONNPJHLOPRQSPWONQNMJNPPPPPPPMLTVOMFNPOIEN.IRMTRKNQMRTVRMRQVQNUPRLRQPRQSORTRTQPPOURRTPSOQTLSP"
            + "PSQLLPQLRSgRYSOPTNRPPPPPPPQSPLRSPOMOOPRRPPNNOSNU\\ORPPVRJORLQYPUUQRMSPNOQPMPRPQNPNQRQPQPQPPNQNOTR"
            + "KPPSQNHQQOPPOPOPNPPQPIBETPPOPQPPMPPPPPNJRPRNQRQRRTPQMXORPPPQPPPQUPPQNRQNUTQOQSPNPSKDOJPPRMRPQ[PO"
            + "NQNNMNNKGSRTLMSNFLGPGQJXKQPPNI=OQNQLOQUIPXPSPPPVSMLPQMI8PRROQNRPQJJQPPTPOPPPTRUPNPPPPRNPPPPPOPPP"
            + "PPPPXOKRTTJRYUPSPPTPFG7TSPPOOSJQPNNQQPTUOMPOPQWQPLRQPMJOPMPTQPOPSPY[OPQKPPRSPQPLLgPPPPPPPPPPPPPQ"
            + "SQUT\\IB+";
    private static final int[] EDGE_WORTHS = edgeWorths();
    /** Eight bits as digits in base three. */
    private static final int[] TERNARY = ternary();

    private static int[] edgeWorths() {
        int[] worths = new int[EDGE_STATES];
        int next = 0;
        for (int state = 0; state < EDGE_STATES; state++) {
            int mirror = 0;
            int changed = 0;
            int changedMirror = 0;
            for (int power = 1, opposite = EDGE_STATES / 3; opposite > 0; power *= 3, opposite /= 3) {
                int digit = state / power % 3;
                int other = (3 - digit) % 3;
                mirror += digit * opposite;
                changed += other * power;
                changedMirror += other * opposite;
            }
            if (state <= mirror && state < changed && state < changedMirror) {
                int worth = (EDGES.charAt(next++) - EDGE_MIDDLE) * EDGE_UNIT;
                worths[state] = worths[mirror] = worth;
                worths[changed] = worths[changedMirror] = -worth;
            }
        }
        return worths;
    }

    private static int[] ternary() {
        int[] numbers = new int[256];
        for (int bits = 1; bits < numbers.length; bits++) {
            numbers[bits] = 3 * numbers[bits / 2] + bits % 2;
        }
        return numbers;
    }

    /** The squares, in the order in which moves are tried where nothing better is known: by what their classes are worth. */
    private static final int[] ORDER = order();

    private static int[] order() {
        int[] order = new int[64];
        boolean[] taken = new boolean[CLASSES.length];
        int[] worths = WORTHS[WORTHS.length / 2];
        int next = 0;
        for (int round = 0; round < CLASSES.length; round++) {
            int best = -1;
            for (int kind = 0; kind < CLASSES.length; kind++) {
                if (!taken[kind] && (best < 0 || worths[2 + kind] > worths[2 + best])) {
                    best = kind;
                }
            }
            taken[best] = true;
            for (long squares = CLASSES[best]; squares != 0; squares &= squares - 1) {
                order[next++] = Long.numberOfTrailingZeros(squares);
            }
        }
        return order;
    }

    /** The best square by a search of this depth, at least 1; -1 where there is no move. */
    int choose(long own, long opponent, int depth) {
        int[] squares = sorted(own, opponent, moves(own, opponent), depth);
        int best = -1;
        int alpha = -INFINITY;
        for (int square : squares) {
            int value = -afterMove(square, own, opponent, depth, -INFINITY, -alpha);
            if (best < 0 || value > alpha) {
                best = square;
                alpha = value;
            }
        }
        return best;
    }

    /** The value of a position to who is to move, within the window; outside it, a bound. */
    private int search(long own, long opponent, int depth, int alpha, int beta) {
        long legal = moves(own, opponent);
        long replies = legal != 0 && depth > 0 ? 0 : moves(opponent, own);
        if (legal == 0 && replies == 0) {
            return finalValue(own, opponent);
        }
        if (depth <= 0) {
            return evaluate(own, opponent, legal, replies);
        }
        if (legal == 0) {
            return -search(opponent, own, depth - 1, -beta, -alpha);
        }
        int best = -INFINITY;
        for (int square : sorted(own, opponent, legal, depth)) {
            int value = -afterMove(square, own, opponent, depth, -beta, -Math.max(alpha, best));
            best = Math.max(best, value);
            if (best >= beta) {
                break;
            }
        }
        return best;
    }

    /** What the position behind a move is worth to the opponent. */
    private int afterMove(int square, long own, long opponent, int depth, int alpha, int beta) {
        long flips = flips(square, own, opponent);
        return search(opponent & ~flips, own | flips | 1L << square, depth - 1, alpha, beta);
    }

    /** The legal squares in the order in which they are tried. */
    private static int[] sorted(long own, long opponent, long legal, int depth) {
        int[] squares = new int[Long.bitCount(legal)];
        int[] replies = new int[squares.length];
        int count = 0;
        for (int square : ORDER) {
            if ((legal >>> square & 1) == 0) {
                continue;
            }
            int left = 0;
            if (depth >= SORTED_FROM) {
                long flips = flips(square, own, opponent);
                left = Long.bitCount(moves(opponent & ~flips, own | flips | 1L << square));
            }
            int place = count++;
            for (; place > 0 && replies[place - 1] > left; place--) {
                squares[place] = squares[place - 1];
                replies[place] = replies[place - 1];
            }
            squares[place] = square;
            replies[place] = left;
        }
        return squares;
    }

    /** The end of the game: the difference in discs, empty squares to the winner. */
    private static int finalValue(long own, long opponent) {
        int difference = Long.bitCount(own) - Long.bitCount(opponent);
        int empties = 64 - Long.bitCount(own | opponent);
        return FINAL_DISC * (difference + Integer.signum(difference) * empties);
    }

    /** What is expected of a position: its counts, each times its worth. */
    static int evaluate(long own, long opponent, long legal, long replies) {
        long empty = ~(own | opponent);
        int ply = 60 - Long.bitCount(empty);
        int[] worths = WORTHS[Math.min(ply / 10, WORTHS.length - 1)];
        int value = worths[0] * difference(legal, replies);
        value += worths[1] * difference(spread(opponent) & empty, spread(own) & empty);
        int next = 2;
        for (long squares : CLASSES) {
            value += worths[next++] * difference(own & squares, opponent & squares);
        }
        long open = spread(empty & CORNERS);
        long beside = open & CLASSES[C_SQUARES];
        value += worths[next++] * difference(own & beside, opponent & beside);
        long diagonal = open & CLASSES[X_SQUARES];
        value += worths[next++] * difference(own & diagonal, opponent & diagonal);
        value += worths[next++] * difference(firm(own), firm(opponent));
        return value + worths[next] + edges(own, opponent);
    }

    /** What the four edges' states are worth. */
    private static int edges(long own, long opponent) {
        return edge(own, opponent) + edge(own >>> 56, opponent >>> 56) + edge(file(own), file(opponent))
                + edge(file(own >>> 7), file(opponent >>> 7));
    }

    /** What the state of an edge is worth whose squares are the lowest eight. */
    private static int edge(long own, long opponent) {
        return EDGE_WORTHS[TERNARY[(int) own & 0xff] + 2 * TERNARY[(int) opponent & 0xff]];
    }

    /** The first file as eight bits: each is carried to the last row, to the place of its own row. */
    private static long file(long squares) {
        return (squares & A_FILE) * 0x0102040810204080L >>> 56;
    }

    private static int difference(long one, long other) {
        return Long.bitCount(one) - Long.bitCount(other);
    }

    /** The squares and their eight neighbours. */
    private static long spread(long squares) {
        long rows = squares | (squares & ~H_FILE) << 1 | (squares & ~A_FILE) >>> 1;
        return rows | rows << 8 | rows >>> 8;
    }

    /** The discs of an unbroken row along an edge from a corner of the same colour. */
    private static long firm(long discs) {
        long firm = discs & CORNERS;
        if (firm != 0) {
            for (int length = 1; length < 7; length++) {
                long next = (firm & ~H_FILE) << 1 | (firm & ~A_FILE) >>> 1 | firm << 8 | firm >>> 8;
                firm |= next & discs & BORDER;
            }
        }
        return firm;
    }

    /** The squares one step farther in a direction. */
    private static long step(long squares, int direction) {
        int step = STEPS[direction];
        return (step > 0 ? squares << step : squares >>> -step) & ENDS[direction];
    }

    /** The squares on which who owns {@code own} may put a disc. */
    static long moves(long own, long opponent) {
        long moves = 0;
        for (int direction = 0; direction < STEPS.length; direction++) {
            long row = step(own, direction) & opponent;
            for (int length = 1; length < 6 && row != 0; length++) {
                row |= step(row, direction) & opponent;
            }
            moves |= step(row, direction);
        }
        return moves & ~(own | opponent);
    }

    /** The opponent's discs that a disc on this square turns; none where it may not be put. */
    static long flips(int square, long own, long opponent) {
        long flips = 0;
        for (int direction = 0; direction < STEPS.length; direction++) {
            long row = 0;
            long next = step(1L << square, direction);
            while ((next & opponent) != 0) {
                row |= next;
                next = step(next, direction);
            }
            if ((next & own) != 0) {
                flips |= row;
            }
        }
        return flips;
    }
}
