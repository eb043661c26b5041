"""Database of analyzed matches: each is stored in one transaction, under its `Key`.

SQLAlchemy accesses the database, which is SQLite (a file) or PostgreSQL. A match is stored with all
its decisions or not at all, whatever happens to the program. Evaluations of an unfinished match are
stored apart, so that a run that was killed continues where it stopped.
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
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.digest import digest_rows
from bganalyze.analysis.engines import Evaluation, read_evaluation, write_evaluation
from bganalyze.analysis.match import AnalyzedMatch, Key
from bganalyze.analysis.rows import (
    MatchRow,
    WrongRowError,
    read_decision,
    read_row,
    require_games,
)
from bganalyze.analysis.store_error import StoreError
from bganalyze.board.ids import Situation
from bganalyze.files.databases import (
    DECLARED,
    PATIENCE,
    DatabaseFile,
    PatientConnection,
    describe_database_error,
)
from bganalyze.packages import PSYCOPG, how_to_add

_R = TypeVar("_R")
_Rows: TypeAlias = "Select[*tuple[Any, ...]]"

_PASSWORD = re.compile(r"(/[^:@/]*:).*(?=@)|(password=)[^&\s]*")

BACKENDS = ("sqlite", "postgresql")

OTHER_DIGEST = 64
"""Length of a `record` from before the tables of files and of analyzed matches shared their digest
of a match."""

_TYPES = {
    int: Integer,
    str: String,
    Kind: String,
    Situation: String,
    bool: Boolean,
    float: Double,
}


def _make_columns(record: type) -> list[Column[Any]]:
    """Return a database column for each field of a NamedTuple type."""
    hints = get_type_hints(record)
    return [
        # A position is stored as its XGID.
        Column("xgid" if hint is Situation else name, _choose_column_type(hint))
        for name, hint in hints.items()
    ]


def _choose_column_type(hint: Any) -> Any:
    """Return the database type for a field with the type `hint`."""
    return next(_TYPES[hint_type] for hint_type in (hint, *get_args(hint)) if hint_type in _TYPES)


_OTHER_VERSION = "written by another version of bganalyze; analyze into a new database"

DAMAGED = "written by another version of bganalyze, or damaged; restore the database, or analyze into a new one"

SCHEMA = 1
"""Version of the tables below. It increases with every change that older programs cannot read."""

_VERSION = Table("schema_version", MetaData(), Column("version", Integer, nullable=False))
"""The schema of a database; databases without this table have schema 1."""

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
"""Order of matches. The order of storing depends on which process finished first."""


def _make_table_for_matches(name: str, record: type) -> Table:
    """Return a database table for records of a type, each of which belongs to a match."""
    return Table(
        name,
        _TABLES,
        Column("match_id", ForeignKey("matches.id"), primary_key=True),
        # The record's place in the match.
        Column("position", Integer, primary_key=True),
        *_make_columns(record),
    )


_GAMES = _make_table_for_matches("games", GameResult)
_DECISIONS = _make_table_for_matches("decisions", AnalyzedDecision)

_ADDED = frozenset(("depth", "plays", "chances"))
"""Columns of decisions that earlier versions lacked. They are added without losing anything."""

_BEGUN = Table(
    "begun",
    MetaData(),
    *(Column(name, String, primary_key=True) for name in Key._fields),
    Column("position", Integer, primary_key=True),
    Column("evaluation", String, nullable=False),
)
"""Evaluations of unfinished matches, as JSON. The table is created when needed, so that a read-only
database of an earlier version can still be read."""


_NAMES = {table.name for table in (*_TABLES.sorted_tables, _BEGUN, _VERSION)}

_COMPUTED = re.compile(r"\b(CHECK|GENERATED|AS|DEFAULT|COLLATE|VIRTUAL)\b", re.IGNORECASE)
"""Words by which SQLite computes values when a table is used; our own tables contain no such
words."""


class Store:
    """A database of analyzed matches.

    All methods raise StoreError if the database cannot be read or written.
    """

    def __init__(self, address: str | DatabaseFile) -> None:
        """Open a database, an SQLAlchemy URL or the path of an SQLite file, or raise StoreError.

        Missing tables are created.
        """
        self.name, self._engine = _connect_to(address)
        weakref.finalize(self, self._engine.dispose)  # A database in memory ends with its store.
        with self._begin() as connection:
            self._make_tables(connection)

    def add(self, match: AnalyzedMatch) -> bool:
        """Store an analyzed match, and return whether its analysis was not stored before."""
        if self.find(match.key) is not None:
            with self._begin() as connection:
                _delete_partial(
                    connection, match.key
                )  # Delete this run's evaluations of the match.
            return False
        try:
            with self._begin() as connection:
                _insert_match(connection, match)
        except StoreError as error:
            if isinstance(error.__cause__, IntegrityError) and self.find(match.key) is not None:
                return False  # Another run was faster.
            raise
        return True

    def find_partial(self, key: Key) -> dict[int, Evaluation | None]:
        """Return the evaluations stored for an unfinished analysis, by index of the decision."""
        query = select(_BEGUN.c.position, _BEGUN.c.evaluation).where(
            *_make_key_conditions(_BEGUN, key)
        )
        with self._begin() as connection:
            if not inspect(connection).has_table(_BEGUN.name):
                return {}
            return dict(_read_evaluations(connection.execute(query)))

    def add_part_of_analysis(self, key: Key, evaluations: Mapping[int, Evaluation | None]) -> None:
        """Store evaluations of an unfinished analysis, so that another run can continue it.

        The keys of `evaluations` are indexes of decisions.
        """
        rows = [
            {**key._asdict(), "position": place, "evaluation": write_evaluation(evaluation)}
            for place, evaluation in evaluations.items()
        ]
        try:
            with self._begin() as connection:
                connection.execute(CreateTable(_BEGUN, if_not_exists=True))
                connection.execute(insert(_BEGUN), rows)
        except StoreError as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise  # Otherwise another run was faster.

    def find(self, key: Key) -> AnalyzedMatch | None:
        """Return the analysis with this key (match, engine, version, level), or None."""
        with self._begin() as connection:
            row = connection.execute(
                _select_rows(_MATCHES, *_make_key_conditions(_MATCHES, key))
            ).first()
            return None if row is None else _read_match(connection, _read_match_row(row))

    def matches(
        self, engine: str | None = None, level: str | None = None
    ) -> Iterator[AnalyzedMatch]:
        """Yield the analyzed matches in the order of their match files.

        If given, `engine` and `level` select the analyses.
        """
        columns = ((_MATCHES.c.engine, engine), (_MATCHES.c.level, level))
        conditions = [column == value for column, value in columns if value is not None]
        return self._select_matches(_select_rows(_MATCHES, *conditions).order_by(*_ORDER))

    def editions(self) -> list[tuple[str, str, str]]:
        """Return the engine, version and level of all analyses, each combination once."""
        columns = (_MATCHES.c.engine, _MATCHES.c.version, _MATCHES.c.level)
        with self._begin() as connection:
            rows = connection.execute(select(*columns).distinct().order_by(*columns))
            return [(str(engine), str(version), str(level)) for engine, version, level in rows]

    def list_analyses(self) -> list[tuple[Key, str, int]]:
        """Return the key, the match digest and the match length of each analysis, oldest first."""
        query = _select_rows(_MATCHES).order_by(_MATCHES.c.id)
        with self._begin() as connection:
            return [
                (_read_key(row), _read_digest(connection, row), row.length)
                for row in map(_read_match_row, connection.execute(query).all())
            ]

    def find_by_content(self, content: str) -> Iterator[AnalyzedMatch]:
        """Yield the analyses of a match, newest first; `content` is the match's hash in a key."""
        query = _select_rows(_MATCHES, _MATCHES.c.content == content)
        return self._select_matches(query.order_by(_MATCHES.c.id.desc()))

    def _select_matches(self, query: _Rows) -> Iterator[AnalyzedMatch]:
        """Yield the analyzed matches that a query selects, with their decisions and games."""
        with self._begin() as connection:
            for row in connection.execute(query).all():
                yield _read_match(connection, _read_match_row(row))

    def _make_tables(self, connection: Connection) -> None:
        """Make missing tables and columns; raise StoreError if a table was made otherwise."""
        _refuse_foreign_tables(self.name, connection)
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
            if missing - _ADDED:
                raise StoreError(f"{self.name}: {_OTHER_VERSION}")
            for name in sorted(missing):
                connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {name} VARCHAR"))

    def _refuse_newer(self, connection: Connection) -> None:
        """Raise StoreError if a newer version of bganalyze made the database."""
        version = connection.scalar(select(func.max(_VERSION.c.version)))
        if version is not None and int(version) > SCHEMA:
            raise StoreError(
                f"{self.name}: written by a newer version of bganalyze, in schema {version}; this version reads schema {SCHEMA}"
            )

    def _begin(self) -> AbstractContextManager[Connection]:
        """Begin a transaction for a `with` block: all its changes are stored, or none."""
        return _transaction(self.name, self._engine)


