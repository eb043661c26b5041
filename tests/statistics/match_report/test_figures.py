"""Every figure of a match report against a second computation, on samples and on real files."""

from __future__ import annotations

from pathlib import Path

import pytest

import bganalyze
from bganalyze.record.reader import read as read_file
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_report import MatchReport, make_match_reports, select_reported
from bganalyze.statistics.match_report.figures import FigureGroup
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying import MatchReplay, replay
from tests.statistics.match_report import naive
from tests.statistics.reports import naive as of_reports

pytestmark = pytest.mark.slow

CLEAN = Path(__file__).parents[3] / "samples" / "clean"
EACH = 400
"""One real file in this many is looked at."""

CHANGED = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 52: 24/22 13/8              32: 24/21 13/11
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Bob : 0                         Ann : 1
  1)                             21: 13/11 6/5
  2) 44: 24/20*(2) 13/9(2)       51: bar/20
  3) 21: 6/4 5/4                  Doubles => 2
  4)  Takes                      66:
      Wins 2 points
"""
"""The players change columns, and the one who moves over is doubled and wins."""


def read(path: Path | str) -> list[bganalyze.Match]:
    if isinstance(path, Path):
        return read_file(str(path))
    return read_bytes(path.encode(), "test.mat")


def pairs(path: Path | str) -> list[tuple[MatchReport, MatchReplay]]:
    matches = read(path)
    return list(
        zip(make_match_reports(select_reported(matches)), map(replay, matches), strict=True)
    )


def is_clean(match: bganalyze.Match) -> bool:
    return all(finding.severity is Severity.INFO for finding in check([match]))


def compare(report: MatchReport, replayed: MatchReplay) -> None:
    """Compare everything that does not depend on how faults are counted."""
    compare_games(report, replayed)
    compare_books(report, replayed)
    offers = [(d.game, d.seat, d.answer, d.offer) for d in report.decisions]
    assert offers == naive.doubles(replayed)
    for decision in report.decisions:
        assert sum(decision.pips) == sum(
            point * count
            for side in decision.shown.situation.position
            for point, count in enumerate(side)
        )
    compare_dice(report, replayed)
    compare_groups(report.checker, of_reports.checker([replayed]), replayed)
    compare_groups(report.cube, of_reports.cube([replayed]), replayed)


def compare_games(report: MatchReport, replayed: MatchReplay) -> None:
    for game, expected in zip(report.games, naive.games(replayed), strict=True):
        assert {name: getattr(game, name) for name in expected} == expected
    for game, replayed_game in zip(report.games, replayed.games, strict=True):
        race = [(count.roll, count.pips) for count in game.race]
        assert race == naive.race(replayed, replayed_game)
        rolls = [action.dice for _, action in naive.rolls(replayed_game) if action.dice]
        assert game.rolls == sum(0 not in dice for dice in rolls)
    turned = [(g.number, d.seat, d.answer, d.offer) for g in report.games for d in g.doubles]
    assert turned == naive.doubles(replayed)
    assert report.heading.rolls == sum(game.rolls for game in report.games)


def compare_books(report: MatchReport, replayed: MatchReplay) -> None:
    expected = naive.ledger(replayed)
    entries = {
        entry.ending: [*entry.games, *entry.points]
        for entry in (*report.books.entries, report.books.total)
        if any(entry.games)
    }
    assert entries == expected
    assert list(report.books.won) == expected.get("total", [0] * 4)[2:]
    assert sum(sum(entry.games) for entry in report.books.entries) == sum(report.books.total.games)
    if report.games and report.heading.after is not None:
        assert report.games[-1].after == report.heading.after


def compare_dice(report: MatchReport, replayed: MatchReplay) -> None:
    faces, values, openings = naive.dice(replayed)
    rolls = [sum(counted.values()) for counted in values]
    assert report.rolls.rolls == tuple(rolls)
    assert report.rolls.openings == tuple(openings)
    for face in report.rolls.faces:
        assert face.counts == tuple(counted[int(face.name)] for counted in faces)
        assert face.expected == pytest.approx([2 * count / 6 for count in rolls])
    for value in report.rolls.values:
        dice = tuple(map(int, value.name.split("-")))
        assert value.counts == tuple(counted[dice] for counted in values)
        chance = (1 if dice[0] == dice[1] else 2) / 36
        assert value.expected == pytest.approx([chance * count for count in rolls])
    assert sum(sum(value.counts) for value in report.rolls.values) == sum(rolls)


def compare_groups(
    groups: tuple[FigureGroup, ...], sums: of_reports.Sums, replayed: MatchReplay
) -> None:
    names = [name.strip() for name in replayed.match.names]
    counted, compared = {key[1:] for key in sums.sums}, set()
    for group in groups:
        for contrast in group.contrasts:
            for name, value in zip(names, contrast.values, strict=True):
                if value is None or (group.title, contrast.figure) not in counted:
                    continue
                count, of, expected = sums.sums[name, group.title, contrast.figure]
                compared.add((name, group.title, contrast.figure))
                assert value.counted == pytest.approx(count, rel=1e-5), contrast.figure
                if contrast.kind == "count":
                    continue
                assert value.of == of, contrast.figure
                assert value.value == pytest.approx(count / of, rel=1e-5)
                if value.expected is not None:
                    assert value.expected == pytest.approx(expected / of, abs=1e-6)
    left_out = {key for key, (_, of, _) in sums.sums.items() if of} - compared
    assert {figure for _, _, figure in left_out} <= {"chances to double", "plays"}


SAMPLES = [
    "galaxy.txt",
    "money-jacoby-beavers.mat",
    "redoubles.mat",
    "short-match.mat",
    "several-matches.mat",
    "studio.txt",
]


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name: str) -> None:
    for report, replayed in pairs(CLEAN / name):
        compare(report, replayed)


def test_chances_are_summed_play_by_play() -> None:
    """Not by phase first, which would leave the last digit to how the plays fall into phases."""
    ((report, _),) = pairs(CLEAN / "hypergammon.mat")
    (shots,) = [entry for entry in report.checker[1].contrasts if entry.figure == "shots rolled"]
    assert [value and value.expected for value in shots.values] == [29 / 60, 22 / 51]


def test_players_who_change_columns() -> None:
    ((report, replayed),) = pairs(CHANGED)
    compare_games(report, replayed)
    compare_books(report, replayed)
    assert report.heading.names == ("Ann", "Bob")
    assert [game.score for game in report.games] == [(0, 0), (1, 0)]
    assert [game.winner for game in report.games] == [0, 1]
    assert report.heading.after == (1, 2)
    assert report.books.balances
    first, second = report.decisions
    assert (first.seat, first.shown.flipped, first.shown.names) == (0, False, ("Ann", "Bob"))
    assert (second.seat, second.shown.flipped, second.shown.names) == (0, True, ("Bob", "Ann"))


def test_two_players_of_one_name_are_told_apart_by_their_columns() -> None:
    ((report, replayed),) = pairs(CHANGED.replace("Bob", "Ann"))
    compare_books(report, replayed)
    assert report.books.total.games == (2, 0)
    plays = report.checker[0].contrasts[0]
    assert all(value is not None for value in plays.values)


def test_findings_are_those_of_a_check_with_their_lines() -> None:
    path = CLEAN.parent / "faulty" / "P410-larger-die.mat"
    ((report, _),) = pairs(path)
    assert [fault.finding for fault in report.findings] == check(read(path))
    (fault,) = report.findings
    assert fault.excerpt.strip().startswith("20) 51: 25/20")
    assert fault.remedy.endswith("(line 27, left)")
    assert fault.shown is not None
    assert fault.shown.situation.dice == (5, 4)


@pytest.mark.corpus
def test_real_files(corpus: Path) -> None:
    paths = sorted((corpus / "mat").iterdir())[::EACH]
    count = 0
    for path in paths:
        for report, replayed in pairs(path):
            if is_clean(replayed.match):
                compare(report, replayed)
                count += 1
    assert count >= len(paths) // 2


FIVE_POINTS = """\
bganalyze match
length: 5
game 1
score 0-0
board L 6(2) 5(2) 4(2) 3(2) 2(2) 1 13(4) R bar 6(5) 8(3) 13(6) cube 1 turn L
"""
"""A side on the bar against five points."""


@pytest.mark.parametrize(("dances", "is_noted"), [(3, True), (1, False)])
def test_sixes_for_every_dance_are_explained(dances: int, is_noted: bool) -> None:
    """Against five points one dance in 25 is with 6-6: three of three have a chance of 1 in 15,625."""
    turns = ("L 21 13/10", "R 66 dance", "L 12 10/7", "R 66 dance", "L 11 7/5 7/6", "R 66 dance")
    text = FIVE_POINTS + "\n".join(turns[: 2 * dances]) + "\n"
    (report,) = make_match_reports(select_reported(read_bytes(text.encode(), "a.bgm")))
    (group,) = (group for group in report.dice if group.title == "Rolls")
    assert any("filled in a roll" in note for note in group.notes) is is_noted
