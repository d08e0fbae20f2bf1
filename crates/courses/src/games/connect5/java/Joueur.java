package connect5;

/** Stands in for the framework's interface of this name. In some years a move is a Position, in others an int[]. */
public interface Joueur {
    default Object getProchainCoup(Grille grille, int delais) {
        throw new UnsupportedOperationException("getProchainCoup");
    }

    default Object getAction(Grille grille, int delais) {
        throw new UnsupportedOperationException("getAction");
    }

    default String getAuteurs() {
        return "";
    }
}