def _connect_to(address: str | DatabaseFile) -> tuple[str, Engine]:
    """Return a database's name for messages and its SQLAlchemy engine, or raise StoreError."""
    if isinstance(address, DatabaseFile):
        connect = partial(address.connect, PATIENCE)
        return str(address.path), create_engine("sqlite://", creator=connect, poolclass=NullPool)
    try:
        url = _read_url(address)
        if url.get_backend_name() not in BACKENDS:
            raise StoreError(f"{_hide_password(address)}: a database is SQLite or PostgreSQL")
        name = _hide_password(url.render_as_string(hide_password=True))
        return name, create_engine(url, **_choose_connection_options(url))
    except (ArgumentError, ValueError) as error:
        raise StoreError(f"{_hide_password(address)}: not the address of a database") from error
    except ModuleNotFoundError as error:
        if url.get_driver_name() != "psycopg":
            remedy = "begin the address with postgresql+psycopg://"
            raise StoreError(f"{name}: {error.name} is not installed: {remedy}") from error
        raise StoreError(f"{name}: {error.name} is not installed: {how_to_add(PSYCOPG)}") from error
    except OSError as error:
        raise StoreError(f"{name}: {error.strerror}") from error


def _read_url(address: str) -> URL:
    """Return an address as a URL; a path becomes the URL of an SQLite file."""
    return make_url(address if "://" in address else f"sqlite:///{address}")


