"""Kept results: analyzed matches in a database, each in one transaction, known by its `Key`.

SQLAlchemy does the talking, so a database is SQLite (a file) or PostgreSQL. A match is either there
with all its decisions or not at all, whatever happens to the program meanwhile; what is analyzed of
one that is under way is kept apart, so that a run that was killed goes on where it was.
"""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any, TypeAlias, TypeVar, get_args, get_type_hints

from sqlalchemy import (
    URL,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Date,
    Double,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    NullPool,
    Row,
    Select,
    String,
    Table,
    UniqueConstraint,
    create_engine,
    delete,
    func,
    insert,
    inspect,
    make_url,
    select,
    text,
    type_coerce,
)
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.schema import CreateTable
from sqlalchemy.types import NullType

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.content import content_of_rows
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.engines import Evaluation, evaluation_of, text_of
from bganalyze.analysis.match import AnalyzedMatch, Key
from bganalyze.analysis.rows import (
    MatchRow,
    WrongRowError,
    checked,
    checked_decision,
    require_games,
)
from bganalyze.board.ids import Situation
from bganalyze.files.databases import (
    DECLARED,
    PATIENCE,
    DatabaseFile,
    PatientConnection,
    problem_in,
)
from bganalyze.packages import PSYCOPG, install_command

_R = TypeVar("_R")
_Rows: TypeAlias = "Select[*tuple[Any, ...]]"

_PASSWORD = re.compile(r"(/[^:@/]*:).*(?=@)|(password=)[^&\s]*")

BACKENDS = ("sqlite", "postgresql")

OTHER_DIGEST = 64
"""The letters of a `record` that was kept before the tables of files and of analyzed matches shared
their digest of a match."""

_TYPES = {
    int: Integer,
    str: String,
    Kind: String,
    Situation: String,
    bool: Boolean,
    float: Double,
}


def _columns(record: type) -> list[Column[Any]]:
    """A column for each field of a record; a position is kept as its XGID."""
    hints = get_type_hints(record)
    return [
        Column("xgid" if hint is Situation else name, _type(hint)) for name, hint in hints.items()
    ]


def _type(hint: Any) -> Any:
    return next(_TYPES[hint_type] for hint_type in (hint, *get_args(hint)) if hint_type in _TYPES)


_OTHER_VERSION = "kept by another version of bganalyze; analyze into a new database"

DAMAGED = "kept by another version of bganalyze, or damaged; restore the database, or analyze into a new one"

SCHEMA = 1
"""The version of the tables below. It grows with every change that older programs cannot read."""

_VERSION = Table("schema_version", MetaData(), Column("version", Integer, nullable=False))
"""The schema of a database; in those that were kept before there was this table it is 1."""

_TABLES = MetaData()

