"""Copies: differing records of one match, found and compared by their rolls, and counted once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.analysis.digest import SHORT
from bganalyze.statistics.tables.common_games import find_copied_games
from bganalyze.statistics.tables.sequences import count_possible_rolls
from bganalyze.statistics.tables.shared_rolls import (
    PART,
    WINDOW,
    ReadSequences,
    SharedRolls,
    compare_records,
)

CHOSEN_FROM = 8
"""Number of consecutive windows from which the one with the least fingerprint is kept."""

AT_ONCE = 4096
"""Records whose rolls are in memory at once."""

LOT = 256
"""Records to compare whose rolls are read together."""

_Hashes = npt.NDArray[np.uint64]

_MATCH_BITS = np.uint64(24)
"""Bits of a key for the rank of a match; the others have the fingerprint."""
_RANK = np.uint64((1 << 24) - 1)


# Searching for pairs.

_LETTER_VALUES = np.random.default_rng(66).integers(1, 1 << 63, 256, dtype=np.uint64)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)


def _hash_runs(sequences: Sequence[str], ranks: npt.NDArray[Any]) -> _Hashes:
    """Return keys of runs of `WINDOW` consecutive rolls, to find matches with equal runs.

    Keys of equal runs differ only in their last bits, the match's rank. `sequences` has each
    match's rolls and plays as text.
    """
    lengths = np.array([len(sequence) // 2 for sequence in sequences], dtype=np.int64)
    pairs = np.frombuffer("".join(sequences).encode("ascii"), dtype=np.uint8).reshape(-1, 2)
    letters = _LETTER_VALUES[pairs[:, 0]] * _LETTER_VALUES[pairs[:, 1]]
    hashes = np.zeros(len(letters), dtype=np.uint64)
    for offset in range(WINDOW):
        hashes *= _FACTOR
        hashes[: len(letters) - offset] += letters[offset:]
    hashes ^= hashes >> _SHIFT
    hashes *= _FACTOR
    ends = np.repeat(lengths.cumsum(), lengths)
    places = np.arange(len(letters))
    from_start = places - (ends - np.repeat(lengths, lengths))
    is_whole = places + WINDOW <= ends
    hashes[~is_whole] = _NONE
    # A game at the start of a record may be too short for more than the last run of another record.
    is_early = is_whole & (from_start < CHOSEN_FROM - 1)
    # Keys of all runs would take several times the memory.
    least = hashes
    for shift in (1, 2, 4):  # The least of `CHOSEN_FROM` windows; of whole ones it is in the match.
        shifted = np.append(least[shift:], np.full(min(shift, len(least)), _NONE))
        least = np.minimum(least, shifted)
    is_new = is_whole & ((from_start == 0) | ~_equals_previous(least))
    of_matches = np.repeat(ranks, lengths).astype(np.uint64)
    early, chosen = (
        (of_runs[is_kept] & ~_RANK) | of_matches[is_kept]
        for of_runs, is_kept in ((hashes, is_early), (least, is_new))
    )
    keys: _Hashes = np.concatenate((early, chosen))
    return keys


def _find_pairs_with_common_run(
    numbers: npt.NDArray[Any], read: ReadSequences
) -> list[tuple[int, int]]:
    """Return pairs of matches that share a run of `WINDOW` rolls, the fuller match first.

    A match is given by its index in `numbers`. `read` returns the rolls and plays of matches as
    text.
    """
    order = np.argsort(numbers)  # The order in which they are stored, and are read fastest.
    lots = [order[start : start + AT_ONCE] for start in range(0, len(order), AT_ONCE)]
    keys = [_hash_runs(read(numbers[lot].tolist()), lot) for lot in lots]
    if not keys:
        return []
    found = np.concatenate(keys)
    del keys
    found.sort()
    # A match is paired with the first and the previous one of those with the same run.
    is_next = _equals_previous(found >> _MATCH_BITS)
    found = found[is_next | np.append(is_next[1:], is_next[:1])]  # The first one never is.
    is_next = _equals_previous(found >> _MATCH_BITS)
    starts = np.maximum.accumulate(np.where(is_next, 0, np.arange(len(found))))
    ranks = found & _RANK
    here = np.flatnonzero(is_next)
    pairs = np.concatenate(
        [(ranks[others] << _MATCH_BITS) | ranks[here] for others in (starts[here], here - 1)]
    )
    pairs = np.unique(pairs)
    return [
        (int(a), int(b)) for a, b in zip(pairs >> _MATCH_BITS, pairs & _RANK, strict=True) if a != b
    ]


def _equals_previous(values: _Hashes) -> npt.NDArray[np.bool_]:
    """Return for each value whether it equals the one before it.

    >>> _equals_previous(np.array([1, 1, 2], dtype=np.uint64)).tolist()
    [False, True, False]
    """
    is_equal = np.zeros(len(values), dtype=bool)
    is_equal[1:] = values[1:] == values[:-1]
    return is_equal


def find_copies(matches: pd.DataFrame, read: ReadSequences) -> pd.DataFrame:
    """Return a table with a row for each match that shares rolls with a fuller record.

    The index has the match's number. `compared` is the number of the fuller record, and `copy_of`
    too unless they share only a part; `shared` and `same_plays` count common rolls and plays.
    `read` returns the rolls and plays of matches as text.
    """
    return _find_related(matches, read).records


class _Related(NamedTuple):
    """The matches that share rolls with others."""

    records: pd.DataFrame
    """The columns `FOUND`, by match."""
    parts: list[tuple[int, int]]
    """Pairs of matches that may have games in common; both count, the fuller one is the last."""


def _find_related(matches: pd.DataFrame, read: ReadSequences) -> _Related:
    """Return what `find_copies` returns, and the pairs of matches that may have games in common."""
    best = _find_best_of_equal_matches(matches)
    is_searched = (best == matches["match"]) & (matches["recorded_rolls"] >= WINDOW)
    ranked = _rank_matches(matches[is_searched])
    found, parts = _find_fuller_records(
        ranked["match"].to_numpy(), ranked["recorded_rolls"].to_numpy(), read
    )
    alike = [
        (match, _find_counted_match(original, found))
        for match, original in zip(matches["match"], best, strict=True)
        if match != original
    ]
    for (match, original), shared in zip(alike, _compare_pairs(alike, read), strict=True):
        found[match] = _describe_copy(original, shared, is_copy=True)
    rows = pd.DataFrame.from_dict(found, orient="index", columns=list(FOUND))
    return _Related(rows.astype("Int32").sort_index(), parts)


FOUND = ("copy_of", "compared", "shared", "same_plays")
"""The columns of the table of matches that `find_copies` fills."""


def _rank_matches(matches: pd.DataFrame) -> pd.DataFrame:
    """Return matches sorted by number of rolls, most first, then by errors, fewest first."""
    columns = [name for name in ("recorded_rolls", "errors", "match") if name in matches]
    numbers = matches[columns].astype(np.int64)
    return numbers.sort_values(columns, ascending=[name != "recorded_rolls" for name in columns])


def _find_best_of_equal_matches(matches: pd.DataFrame) -> pd.Series[int]:
    """Return for each match the number of the best match with the same rolls, plays and scores.

    The best one has the fewest errors; a match without an equal is its own best.
    """
    content = matches["content"].astype("string")
    if "date" in matches:
        # Few plays may agree by chance, so the day must be the same, too.
        is_short = content.str.startswith(SHORT).fillna(False)
        dated = content + " " + matches["date"].astype("string").fillna("")
        content = content.where(~is_short, dated)
    columns = [name for name in ("errors", "match") if name in matches]
    ranked = matches.sort_values(columns)["match"]
    best = ranked.groupby(content.loc[ranked.index], sort=False).transform("first")
    return best.reindex(matches.index).fillna(matches["match"]).astype(np.int64)


def _find_counted_match(match: int, found: Mapping[int, Mapping[str, int | None]]) -> int:
    """Return the match that is counted instead of a copy, or `match` if it is no copy.

    `found` has the columns `FOUND` of each copy by its number.

    >>> _find_counted_match(3, {3: {"copy_of": 1}}), _find_counted_match(2, {})
    (1, 2)
    """
    original = found[match]["copy_of"] if match in found else None
    return match if original is None else original


def _compare_pairs(pairs: Sequence[tuple[int, int]], read: ReadSequences) -> Iterator[SharedRolls]:
    """Yield the rolls that the two matches of each pair share.

    `pairs` has match numbers. `read` returns the rolls and plays of matches as text.
    """
    for start in range(0, len(pairs), AT_ONCE):
        lot = pairs[start : start + AT_ONCE]
        sides = (read([pair[side] for pair in lot]) for side in (0, 1))
        for one, other in zip(*sides, strict=True):
            rolls = count_possible_rolls(one)
            # Most pairs are equal.
            is_same = one == other
            alike = SharedRolls(rolls, rolls, rolls, rolls, missing=0)
            yield alike if is_same else compare_records(one, other)


def _describe_copy(fuller: int, shared: SharedRolls, *, is_copy: bool) -> dict[str, int | None]:
    """Return the values of the columns `FOUND` for a match that shares rolls with a fuller one.

    `fuller` is the fuller match's number. With `is_copy`, both are records of the same match.
    """
    return {
        "copy_of": fuller if is_copy else None,
        "compared": fuller,
        "shared": shared.rolls,
        "same_plays": shared.count_rolls_not_played_differently,
    }


def _find_fuller_records(
    numbers: npt.NDArray[Any], rolls: npt.NDArray[Any], read: ReadSequences
) -> tuple[dict[int, dict[str, int | None]], list[tuple[int, int]]]:
    """Return the columns `FOUND` of matches with a fuller record, and pairs that may share games.

    The columns are given by match number. A pair has two different matches. `rolls` has the number
    of rolls of each match, the largest first. `read` returns rolls and plays as text.
    """
    pairs = _find_pairs_with_common_run(numbers, read)
    compared = _Comparisons(numbers, read, {rank for pair in pairs for rank in pair})
    fuller: dict[int, list[int]] = {}
    for other, rank in pairs:
        fuller.setdefault(rank, []).append(other)
    counted_by: dict[int, int] = {}
    overlapping: list[tuple[int, int]] = []
    found: dict[int, dict[str, int | None]] = {}
    for rank in sorted(fuller):
        others = dict.fromkeys(counted_by.get(other, other) for other in fuller[rank])
        best = max(others, key=lambda other: compared.compare(rank, other).rolls)
        overlapping += (
            (other, rank)
            for other in others
            if compared.compare(rank, other).may_have_common_games()
        )
        shared = compared.compare(rank, best)
        is_copy = shared.are_copies(int(rolls[rank]))
        if is_copy:
            counted_by[rank] = best
        elif shared.longest < PART:
            continue
        original = int(numbers[best])
        found[int(numbers[rank])] = _describe_copy(original, shared, is_copy=is_copy)
    # What overlaps with a copy overlaps with the match that counts instead.
    counted = {tuple(sorted(counted_by.get(rank, rank) for rank in pair)) for pair in overlapping}
    parts = [
        (int(numbers[rank]), int(numbers[other]))
        for other, rank in sorted(counted)
        if other != rank and compared.compare(rank, other).may_have_common_games()
    ]
    return found, parts


class _Comparisons:
    """Comparisons of matches, with a cache of the rolls of those used recently.

    A match is given by its rank; the match with most rolls has rank 0. Rolls are read in lots of
    neighboring ranks, because copies have nearly as many rolls as each other.
    """

    def __init__(
        self, numbers: npt.NDArray[Any], read: ReadSequences, ranks: Collection[int]
    ) -> None:
        """Prepare to compare the matches of some ranks.

        `numbers[rank]` is the number of a match; `read` returns the rolls and plays of matches as
        texts, given their numbers.
        """
        self._read, ordered = read, sorted(ranks)
        self._numbers = [int(numbers[rank]) for rank in ordered]
        self._places = {rank: divmod(place, LOT) for place, rank in enumerate(ordered)}
        self._read_lot = lru_cache(AT_ONCE // LOT)(self._read_lot_uncached)
        self.compare = lru_cache(AT_ONCE)(self._compare_records)

    def _read_lot_uncached(self, lot: int) -> Sequence[str]:
        """Return the rolls and plays, as text, of all matches in the lot with this number."""
        return self._read(self._numbers[lot * LOT : (lot + 1) * LOT])

    def _read_sequence(self, rank: int) -> str:
        """Return a match's rolls and plays as text; the match with most rolls has rank 0."""
        lot, place = self._places[rank]
        return self._read_lot(lot)[place]

    def _compare_records(self, rank: int, other_rank: int) -> SharedRolls:
        """Return the rolls that two matches share.

        The matches are given by rank: 0 is the match with most rolls.
        """
        return compare_records(self._read_sequence(rank), self._read_sequence(other_rank))


