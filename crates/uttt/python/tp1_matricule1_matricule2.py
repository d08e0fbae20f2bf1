#!/usr/bin/env python3
"""La ligne de commande du cours, à laquelle répond l'exécutable uttt.

    python3 tp1_matricule1_matricule2.py ENTIER
    python3 tp1_matricule1_matricule2.py a PROFONDEUR ENTIER
    python3 tp1_matricule1_matricule2.py p ENTIER

L'exécutable est cherché dans la variable UTTT, à côté de ce fichier et dans
les dossiers de compilation. S'il n'y sert pas et que ses sources sont ici, il
est compilé ; sinon il est cherché dans le PATH.
"""
import os
import shutil
import subprocess
import sys

ICI = os.path.dirname(os.path.abspath(__file__))
NOM = "uttt.exe" if os.name == "nt" else "uttt"
# L'archive remise a tout dans un dossier ; dans le projet, la racine est trois
# dossiers plus haut.
RACINES = [ICI, os.path.normpath(os.path.join(ICI, "..", "..", ".."))]


def candidats():
    """Les endroits où l'exécutable peut être, le plus sûr d'abord."""
    yield os.environ.get("UTTT")
    yield os.path.join(ICI, NOM)
    for racine in RACINES:
        for profil in ("release", "debug"):
            yield os.path.join(racine, "target", profil, NOM)


def sert(chemin):
    """Vrai si l'exécutable démarre ici.

    Une autre machine n'a pas toujours les bibliothèques qu'il demande.
    """
    if not chemin or not os.access(chemin, os.X_OK):
        return False
    try:
        return subprocess.call([chemin, "--help"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def jouer(chemins):
    """Devient l'exécutable : mêmes arguments, même sortie, même code.

    Ne revient que si aucun ne sert.
    """
    for chemin in filter(sert, chemins):
        commande = [chemin] + sys.argv[1:]
        if os.name == "nt":
            sys.exit(subprocess.call(commande))
        os.execv(chemin, commande)


def compiler():
    """Compile les sources qui sont à côté de ce fichier.

    La sortie standard reste à la réponse.
    """
    commande = ["cargo", "build", "--release", "--frozen",
                "--config", "cargo/config.toml", "--target-dir", "target"]
    if subprocess.call(commande, cwd=ICI, stdout=sys.stderr) != 0:
        sys.exit("uttt n'a pas pu être compilé")


def main():
    """Joue ; compile d'abord s'il le faut."""
    jouer(candidats())
    sources = os.path.exists(os.path.join(ICI, "Cargo.toml"))
    if sources and shutil.which("cargo"):
        compiler()
        jouer(candidats())
        sys.exit("uttt est compilé mais ne se laisse pas lancer")
    jouer([shutil.which(NOM)])
    if sources:
        sys.exit("uttt ne peut pas servir ici et cargo est introuvable : "
                 "installez Rust (https://rustup.rs)")
    sys.exit("uttt n'est pas compilé : cargo build --release -p uttt")


if __name__ == "__main__":
    main()
