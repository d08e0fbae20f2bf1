#!/usr/bin/env python3
"""Makes a class as Moodle exports it: make.py FOLDER [COUNT]. class.tsv lists the students."""
import io
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
MAKEFILE = "joueur: bot.c\n\tcc -O1 -o joueur bot.c\n"
RUST = "joueur: bot.rs\n\trustc -O -o joueur bot.rs\n"


def files(language, behaviour):
    """The student's files by path."""
    source, place, makefile = {
        "python": ("bot.py", "bot.py", None),
        "c": ("bot.c", "tp1/src/bot.c", MAKEFILE),
        "java": ("Bot.java", "Bot.java", None),
        "rust": ("bot.rs", "tp1/src/bot.rs", RUST),
    }[language]
    text = (HERE / source).read_text()
    assert '"first"' in text
    made = {place: text.replace('"first"', f'"{behaviour}"', 1)}
    if makefile:
        made["tp1/src/Makefile"] = makefile
    if behaviour == "error":
        made[place] = text.replace("int main", "int int main")
    if behaviour == "endless":
        made["tp1/src/Makefile"] = "joueur:\n\twhile :; do :; done\n"
    if behaviour == "bomb":
        made["zeros"] = "\0" * (65 << 20)
    return made


def pack(form, made, link):
    """The bytes of an archive; with `link`, one with links to files outside it."""
    buffer = io.BytesIO()
    if form == "zip":
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, text in made.items():
                archive.writestr(path, text)
    else:
        with tarfile.open(fileobj=buffer, mode="w" if form == "tar" else "w:gz") as archive:
            for path, text in made.items():
                data = text.encode()
                member = tarfile.TarInfo(path)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
            if link:
                for path, target in (("shadow", "/etc/shadow"), ("peers", "../..")):
                    member = tarfile.TarInfo(path)
                    member.type, member.linkname = tarfile.SYMTYPE, target
                    archive.addfile(member)
    return buffer.getvalue()


def main():
    target, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
    rows = (HERE / "class.tsv").read_text().splitlines()[1:]
    for row in rows[:count]:
        name, number, language, behaviour, form = row.split("\t")
        folder = target / f"{name}_{number}_assignsubmission_file_"
        folder.mkdir(parents=True)
        made = files(language, behaviour)
        if form == "folder":
            for path, text in made.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
        else:
            (folder / f"tp1.{form}").write_bytes(pack(form, made, behaviour == "link"))


main()
