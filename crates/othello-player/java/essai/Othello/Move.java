package Othello;

/** Stands in for the framework's class of this name, to compile and try the participant without it. */
public class Move {
    public int i;
    public int j;

    public Move() {
    }

    public Move(int i, int j) {
        this.i = i;
        this.j = j;
    }
}
