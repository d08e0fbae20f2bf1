package connect5;

/** Stands in for the framework's class of this name. */
public class Position {
    public int ligne;
    public int colonne;

    public Position() {
    }

    public Position(int ligne, int colonne) {
        this.ligne = ligne;
        this.colonne = colonne;
    }

    @Override
    public String toString() {
        return "(" + ligne + ", " + colonne + ")";
    }
}
