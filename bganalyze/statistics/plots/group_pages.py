"""Groups of a report's table divided into pictures, so that every group is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

import pandas as pd

from bganalyze.statistics.plots.draw import NUMBERS, TIMES, has_several_times, list_grouping_columns
from bganalyze.statistics.reports.figures import Section
from bganalyze.text import number_of


class PictureLimits(NamedTuple):
    """Limits on the pictures of a plot."""

    pictures: int
    """Most pictures of one plot; with more groups, the largest are drawn and a note says so."""
    rows: int = 40
    """Most rows in a picture, unless a single group has more."""
    lines: int = 3
    """Most lines in a picture; more cannot be distinguished."""
    panels: int = 4
    """Most panels in a picture; each has the rolls of one site."""


LONGEST = 200
"""Most rows of one group in a picture; a larger group is divided."""

IN_FILES = PictureLimits(pictures=100)
ON_PAGE = PictureLimits(pictures=2)


class PicturePart(NamedTuple):
    """The part of a section that is drawn in one picture."""

    section: Section
    left_out: str = ""
    """Note on the groups that are drawn, if some are left out."""


class _Grouping(NamedTuple):
    """Grouping of a section's rows for a plot."""

    rows: pd.DataFrame
    """The rows that are drawn."""
    keys: Sequence[str]
    """The columns that define the groups."""
    weight: pd.Series
    """The weight of each row; the size of a group is the sum over its rows."""
    room: int
    """Most rows in a picture or, with `by_group`, most groups."""
    by_group: bool = False
    """Whether `room` counts groups, not rows."""


def divide_into_pictures(
    drawing_function: str, section: Section, statistic: str, limits: PictureLimits
) -> Iterator[PicturePart]:
    """Divide a report's table into parts of whole groups that each fit in one picture.

    If there would be more pictures than `limits` allows, the smallest groups are left out.
    """
    frame, grouping = (
        section.frame,
        _choose_grouping(drawing_function, section.frame, statistic, limits),
    )
    if drawing_function == "draw_over_time" and not has_several_times(grouping.rows):
        return
    if drawing_function == "draw_classes" and not grouping.rows["value"].sum():
        return
    if not grouping.keys or grouping.rows.empty:
        yield PicturePart(section)
        return
    number = frame.groupby(list(grouping.keys), observed=True, dropna=False, sort=False).ngroup()
    parts = frame.groupby(number).cumcount() // LONGEST
    if drawing_function == "draw_intervals" and parts.any():
        frame = grouping.rows
        number = (number * (int(parts.max()) + 1) + parts).loc[frame.index]
    drawn = number.loc[grouping.rows.index]
    counts = drawn.value_counts()
    sizes = {group: 1 if grouping.by_group else int(count) for group, count in counts.items()}
    order = list(drawn.drop_duplicates())
    largest = grouping.weight.groupby(drawn).sum().sort_values(ascending=False, kind="stable").index
    count = _count_fitting(order, list(largest), sizes, grouping.room, limits.pictures)
    chosen = set(largest[:count])
    left_out = ""
    if count < len(order):
        left_out = f"the {count:,} largest of {number_of(len(order), 'group')}"
    for groups in _fill_evenly([group for group in order if group in chosen], sizes, grouping.room):
        yield PicturePart(section._replace(frame=frame[number.isin(groups)]), left_out)


def _choose_grouping(
    drawing_function: str, frame: pd.DataFrame, statistic: str, limits: PictureLimits
) -> _Grouping:
    """Return the rows of a report's table to draw, and the columns that form groups of them.

    `limits` has the largest number of rows, lines or panels in a picture.
    """
    if drawing_function == "draw_ledger":
        entries = frame[frame["ending"] != "total"]
        keys = [str(name) for name in frame if name not in (*NUMBERS, "ending")]
        return _Grouping(entries, keys, entries["games won"] + entries["games lost"], limits.rows)
    if drawing_function == "draw_rolls":
        weight = pd.Series(range(len(frame), 0, -1), index=frame.index)  # keeps their order
        return _Grouping(frame, ["site"], weight, limits.panels, by_group=True)
    rows = frame[frame["figure"] == statistic]
    weight, dimensions = rows["of"].astype(float), list_grouping_columns(frame)
    if drawing_function in ("draw_intervals", "draw_over_time") and has_several_times(rows):
        keys = [name for name in dimensions if name not in TIMES]
        return _Grouping(rows, keys, weight, limits.lines, by_group=True)
    whole = dimensions[:-1] if drawing_function == "draw_intervals" else dimensions
    return _Grouping(rows, whole or dimensions, weight, limits.rows)


def _count_fitting(
    group_order: Sequence[int],
    largest_first: Sequence[int],
    rows_by_group: Mapping[int, int],
    rows_per_picture: int,
    pictures: int,
) -> int:
    """Return how many groups, the largest first, can be drawn in at most so many `pictures`.

    No group is split between pictures of `rows_per_picture` rows. `group_order` is the order in
    which the groups are drawn. In the example, two groups of three rows fill two pictures.

    >>> _count_fitting([0, 1, 2], [1, 2, 0], {0: 2, 1: 3, 2: 3}, rows_per_picture=4, pictures=2)
    2
    """
    low, high = 1, len(group_order)
    while low < high:
        middle = (low + high + 1) // 2
        chosen = set(largest_first[:middle])
        packed = _fill_in_order(
            [group for group in group_order if group in chosen], rows_by_group, rows_per_picture
        )
        low, high = (middle, high) if len(packed) <= pictures else (low, middle - 1)
    return low


def _fill_evenly(
    group_order: Sequence[int], rows_by_group: Mapping[int, int], rows_per_picture: int
) -> list[list[int]]:
    """Divide groups evenly among as few pictures as possible.

    In the example, five groups of one row each are divided among pictures of at most four rows.

    >>> _fill_evenly([0, 1, 2, 3, 4], dict.fromkeys(range(5), 1), 4)
    [[0, 1, 2], [3, 4]]
    """
    fewest = len(_fill_in_order(group_order, rows_by_group, rows_per_picture))
    least = ceil(sum(rows_by_group[group] for group in group_order) / max(fewest, 1))
    rooms = (
        smaller
        for smaller in range(least, rows_per_picture)
        if len(_fill_in_order(group_order, rows_by_group, smaller)) == fewest
    )
    return _fill_in_order(group_order, rows_by_group, next(rooms, rows_per_picture))


def _fill_in_order(
    group_order: Sequence[int], rows_by_group: Mapping[int, int], rows_per_picture: int
) -> list[list[int]]:
    """Divide groups among pictures, and fill each picture before the next.

    In the example, five groups of one row each are divided among pictures of at most four rows.

    >>> _fill_in_order([0, 1, 2, 3, 4], dict.fromkeys(range(5), 1), 4)
    [[0, 1, 2, 3], [4]]
    """
    packed: list[list[int]] = []
    used = rows_per_picture
    for group in group_order:
        if used + rows_by_group[group] > rows_per_picture:
            packed.append([])
            used = 0
        packed[-1].append(group)
        used += rows_by_group[group]
    return packed
