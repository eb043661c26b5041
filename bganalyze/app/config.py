"""Settings from a file: `bganalyze.toml`, or `[tool.bganalyze]` in a `pyproject.toml`.

The nearest file counts, searching upward from a path. Its keys are `rules`, `select`, `ignore`, `fail-on`,
`aliases` and `encoding`; the table `[switches]` sets single fields of the `RuleBook`, and `[repair]` compares the
frequency of transcription slips and player's errors. A rule book is named, or is a file of the user.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from bganalyze.board.rule_book import (
    BASIC,
    MOVES,
    RULE_BOOKS,
    SWITCHES,
    RuleBook,
    make_rule_book,
)
from bganalyze.board.rule_text import RuleBookError
from bganalyze.errors import BganalyzeError
from bganalyze.files.limits import open_regular
from bganalyze.files.reading import reason
from bganalyze.files.toml import parse, read_text
from bganalyze.text import did_you_mean, find_choice, printable
from bganalyze.validation.findings import Selection, Severity, UnknownCodeError, parse_prefixes
from bganalyze.validation.slip_odds import KEYS, Odds, Ratio, parse_ratio

OWN_FILE = "bganalyze.toml"
SHARED_FILE = "pyproject.toml"
_SECTION = "tool.bganalyze"

FAIL_ON: Mapping[str, Severity | None] = {**{str(s): s for s in Severity}, "never": None}
"""The severities of `fail-on`: the lowest that makes a check fail."""


class ConfigError(BganalyzeError, ValueError):
    """Invalid settings; the message names the file, the key and the allowed values."""


class Config(NamedTuple):
    """The settings of a file or the command line; None for a setting that is not given."""

    path: Path | None = None
    rules: str | None = None
    """The name of a rule book, or the path of a file that holds one."""
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fail_on: str | None = None
    aliases: Path | None = None
    """The file that lists the names of each player."""
    encoding: str | None = None
    """The encoding of all files, as Python names it."""
    switches: Mapping[str, Any] = {}
    """Fields of `RuleBook` by name."""
    repair: Mapping[str, Ratio] = {}
    """The ratio of slips to player's errors, by kind of error."""

    def overridden_by(self, other: Config) -> Config:
        """Return these settings, in which each setting that `other` gives replaces the one here.

        >>> Config(rules="wbf", fail_on="info").overridden_by(Config(rules="usbgf")).rules
        'usbgf'
        """
        values = {name: value for name, value in other._asdict().items() if value is not None}
        switches = {**self.switches, **other.switches}
        return self._replace(
            **values | {"switches": switches, "repair": {**self.repair, **other.repair}}
        )

    @property
    def rule_book(self) -> RuleBook:
        """The rule book to check by."""
        return load_rule_book(self.rules or BASIC.name)._replace(**self.switches)

    @property
    def odds(self) -> Odds:
        """How often errors are the transcriber's slips rather than the player's."""
        return Odds(self.repair, "" if self.path is None else str(self.path))

    @property
    def selection(self) -> Selection:
        """The prefixes of rule codes to select and to ignore."""
        return Selection(self.select or (), self.ignore or ())

    @property
    def threshold(self) -> Severity | None:
        """The lowest severity that makes a check fail, or None if no finding does."""
        return FAIL_ON[self.fail_on or Severity.ERROR]


def rule_book_title(rule_book: RuleBook) -> str:
    """Return a rule book's name, edition and date, followed by options that were changed.

    >>> rule_book_title(RULE_BOOKS["wbf"]._replace(jacoby=True))
    'wbgf-2.1 (World Backgammon Federation, Tournament Rules 2.1, 2023-08) with jacoby = true'
    """
    written, changed = rule_book.as_written(), []
    for key in SWITCHES:
        value = getattr(rule_book, key.replace("-", "_"))
        if value != getattr(written, key.replace("-", "_")):
            changed.append(f"{key} = {str(value).lower()}")
    return f"{rule_book.label} with {', '.join(changed)}" if changed else rule_book.label


def name_rule_book(written: str, folder: Path | None = None) -> str:
    """Return the full name of a built-in rule book, or the path of a TOML file in `folder`.

    Raises RuleBookError for text that is neither.

    >>> name_rule_book("WBGF-2.1"), name_rule_book("club.toml")
    ('wbgf-2.1', 'club.toml')
    """
    name = find_choice(written, RULE_BOOKS)
    if name is not None:
        return name
    if not written.lower().endswith(".toml"):
        names = ", ".join(RULE_BOOKS)
        hint = did_you_mean(written, RULE_BOOKS)
        raise RuleBookError(f"{written!r} is not one of {names}{hint}")
    return str(Path(written) if folder is None else folder / written)


