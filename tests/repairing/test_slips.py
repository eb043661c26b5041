"""Each kind of slip on a small match: the edit it proposes, and the line."""

from __future__ import annotations

import re
from random import Random

import pytest

from bganalyze.validation.rules import CATALOG
from tests.faults.catalog import BY_NAME, FAULTS, IN_BGM_TEXT, INJECTED, REPAIRED, REPORTS, Fault
from tests.faults.damage import errors, make_damage
from tests.faults.dice import tells_roll
from tests.faults.several import many_steps_lost
from tests.repairing.clean import MATCH, clean

SEED = 1

FIRST_LINES = {
    "columns-from-row": (
        7,
        0,
        (
            "  3) 52: 13/11* 13/8             64: 24/14",
            "  4) Doubles => 2                43: bar/22 13/9",
        ),
    ),
    "doubled-row-numbered": (
        8,
        -1,
        (
            "  4) 64: 24/14                   52: 13/11* 13/8",
            "  5) 43: bar/22 13/9              Doubles => 2",
        ),
    ),
    "rows-exchanged": (
        6,
        0,
        (
            "  2) 64: 24/14                   52: 13/11* 13/8",
            "  3) 65: 24/13                   61: 13/7 8/7",
        ),
    ),
    "lines-exchanged": (
        6,
        0,
        (
            "  3) 64: 24/14                   52: 13/11* 13/8",
            "  2) 65: 24/13                   61: 13/7 8/7",
        ),
    ),
    "dice-exchanged": (7, 0, ("  3) 52: 24/14                   64: 13/11* 13/8",)),
    "half-row-alone": (7, -1, ("  3) 64: 24/14", "  4) 52: 13/11* 13/8")),
    "right-column-lost": (5, 0, ("  1) 31: 8/5 6/5", "  2) 65: 24/13")),
    "row-lost-numbered": (
        7,
        1,
        (
            "  3) 43: bar/22 13/9              Doubles => 2",
            "  4)  Takes                      31: 6/3* 4/3",
        ),
    ),
    "turn-lost-moved-up": (
        7,
        0,
        (
            "  3) 52: 13/11* 13/8             43: bar/22 13/9",
            "  4) Doubles => 2                Takes",
        ),
    ),
    "dance-lost-moved-up": (
        10,
        0,
        ("  6) 63: 24/15                   21: bar/23 6/5", "  7) 54: 13/4"),
    ),
    "dice-of-another-cell": (7, 0, ("  3) 52: 24/14                   52: 13/11* 13/8",)),
    "unreadable": (7, 0, ("  3) 64: ???                     52: 13/11* 13/8",)),
    "nearest-legal": (7, 0, ("  3) 64: 13/3                    52: 13/11* 13/8",)),
    "random-legal": (7, 0, ("  3) 64: 24/20 8/2               52: 13/11* 13/8",)),
    "point-off-by-one": (7, 0, ("  3) 64: 23/14                   52: 13/11* 13/8",)),
    "direction": (7, 0, ("  3) 64: 14/24                   52: 13/11* 13/8",)),
    "other-side-points": (7, 0, ("  3) 64: 1/11                    52: 13/11* 13/8",)),
    "digits-transposed": (7, 0, ("  3) 64: 42/14                   52: 13/11* 13/8",)),
    "letter-for-digit": (7, 0, ("  3) 64: 24/l4                   52: 13/11* 13/8",)),
    "hit-mark-lost": (18, 0, ("  3) 32: 13/11 13/10             51: bar/20 6/5",)),
    "offer-lost": (8, 0, ("  4) 43: bar/22 13/9", "  5)                             31: 6/3* 4/3")),
    "names-exchanged": (15, 0, (" Bob : 2                         Ann : 0",)),
    "score-by-one": (23, 0, (" Ann : 3                         Bob : 1",)),
    "score-carried-on": (
        15,
        0,
        (
            " Ann : 3                         Bob : 0",
            "  1)                             21: 13/11 6/5",
        ),
    ),
    "other-length": (1, 0, (" 7 point match",)),
    "game-lost": (14, 8, ()),
}
"""By kind the first line that differs, how many lines fewer there are, and the first two, as written."""

NO_PLACE = {"bear-off-past", "double-a-row-late", "three-slips", "five-slips"}
"""Kinds that the small match offers no place for."""

LATE_DOUBLE = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2)  Doubles => 2                Takes
  3) 65: 24/13                   61: 13/7 8/7
      Wins 2 points
