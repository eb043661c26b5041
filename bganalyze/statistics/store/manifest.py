"""The manifest of a store: its shards, the content stored in them, and the files it belongs to.

It is an SQLite database, so each transaction is entered as a whole or not at all, whatever happens
to the program. Paths are stored as bytes, as the system gives them.
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

from bganalyze.errors import BganalyzeError
from bganalyze.files.databases import DECLARED, PATIENCE, DatabaseFile, describe_database_error
from bganalyze.files.reading import FileToRead, UnreadableError, find_files, hash_content, load_file
from bganalyze.statistics.store.own_stores import ELSEWHERE, identify_store
from bganalyze.statistics.store.places import (
    FilePlace,
    Stamp,
    absolute_path,
    find_absolute_path,
    is_inside,
    is_remote,
    is_there,
    join_path,
    make_search_key,
    name_of,
    read_stamp,
)

NAME = "manifest.db"

FOLDER = "shards"
"""The folder of the shards."""

TABLES = ("matches", "games", "turns", "cubes", "findings")
"""The tables of a shard; its sums are stored beside them."""

FORMAT = 3
"""The version of the layout of a store. It increases with every change that older programs cannot
read."""

MATCHES_A_SHARD = 1 << 32
"""Factor in match numbers: the match at place p in the n-th shard has the number n times this, plus
p. It keeps the number when its rows are moved to another shard."""

_TABLE_STATEMENTS = """
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
"""Content is recognized by `name` and `digest`, because the name of a file may give the day of a
match without a date. `size` and `changed` are those of the file, or of its archive. `kept` is
missing if the shard was lost."""


_VISITED_TABLE = """
CREATE TEMP TABLE visited (
    place BLOB NOT NULL,
    rest BLOB NOT NULL,
    entry INTEGER NOT NULL,
    PRIMARY KEY (place, rest, entry)
) WITHOUT ROWID
"""
"""The files found in this run. In memory, a set of a hundred thousand would take 25 MB."""