def load_rule_book(name_or_path: str) -> RuleBook:
    """Return the rule book with a name or in a TOML file; if there is none, raise RuleBookError."""
    if name_or_path in RULE_BOOKS:
        return RULE_BOOKS[name_or_path]
    return _read_rule_book(name_or_path)


def _read_rule_book(path: str) -> RuleBook:
    """Return the rule book in a TOML file; raise RuleBookError if it is missing or invalid."""
    try:
        with open_regular(Path(path)) as file:
            return _parse_rule_book(read_text(file), printable(os.path.basename(path)))
    except (OSError, ValueError) as error:  # A RuleBookError is a ValueError.
        words = str(error) if isinstance(error, RuleBookError) else reason(error)
        raise RuleBookError(f"{path}: {words}") from error


@lru_cache(maxsize=8)
def _parse_rule_book(text: str, name: str) -> RuleBook:
    """Return the rule book that the text of a TOML file defines. The file is called `name`."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]
    return make_rule_book(parse(text), f"{name} {digest}")


_DIGEST = 8
"""Hexadecimal digits of the digest that distinguishes versions of a user's rule book."""


def find_config(start: Path) -> Path | None:
    """Return the settings file nearest to `start`: in its folder, else in one above; or None."""
    try:
        folder = start if start.is_dir() else start.parent
        return next(_find_files(folder.resolve()), None)
    except OSError:  # A folder without permission, or a path that is too long.
        return None


def _find_files(folder: Path) -> Iterator[Path]:
    """Yield the settings files in a folder and above it, the nearest first."""
    for place in (folder, *folder.parents):
        if (place / OWN_FILE).is_file():
            yield place / OWN_FILE
        elif (place / SHARED_FILE).is_file() and _read_section(place / SHARED_FILE) is not None:
            yield place / SHARED_FILE


def load_config(path: Path, codes: Collection[str]) -> Config:
    """Read a settings file; raise ConfigError if it is unreadable or invalid.

    `codes` are the codes of all rules.
    """
    table = _read_section(path) or {}
    keys = _SectionReader(path, codes)
    keys.check_known(
        table,
        ("rules", "select", "ignore", "fail-on", "aliases", "encoding", "switches", "repair"),
    )
    return Config(
        path,
        rules=keys.read_rule_book(table),
        select=keys.read_prefixes(table, "select"),
        ignore=keys.read_prefixes(table, "ignore"),
        fail_on=keys.read_word(table, "fail-on", FAIL_ON),
        aliases=keys.read_path(table, "aliases"),
        encoding=keys.read_encoding(table),
        switches=keys.read_switches(table),
        repair=keys.read_ratios(table),
    )


def _read_section(path: Path) -> dict[str, Any] | None:
    """Return bganalyze's settings in a file, or None if the file has none."""
    try:
        with open_regular(path) as file:
            text = read_text(file)
        if path.name != SHARED_FILE:
            return parse(text)
        return _find_nested_table(parse(text), "tool", "bganalyze") if _SECTION in text else None
    except (OSError, ValueError) as error:  # Numbers of thousands of digits are a ValueError.
        raise ConfigError(f"{path}: {reason(error)}") from error


def _find_nested_table(table: Any, *keys: str) -> dict[str, Any] | None:
    """Return the table that is reached by one key after another, or None if there is none.

    >>> _find_nested_table({"tool": {"bganalyze": {"rules": "wbf"}}}, "tool", "bganalyze")
    {'rules': 'wbf'}
    """
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else None


