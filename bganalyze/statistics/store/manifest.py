"""The manifest of a store: its shards, what they keep of which content, and which files there are.

It is an SQLite database: what is entered in one transaction is there as a whole or not at all,
whatever happens to the program meanwhile. Paths are kept as bytes, as the system has them.
"""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bganalyze.files.databases import DECLARED, PATIENCE, DatabaseFile, problem_in
from bganalyze.files.reading import Item, UnreadableError, digest_of, find, load
from bganalyze.statistics.store.origin import ELSEWHERE, origin_of
from bganalyze.statistics.store.places import (
    FilePlace,
    Stamp,
    absolute,
    absolute_place,
    is_inside,
    is_remote,
    is_there,
    joined,
    name_of,
    order,
    stamp_of,
)

NAME = "manifest.db"

FOLDER = "shards"
"""Where the shards are."""

TABLES = ("matches", "games", "turns", "cubes", "findings")
"""The tables of a shard; its sums lie beside them."""

FORMAT = 3
"""The version of the layout of a store. It grows with every change that older programs cannot read."""

MATCHES_A_SHARD = 1 << 32
"""The match with the place p in the n-th shard written has the number n times this, plus p. It keeps
it where its rows are put into another shard."""

_STATEMENTS = """
CREATE TABLE about (program TEXT NOT NULL, rule_book TEXT NOT NULL, next_shard INTEGER NOT NULL);
CREATE TABLE shards (shard INTEGER PRIMARY KEY, files TEXT NOT NULL);
CREATE TABLE kept (
    kept INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,
    name BLOB NOT NULL,
    shard INTEGER REFERENCES shards,
    first INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    outcome TEXT NOT NULL
);
CREATE INDEX kept_by_content ON kept (name, digest);
CREATE TABLE roots (
    root INTEGER PRIMARY KEY,
    place BLOB NOT NULL UNIQUE,
    written BLOB NOT NULL,
    origin BLOB NOT NULL
);
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


_VISITED = """
CREATE TEMP TABLE visited (
    place BLOB NOT NULL,
    rest BLOB NOT NULL,
    entry INTEGER NOT NULL,
    PRIMARY KEY (place, rest, entry)
) WITHOUT ROWID
"""
"""The files met in this run: of a hundred thousand a set in memory takes 25 MB."""


def declared() -> list[tuple[Any, ...]]:
    """Return how the tables and indexes of a manifest are declared."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_STATEMENTS)
        return connection.execute(DECLARED).fetchall()


class MatchStoreError(Exception):
    """A store that cannot be used; the message says which, why, and what to do."""


class DamagedManifestError(MatchStoreError):
    """A manifest that is no database any more."""


class Kept(NamedTuple):
    """What a shard keeps of one file."""

    digest: bytes
    name: str
    first: int
    """The number of its first match."""
    matches: int
    outcome: str


def _encoded(place: FilePlace) -> tuple[bytes, bytes, int]:
    """A place as the database has it."""
    return os.fsencode(place.root), os.fsencode(place.rest), place.entry


def path_of(store: Path, shard: int) -> Path:
    """Return the folder of a shard."""
    return store / FOLDER / f"{shard:06}"


class FoundFile(NamedTuple):
    """A file in its place, as it was when it was found."""

    place: FilePlace
    stamp: Stamp


class KnownFile(NamedTuple):
    """What is kept of a file that was found."""

    kept: int
    outcome: str
    is_entered: bool
    """Whether it is there as it was found; else it was touched, copied or moved."""


class LiveFile(NamedTuple):
    """A file of a store, with what is kept of it."""

    path: str
    root: str
    """The path given, under which it was found."""
    shard: int
    first: int
    matches: int


class WrittenRoot(NamedTuple):
    """A path that was collected."""

    path: str
    is_named_here: bool
    """Whether this user named the path on this machine, and it can be read again without being named.
    An address has to be named each time."""


Checksums = Mapping[str, tuple[int, str]]
"""Of each file of a shard its size and its digest."""


