#!/usr/bin/env python3
"""Packs files and folders into a zip whose bytes depend on nothing but names and contents.

    zip.py ARCHIVE.zip TOP NAME=PATH...

Each PATH, a file or a folder, is TOP/NAME in the archive.
"""
import pathlib
import sys
import zipfile

ALREADY_COMPRESSED = {".gz", ".br", ".png"}


def files_of(name, path):
    if path.is_file():
        yield name, path
    for each in path.rglob("*") if path.is_dir() else ():
        if each.is_file():
            yield f"{name}/{each.relative_to(path).as_posix()}", each


def main(archive, top, *entries):
    files = {}
    for entry in entries:
        name, _, path = entry.partition("=")
        if not pathlib.Path(path).exists():
            sys.exit(f"zip.py: there is no {path}")
        files.update(files_of(f"{top}/{name}", pathlib.Path(path)))
    with zipfile.ZipFile(archive, "w") as zip_file:
        for name, path in sorted(files.items()):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3  # Unix, whose modes these are
            info.external_attr = (0o755 if path.stat().st_mode & 0o100 else 0o644) << 16
            stored = path.suffix in ALREADY_COMPRESSED
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            zip_file.writestr(info, path.read_bytes(), compresslevel=9)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
