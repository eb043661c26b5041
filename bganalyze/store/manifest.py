"""The manifest of a store: its shards, what they keep of which content, and which files there are.

It is an SQLite database: what is entered in one transaction is there as a whole or not at all,
whatever happens to the program meanwhile. Paths are kept as bytes, as the system has them.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bganalyze.store.places import FilePlace, absolute, is_inside, joined, order

NAME = "manifest.db"

FORMAT = 1
"""The version of the layout of a store. It grows with every change that older programs cannot read."""

PATIENCE = 30.0
"""Seconds to wait for another program that writes to the manifest."""

MATCHES_A_SHARD = 1 << 32
"""The match with the place p in the n-th shard written has the number n times this, plus p. It keeps
it where its rows are put into another shard."""

_TABLES = """
CREATE TABLE about (program TEXT NOT NULL, law TEXT NOT NULL, next_shard INTEGER NOT NULL);
CREATE TABLE shards (shard INTEGER PRIMARY KEY, files TEXT NOT NULL);
CREATE TABLE kept (
    kept INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,
    name BLOB NOT NULL,
    shard INTEGER NOT NULL REFERENCES shards,
    first INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    outcome TEXT NOT NULL
);
CREATE INDEX kept_by_content ON kept (name, digest);
CREATE TABLE roots (root INTEGER PRIMARY KEY, place BLOB NOT NULL UNIQUE, written BLOB NOT NULL);
CREATE TABLE files (
    root INTEGER NOT NULL REFERENCES roots,
    rest BLOB NOT NULL,
    entry INTEGER NOT NULL,
    size INTEGER,
    changed INTEGER,
    kept INTEGER,
    PRIMARY KEY (root, rest, entry)
) WITHOUT ROWID;
"""
"""`name` and `digest` are what is known again: of a match without a date the name of its file may tell
the day. `size` and `changed` are those of the file, or of the archive that holds it; `kept` is missing
where a shard was lost."""


class MatchStoreError(Exception):
    """A store that cannot be used; the message says which, why, and what to do."""


class Stamp(NamedTuple):
    """By what a file is taken to be unchanged, without reading it."""

    size: int
    changed: int | None
    """In nanoseconds; None where it changed so lately that it might again at the same moment."""


class Kept(NamedTuple):
    """What a shard keeps of one file."""

    digest: bytes
    name: str
    first: int
    """The number of its first match."""
    matches: int
    outcome: str


class FoundFile(NamedTuple):
    """A file in its place, as it was when it was read."""

    place: FilePlace
    stamp: Stamp


class LiveFile(NamedTuple):
    """A file of a store, with what is kept of it."""

    path: str
    root: str
    """The path given, under which it was found."""
    shard: int
    first: int
    matches: int
    outcome: str


Checksums = Mapping[str, tuple[int, str]]
"""Of each file of a shard its size and its digest."""


class Manifest:
    """The manifest of one store."""

    def __init__(self, folder: Path, mode: str = "ro") -> None:
        """Connect to the database in a folder, in a mode of SQLite; `opened` and `made` do it."""
        self.folder = folder
        with self._told():
            self._connection = sqlite3.connect(
                f"{(folder / NAME).absolute().as_uri()}?mode={mode}",
                timeout=PATIENCE,
                isolation_level=None,
                uri=True,
            )

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Enter what is said in the block as a whole, or nothing of it; raise MatchStoreError."""
        with self._told():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise MatchStoreError(f"{self.folder / NAME}: {error}") from error

    # What it is.

    def make(self, program: str, law: str) -> None:
        """Make the tables, where there are none."""
        with self.transaction():
            if self._format() == 0:
                for statement in _TABLES.split(";"):
                    self._connection.execute(statement)
                self._connection.execute("INSERT INTO about VALUES (?, ?, 1)", (program, law))
                self._connection.execute(f"PRAGMA user_version = {FORMAT}")

    def require_format(self) -> None:
        """Raise MatchStoreError where the store is made in a way that is not known here."""
        with self._told():
            version = self._format()
        if version != FORMAT:
            raise MatchStoreError(
                f"{self.folder}: made by another version of bganalyze, in format {version};"
                f" this one knows format {FORMAT}: name another folder"
            )

    def _format(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def about(self) -> tuple[str, str]:
        """Return the program and the law that it was collected by."""
        with self._told():
            program, law = self._connection.execute("SELECT program, law FROM about").fetchone()
            return program, law

    # Roots and files.

    def root_of(self, place: str, written: str) -> str:
        """Return the root that a path belongs to; it becomes one where it lies in none."""
        for root, number in self._roots():
            if is_inside(place, root):
                if place == root:
                    self._connection.execute(
                        "UPDATE roots SET written = ? WHERE root = ?",
                        (os.fsencode(written), number),
                    )
                return root
        inner = [(root, number) for root, number in self._roots() if is_inside(root, place)]
        made = self._connection.execute(
            "INSERT INTO roots (place, written) VALUES (?, ?)",
            (os.fsencode(place), os.fsencode(written)),
        ).lastrowid
        for root, number in inner:
            rest = os.fsencode(root[len(place.rstrip(os.sep)) :])
            self._connection.execute(
                "UPDATE files SET root = ?, rest = CAST(? || rest AS BLOB) WHERE root = ?",
                (made, rest, number),
            )
            self._connection.execute("DELETE FROM roots WHERE root = ?", (number,))
        return place

    def _roots(self) -> list[tuple[str, int]]:
        rows = self._connection.execute("SELECT place, root FROM roots ORDER BY root")
        return [(os.fsdecode(place), root) for place, root in rows]

    def unchanged(self, found: FoundFile) -> str | None:
        """Return the outcome that is kept of a file that has not changed since it was read."""
        (root, rest, entry), stamp = found
        row = self._connection.execute(
            "SELECT outcome FROM files JOIN roots USING (root) JOIN kept USING (kept)"
            " WHERE place = ? AND rest = ? AND entry = ? AND size = ? AND changed = ?",
            (os.fsencode(root), os.fsencode(rest), entry, *stamp),
        ).fetchone()
        return None if row is None else str(row[0])

    def has_name(self, name: str) -> bool:
        """Whether anything is kept of a file of that name."""
        query = "SELECT 1 FROM kept WHERE name = ?"
        return self._connection.execute(query, (os.fsencode(name),)).fetchone() is not None

    def kept_of(self, name: str, digest: bytes) -> tuple[int, str] | None:
        """Return what is kept of a content under a name, if anything is: its number and outcome."""
        query = "SELECT kept, outcome FROM kept WHERE name = ? AND digest = ?"
        row: tuple[int, str] | None
        row = self._connection.execute(query, (os.fsencode(name), digest)).fetchone()
        return row

    def put_file(self, found: FoundFile, kept: int) -> None:
        """Enter a file, or what it is now."""
        (root, rest, entry), stamp = found
        self._connection.execute(
            "INSERT OR REPLACE INTO files SELECT root, ?, ?, ?, ?, ? FROM roots WHERE place = ?",
            (os.fsencode(rest), entry, *stamp, kept, os.fsencode(root)),
        )

    def places(self, scope: Sequence[str]) -> Iterator[FilePlace]:
        """Yield the places of the files that lie in a scope of absolute paths."""
        rows = self._connection.execute(
            "SELECT place, rest, entry FROM files JOIN roots USING (root)"
        )
        for root, rest, entry in rows.fetchall():
            place = FilePlace(os.fsdecode(root), os.fsdecode(rest), entry)
            if any(is_inside(joined(place.root, place.rest), within) for within in scope):
                yield place

    def written_roots(self) -> list[str]:
        """Return the paths that were collected, as they can be given again from the present folder."""
        with self._told():
            rows = self._connection.execute(
                "SELECT place, written FROM roots ORDER BY root"
            ).fetchall()
        paths = [(os.fsdecode(place), os.fsdecode(written)) for place, written in rows]
        return [written if absolute(written) == place else place for place, written in paths]

    def forget_all(self, program: str, law: str) -> None:
        """Forget all but the paths: everything is to be collected anew, by another program or law."""
        for statement in ("DELETE FROM files", "DELETE FROM kept", "DELETE FROM shards"):
            self._connection.execute(statement)
        self._connection.execute("UPDATE about SET program = ?, law = ?", (program, law))

    def drop_files(self, places: Iterable[FilePlace]) -> None:
        """Forget files that are gone; what was kept of them is dropped with their shard."""
        self._connection.executemany(
            "DELETE FROM files WHERE root = (SELECT root FROM roots WHERE place = ?)"
            " AND rest = ? AND entry = ?",
            [(os.fsencode(root), os.fsencode(rest), entry) for root, rest, entry in places],
        )

    def live(self) -> list[LiveFile]:
        """Return the files with what is kept of them, in the order in which they would be found."""
        with self._told():
            rows = self._connection.execute(
                "SELECT root, rest, entry, written, shard, first, matches, outcome"
                " FROM files JOIN roots USING (root) JOIN kept USING (kept)"
            ).fetchall()
        decoded = [(root, os.fsdecode(rest), entry, *others) for root, rest, entry, *others in rows]
        decoded.sort(key=lambda row: (row[0], order(row[1], row[2])))
        return [
            LiveFile(joined(os.fsdecode(written), rest), os.fsdecode(written), *others)
            for _, rest, _, written, *others in decoded
        ]

    # Shards.

    def next_shard(self) -> int:
        """Return a number that no shard has had."""
        return int(self._connection.execute("SELECT next_shard FROM about").fetchone()[0])

    def shards(self) -> dict[int, Checksums]:
        """Return the shards, each with its files."""
        with self._told():
            rows = self._connection.execute("SELECT shard, files FROM shards ORDER BY shard")
            return {
                shard: {name: (size, digest) for name, (size, digest) in json.loads(files).items()}
                for shard, files in rows
            }

    def add_shard(self, shard: int, files: Checksums, kept: Sequence[Kept]) -> list[int]:
        """Enter a shard with what it keeps; return the numbers of these."""
        self._connection.execute("INSERT INTO shards VALUES (?, ?)", (shard, json.dumps(files)))
        self._connection.execute("UPDATE about SET next_shard = max(next_shard, ?)", (shard + 1,))
        return [
            int(
                self._connection.execute(
                    "INSERT INTO kept (digest, name, shard, first, matches, outcome)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (row.digest, os.fsencode(row.name), shard, *row[2:]),
                ).lastrowid
                or 0
            )
            for row in kept
        ]


def made(folder: Path, program: str, law: str) -> Manifest:
    """Return the manifest of a store, which is made where there is none; raise MatchStoreError."""
    if not (folder / NAME).exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_taken = any(folder.iterdir())
        except OSError as error:
            raise MatchStoreError(f"{folder}: {error.strerror}") from error
        if is_taken:
            raise MatchStoreError(f"{folder}: there is something else in it; name a new folder")
    manifest = Manifest(folder, "rwc")
    manifest.make(program, law)
    manifest.require_format()
    return manifest


def opened(folder: Path) -> Manifest:
    """Return the manifest of a store that is there, to be read; raise MatchStoreError."""
    if not (folder / NAME).is_file():
        raise MatchStoreError(f"{folder}: there is no such store; bganalyze collect makes one")
    manifest = Manifest(folder)
    manifest.require_format()
    return manifest
