package connect5;

/** Stands in for the framework's class of this name. A cell is 0 if it is empty, 1 for black, 2 for white. */
public class Grille {
    protected byte[][] data;

    public Grille(int lignes, int colonnes) {
        data = new byte[lignes][colonnes];
    }

    /** The cells stand row by row. */
    public Grille(int lignes, int colonnes, int[] cases) {
        this(lignes, colonnes);
        for (int at = 0; at < cases.length; at++) {
            data[at / colonnes][at % colonnes] = (byte) cases[at];
        }
    }

    public void set(int ligne, int colonne, int valeur) {
        data[ligne][colonne] = (byte) valeur;
    }

    public void set(Position position, int valeur) {
        set(position.ligne, position.colonne, valeur);
    }

    public int get(int ligne, int colonne) {
        return data[ligne][colonne];
    }

    public int get(Position position) {
        return get(position.ligne, position.colonne);
    }

    public byte[][] getData() {
        return data;
    }

    public void reset() {
        for (byte[] ligne : data) {
            java.util.Arrays.fill(ligne, (byte) 0);
        }
    }

    public void reinitialiser() {
        reset();
    }

    public int nbLibre() {
        int libres = 0;
        for (byte[] ligne : data) {
            for (byte valeur : ligne) {
                libres += valeur == 0 ? 1 : 0;
            }
        }
        return libres;
    }

    public int getNbCasesLibres() {
        return nbLibre();
    }

    public int getSize() {
        return data.length * data[0].length;
    }

    public int getNbCases() {
        return getSize();
    }

    @Override
    public Grille clone() {
        Grille copie = new Grille(data.length, data[0].length);
        for (int ligne = 0; ligne < data.length; ligne++) {
            copie.data[ligne] = data[ligne].clone();
        }
        return copie;
    }

    @Override
    public String toString() {
        StringBuilder texte = new StringBuilder();
        for (byte[] ligne : data) {
            for (byte valeur : ligne) {
                texte.append("0NB".charAt(valeur));
            }
            texte.append('\n');
        }
        return texte.toString();
    }
}
