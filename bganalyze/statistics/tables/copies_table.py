"""The table of copies: pairs of records that share rolls, or parts of one match, named in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from bganalyze.statistics.tables.schema import (
    MATCH,
    SIDES,
    Schema,
    category,
    compute_columns,
    maybe_number,
    number,
    text,
)
from bganalyze.statistics.tables.shared_rolls import LEAST_ALIKE

MARKS = ("copy_of", "compared", "shared", "same_plays", "continues")
"""The columns of matches that show the relations of records."""

KINDS = ("copy", "part", "continuation", "equal")


class _Pair(NamedTuple):
    """Two matches of which one repeats or continues the other, or shares a part with it."""

    kind: str
    own: dict[str, Any]
    other: dict[str, Any]

    @property
    def is_in_one_file(self) -> bool:
        """Whether both matches are in the same file."""
        return bool(self.own["path"] == self.other["path"])

    def name(self, row: dict[str, Any]) -> str:
        """Return the file of one of the two matches, or its number if both share a file."""
        return f"match {row['number']}" if self.is_in_one_file else str(row["path"])

    def words(self) -> str:
        """Describe how the two matches are related, such as `b.mat repeats a.mat`."""
        place = f"{self.own['path']}: " if self.is_in_one_file else ""
        own, other = self.name(self.own), self.name(self.other)
        match self.kind:
            case "equal" if self.is_in_one_file:
                return f"{own} of {self.own['path']} repeats {other}"
            case "equal":
                return f"{own} repeats {other}"
            case "continuation":
                score = "-".join(str(self.own[f"{side}_before"]) for side in SIDES)
                return (
                    f"{place}{own} continues {other} at {score}; both count, as parts of one match"
                )
        shared = f"{place}{own} and {other} share {self.own['shared']:,} of {self.own['recorded_rolls']:,} rolls"
        unlike = self.own["shared"] - self.own["same_plays"]
        shared += f", {unlike:,} of them played differently" if unlike else ""
        if self.kind == "copy":
            return f"{shared}; the second {_explain_choice(self.own, self.other)} and counts"
        if self.own["same_plays"] < LEAST_ALIKE * self.own["shared"]:
            return f"{shared}; both count, because the plays differ"
        return f"{shared}; both count, but games that both have only once"


def _explain_choice(own: dict[str, Any], other: dict[str, Any]) -> str:
    """Return why a match is counted by one record instead of another, such as "is fuller".

    `other` is the record that counts, `own` the other one.
    """
    if other["recorded_rolls"] > own["recorded_rolls"]:
        return "is fuller"
    is_better = other.get("errors", 0) < own.get("errors", 0)
    return "has fewer errors" if is_better else "was read first"


SCHEMA = Schema(
    "copies",
    "One row for each pair of records of one match: equal ones, copies that differ, records that share a part, and records that continue another.",
    ("match", "kind"),
    (
        MATCH._replace(value=lambda pair: pair.own["match"]),
        text("path", "Its file, as in `matches`.", lambda pair: pair.own["path"]),
        number("number", "The match in its file.", lambda pair: pair.own["number"]),
        category(
            "kind",
            "What is between the records: the other one is fuller and counts (`copy`); both count, except for games that both have (`part`); both count, and the other one ends where this one begins (`continuation`); they agree in every roll, play, cube action and score, and the other one counts (`equal`).",
            lambda pair: pair.kind,
            KINDS,
        ),
        number("other", "The number of the other match.", lambda pair: pair.other["match"]),
        text("other_path", "The file of the other match.", lambda pair: pair.other["path"]),
        number("other_number", "The other match in its file.", lambda pair: pair.other["number"]),
        number("rolls", "Number of rolls in the record.", lambda pair: pair.own["recorded_rolls"]),
        number(
            "other_rolls",
            "Number of rolls in the other one.",
            lambda pair: pair.other["recorded_rolls"],
        ),
        maybe_number(
            "shared",
            "Number of rolls that both have, in the same order; missing for a continuation.",
            lambda pair: None if pair.kind == "continuation" else pair.own["shared"],
        ),
        maybe_number(
            "same_plays",
            "Number of shared rolls that are not played differently; missing for a continuation.",
            lambda pair: None if pair.kind == "continuation" else pair.own["same_plays"],
        ),
        text("words", "What was found, in a sentence.", _Pair.words),
    ),
)


def tabulate_copies(matches: pd.DataFrame) -> pd.DataFrame:
    """Return a table of the matches that repeat or continue another match, or share a part with it.

    `mark_copies` and `mark_continuations` must have marked them in `matches`.
    """
    pairs = sorted(_find_pairs(matches), key=lambda pair: KINDS.index(pair.kind))
    columns = compute_columns(pairs, SCHEMA.columns)
    return pd.DataFrame(
        {
            column.name: pd.Series(
                pd.Categorical(columns[column.name], list(KINDS))
                if column.choices
                else pd.array(columns[column.name], dtype=column.dtype)
            )
            for column in SCHEMA.columns
        }
    )


def _are_equal(row: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two records of a match have the same rolls, boards, scores and spelling of plays."""
    has_same_content = pd.notna(row["content"]) and row["content"] == other["content"]
    return bool(has_same_content and row["same_plays"] == row["shared"])


def _find_pairs(matches: pd.DataFrame) -> Iterator[_Pair]:
    """Yield the pairs of matches that repeat or continue each other, or share a part."""
    names = ["match", "path", "number", "recorded_rolls", "errors", "content", *MARKS]
    names += [f"{side}_before" for side in SIDES]
    rows = matches[[name for name in names if name in matches]]
    marked = rows[rows[[name for name in MARKS if name in rows]].notna().any(axis=1)]
    involved = {*marked["match"]}.union(*(marked[name].dropna() for name in MARKS if name in rows))
    known = rows[rows["match"].isin(involved)].to_dict("records")
    of_match = {row["match"]: row for row in known}
    for row in known:
        other = of_match.get(row["compared"]) if pd.notna(row["compared"]) else None
        if other is not None:
            is_copy = pd.notna(row["copy_of"])
            yield _Pair(
                "equal" if is_copy and _are_equal(row, other) else "copy" if is_copy else "part",
                row,
                other,
            )
        earlier = row.get("continues")
        if pd.isna(earlier) or earlier not in of_match:
            continue
        if row["match"] != of_match[earlier]["compared"] and earlier != row["compared"]:
            yield _Pair("continuation", row, of_match[earlier])