"""


@pytest.mark.parametrize("name", FIRST_LINES)
def test_a_slip_changes_these_lines(name: str) -> None:
    slip = BY_NAME[name].make(clean(), Random(SEED))
    assert slip is not None
    [part] = slip.parts
    line, fewer_lines, now = FIRST_LINES[name]
    assert (part.start + 1, len(part.was) - len(part.now)) == (line, fewer_lines)
    assert part.now[: len(now)] == now


def test_a_double_comes_a_row_late() -> None:
    slip = BY_NAME["double-a-row-late"].make(clean(LATE_DOUBLE), Random(SEED))
    assert slip is not None
    assert slip.lines[5:7] == (
        "  2) 65: 24/13                   61: 13/7 8/7",
        "  3) Doubles => 2                Takes",
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", REPAIRED, ids=lambda kind: kind.name)
def test_a_slip_is_the_same_for_the_same_seed_and_can_be_undone(kind: Fault) -> None:
    record = clean()
    slip = kind.make(record, Random(SEED))
    assert (slip is None) == (kind.name in NO_PLACE)
    if slip is None:
        return
    assert slip == kind.make(clean(), Random(SEED))
    assert "\n".join(slip.clean) == MATCH
    assert slip.lines != slip.clean
    for part in slip.parts:
        assert part.was == slip.clean[part.start : part.start + len(part.was)]
        assert all(1 <= line <= len(slip.lines) + 1 for line in slip.places(part))
        slip = slip.repaired(part)
    assert slip.lines == slip.clean


def test_after_a_players_illegal_play_both_go_on_from_the_board_as_played() -> None:
    record = clean()
    slip = BY_NAME["illegal-play-carried-on"].make(record, Random(0))
    assert slip is not None
    assert slip.lines[16:18] == (
        "  2) 41: 24/23 13/9              63: 24/16",
        "  3) 32: bar/22 13/11            51: 16/11 6/5",
    )
    legal = (*slip.lines[:16], record.lines[16], *slip.lines[17:])
    assert errors(record, slip.lines) == 1
    assert errors(record, legal) > 0


def test_slips_of_a_match_stand_in_their_own_lines_and_break_the_rules_alone() -> None:
    record = clean()
    slip = BY_NAME["one-in-each-game"].make(record, Random(SEED))
    assert slip is not None
    assert len(slip.parts) == 3
    for part in slip.parts:
        [line] = slip.places(part)
        assert slip.lines[line - 1] == part.now[0]
        assert errors(record, slip._replace(parts=(part,)).lines)


def test_a_lost_line_may_be_put_back_before_the_blank_line_above_it() -> None:
    slip = BY_NAME["game-line-lost"].make(clean(), Random(SEED))
    assert slip is not None
    assert slip.lines[12:14] == ("", " Ann : 2                         Bob : 0")
    assert slip.places(slip.parts[0]) == {13, 14}


def test_many_steps_are_lost_at_once() -> None:
    slip = many_steps_lost(clean(), Random(SEED))
    lost_steps = [len(part.was[0].split()) - len(part.now[0].split()) for part in slip.parts]
    assert lost_steps == [1] * len(slip.parts)
    assert len(slip.parts) == 12
    assert {len(slip.places(part)) for part in slip.parts} == {1}


def test_every_fault_is_named_once_described_and_used() -> None:
    assert len(BY_NAME) == len(FAULTS)
    assert all(fault.make.__doc__ for fault in FAULTS)
    assert set(BY_NAME) == {fault.name for fault in (*INJECTED, *REPAIRED)}
    assert set(BY_NAME) >= {*IN_BGM_TEXT, *REPORTS}
    assert all(all(report[:3]) for report in REPORTS.values())


def test_every_code_that_a_fault_must_give_is_one_of_a_rule() -> None:
    codes = re.findall(r"[A-Z][0-9]{3}", " ".join(report.codes for report in REPORTS.values()))
    assert len(codes) > len(REPORTS) / 2
    assert {*codes} <= {rule.code for rule in CATALOG}


def test_a_roll_is_told_by_the_record_where_no_other_one_explains_it() -> None:
    record = clean()
    lines = record.lines
    misread = make_damage(record, (*lines[:7], lines[7].replace("43:", "53:"), *lines[8:]))
    danced = make_damage(record, (*lines[:9], lines[9].replace("66:", "61:"), *lines[10:]))
    assert misread is not None
    assert danced is not None
    assert tells_roll(record, misread)
    assert not tells_roll(record, danced)