_MATCHES = Table(
    "matches",
    _TABLES,
    Column("id", Integer, primary_key=True),
    *(Column(name, String, nullable=False) for name in Key._fields),
    Column("path", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("left_name", String, nullable=False),
    Column("right_name", String, nullable=False),
    Column("length", Integer, nullable=False),
    Column("record", String, nullable=False),
    Column("date", Date),
    Column("site", String),
    UniqueConstraint(*Key._fields),
)


_ORDER = (_MATCHES.c.path, _MATCHES.c.number, _MATCHES.c.id)
"""Of matches: that in which they were kept depends on which process was done first."""


def _of_match(name: str, record: type) -> Table:
    return Table(
        name,
        _TABLES,
        Column("match_id", ForeignKey("matches.id"), primary_key=True),
        Column("position", Integer, primary_key=True),
        *_columns(record),
    )


_GAMES = _of_match("games", GameResult)
_DECISIONS = _of_match("decisions", AnalyzedDecision)

_DEPTH = "depth"
"""A column of decisions that earlier versions had not; it is added, for nothing else is lost by that."""

_BEGUN = Table(
    "begun",
    MetaData(),
    *(Column(name, String, primary_key=True) for name in Key._fields),
    Column("position", Integer, primary_key=True),
    Column("evaluation", String, nullable=False),
)
"""The evaluations of matches that are not analyzed to the end, as JSON; it is made where it is needed,
so that a database of an earlier version can be read where nothing may be written."""


_NAMES = {table.name for table in (*_TABLES.sorted_tables, _BEGUN, _VERSION)}

_COMPUTED = re.compile(r"\b(CHECK|GENERATED|AS|DEFAULT|COLLATE|VIRTUAL)\b", re.IGNORECASE)
"""The words by which SQLite computes something of a table where it is used; ours have none."""


class StoreError(Exception):
    """A database that cannot be used; the message says which and why."""


class Store:
    """Analyzed matches in a database."""

    def __init__(self, address: str | DatabaseFile) -> None:
        """Open a database, an SQLAlchemy URL or the path of an SQLite file; raise StoreError.

        The tables that it lacks are made.
        """
        self.name, self._engine = _connected(address)
        weakref.finalize(self, self._engine.dispose)  # A database in memory ends with its store.
        with self._begun() as connection:
            self._make_tables(connection)

    def add(self, match: AnalyzedMatch) -> bool:
        """Keep a match; False where it is kept already. Raise StoreError, and keep nothing."""
        if self.find(match.key) is not None:
            with self._begun() as connection:
                _forget(connection, match.key)  # What this run has kept of it meanwhile.
            return False
        try:
            with self._begun() as connection:
                _insert(connection, match)
        except StoreError as error:
            if isinstance(error.__cause__, IntegrityError) and self.find(match.key) is not None:
                return False  # Another run has been faster.
            raise
        return True

    def begun(self, key: Key) -> dict[int, Evaluation | None]:
        """Return what is kept of a match that is not analyzed to the end, by place; raise StoreError."""
        query = select(_BEGUN.c.position, _BEGUN.c.evaluation).where(*_is(_BEGUN, key))
        with self._begun() as connection:
            if not inspect(connection).has_table(_BEGUN.name):
                return {}
            return dict(_readable(connection.execute(query)))

    def keep(self, key: Key, evaluations: Mapping[int, Evaluation | None]) -> None:
        """Keep evaluations of a match, by place, until it is analyzed to the end; raise StoreError."""
        rows = [
            {**key._asdict(), "position": place, "evaluation": text_of(evaluation)}
            for place, evaluation in evaluations.items()
        ]
        try:
            with self._begun() as connection:
                connection.execute(CreateTable(_BEGUN, if_not_exists=True))
                connection.execute(insert(_BEGUN), rows)
        except StoreError as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise  # Else another run has been faster.

    def find(self, key: Key) -> AnalyzedMatch | None:
        """Return the match known by a key, or None; raise StoreError."""
        with self._begun() as connection:
            row = connection.execute(_select(_MATCHES, *_is(_MATCHES, key))).first()
            return None if row is None else _match(connection, _match_row(row))

    def matches(
        self, engine: str | None = None, level: str | None = None
    ) -> Iterator[AnalyzedMatch]:
        """Yield the matches in the order of their files; raise StoreError.

        All of them, or those that one engine has analyzed, or that were analyzed at one level.
        """
        columns = ((_MATCHES.c.engine, engine), (_MATCHES.c.level, level))
        conditions = [column == value for column, value in columns if value is not None]
        return self._selected(_select(_MATCHES, *conditions).order_by(*_ORDER))

    def editions(self) -> list[tuple[str, str, str]]:
        """Return the engines, versions and levels that have analyzed a match; raise StoreError."""
        analyzes = (_MATCHES.c.engine, _MATCHES.c.version, _MATCHES.c.level)
        with self._begun() as connection:
            rows = connection.execute(select(*analyzes).distinct().order_by(*analyzes))
            return [(str(engine), str(version), str(level)) for engine, version, level in rows]

    def index(self) -> list[tuple[Key, str, int]]:
        """Return the key, the `record` and the length of each match, as they were kept.

        Raise StoreError.
        """
        query = _select(_MATCHES).order_by(_MATCHES.c.id)
        with self._begun() as connection:
            return [
                (_key(row), _record(connection, row), row.length)
                for row in map(_match_row, connection.execute(query).all())
            ]

    def analyses(self, content: str) -> Iterator[AnalyzedMatch]:
        """Yield what was analyzed of the match of that content, last kept first; raise StoreError."""
        query = _select(_MATCHES, _MATCHES.c.content == content)
        return self._selected(query.order_by(_MATCHES.c.id.desc()))

    def _selected(self, query: _Rows) -> Iterator[AnalyzedMatch]:
        with self._begun() as connection:
            for row in connection.execute(query).all():
                yield _match(connection, _match_row(row))

    def _make_tables(self, connection: Connection) -> None:
        _require_own_form(self.name, connection)
        inspector = inspect(connection)
        if inspector.has_table(_VERSION.name):
            self._refuse_newer(connection)
        elif not inspector.has_table(_MATCHES.name):
            connection.execute(CreateTable(_VERSION, if_not_exists=True))
            connection.execute(insert(_VERSION).values(version=SCHEMA))
        for table in _TABLES.sorted_tables:
            if not inspector.has_table(table.name):
                connection.execute(CreateTable(table, if_not_exists=True))
                continue
            columns = {column["name"] for column in inspector.get_columns(table.name)}
            missing = set(table.columns.keys()) - columns
            if missing == {_DEPTH}:
                connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {_DEPTH} VARCHAR"))
            elif missing:
                raise StoreError(f"{self.name}: {_OTHER_VERSION}")

    def _refuse_newer(self, connection: Connection) -> None:
        version = connection.scalar(select(func.max(_VERSION.c.version)))
        if version is not None and int(version) > SCHEMA:
            raise StoreError(
                f"{self.name}: kept by a newer version of bganalyze, in schema {version}; this one reads schema {SCHEMA}"
            )

    def _begun(self) -> AbstractContextManager[Connection]:
        return _transaction(self.name, self._engine)


def _connected(address: str | DatabaseFile) -> tuple[str, Engine]:
    """Return the name of a database, as it is shown, and a way to connect to it; raise StoreError."""
    if isinstance(address, DatabaseFile):
        connect = partial(address.connect, PATIENCE)
        return str(address.path), create_engine("sqlite://", creator=connect, poolclass=NullPool)
    try:
        url = _url(address)
        if url.get_backend_name() not in BACKENDS:
            raise StoreError(f"{_shown(address)}: a database is SQLite or PostgreSQL")
        name = _shown(url.render_as_string(hide_password=True))
        return name, create_engine(url, **_options(url))
    except (ArgumentError, ValueError) as error:
        raise StoreError(f"{_shown(address)}: not the address of a database") from error
    except ModuleNotFoundError as error:
        if url.get_driver_name() != "psycopg":
            remedy = "begin the address with postgresql+psycopg://"
            raise StoreError(f"{name}: {error.name} is not installed: {remedy}") from error
        command = install_command(PSYCOPG)
        raise StoreError(f"{name}: {error.name} is not installed: {command}") from error
    except OSError as error:
        raise StoreError(f"{name}: {error.strerror}") from error


def _url(address: str) -> URL:
    return make_url(address if "://" in address else f"sqlite:///{address}")


@contextmanager
def _transaction(name: str, engine: Engine) -> Iterator[Connection]:
    """A transaction in a database: all of it is kept, or nothing."""
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise StoreError(f"{name}: {problem_in(getattr(error, 'orig', None) or error)}") from error
    except OverflowError as error:  # A score that no column holds.
        raise StoreError(f"{name}: {error}") from error
    except WrongRowError as error:
        raise StoreError(f"{name}: {error}: {DAMAGED}") from error
    except ValueError as error:
        raise StoreError(f"{name}: {_OTHER_VERSION}") from error


def opened(address: str | DatabaseFile) -> Store:
    """Open a database that holds analyses; raise StoreError.

    None is made, and nothing is written to one of another program.
    """
    if _is_missing(address):
        shown = _shown(address) if isinstance(address, str) else address.path
        raise StoreError(f"{shown}: there is no such database; bganalyze analyze makes one")
    name, engine = _connected(address)
    with _transaction(name, engine) as connection:
        if not inspect(connection).has_table(_MATCHES.name):
            raise StoreError(f"{name}: it holds no analyses yet")
    return Store(address)


def require_nothing_else(file: DatabaseFile) -> None:
    """Raise StoreError if a file holds tables of another program, too."""
    name, engine = _connected(file)
    with _transaction(name, engine) as connection:
        others = sorted({table for _, _, table, _ in _declared(connection)} - _NAMES)
    if others:
        raise StoreError(f"{name}: it holds {others[0]!r}, which no database of analyses has")


def _require_own_form(name: str, connection: Connection) -> None:
    """Raise StoreError if a name of ours stands for anything but a plain table of values.

    A view, a trigger or a computed column of a file from elsewhere would run where the table is used.
    """
    for kind, own, table, sql in _declared(connection):
        if own not in _NAMES and table not in _NAMES:
            continue
        is_key = kind == "index" and sql is None
        is_plain = kind == "table" and _COMPUTED.search(sql or "") is None
        if not (is_key or is_plain):
            raise StoreError(f"{name}: {kind} {own!r} is not as bganalyze makes it: {DAMAGED}")


def _declared(connection: Connection) -> list[tuple[str, str, str, str | None]]:
    """The type, name, table and SQL of what an SQLite database declares; nothing of another."""
    if connection.dialect.name != "sqlite":
        return []
    return [
        (str(kind), str(name).lower(), str(table).lower(), sql and str(sql))
        for kind, name, table, sql in connection.exec_driver_sql(DECLARED)
    ]


def _is_missing(address: str | DatabaseFile) -> bool:
    """Whether an address names a file of SQLite that is missing."""
    if isinstance(address, DatabaseFile):
        return not address.path.exists()
    with suppress(ArgumentError, ValueError):
        url = _url(address)
        if url.get_backend_name() == "sqlite":
            return not os.path.exists((url.database or "").removeprefix("file:"))
    return False


def _shown(address: str) -> str:
    """Return an address, or what was meant for one, without its password.

    >>> _shown("postgresql://ann:secret@host:port/club")
    'postgresql://ann:***@host:port/club'
    >>> _shown("postgresql//ann:secret@host"), _shown("postgresql://host/club?password=secret&a=b")
    ('postgresql//ann:***@host', 'postgresql://host/club?password=***&a=b')
    """
    return _PASSWORD.sub(r"\1\2***", address)


def default_path() -> str:
    """Return the file that results are kept in where no other is named."""
    from platformdirs import user_data_path

    return str(user_data_path("bganalyze", appauthor=False) / "analyzed.db")


def _options(url: URL) -> dict[str, Any]:
    """How to connect: anew for each transaction, so that nothing is left open at any end."""
    if url.get_backend_name() != "sqlite":
        return {"poolclass": NullPool}
    if not url.database:
        return {}  # In memory: a second connection would find nothing.
    folder = os.path.dirname(url.database)
    if folder and not url.database.startswith("file:"):  # SQLite itself opens a URI.
        os.makedirs(folder, exist_ok=True)
    patient = {"factory": PatientConnection, "timeout": PATIENCE}
    return {"poolclass": NullPool, "connect_args": patient}


def _is(table: Table, key: Key) -> list[ColumnElement[bool]]:
    """What is so of the rows that belong to a key."""
    return [table.c[name] == value for name, value in key._asdict().items()]


def _insert(connection: Connection, match: AnalyzedMatch) -> None:
    values = {
        **match.key._asdict(),
        "path": _storable(match.path),
        "number": match.number,
        "left_name": _storable(match.names[0]),
        "right_name": _storable(match.names[1]),
        "length": match.length,
        "record": match.record,
        "date": match.date,
        "site": None if match.site is None else _storable(match.site),
    }
    key = connection.execute(insert(_MATCHES).values(values)).inserted_primary_key
    assert key is not None
    kept: dict[Table, Iterable[GameResult | AnalyzedDecision]]
    kept = {_GAMES: map(_named, match.results), _DECISIONS: match.rows}
    for table, records in kept.items():
        columns = table.columns.keys()[2:]
        rows = [
            {
                "match_id": key[0],
                "position": position,
                **{column: getattr(record, column) for column in columns},
            }
            for position, record in enumerate(records)
        ]
        if rows:
            connection.execute(insert(table), rows)
    _forget(connection, match.key)


def _forget(connection: Connection, key: Key) -> None:
    """Delete what is kept of a match that is not analyzed to the end."""
    if inspect(connection).has_table(_BEGUN.name):
        connection.execute(delete(_BEGUN).where(*_is(_BEGUN, key)))


def _named(result: GameResult) -> GameResult:
    return result._replace(
        left_name=_storable(result.left_name), right_name=_storable(result.right_name)
    )


def _storable(words: str) -> str:
    """Text that every database takes: a name of undecodable bytes is spelled out."""
    return words.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")


def _readable(kept: Iterable[Row[int, str]]) -> Iterator[tuple[int, Evaluation | None]]:
    """Yield the evaluations that can be read, by place; the others are made anew."""
    for place, evaluation in kept:
        with suppress(ValueError, TypeError, AttributeError, RecursionError):
            yield place, evaluation_of(evaluation)


def _select(table: Table, *conditions: ColumnElement[bool]) -> _Rows:
    """Select rows with their values as the database has them, whatever a column should hold."""
    columns = [type_coerce(column, NullType()) for column in table.columns]
    return select(*columns).where(*conditions)


def _match(connection: Connection, row: MatchRow) -> AnalyzedMatch:
    """Return a match with its decisions and games; raise WrongRowError."""
    decisions, games = _decisions(connection, row.id), _games(connection, row.id)
    try:
        require_games(decisions, games)
    except WrongRowError as error:
        raise WrongRowError(f"decisions, match {row.id}: {error}") from error
    return AnalyzedMatch(
        key=_key(row),
        path=row.path,
        number=row.number,
        names=(row.left_name, row.right_name),
        length=row.length,
        rows=decisions,
        results=games,
        record=_record(connection, row),
        date=row.date,
        site=row.site,
    )


def _key(row: MatchRow) -> Key:
    return Key(*(getattr(row, name) for name in Key._fields))


def _record(connection: Connection, row: MatchRow) -> str:
    """The digest of a match; where another version has kept another one, it is made anew."""
    if len(row.record) != OTHER_DIGEST:
        return row.record
    return content_of_rows(_decisions(connection, row.id), _games(connection, row.id)) or ""


def _decisions(connection: Connection, match: int) -> tuple[AnalyzedDecision, ...]:
    return tuple(_checked(connection, _DECISIONS, match, checked_decision))


def _games(connection: Connection, match: int) -> tuple[GameResult, ...]:
    return tuple(_checked(connection, _GAMES, match, partial(checked, GameResult)))


def _checked(
    connection: Connection, table: Table, match: int, read: Callable[[Sequence[Any]], _R]
) -> Iterator[_R]:
    """Yield the records of a match, in their order; raise WrongRowError."""
    query = _select(table, table.c.match_id == match).order_by(table.c.position)
    for row in connection.execute(query):
        try:
            yield read(row[2:])
        except WrongRowError as error:
            place = f"{table.name}, match {match}, position {row[1]!r}"
            raise WrongRowError(f"{place}: {error}") from error


def _match_row(values: Sequence[Any]) -> MatchRow:
    try:
        return checked(MatchRow, values)
    except WrongRowError as error:
        raise WrongRowError(f"matches, id {values[0]!r}: {error}") from error