class Manifest:
    """The manifest of one store."""

    def __init__(self, folder: Path, mode: str = "ro", patience: float = PATIENCE) -> None:
        """Connect to the database in a folder, in a mode of SQLite; `opened` and `made` do it."""
        self.folder = folder
        self._known_roots: list[tuple[str, int]] | None = None
        with self._told():
            file = DatabaseFile(folder / NAME, mode)
            self._connection = file.connect(patience, isolation_level=None)
            # An outcome that is no text any more is no JSON either, and its file is read again.
            self._connection.text_factory = partial(str, encoding="utf-8", errors="replace")

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Enter what is said in the block as a whole, or nothing of it; raise MatchStoreError."""
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._execute("ROLLBACK")
            raise

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that answer a query; raise MatchStoreError."""
        with self._told():
            return self._connection.execute(query, values).fetchall()

    def _execute(self, query: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        with self._told():
            return self._connection.execute(query, values)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise MatchStoreError(f"{self.folder / NAME}: {problem_in(error)}") from error
        except sqlite3.Error as error:
            raise DamagedManifestError(
                f"{self.folder / NAME}: {problem_in(error)}; collect anew into another folder"
            ) from error

    # What it is.

    def make(self, program: str, rule_book: str) -> None:
        """Make the tables, where there are none."""
        if self._format():
            return
        with self.transaction():
            if self._format() == 0:  # Another run may have been faster.
                for statement in _STATEMENTS.split(";"):
                    self._execute(statement)
                self._execute("INSERT INTO about VALUES (?, ?, 1)", (program, rule_book))
                self._execute(f"PRAGMA user_version = {FORMAT}")

    def schema(self) -> list[tuple[Any, ...]]:
        """Return how its tables and indexes are declared; raise MatchStoreError."""
        return self.rows(DECLARED)

    def require_format(self) -> None:
        """Raise MatchStoreError where the store is made in a way that is not known here."""
        version = self._format()
        if version != FORMAT:
            raise MatchStoreError(
                f"{self.folder}: made by another version of bganalyze, in format {version};"
                f" this one knows format {FORMAT}: name another folder"
            )

    def _format(self) -> int:
        return int(self.rows("PRAGMA user_version")[0][0])

    def require(self, program: str, rule_book: str | None) -> None:
        """Raise MatchStoreError where it was collected by another program, or another rule book."""
        ((its_program, its_rule_book),) = self.rows("SELECT program, rule_book FROM about")
        if its_program != program:
            command = shlex.join(["bganalyze", "collect", "--store", str(self.folder), "--renew"])
            raise MatchStoreError(
                f"{self.folder}: collected by another version of bganalyze ({its_program},"
                f" this is {program}); collect it anew: {command}"
            )
        if rule_book not in (None, its_rule_book):
            raise MatchStoreError(
                f"{self.folder}: collected by the rule book {its_rule_book}, and this is asked by {rule_book};"
                " collect by that rule book into another folder, or add --renew to collect this one anew"
            )

    @property
    def rule_book(self) -> str:
        """The rule book that it was collected by, as `config.title` has it."""
        ((rule_book,),) = self.rows("SELECT rule_book FROM about")
        return str(rule_book)

    def be_quick(self) -> None:
        """Do not wait for the disk: what is lost when the power fails is no loss."""
        self._execute("PRAGMA synchronous = OFF")

    # Roots and files.

    def enter_roots(self, written: Mapping[str, str]) -> None:
        """Enter absolute paths, with how they were written, as roots where they lie in none."""
        origin = self._origin
        rows = self.rows("SELECT place, written, origin FROM roots")
        if {(*map(os.fsencode, names), origin) for names in written.items()} <= set(rows):
            return
        with self.transaction():
            for path, text in written.items():
                self._enter_root(path, text, origin)

    @property
    def _origin(self) -> bytes:
        """What tells a path that was named here from one that came with the store."""
        return origin_of(self.folder / NAME)

    def _enter_root(self, place: str, written: str, origin: bytes) -> None:
        for root, number in self._roots():
            if is_inside(place, root):
                if place == root:
                    query = "UPDATE roots SET written = ?, origin = ? WHERE root = ?"
                    self._execute(query, (os.fsencode(written), origin, number))
                return
        inner = [(root, number) for root, number in self._roots() if is_inside(root, place)]
        made = self._execute(
            "INSERT INTO roots (place, written, origin) VALUES (?, ?, ?)",
            (os.fsencode(place), os.fsencode(written), origin),
        ).lastrowid
        for root, number in inner:
            rest = os.fsencode(root[len(place.rstrip(os.sep)) :])
            self._execute(
                "UPDATE files SET root = ?, rest = CAST(? || rest AS BLOB) WHERE root = ?",
                (made, rest, number),
            )
            self._execute("DELETE FROM roots WHERE root = ?", (number,))
        self._known_roots = None

    def _roots(self) -> list[tuple[str, int]]:
        if self._known_roots is None:
            rows = self.rows("SELECT place, root FROM roots ORDER BY root")
            self._known_roots = [(os.fsdecode(place), root) for place, root in rows]
        return self._known_roots

    def found(self, item: Item) -> FoundFile | None:
        """Return the place of a file and its stamp; None where it lies in no root."""
        path, stamp = absolute_place(item), stamp_of(item) or Stamp(-1, None)
        root = next((root for root, _ in self._roots() if is_inside(path, root)), None)
        if root is None or item.held is not None:
            return None
        entry = -1 if item.entry is None else item.entry
        return FoundFile(FilePlace(root, path[len(root.rstrip(os.sep)) :], entry), stamp)

    def known(self, item: Item, file: FoundFile) -> KnownFile | None:
        """Return what is kept of a file that has not changed, or whose content is known."""
        rows = self.rows(
            "SELECT kept, outcome FROM files JOIN roots USING (root) JOIN kept USING (kept)"
            " WHERE place = ? AND rest = ? AND entry = ? AND size = ? AND changed = ?",
            (*_encoded(file.place), *file.stamp),
        )
        for kept, outcome in rows:
            return KnownFile(kept, outcome, is_entered=True)
        return self._known_by_content(item)

    def _known_by_content(self, item: Item) -> KnownFile | None:
        """What is kept of the same content under the same name; a new name need not be read."""
        name = os.fsencode(name_of(item.path))
        if not self.rows("SELECT 1 FROM kept WHERE name = ? LIMIT 1", (name,)):
            return None
        try:
            digest = digest_of(load(item))
        except UnreadableError:
            return None
        query = "SELECT kept, outcome FROM kept WHERE name = ? AND digest = ? LIMIT 1"
        for kept, outcome in self.rows(query, (name, digest)):
            return KnownFile(kept, outcome, is_entered=False)
        return None

    def put_file(self, file: FoundFile, kept: int) -> None:
        """Enter a file, or what it is now."""
        (root, rest, entry), stamp = file
        self._execute(
            "INSERT OR REPLACE INTO files SELECT root, ?, ?, ?, ?, ? FROM roots WHERE place = ?",
            (os.fsencode(rest), entry, *stamp, kept, os.fsencode(root)),
        )

    def places(self, scope: Sequence[str]) -> Iterator[FilePlace]:
        """Yield the places of the files that lie in a scope of absolute paths."""
        query = "SELECT place, rest, entry FROM files JOIN roots USING (root)"
        with self._told():
            for root, rest, entry in self._connection.execute(query):
                place = FilePlace(os.fsdecode(root), os.fsdecode(rest), entry)
                if any(is_inside(joined(place.root, place.rest), within) for within in scope):
                    yield place

    def start_visits(self) -> None:
        """Begin a run that says which files it meets."""
        self._execute("PRAGMA temp_store = FILE")
        self._execute("DROP TABLE IF EXISTS temp.visited")
        self._execute(_VISITED)

    def visit(self, place: FilePlace) -> None:
        """Remember that a file was met in this run."""
        try:
            self._execute("INSERT OR IGNORE INTO visited VALUES (?, ?, ?)", _encoded(place))
        except MatchStoreError as error:
            raise MatchStoreError(
                f"{self.folder}: {error.__cause__}, where temporary files lie;"
                " name another folder for them as SQLITE_TMPDIR"
            ) from error

    def was_visited(self, place: FilePlace) -> bool:
        """Whether a file was met in this run."""
        query = "SELECT 1 FROM visited WHERE (place, rest, entry) = (?, ?, ?)"
        return bool(self.rows(query, _encoded(place)))

    def written_roots(self) -> list[WrittenRoot]:
        """Return the paths that were collected, as they can be given again from the present folder."""
        rows = self.rows("SELECT place, written, origin FROM roots ORDER BY root")
        origin = self._origin
        return [
            WrittenRoot(
                _from_here(os.fsdecode(place), os.fsdecode(written)),
                is_named_here=entered == origin != ELSEWHERE and not is_remote(os.fsdecode(place)),
            )
            for place, written, entered in rows
        ]

    def forget_all(self, program: str, rule_book: str) -> None:
        """Forget all but the paths: everything is to be collected anew, by another program or rule book."""
        for statement in ("DELETE FROM files", "DELETE FROM kept", "DELETE FROM shards"):
            self._execute(statement)
        self._execute("UPDATE about SET program = ?, rule_book = ?", (program, rule_book))

    def forget(self, paths: Sequence[str]) -> None:
        """Forget what was collected from some absolute paths, and that it was."""
        if not paths:
            return  # Else all files would be looked at.
        self.drop_files(list(self.places(paths)))
        for root, number in self._roots():
            if any(is_inside(root, path) for path in paths):
                self._execute("DELETE FROM roots WHERE root = ?", (number,))
        self._known_roots = None

    def missing_roots(self) -> dict[str, int]:
        """Return the paths that are not there, as they were written, each with its files."""
        rows = self.rows(
            "SELECT place, written, count(rest) FROM roots LEFT JOIN files USING (root)"
            " GROUP BY root ORDER BY root"
        )
        return {
            _from_here(os.fsdecode(place), os.fsdecode(written)): files
            for place, written, files in rows
            if not is_there(os.fsdecode(place))
        }

    def drop_files(self, places: Iterable[FilePlace]) -> None:
        """Forget files that are gone; what was kept of them is dropped with their shard."""
        query = (
            "DELETE FROM files WHERE root = (SELECT root FROM roots WHERE place = ?)"
            " AND rest = ? AND entry = ?"
        )
        for place in places:
            self._execute(query, _encoded(place))

    def live(self) -> Iterator[LiveFile]:
        """Yield the files with what is kept of them, in the order in which they would be found."""
        rows = self.rows(
            "SELECT root, rest, entry, shard, first, matches"
            " FROM files JOIN roots USING (root) JOIN kept USING (kept)"
        )
        roots = {
            root: _from_here(os.fsdecode(place), os.fsdecode(written))
            for root, place, written in self.rows("SELECT root, place, written FROM roots")
        }
        rows.sort(key=lambda row: (row[0], order(os.fsdecode(row[1]), row[2])))
        for root, rest, _, *others in rows:
            yield LiveFile(joined(roots[root], os.fsdecode(rest)), roots[root], *others)

    def count_matches(self) -> int:
        """Return how many matches the files have of which anything is kept."""
        query = "SELECT coalesce(sum(matches), 0) FROM files JOIN kept USING (kept)"
        return int(self.rows(query)[0][0])

    # Shards.

    def next_shard(self) -> int:
        """Return a number that no shard has had."""
        return int(self.rows("SELECT next_shard FROM about")[0][0])

    def shards(self) -> dict[int, Checksums]:
        """Return the shards, each with its files."""
        return {
            shard: {name: (size, digest) for name, (size, digest) in json.loads(files).items()}
            for shard, files in self.rows("SELECT shard, files FROM shards ORDER BY shard")
        }

    def drop_shard(self, shard: int) -> int:
        """Forget a shard with what it keeps; return how many files are to be read again."""
        self._execute("DELETE FROM shards WHERE shard = ?", (shard,))
        query = "SELECT count(*) FROM files JOIN kept USING (kept) WHERE shard = ?"
        ((files,),) = self.rows(query, (shard,))
        self._execute("DELETE FROM kept WHERE shard = ?", (shard,))
        return int(files)

    def lost(self) -> list[Item]:
        """Return the files here of which nothing is kept, as they are found from any folder.

        Those below a path that nobody has named here are left out.
        """
        origin = self._origin
        if origin == ELSEWHERE:
            return []
        rows = self.rows(
            "SELECT place, rest, entry FROM files JOIN roots USING (root)"
            " LEFT JOIN kept USING (kept) WHERE kept.kept IS NULL AND origin = ?",
            (origin,),
        )
        paths = [
            (joined(os.fsdecode(root), os.fsdecode(rest)), entry) for root, rest, entry in rows
        ]
        here = [(path, entry) for path, entry in paths if not is_remote(path)]
        return [item for path, entry in here for item in _again(path, entry)]

    def alive(self) -> dict[int, list[tuple[int, int, int]]]:
        """Return what each shard keeps of files that are there: number, first match and matches."""
        alive: dict[int, list[tuple[int, int, int]]] = {shard: [] for shard in self.shards()}
        query = "SELECT DISTINCT shard, kept, first, matches FROM files JOIN kept USING (kept)"
        for shard, *kept in self.rows(f"{query} ORDER BY shard, first"):
            alive[shard].append((kept[0], kept[1], kept[2]))
        return alive

    def move(self, kept: Iterable[int], shard: int) -> None:
        """Enter that something is kept in another shard now."""
        for number in kept:
            self._execute("UPDATE kept SET shard = ? WHERE kept = ?", (shard, number))

    def add_shard(self, shard: int, files: Checksums) -> None:
        """Enter a shard."""
        self._execute("INSERT INTO shards VALUES (?, ?)", (shard, json.dumps(files)))
        self._execute("UPDATE about SET next_shard = max(next_shard, ?)", (shard + 1,))

    def keep(self, shard: int | None, kept: Sequence[Kept]) -> list[int]:
        """Enter what a shard keeps of some contents; return the numbers of these."""
        return [
            int(
                self._execute(
                    "INSERT INTO kept (digest, name, shard, first, matches, outcome)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (row.digest, os.fsencode(row.name), shard, *row[2:]),
                ).lastrowid
                or 0
            )
            for row in kept
        ]


def _from_here(place: str, written: str) -> str:
    """A path as it was written, where that names the same place from the present folder."""
    return written if absolute(written) == place else place


def _again(path: str, entry: int) -> list[Item]:
    """A file that was found before, or that member of an archive."""
    return [item._replace(entry=None if entry < 0 else entry) for item in find(path)]


@contextmanager
def closed_on_error(manifest: Manifest) -> Iterator[Manifest]:
    """Close a manifest if an error shows that it cannot be used; pass the error on."""
    try:
        yield manifest
    except BaseException:
        manifest.close()
        raise


def made(folder: Path, program: str, rule_book: str, patience: float = PATIENCE) -> Manifest:
    """Return the manifest of a store, which is made where there is none; raise MatchStoreError.

    `patience` is how many seconds another program that writes to it is waited for.
    """
    if not (folder / NAME).exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_taken = any(folder.iterdir())
        except OSError as error:
            raise MatchStoreError(f"{folder}: {error.strerror}") from error
        require_manifest(folder)
        if is_taken and not (folder / NAME).exists():  # Another run may have made it meanwhile.
            raise MatchStoreError(f"{folder}: there is something else in it; name a new folder")
    with closed_on_error(Manifest(folder, "rwc", patience)) as manifest:
        manifest.make(program, rule_book)
        manifest.require_format()
    return manifest


def require_manifest(folder: Path) -> None:
    """Raise MatchStoreError where there are shards of which nothing is known any more."""
    shards = (folder / FOLDER).glob("[0-9]" * 6 + "/*.parquet")
    if not (folder / NAME).exists() and any(shards):
        raise MatchStoreError(
            f"{folder}: a store that has lost its {NAME}; collect anew into another folder"
        )