def list_declared_objects() -> list[tuple[Any, ...]]:
    """Return the tables and indexes that a store's database should have, as SQLite lists them."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_TABLE_STATEMENTS)
        return connection.execute(DECLARED).fetchall()


class MatchStoreError(BganalyzeError):
    """A store that cannot be used; the message says which, why, and what to do."""


class DamagedManifestError(MatchStoreError):
    """A manifest (the database of a store's files) that SQLite cannot read as a database."""


class StoredFile(NamedTuple):
    """The result of checking one file, as it is stored."""

    digest: bytes
    """The digest of the file's content."""
    name: str
    first: int
    """The number of its first match in the data files."""
    matches: int
    """Number of its matches."""
    outcome: str
    """The result as text."""


def _encode_place(place: FilePlace) -> tuple[bytes, bytes, int]:
    """Return a file's place as the columns `root`, `rest` and `entry` of the database.

    `root` is the collected path, `rest` the path after it, and `entry` the position in an archive
    or -1.
    """
    return os.fsencode(place.root), os.fsencode(place.rest), place.entry


def find_shard_folder(store: Path, shard: int) -> Path:
    """Return the folder of the shard (set of data files) with this number."""
    return store / FOLDER / f"{shard:06}"


class FoundFile(NamedTuple):
    """A file in its place, with its size and time (stamp) when it was found."""

    place: FilePlace
    stamp: Stamp


class KnownFile(NamedTuple):
    """The stored result of checking a file that was found."""

    kept: int
    """The number of the stored result."""
    digest: bytes
    """The digest of the file's content."""
    outcome: str
    """The result as text."""
    is_entered: bool
    """Whether the database has the file with this path, size and time. If not, the file was
    touched, copied or moved."""


class EnteredContent(NamedTuple):
    """The digest and number of matches of a file when it was collected."""

    digest: bytes | None
    matches: int | None
    """Number of matches it held. Both are None if they were lost with a damaged part of the store."""


class LiveFile(NamedTuple):
    """A file of a store, with the place of its matches in the data files."""

    path: str
    root: str
    """The collected path under which it was found."""
    shard: int
    """The number of the set of data files with its matches."""
    first: int
    """The number of its first match in them."""
    matches: int
    """Number of its matches."""


class RecordedFile(NamedTuple):
    """A file as it was when it was collected."""

    path: str
    """Its absolute path."""
    root: str
    """The absolute collected path."""
    size: int | None
    """Size in bytes of the file, or of the archive that contains it."""
    changed: int | None
    """Time of its last change, in nanoseconds; None if it was collected just after that."""


class WrittenRoot(NamedTuple):
    """A path that was collected."""

    path: str
    is_named_here: bool
    """Whether this user named the path on this machine, so that it may be read again by itself.
    False for a URL, which must be named each time."""


Checksums = Mapping[str, tuple[int, str]]
"""The size and digest of each file of a shard."""


class Manifest:
    """A store's database of collected paths, files, check results and shards (data files)."""

    def __init__(self, folder: Path, mode: str = "ro", patience: float = PATIENCE) -> None:
        """Connect to the database in a folder; use `open_store` or `open_or_create` instead.

        `mode` is SQLite's, such as `ro` for reading only; `patience` is in seconds.
        """
        self.folder = folder
        self._known_roots: list[tuple[str, int]] | None = None
        with self._errors_as_store_errors():
            file = DatabaseFile(folder / NAME, mode)
            self._connection = file.connect(patience, isolation_level=None)
            # An outcome that is no longer text is not JSON either, so its file is read again.
            self._connection.text_factory = partial(str, encoding="utf-8", errors="replace")

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write the changes made in a `with` block to the database, or none of them after an error.

        Raises MatchStoreError for an error of SQLite.
        """
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._execute("ROLLBACK")
            raise

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of an SQL query, whose question marks stand for `values`.

        Raises MatchStoreError for an error of SQLite.
        """
        with self._errors_as_store_errors():
            return self._connection.execute(query, values).fetchall()

    def _execute(self, query: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run an SQL statement, whose question marks stand for `values`.

        Raises MatchStoreError for an error of SQLite.
        """
        with self._errors_as_store_errors():
            return self._connection.execute(query, values)

    @contextmanager
    def _errors_as_store_errors(self) -> Iterator[None]:
        """Turn SQLite's errors in a `with` block into a MatchStoreError."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise MatchStoreError(
                f"{self.folder / NAME}: {describe_database_error(error)}"
            ) from error
        except sqlite3.Error as error:
            raise DamagedManifestError(
                f"{self.folder / NAME}: {describe_database_error(error)}; collect again into another folder"
            ) from error

    # The whole store.

    def create_tables(self, program: str, rule_book: str) -> None:
        """Create missing tables, and record the version of the program and the rule book."""
        if self._read_format():
            return
        with self.transaction():
            if self._read_format() == 0:  # Another run may have been faster.
                for statement in _TABLE_STATEMENTS.split(";"):
                    self._execute(statement)
                self._execute("INSERT INTO about VALUES (?, ?, 1)", (program, rule_book))
                self._execute(f"PRAGMA user_version = {FORMAT}")

    def read_declarations(self) -> list[tuple[Any, ...]]:
        """Return the tables and indexes in the database, as SQLite lists them.

        Raises MatchStoreError if the database cannot be read.
        """
        return self.rows(DECLARED)

    def require_format(self) -> None:
        """Raise MatchStoreError if the store has a format that this version cannot read."""
        version = self._read_format()
        if version != FORMAT:
            raise MatchStoreError(
                f"{self.folder}: created by another version of bganalyze, in format {version};"
                f" this version reads format {FORMAT}; choose another folder"
            )

    def _read_format(self) -> int:
        """Return the number of the store's format."""
        return int(self.rows("PRAGMA user_version")[0][0])

    def require_maker(self, program: str, rule_book: str | None) -> None:
        """Raise MatchStoreError unless this program version and rule book made the store.

        None as `rule_book` accepts any rule book.
        """
        ((its_program, its_rule_book),) = self.rows("SELECT program, rule_book FROM about")
        if its_program != program:
            command = shlex.join(["bganalyze", "collect", "--store", str(self.folder), "--renew"])
            raise MatchStoreError(
                f"{self.folder}: collected by another version of bganalyze ({its_program};"
                f" this is {program}); collect it again: {command}"
            )
        if rule_book not in (None, its_rule_book):
            raise MatchStoreError(
                f"{self.folder}: collected by the rule book {its_rule_book}, not {rule_book};"
                " collect by that rule book into another folder, or add --renew to collect this one again"
            )

    @property
    def rule_book(self) -> str:
        """Title of the rule book that the stored matches were checked by."""
        ((rule_book,),) = self.rows("SELECT rule_book FROM about")
        return str(rule_book)

    def skip_disk_waits(self) -> None:
        """Let SQLite write without waiting for the disk; a power failure may then lose entries."""
        self._execute("PRAGMA synchronous = OFF")

    # Roots and files.

    def record_paths(self, spellings: Mapping[str, str]) -> None:
        """Record the collected paths, except those inside another collected path.

        `spellings` maps each absolute path to its spelling by the user.
        """
        origin = self._origin
        rows = self.rows("SELECT place, written, origin FROM roots")
        if {(*map(os.fsencode, names), origin) for names in spellings.items()} <= set(rows):
            return
        with self.transaction():
            for path, text in spellings.items():
                self._record_root(path, text, origin)

    @property
    def _origin(self) -> bytes:
        """Digest that identifies the store, with its user and machine."""
        return identify_store(self.folder / NAME)

    def _record_root(self, place: str, written: str, origin: bytes) -> None:
        """Record the collected path `place` unless a recorded path contains it.

        Recorded paths inside `place` are merged into it. `written` is the user's spelling, `origin`
        the digest of user, machine and store.
        """
        for root, number in self._list_roots():
            if is_inside(place, root):
                if place == root:
                    query = "UPDATE roots SET written = ?, origin = ? WHERE root = ?"
                    self._execute(query, (os.fsencode(written), origin, number))
                return
        inner = [(root, number) for root, number in self._list_roots() if is_inside(root, place)]
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

    def _list_roots(self) -> list[tuple[str, int]]:
        """Return each collected path, as an absolute path, with its number in the database."""
        if self._known_roots is None:
            rows = self.rows("SELECT place, root FROM roots ORDER BY root")
            self._known_roots = [(os.fsdecode(place), root) for place, root in rows]
        return self._known_roots

    def locate_file(self, item: FileToRead) -> FoundFile | None:
        """Return the place, size and time of a file, or None if no collected path contains it."""
        path, stamp = find_absolute_path(item), read_stamp(item) or Stamp(-1, None)
        root = next((root for root, _ in self._list_roots() if is_inside(path, root)), None)
        if root is None or item.held is not None:
            return None
        entry = -1 if item.entry is None else item.entry
        return FoundFile(FilePlace(root, path[len(root.rstrip(os.sep)) :], entry), stamp)

    def find_stored(self, item: FileToRead, file: FoundFile) -> KnownFile | None:
        """Return the stored result of checking a file, or else of one with the same name and bytes.

        None means that neither was checked before.
        """
        rows = self.rows(
            "SELECT kept, digest, outcome FROM files JOIN roots USING (root) JOIN kept USING (kept)"
            " WHERE place = ? AND rest = ? AND entry = ? AND size = ? AND changed = ?",
            (*_encode_place(file.place), *file.stamp),
        )
        for kept, digest, outcome in rows:
            return KnownFile(kept, digest, outcome, is_entered=True)
        return self._find_by_content(item)

    def _find_by_content(self, item: FileToRead) -> KnownFile | None:
        """Return the stored result of any file with the same name and bytes, or None."""
        name = os.fsencode(name_of(item.path))
        if not self.rows("SELECT 1 FROM kept WHERE name = ? LIMIT 1", (name,)):
            return None
        try:
            digest = hash_content(load_file(item))
        except UnreadableError:
            return None
        query = "SELECT kept, digest, outcome FROM kept WHERE name = ? AND digest = ? LIMIT 1"
        for kept, stored_digest, outcome in self.rows(query, (name, digest)):
            return KnownFile(kept, stored_digest, outcome, is_entered=False)
        return None

    def find_content(self, place: FilePlace) -> EnteredContent | None:
        """Return the digest and number of matches recorded for the file at a place, or None."""
        query = (
            "SELECT digest, matches FROM files JOIN roots USING (root) LEFT JOIN kept USING (kept)"
            " WHERE place = ? AND rest = ? AND entry = ?"
        )
        for digest, matches in self.rows(query, _encode_place(place)):
            return EnteredContent(digest, matches)
        return None

    def list_results_in_use(self) -> set[int]:
        """Return the numbers of the stored results that a recorded file has."""
        return {kept for (kept,) in self.rows("SELECT kept FROM files WHERE kept IS NOT NULL")}

    def find_path_as_written(self, place: FilePlace) -> str:
        """Return a file's path in the user's spelling, or else the absolute path.

        The spelling no longer counts if it is relative and now leads to another file.
        """
        query = "SELECT written FROM roots WHERE place = ?"
        for (written,) in self.rows(query, (os.fsencode(place.root),)):
            return join_path(_shorten_path(place.root, os.fsdecode(written)), place.rest)
        return join_path(place.root, place.rest)

    def record_file(self, file: FoundFile, result_number: int) -> None:
        """Record where a file is, its size and time, and the number of its stored result."""
        (root, rest, entry), stamp = file
        self._execute(
            "INSERT OR REPLACE INTO files SELECT root, ?, ?, ?, ?, ? FROM roots WHERE place = ?",
            (os.fsencode(rest), entry, *stamp, result_number, os.fsencode(root)),
        )

    def list_places(self, scope: Sequence[str]) -> Iterator[FilePlace]:
        """Yield the place of each recorded file below one of the absolute paths in `scope`."""
        query = "SELECT place, rest, entry FROM files JOIN roots USING (root)"
        with self._errors_as_store_errors():
            for root, rest, entry in self._connection.execute(query):
                place = FilePlace(os.fsdecode(root), os.fsdecode(rest), entry)
                if any(is_inside(join_path(place.root, place.rest), within) for within in scope):
                    yield place

    def start_visits(self) -> None:
        """Start a new, empty list of the files that this run finds; `visit` adds to it."""
        self._execute("PRAGMA temp_store = FILE")
        self._execute("DROP TABLE IF EXISTS temp.visited")
        self._execute(_VISITED_TABLE)

    def visit(self, place: FilePlace) -> None:
        """Add the file at a place to the list of the files that this run has found."""
        try:
            self._execute("INSERT OR IGNORE INTO visited VALUES (?, ?, ?)", _encode_place(place))
        except MatchStoreError as error:
            raise MatchStoreError(
                f"{self.folder}: {error.__cause__}, in the folder for temporary files;"
                " set SQLITE_TMPDIR to another folder"
            ) from error

    def was_visited(self, place: FilePlace) -> bool:
        """Whether this run has found the file at a place."""
        query = "SELECT 1 FROM visited WHERE (place, rest, entry) = (?, ?, ?)"
        return bool(self.rows(query, _encode_place(place)))

    def list_written_roots(self) -> list[WrittenRoot]:
        """Return the collected paths in the user's spelling, or else as absolute paths.

        A spelling no longer counts if it is relative and now leads elsewhere.
        """
        rows = self.rows("SELECT place, written, origin FROM roots ORDER BY root")
        origin = self._origin
        return [
            WrittenRoot(
                _shorten_path(os.fsdecode(place), os.fsdecode(written)),
                is_named_here=entered == origin != ELSEWHERE and not is_remote(os.fsdecode(place)),
            )
            for place, written, entered in rows
        ]

    def delete_all_but_collected_paths(self, program: str, rule_book: str) -> None:
        """Delete all files and results, but keep the collected paths to read their files anew.

        The database then records this program version and rule book.
        """
        for statement in ("DELETE FROM files", "DELETE FROM kept", "DELETE FROM shards"):
            self._execute(statement)
        self._execute("UPDATE about SET program = ?, rule_book = ?", (program, rule_book))

    def forget_paths(self, paths: Sequence[str]) -> None:
        """Delete the collected paths in `paths` (absolute) and the entries of their files."""
        if not paths:
            return  # Otherwise all files would be read.
        self.delete_file_entries(list(self.list_places(paths)))
        for root, number in self._list_roots():
            if any(is_inside(root, path) for path in paths):
                self._execute("DELETE FROM roots WHERE root = ?", (number,))
        self._known_roots = None

    def find_missing_roots(self) -> dict[str, int]:
        """Return the collected paths that no longer exist, each with its number of stored files."""
        rows = self.rows(
            "SELECT place, written, count(rest) FROM roots LEFT JOIN files USING (root)"
            " GROUP BY root ORDER BY root"
        )
        return {
            _shorten_path(os.fsdecode(place), os.fsdecode(written)): files
            for place, written, files in rows
            if not is_there(os.fsdecode(place))
        }

    def delete_file_entries(self, places: Iterable[FilePlace]) -> None:
        """Delete the files at these places from the database."""
        query = (
            "DELETE FROM files WHERE root = (SELECT root FROM roots WHERE place = ?)"
            " AND rest = ? AND entry = ?"
        )
        for place in places:
            self._execute(query, _encode_place(place))

    def delete_entries_of_moved_files(self) -> int:
        """Delete the old entries of moved files, and return how many of these are match files.

        A moved file's collected path is missing, and the same content was found elsewhere.
        """
        moved = (
            "FROM files WHERE root = ? AND kept IN (SELECT kept FROM kept WHERE digest IN ("
            "SELECT digest FROM visited JOIN roots USING (place) JOIN files USING (root, rest, entry)"
            " JOIN kept USING (kept) WHERE root <> ?))"  # A missing file that was named is visited too.
        )
        match_files = "AND kept IN (SELECT kept FROM kept WHERE matches > 0)"
        number = 0
        for place, root in self._list_roots():
            if not is_there(place):
                number += self.rows(f"SELECT count(*) {moved} {match_files}", (root, root))[0][0]
                self._execute(f"DELETE {moved}", (root, root))
        return number

    def list_checked_files(self, path: str) -> Iterator[tuple[FileToRead, str]]:
        """Yield each collected file below `path`, with the stored result of its check as text."""
        within = absolute_path(path)
        rows = self.rows(
            "SELECT place, rest, entry, outcome FROM files JOIN roots USING (root)"
            " JOIN kept USING (kept)"
        )
        found = [
            (join_path(os.fsdecode(place), os.fsdecode(rest)), entry, outcome)
            for place, rest, entry, outcome in rows
        ]
        inside = [(place[len(within) :], *row) for place, *row in found if is_inside(place, within)]
        for rest, entry, outcome in sorted(inside, key=lambda row: make_search_key(row[0], row[1])):
            yield (
                FileToRead(join_path(path, rest), path, entry=None if entry < 0 else entry),
                outcome,
            )

    def list_files(self) -> Iterator[LiveFile]:
        """Yield the files that have a result, in the order of a search.

        Each comes with the shard that has its matches, and their place in it.
        """
        rows = self.rows(
            "SELECT root, rest, entry, shard, first, matches"
            " FROM files JOIN roots USING (root) JOIN kept USING (kept)"
        )
        roots = {
            root: _shorten_path(os.fsdecode(place), os.fsdecode(written))
            for root, place, written in self.rows("SELECT root, place, written FROM roots")
        }
        rows.sort(key=lambda row: (row[0], make_search_key(os.fsdecode(row[1]), row[2])))
        for root, rest, _, *others in rows:
            yield LiveFile(join_path(roots[root], os.fsdecode(rest)), roots[root], *others)

    def list_own_files(self, most: int) -> list[RecordedFile]:
        """Return up to `most` files that this user collected on this machine."""
        origin = self._origin
        rows = self.rows(
            "SELECT place, rest, size, changed FROM files JOIN roots USING (root)"
            " WHERE origin = ? AND origin <> ? LIMIT ?",
            (origin, ELSEWHERE, most),
        )
        roots = ((os.fsdecode(place), os.fsdecode(rest), *stamp) for place, rest, *stamp in rows)
        return [
            RecordedFile(join_path(root, rest), root, *stamp)
            for root, rest, *stamp in roots
            if not is_remote(root)
        ]

    def count_matches(self) -> int:
        """Return the total number of matches in the recorded files that have a stored result."""
        query = "SELECT coalesce(sum(matches), 0) FROM files JOIN kept USING (kept)"
        return int(self.rows(query)[0][0])

    # Shards.

    def make_shard_number(self) -> int:
        """Return a number that no shard has."""
        return int(self.rows("SELECT next_shard FROM about")[0][0])

    def shards(self) -> dict[int, Checksums]:
        """Return a dictionary from each shard's number to the checksums of its files."""
        return {
            shard: {name: (size, digest) for name, (size, digest) in json.loads(files).items()}
            for shard, files in self.rows("SELECT shard, files FROM shards ORDER BY shard")
        }

    def delete_shard_entry(self, shard: int) -> int:
        """Delete a shard and its results, and return how many match files must be read again."""
        self._execute("DELETE FROM shards WHERE shard = ?", (shard,))
        query = "SELECT count(*) FROM files JOIN kept USING (kept) WHERE shard = ?"
        ((files,),) = self.rows(query, (shard,))
        self._execute("DELETE FROM kept WHERE shard = ?", (shard,))
        return int(files)

    def list_lost_files(self) -> list[FileToRead]:
        """Return the recorded files of this user whose results are lost, to read them again."""
        origin = self._origin
        if origin == ELSEWHERE:
            return []
        rows = self.rows(
            "SELECT place, rest, entry FROM files JOIN roots USING (root)"
            " LEFT JOIN kept USING (kept) WHERE kept.kept IS NULL AND origin = ?",
            (origin,),
        )
        paths = [
            (join_path(os.fsdecode(root), os.fsdecode(rest)), entry) for root, rest, entry in rows
        ]
        here = [(path, entry) for path, entry in paths if not is_remote(path)]
        return [item for path, entry in here for item in _find_again(path, entry)]

    def list_results_by_shard(self) -> dict[int, list[tuple[int, int, int]]]:
        """Return a dictionary from each shard's number to the results of recorded files in it.

        A result is three numbers: its own, its first match in the shard, and how many matches.
        """
        alive: dict[int, list[tuple[int, int, int]]] = {shard: [] for shard in self.shards()}
        query = "SELECT DISTINCT shard, kept, first, matches FROM files JOIN kept USING (kept)"
        for shard, *kept in self.rows(f"{query} ORDER BY shard, first"):
            alive[shard].append((kept[0], kept[1], kept[2]))
        return alive

    def move_results(self, results: Iterable[int], shard: int) -> None:
        """Record that the rows of some results, given by number, are now in the shard `shard`."""
        for number in results:
            self._execute("UPDATE kept SET shard = ? WHERE kept = ?", (shard, number))

    def add_shard(self, shard: int, files: Checksums) -> None:
        """Record a new shard with the checksums of its files."""
        self._execute("INSERT INTO shards VALUES (?, ?)", (shard, json.dumps(files)))
        self._execute("UPDATE about SET next_shard = max(next_shard, ?)", (shard + 1,))

    def record_results(self, shard: int | None, results: Sequence[StoredFile]) -> list[int]:
        """Add the results of checking some files, and return the new results' numbers.

        `shard` is the number of the shard with the rows of their matches, or None.
        """
        return [
            int(
                self._execute(
                    "INSERT INTO kept (digest, name, shard, first, matches, outcome)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (row.digest, os.fsencode(row.name), shard, *row[2:]),
                ).lastrowid
                or 0
            )
            for row in results
        ]


def _shorten_path(full_path: str, written: str) -> str:
    """Return a path as the user wrote it, or `full_path` if that spelling now leads elsewhere.

    A relative spelling depends on the current folder.
    """
    return written if absolute_path(written) == full_path else full_path


def _find_again(path: str, entry: int) -> list[FileToRead]:
    """Return a list with the recorded file at `path`, or an empty list if the file is gone.

    `entry` is the file's position in the archive at `path`, or -1 outside an archive.
    """
    return [item._replace(entry=None if entry < 0 else entry) for item in find_files(path)]


@contextmanager
def close_on_error(manifest: Manifest) -> Iterator[Manifest]:
    """Provide a manifest in a `with` block, and close it if the block raises an error."""
    try:
        yield manifest
    except BaseException:
        manifest.close()
        raise


def open_or_create(
    folder: Path, program: str, rule_book: str, patience: float = PATIENCE
) -> Manifest:
    """Open a store's database, or create it for this program version and rule book.

    `patience` is how many seconds to wait for another writing program. Raises MatchStoreError if
    the folder cannot be created, or has other files in it.
    """
    if not (folder / NAME).exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_taken = any(folder.iterdir())
        except OSError as error:
            raise MatchStoreError(f"{folder}: {error.strerror}") from error
        require_manifest(folder)
        if is_taken and not (folder / NAME).exists():  # Another run may have made it meanwhile.
            raise MatchStoreError(f"{folder}: contains something else; choose a new folder")
    with close_on_error(Manifest(folder, "rwc", patience)) as manifest:
        manifest.create_tables(program, rule_book)
        manifest.require_format()
    return manifest


def require_manifest(folder: Path) -> None:
    """Raise MatchStoreError if a folder has the data files of a store but not its database."""
    shards = (folder / FOLDER).glob("[0-9]" * 6 + "/*.parquet")
    if not (folder / NAME).exists() and any(shards):
        raise MatchStoreError(
            f"{folder}: the {NAME} of this store is missing; collect again into another folder"
        )
