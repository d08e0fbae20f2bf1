#!/usr/bin/env python3
"""La ligne de commande du cours, à laquelle répond l'exécutable uttt.

    python3 tp1_matricule1_matricule2.py ENTIER
    python3 tp1_matricule1_matricule2.py a PROFONDEUR ENTIER
    python3 tp1_matricule1_matricule2.py p ENTIER

L'exécutable est cherché dans la variable UTTT, à côté de ce fichier, dans les dossiers de
compilation et dans le PATH. S'il n'est nulle part et que ses sources sont ici, il est compilé.
"""
import os
import shutil
import subprocess
import sys

ICI = os.path.dirname(os.path.abspath(__file__))
NOM = "uttt.exe" if os.name == "nt" else "uttt"
# L'archive remise a tout dans un dossier ; dans le projet, la racine est trois dossiers plus haut.
RACINES = [ICI, os.path.normpath(os.path.join(ICI, "..", "..", ".."))]


def candidats():
    """Les endroits où l'exécutable peut être, le plus sûr d'abord."""
    yield os.environ.get("UTTT")
    yield os.path.join(ICI, NOM)
    for racine in RACINES:
        for profil in ("release", "debug"):
            yield os.path.join(racine, "target", profil, NOM)
    yield shutil.which(NOM)


def jouer():
    """Devient l'exécutable : mêmes arguments, même sortie, même code. Ne revient que s'il n'y en a pas."""
    for chemin in candidats():
        if not chemin or not os.access(chemin, os.X_OK):
            continue
        commande = [chemin] + sys.argv[1:]
        try:
            if os.name == "nt":
                sys.exit(subprocess.call(commande))
            os.execv(chemin, commande)
        except OSError:
            # Fait pour une autre machine : au suivant.
            continue


def compiler():
    """Compile les sources qui sont à côté de ce fichier. La sortie standard reste à la réponse."""
    if not os.path.exists(os.path.join(ICI, "Cargo.toml")):
        sys.exit("uttt n'est pas compilé : cargo build --release -p uttt")
    if shutil.which("cargo") is None:
        sys.exit("uttt ne peut pas servir ici et cargo est introuvable : installez Rust (https://rustup.rs)")
    commande = ["cargo", "build", "--release", "--frozen", "--config", "cargo/config.toml",
                "--target-dir", "target"]
    if subprocess.call(commande, cwd=ICI, stdout=sys.stderr) != 0:
        sys.exit("uttt n'a pas pu être compilé")


def main():
    """Joue ; compile d'abord s'il le faut."""
    jouer()
    compiler()
    jouer()
    sys.exit("uttt est compilé mais ne se laisse pas lancer")


if __name__ == "__main__":
    main()
