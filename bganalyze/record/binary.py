"""Read binary formats with gvformat: eXtreme Gammon, BGBlitz, OGXM and GammonView.

gvformat (by GammonView, MIT license) converts the bytes to GammonView's document, which `.gva`
files hold as JSON. This module converts the document to a listing in the `.bgm` format, so that
every action has a line and a place to show. The left side is White. Parts of an eXtreme Gammon file
that gvformat leaves out, most of the header and the comments, are read by `xg.py`.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from bganalyze.packages import GAMMONVIEW, how_to_add
from bganalyze.record import bgblitz_limits, bgf_games, xg, xg_games
from bganalyze.record.binary_limits import check_document, check_ogxm
from bganalyze.record.builder import (
    REPLACEMENT,
    DamagedError,
    describe_damage,
    join_lines,
    note_undecodable_bytes,
    replace_lone_surrogates,
)
from bganalyze.record.gva import (
    ENDS,
    SET_POSITION,
    WHITE,
    WORDS,
    is_action,
)
from bganalyze.record.model import (
    Action,
    Analysis,
    Answer,
    Double,
    Game,
    Match,
    Play,
    ReaderNote,
    SetUp,
    Source,
    Span,
)
from bganalyze.record.ogxm_signatures import Signatures, verify_signatures
from bganalyze.record.xg import XgAdditions, make_time_entries

Document = Mapping[str, Any]
Games = Sequence[Sequence[Document]]
"""Actions of each game."""

CLOCK = {
    "ClockReserve": "reserve_ms",
    "ClockDelay": "delay_ms",
    "ClockIncrement": "increment_ms",
}
"""Settings of a clock in the document, by their header keys; the header has seconds."""
TAGS = {"event": "Event", "site": "Site", "round": "Round", "stage": "Round"}


def _return_no_additions(data: bytes, games: Games) -> XgAdditions:  # noqa: ARG001 (some formats use the file)
    """Return no additions, for formats whose header and comments gvformat reads in full."""
    return XgAdditions()


def _return_no_signatures(data: bytes) -> Signatures:  # noqa: ARG001 (OGXM uses the file)
    """Return no signatures, for formats that have none."""
    return Signatures()


class BinaryReader(NamedTuple):
    """Functions that read one binary format."""

    document: Callable[[bytes], Document]
    additions: Callable[[bytes, Games], XgAdditions] = _return_no_additions
    """Function that reads parts missing in the document, given the actions of each game."""
    signatures: Callable[[bytes], Signatures] = _return_no_signatures


def _read_xg_document(data: bytes) -> Document:
    """Read an eXtreme Gammon file into a document (JSON) of the package gvformat.

    Raises DamagedError if the file has more content than any match.
    """
    xg.check_limits(data)
    return xg_games.read_document(data)


def _read_bgf_document(data: bytes) -> Document:
    """Read a BGBlitz file into a document (JSON) of the package gvformat.

    Raises DamagedError if the file has more content than any match.
    """
    return bgf_games.read_document(bgblitz_limits.decompress_checked(data))


def _read_ogxm_document(data: bytes) -> Document:
    """Read an OGXM file into a document (JSON) of the package gvformat."""
    from gvformat import read_gvab

    check_ogxm(data)
    document: Document = read_gvab(data)
    return document


def _read_gva_document(data: bytes) -> Document:
    """Return the document in a `.gva` file, which is JSON of the package gvformat."""
    document: Document = json.loads(data)
    return document


_READERS = {
    "xg": BinaryReader(_read_xg_document, xg.read_additions),
    "bgf": BinaryReader(_read_bgf_document),
    "ogxm": BinaryReader(_read_ogxm_document, signatures=verify_signatures),
    "gva": BinaryReader(_read_gva_document),
}
"""Readers by the name of the format."""


def read_binary(name: str, description: str, producer: str, data: bytes, path: str) -> list[Match]:
    """Return the match in a binary file (as a list of one).

    `description` names the format for users. `producer` is the program that wrote the file. Raises
    DamagedError on failure.
    """
    reader = _READERS[name]
    try:
        document = reader.document(data)
        check_document(document)
        added = reader.additions(data, [_filter_actions(game) for game in document["games"]])
        listed = _convert_to_bgm_lines(document, added, producer)
    except ImportError as error:
        missing = f"reading {description} needs the package gammonview: {how_to_add(GAMMONVIEW)}"
        raise DamagedError(missing) from error
    except DamagedError:
        raise
    except Exception as error:  # any error of gvformat
        raise DamagedError(describe_damage(description)) from error
    from bganalyze.record import bgm

    lines = [line for line, _ in listed]
    text = "\n".join(lines)
    (match, *_) = bgm.read(text, Source(path, "binary", lines))
    misfits = [run.span() for run in re.finditer(f"{REPLACEMENT}+", text)]
    match = match._replace(oddities=note_undecodable_bytes(text, misfits) + match.oddities)
    games = tuple(_attach_analyses(game, [stored for _, stored in listed]) for game in match.games)
    match_read = match._replace(format=name, games=games)
    return [_add_signatures(match_read, reader.signatures(data))]


def _add_signatures(match: Match, signatures: Signatures) -> Match:
    """Return the match with notes on the digital signatures of the file."""
    top = Span(1, 1, len(match.source.lines[0]) + 1)
    broken_notes = tuple(ReaderNote("false-signature", top, about) for about in signatures.broken)
    # Each broken signature becomes an oddity; a note counts the others.
    words = [f"{signatures.holding} holding"] * bool(signatures.holding)
    words += [f"{signatures.unchecked} unchecked"] * bool(signatures.unchecked)
    notes = match.conventions.notes
    if words:
        notes += (("signatures", ", ".join(words)),)
    conventions = match.conventions._replace(notes=notes)
    return match._replace(oddities=broken_notes + match.oddities, conventions=conventions)


# -- the listing ----------------------------------------------------------------------------------


class AnalysisAndTime(NamedTuple):
    """Analysis and time stored with an action."""

    analysis: Analysis | None = None
    seconds: float | None = None


NOTHING = AnalysisAndTime()

Line = tuple[str, AnalysisAndTime]


def _convert_to_bgm_lines(document: Document, additions: XgAdditions, producer: str) -> list[Line]:
    """Return the match in gvformat's document as `.bgm` lines with analyses and times.

    `additions` are header entries and comments that gvformat did not read.
    """
    lines: list[Line] = [
        (line, NOTHING) for line in _write_header_lines(document, additions, producer)
    ]
    score = [int(points) for points in document.get("score_start") or (0, 0)]
    length = int(document.get("match_length") or 0)
    info = document.get("analysis_info") or {}
    program = replace_lone_surrogates(str(info.get("model_id") or "gvformat"))
    games = zip_longest(document["games"], additions.game_remarks[: len(document["games"])])
    for number, (game, remarks) in enumerate(games, start=1):
        score = list(game.get("stated_score", score))
        head = ("", f"game {number}", f"score {score[0]}-{score[1]}")
        lines += [(line, NOTHING) for line in head]
        lines += _write_game_lines(game, remarks or {}, length, program)
        winner, points = game.get("winner"), int(game.get("points_won") or 0)
        if game.get("is_settled"):
            lines.append((_write_comment("settled"), NOTHING))
        if winner in (0, 1) and points:
            lines.append((f"{'LR'[winner]} wins {points}", NOTHING))
            score[winner] += points
    return lines


def _write_header_lines(document: Document, additions: XgAdditions, producer: str) -> Iterator[str]:
    """Yield the header of the match in gvformat's document as lines of the `.bgm` format.

    `additions` has header entries that gvformat did not read.
    """
    yield "bganalyze match 1"
    yield f"producer: {producer}"
    for key, name in (("left", "player_white"), ("right", "player_black")):
        yield f"{key}: {_to_single_line(document.get(name) or key)}"
    length = int(document.get("match_length") or 0)
    yield f"length: {length or 'money'}"
    spelled = " resignations" if _spells_resignations(document, producer) else ""
    yield f"conventions: dances{spelled} capped"
    stated = {key: document[name] for name, key in TAGS.items() if document.get(name)}
    entries = {**additions.entries, **stated}
    if any("cube_and_turn" in game for game in document["games"]):
        entries["Setup"] = "as stored in the file"
    if "EventDate" not in entries:
        entries |= _make_date_entries(document)
    for key, value in entries.items():
        yield f"{key}: {_to_single_line(value)}"
    yield from map(_write_comment, additions.remarks)
    if length:
        has_crawford_game = any(game.get("is_crawford") for game in document["games"])
        is_on = document.get("crawford", True) or has_crawford_game
        yield f"Crawford: {'On' if is_on else 'Off'}"
    else:
        yield f"Jacoby: {'On' if document.get('jacoby') else 'Off'}"
        yield f"Beaver: {'On' if document.get('beaver') else 'Off'}"
    if document.get("cube_limit"):
        yield f"CubeLimit: {int(document['cube_limit'])}"
    clock = document.get("clock_info") or {}
    for key, name in CLOCK.items():
        if name in clock:
            yield f"{key}: {int(clock[name]) / 1000:.3f}".rstrip("0").rstrip(".")


_GAMMONVIEW = "GammonView"
"""Producer of documents that also come from match text."""


def _spells_resignations(document: Document, producer: str) -> bool:
    """Whether a document seems to record every resignation; only GammonView files may lack some."""
    if producer != _GAMMONVIEW:
        return True
    plies = (ply for game in document["games"] for ply in game.get("plies", ()))
    # GammonView seems to record them all if it records any resignation, forfeit or loss on time.
    return any(ply.get("action_id") in ENDS for ply in plies)


def _to_single_line(text: object) -> str:
    r"""Return a value as text on a single line.

    >>> _to_single_line("Ann\nLee ")
    'Ann Lee'
    """
    return join_lines(replace_lone_surrogates(str(text))).strip()


def _write_comment(text: str) -> str:
    r"""Return a comment as a line of the `.bgm` format: quoted, after a semicolon.

    >>> _write_comment("two\nlines")
    '; "two\\nlines"'
    """
    return f"; {json.dumps(replace_lone_surrogates(text), ensure_ascii=False)}"


DAY = 0
"""Precision of a date that states the day; 1 states the month, 2 the year."""

_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - a time as written, of no zone


def _make_date_entries(document: Document) -> dict[str, str]:
    """Return the header entries `EventDate` and `EventTime`, or {} if the date is unknown."""
    seconds = int(document.get("timestamp") or 0)
    if not 0 < seconds < 1 << 32 or document.get("date_precision", DAY) != DAY:
        return {}
    return make_time_entries(_EPOCH + dt.timedelta(seconds=seconds))


def _write_game_lines(
    game: Document, comments_by_place: Mapping[int, Iterable[str]], match_length: int, engine: str
) -> Iterator[Line]:
    """Yield the lines of a game below its score line, in the `.bgm` format.

    `comments_by_place[n]` has the comments that follow the first `n` actions. `engine` made the
    analyses.
    """
    if match_length > 1 and "is_crawford" in game:
        yield f"crawford: {'yes' if game['is_crawford'] else 'no'}", NOTHING
    if game.get("auto_doubles"):
        yield f"cube: {2 ** min(int(game['auto_doubles']), 16)}", NOTHING
    if game.get("initial_board"):
        yield (
            f"{_write_board(game['initial_board'])} {game.get('cube_and_turn', '')}".rstrip(),
            NOTHING,
        )
    plies = _filter_actions(game)
    for number, (ply, after) in enumerate(zip(plies, [*plies[1:], {}], strict=False)):
        yield from ((_write_comment(text), NOTHING) for text in comments_by_place.get(number, ()))
        stored = ply.get("analysis")
        analysis = Analysis(engine, (("gva", json.dumps(stored)),)) if stored else None
        seconds = _count_seconds_between(plies[number - 1], ply) if number else None
        yield _write_action(ply, after), AnalysisAndTime(analysis, seconds)
    yield from ((_write_comment(text), NOTHING) for text in comments_by_place.get(len(plies), ()))
    yield from ((json.dumps(text), NOTHING) for text in game.get("unread", ()))


def _count_seconds_between(earlier: Document, later: Document) -> float | None:
    """Return the seconds between two actions, or None if a time is missing."""
    began, ended = earlier.get("timestamp_ms"), later.get("timestamp_ms")
    if not isinstance(began, int) or not isinstance(ended, int):
        return None
    return max(ended - began, 0) / 1000


def _filter_actions(game: Document) -> list[Document]:
    """Return the entries of a game that are actions; entries that end the game are left out."""
    return [ply for ply in game["plies"] if is_action(int(ply["action_id"]))]


def _write_action(entry: Document, next_entry: Document) -> str:
    """Return an action of gvformat as text such as `L 31 8/5 6/5`."""
    action = int(entry["action_id"])
    side = "L" if entry["color"] == WHITE else "R"
    if action in WORDS:
        return f"{side} {WORDS[action]}"
    if action == SET_POSITION and not entry.get("d1"):
        return _write_board(entry["set_position"])
    dice = f"{int(entry.get('d1') or 0)}{int(entry.get('d2') or 0)}"
    if action == SET_POSITION:
        return f"{side} {dice} illegal leaves {_write_board(entry['set_position'])}"
    steps = " ".join(
        _write_step(move, entry["color"] == WHITE) for move in entry.get("moves") or ()
    )
    # A roll before a resignation by the same side has no play: `?`.
    resigns = next_entry.get("action_id") in ENDS and next_entry.get("color") == entry["color"]
    is_unplayed = resigns or entry.get("is_unplayed")
    return f"{side} {dice} {steps or ('?' if is_unplayed else 'dance')}"


def _write_step(move: Document, is_white: bool) -> str:
    """Return a step in gvformat's form (checker moved by one die) as text such as `24/20`.

    >>> _write_step({"from": 1, "pips": 4}, is_white=True)
    '24/20'
    """
    source, pips = int(move["from"]), int(move["pips"])
    if is_white:
        source = 25 - source
    return f"{source}/{max(source - pips, 0)}"


def _write_board(counts: list[int]) -> str:
    """Return a board in the `.bgm` format, with White as the left player.

    `counts` is for White's bar, points 1 to 24 as Black numbers them, and Black's bar. Negative
    numbers are Black's checkers.

    >>> _write_board([0] * 19 + [5] + [0] * 5 + [-1])
    'board L 6(5) R bar(1)'
    """
    left = [(25 - point, count) for point, count in enumerate(counts) if count > 0]
    right = [(point, -count) for point, count in enumerate(counts) if count < 0]
    return f"board L {_write_checkers(left)} R {_write_checkers(right)}"


def _write_checkers(counts_by_point: list[tuple[int, int]]) -> str:
    """Return a side's checkers as text, highest point first.

    Each pair is a point and the number of checkers on it.

    >>> _write_checkers([(6, 5), (25, 1)])
    'bar(1) 6(5)'
    """
    names = {25: "bar", 0: "off"}
    return " ".join(
        f"{names.get(point, point)}({count})" for point, count in sorted(counts_by_point)[::-1]
    )


def _attach_analyses(game: Game, by_line: list[AnalysisAndTime]) -> Game:
    """Return the game with the stored analysis and time of each action.

    `by_line` has the analysis and time for each `.bgm` line from which the game was read.
    """
    actions: list[Action] = []
    for action in game.actions:
        stored = by_line[action.span.line - 1]
        if isinstance(action, Play | Double | Answer):
            actions.append(action._replace(**stored._asdict()))
        elif isinstance(action, SetUp):
            actions.append(action._replace(analysis=stored.analysis))
        else:
            actions.append(action)
    return game._replace(actions=tuple(actions))
