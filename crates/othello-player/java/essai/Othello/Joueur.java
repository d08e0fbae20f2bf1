package Othello;

/** Stands in for the framework's class of this name, to compile and try the participant without it. */
public abstract class Joueur {
    protected int playerID;
    protected int depth;
    protected int size = 8;

    public Joueur() {
    }

    public Joueur(int depth, int playerID) {
        this.depth = depth;
        this.playerID = playerID;
    }

    public abstract Move nextPlay(Move move);
}