@contextmanager
def _transaction(name: str, engine: Engine) -> Iterator[Connection]:
    """Begin a transaction for a `with` block, and raise database errors as StoreError."""
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise StoreError(
            f"{name}: {describe_database_error(getattr(error, 'orig', None) or error)}"
        ) from error
    except OverflowError as error:  # A score too large for the column.
        raise StoreError(f"{name}: {error}") from error
    except WrongRowError as error:
        raise StoreError(f"{name}: {error}: {DAMAGED}") from error
    except ValueError as error:
        raise StoreError(f"{name}: {_OTHER_VERSION}") from error


def open_existing(address: str | DatabaseFile) -> Store:
    """Open a database of analyses; raise StoreError if it is missing or empty."""
    if _is_missing(address):
        shown = _hide_password(address) if isinstance(address, str) else address.path
        raise StoreError(f"{shown}: no such database; bganalyze analyze creates it")
    name, engine = _connect_to(address)
    with _transaction(name, engine) as connection:
        if not inspect(connection).has_table(_MATCHES.name):
            raise StoreError(f"{name}: no analyses stored yet")
    return Store(address)


def require_nothing_else(file: DatabaseFile) -> None:
    """Raise StoreError if a database file also holds tables of another program."""
    name, engine = _connect_to(file)
    with _transaction(name, engine) as connection:
        others = sorted({table for _, _, table, _ in _list_declared_objects(connection)} - _NAMES)
    if others:
        raise StoreError(f"{name}: not only a database of analyses: it also contains {others[0]!r}")