# Marking copies in tables.


class Copies(NamedTuple):
    """Matches, and games of other matches, that another file records more fully."""

    records: pd.DataFrame
    """The columns `FOUND`, by match."""
    games: list[tuple[int, int]]
    """The games, by match and game, of records that only share a part."""


def find_copies_among(matches: pd.DataFrame, games: pd.DataFrame, read: ReadSequences) -> Copies:
    """Return the matches, and the single games of others, that another file records more fully.

    `read` returns the rolls and plays of matches as text.
    """
    records, parts = _find_related(matches, read)
    return Copies(records, find_copied_games(parts, games, read))


def mark_copies(matches: pd.DataFrame, games: pd.DataFrame, copies: Copies) -> None:
    """Mark the matches and games that are recorded more fully elsewhere, in columns of two tables.

    `matches` gets `copy_of`, `compared`, `shared` and `same_plays`; `games` gets
    `counted_elsewhere`.
    """
    fill_in_copies(matches, copies.records)
    if copies.games:
        places = pd.MultiIndex.from_frame(games[["match", "game"]])
        games["counted_elsewhere"] |= places.isin(copies.games)


def fill_in_copies(matches: pd.DataFrame, records: pd.DataFrame) -> None:
    """Write `records`, the result of `find_copies`, into the table of matches."""
    rows = matches["match"].isin(records.index)
    for name in FOUND:
        matches.loc[rows, name] = records.loc[matches.loc[rows, "match"], name].array


def make_sequence_reader(matches: pd.DataFrame) -> ReadSequences:
    """Return a function from match numbers to rolls and plays as text, found in `matches`."""
    sequences = matches.set_index("match")["sequence"]
    return lambda numbers: sequences.loc[list(numbers)].tolist()