class _SectionReader(NamedTuple):
    """Reader of the settings in a file; a wrong setting raises ConfigError.

    `codes` are the codes of all rules.
    """

    path: Path
    codes: Collection[str]

    def check_known(self, table: Mapping[str, Any], allowed: Collection[str]) -> None:
        """Raise ConfigError if `table` has a key that is not in `allowed`."""
        for key in table:
            if key not in allowed:
                raise self._make_error(key, f"unknown; the keys are {', '.join(allowed)}")

    def read_word(self, table: Mapping[str, Any], key: str, allowed: Collection[str]) -> str | None:
        """Return the value of a key, one of the words in `allowed`, or None without the key."""
        value = table.get(key)
        if value is None:
            return None
        choice = find_choice(value, allowed) if isinstance(value, str) else None
        if choice is not None:
            return choice
        raise self._make_error(key, f"{value!r} is not one of {', '.join(allowed)}")

    def read_rule_book(self, table: Mapping[str, Any]) -> str | None:
        """Return the name or the path of the rule book, or None without one."""
        value = table.get("rules")
        if value is None:
            return None
        if not isinstance(value, str):
            raise self._make_error("rules", f"{value!r} is not one of {', '.join(RULE_BOOKS)}")
        try:
            name = name_rule_book(value, self.path.parent)
            load_rule_book(name)
        except RuleBookError as error:
            raise self._make_error("rules", str(error)) from error
        return name

    def read_path(self, table: Mapping[str, Any], key: str) -> Path | None:
        """Return the path that is the value of a key; None without the key."""
        value = table.get(key)
        if value is None or (isinstance(value, str) and value):
            return None if value is None else self.path.parent / value
        raise self._make_error(key, f"{value!r} is not a file")

    def read_encoding(self, table: Mapping[str, Any]) -> str | None:
        """Return the encoding by Python's name for it, or None if the settings have none."""
        value = table.get("encoding")
        if value is None:
            return None
        from bganalyze.record.encodings import require_encoding  # Few settings name one.

        try:
            return require_encoding(value if isinstance(value, str) else repr(value))
        except ValueError as error:
            raise self._make_error("encoding", str(error)) from error

    def read_prefixes(self, table: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
        """Return the prefixes of rule codes that are the value of a key; None without the key."""
        value = table.get(key)
        lists = [value] if isinstance(value, str) else value
        if lists is None:
            return None
        if not isinstance(lists, list) or not all(isinstance(text, str) for text in lists):
            raise self._make_error(key, f"{value!r} is not a list of rule codes")
        try:
            return parse_prefixes(lists, self.codes)
        except UnknownCodeError as error:
            raise self._make_error(key, str(error)) from error

    def read_switches(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return the changed options of the rule book, by their field names in `RuleBook`."""
        section = table.get("switches", {})
        if not isinstance(section, dict):
            raise self._make_error("switches", "is not a table")
        section = {key.replace("_", "-"): value for key, value in section.items()}
        self.check_known(section, (*SWITCHES, "moves"))
        section = self._rename_moves_key(section)
        return {
            key.replace("-", "_"): self._check_switch(key, value) for key, value in section.items()
        }

    def _rename_moves_key(self, section: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the options of the rule book with `moves` renamed to `who-decides`."""
        # `moves` is the word of the WBGF.
        if "moves" not in section:
            return section
        if "who-decides" in section:
            raise self._make_error("moves", "who-decides is set too, and both say the same")
        moves = self.read_word(section, "moves", MOVES)
        assert moves is not None
        rest = {key: value for key, value in section.items() if key != "moves"}
        return {"who-decides": MOVES[moves], **rest}

    def read_ratios(self, table: Mapping[str, Any]) -> dict[str, Ratio]:
        """Return the ratio of transcription slips to player's errors for each kind of error."""
        section = table.get("repair", {})
        if not isinstance(section, dict):
            raise self._make_error("repair", "is not a table")
        self.check_known(section, KEYS)
        return {key: self._parse_ratio(key, value) for key, value in section.items()}

    def _parse_ratio(self, key: str, value: Any) -> Ratio:
        """Return the ratio in a setting such as `1:9`; raise ConfigError if it is none."""
        ratio = parse_ratio(value)
        if ratio is None:
            about = 'slips to player\'s errors, such as "1:9", with neither of them 0'
            raise self._make_error(key, f"{value!r} is not a ratio of {about}")
        return ratio

    def _check_switch(self, key: str, value: Any) -> Any:
        """Return the value of a rule book's option; raise ConfigError if it is not allowed."""
        if SWITCHES[key].accepts(value):
            return value
        raise self._make_error(key, f"{value!r} is not {SWITCHES[key].words}")

    def _make_error(self, key: str, problem: str) -> ConfigError:
        """Return the error that says what is wrong with a key in the settings."""
        return ConfigError(f"{self.path}: {key}: {problem}")