def _refuse_foreign_tables(name: str, connection: Connection) -> None:
    """Raise StoreError if one of bganalyze's tables was made otherwise, such as a view."""
    # They could run code when the table is used.
    for kind, own, table, sql in _list_declared_objects(connection):
        if own not in _NAMES and table not in _NAMES:
            continue
        is_key = kind == "index" and sql is None
        is_plain = kind == "table" and _COMPUTED.search(sql or "") is None
        if not (is_key or is_plain):
            raise StoreError(
                f"{name}: {kind} {own!r} differs from the one bganalyze creates: {DAMAGED}"
            )


def _list_declared_objects(connection: Connection) -> list[tuple[str, str, str, str | None]]:
    """Return type, name, table and SQL of the tables, indexes, views and triggers in SQLite."""
    if connection.dialect.name != "sqlite":
        return []
    return [
        (str(kind), str(name).lower(), str(table).lower(), sql and str(sql))
        for kind, name, table, sql in connection.exec_driver_sql(DECLARED)
    ]


def _is_missing(address: str | DatabaseFile) -> bool:
    """Whether an address names a missing SQLite file."""
    if isinstance(address, DatabaseFile):
        return not address.path.exists()
    with suppress(ArgumentError, ValueError):
        url = _read_url(address)
        if url.get_backend_name() == "sqlite":
            return not os.path.exists((url.database or "").removeprefix("file:"))
    return False


def _hide_password(address: str) -> str:
    """Return an address, valid or not, without its password.

    >>> _hide_password("postgresql://ann:secret@host:port/club")
    'postgresql://ann:***@host:port/club'
    >>> _hide_password("postgresql//ann:secret@host"), _hide_password("postgresql://host/club?password=secret&a=b")
    ('postgresql//ann:***@host', 'postgresql://host/club?password=***&a=b')
    """
    return _PASSWORD.sub(r"\1\2***", address)


def default_path() -> str:
    """Return the path of the default database file."""
    from platformdirs import user_data_path

    return str(user_data_path("bganalyze", appauthor=False) / "analyzed.db")


def _choose_connection_options(url: URL) -> dict[str, Any]:
    """Return the keyword arguments of SQLAlchemy's `create_engine` for a database."""
    if url.get_backend_name() != "sqlite":
        return {"poolclass": NullPool}
    if not url.database:
        return {}  # A second connection to a database in memory would be empty.
    folder = os.path.dirname(url.database)
    if folder and not url.database.startswith("file:"):  # SQLite itself opens a URI.
        os.makedirs(folder, exist_ok=True)
    patient = {"factory": PatientConnection, "timeout": PATIENCE}
    return {"poolclass": NullPool, "connect_args": patient}


def _make_key_conditions(table: Table, key: Key) -> list[ColumnElement[bool]]:
    """Return the SQL conditions that select the rows of the analysis with a key."""
    return [table.c[name] == value for name, value in key._asdict().items()]


def _insert_match(connection: Connection, match: AnalyzedMatch) -> None:
    """Insert a match with its decisions and games."""
    values = {
        **match.key._asdict(),
        "path": _make_storable(match.path),
        "number": match.number,
        "left_name": _make_storable(match.names[0]),
        "right_name": _make_storable(match.names[1]),
        "length": match.length,
        "record": match.record,
        "date": match.date,
        "site": None if match.site is None else _make_storable(match.site),
    }
    key = connection.execute(insert(_MATCHES).values(values)).inserted_primary_key
    assert key is not None
    kept: dict[Table, Iterable[GameResult | AnalyzedDecision]]
    kept = {_GAMES: map(_make_names_storable, match.results), _DECISIONS: match.rows}
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
    _delete_partial(connection, match.key)


