package connect5;

/** Stands in for the framework's class of this name: finds who has won. */
public class GrilleVerificateur {
    /** Returns the colour with exactly five in a row, 0 if there is none. */
    public int determineGagnant(Grille grille) {
        int[][] sens = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        byte[][] cases = grille.getData();
        for (int ligne = 0; ligne < cases.length; ligne++) {
            for (int colonne = 0; colonne < cases[ligne].length; colonne++) {
                int couleur = cases[ligne][colonne];
                for (int[] pas : sens) {
                    boolean commence = valeur(cases, ligne - pas[0], colonne - pas[1]) != couleur;
                    int nombre = 1;
                    while (valeur(cases, ligne + nombre * pas[0], colonne + nombre * pas[1]) == couleur) {
                        nombre++;
                    }
                    if (couleur != 0 && commence && nombre == 5) {
                        return couleur;
                    }
                }
            }
        }
        return 0;
    }

    public int getGagnant(Grille grille) {
        return determineGagnant(grille);
    }

    private static int valeur(byte[][] cases, int ligne, int colonne) {
        boolean dedans = ligne >= 0 && ligne < cases.length && colonne >= 0 && colonne < cases[ligne].length;
        return dedans ? cases[ligne][colonne] : -1;
    }
}