def _delete_partial(connection: Connection, key: Key) -> None:
    """Delete the evaluations stored while the analysis with this key was unfinished."""
    if inspect(connection).has_table(_BEGUN.name):
        connection.execute(delete(_BEGUN).where(*_make_key_conditions(_BEGUN, key)))


def _make_names_storable(result: GameResult) -> GameResult:
    """Return a game's result with names that every database accepts."""
    return result._replace(
        left_name=_make_storable(result.left_name), right_name=_make_storable(result.right_name)
    )


def _make_storable(text: str) -> str:
    """Return a text that every database accepts: undecodable bytes and NUL are escaped."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")


def _read_evaluations(
    stored: Iterable[Row[int, str]],
) -> Iterator[tuple[int, Evaluation | None]]:
    """Yield the stored evaluations that are readable, each after the index of its decision."""
    for place, evaluation in stored:
        # Unreadable ones will be computed again.
        with suppress(ValueError, TypeError, AttributeError, RecursionError):
            yield place, read_evaluation(evaluation)


def _select_rows(table: Table, *conditions: ColumnElement[bool]) -> _Rows:
    """Return the SQL query for the rows of a table that meet all conditions."""
    columns = [type_coerce(column, NullType()) for column in table.columns]
    return select(*columns).where(*conditions)


def _read_match(connection: Connection, row: MatchRow) -> AnalyzedMatch:
    """Return the match of a row, with decisions and games, or raise WrongRowError."""
    decisions, games = _read_decisions(connection, row.id), _read_games(connection, row.id)
    try:
        require_games(decisions, games)
    except WrongRowError as error:
        raise WrongRowError(f"decisions, match {row.id}: {error}") from error
    return AnalyzedMatch(
        key=_read_key(row),
        path=row.path,
        number=row.number,
        names=(row.left_name, row.right_name),
        length=row.length,
        rows=decisions,
        results=games,
        record=_read_digest(connection, row),
        date=row.date,
        site=row.site,
    )


def _read_key(row: MatchRow) -> Key:
    """Return the key of the analysis in a row of the table of matches."""
    return Key(*(getattr(row, name) for name in Key._fields))


def _read_digest(connection: Connection, row: MatchRow) -> str:
    """Return the digest of a stored match, as `digest_match` makes it."""
    if row.record and len(row.record) != OTHER_DIGEST:
        return row.record
    # An older version computed it in another way, or did not store it.
    return digest_rows(_read_decisions(connection, row.id), _read_games(connection, row.id)) or ""


def _read_decisions(connection: Connection, match: int) -> tuple[AnalyzedDecision, ...]:
    """Return the analyzed decisions of the match with this id."""
    return tuple(_read_records(connection, _DECISIONS, match, read_decision))


def _read_games(connection: Connection, match: int) -> tuple[GameResult, ...]:
    """Return the game results of the match with this id."""
    return tuple(_read_records(connection, _GAMES, match, partial(read_row, GameResult)))


def _read_records(
    connection: Connection, table: Table, match: int, read: Callable[[Sequence[Any]], _R]
) -> Iterator[_R]:
    """Yield the values that `read` makes from the rows of a match in a table.

    `match` is the id of the match.
    """
    query = _select_rows(table, table.c.match_id == match).order_by(table.c.position)
    for row in connection.execute(query):
        try:
            yield read(row[2:])
        except WrongRowError as error:
            place = f"{table.name}, match {match}, position {row[1]!r}"
            raise WrongRowError(f"{place}: {error}") from error


def _read_match_row(values: Sequence[Any]) -> MatchRow:
    """Return a row of the table of matches as a MatchRow, or raise WrongRowError."""
    try:
        return read_row(MatchRow, values)
    except WrongRowError as error:
        raise WrongRowError(f"matches, id {values[0]!r}: {error}") from error
