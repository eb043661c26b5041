"""Figures of analyzed matches against the metrics themselves, match by match, and plain passes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from bganalyze.analysis.analyzed import loss
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.error_rates import LEAST_DEVIATION, METRICS, rate_name
from bganalyze.analysis.gnubg_statistics import CubeError, rating_name
from bganalyze.analysis.match import AnalyzedMatch, analyze_match
from bganalyze.board.position import PHASES
from bganalyze.record.players import Players
from bganalyze.record.reader import read
from bganalyze.statistics.reports import ANALYZED_REPORTS, load_report
from bganalyze.statistics.reports.analyzed_counts import name_certain_grades
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables, tabulate_analyzed
from tests.analysis.gnubg_statistics import Player, fibs_difference, fibs_rating, statistics
from tests.statistics.reports.analyzed import Guesser, analyze_samples

pytestmark = pytest.mark.slow

EACH = 75
"""One real file in this many is looked at."""

Sums = dict[tuple[object, ...], list[float]]


@pytest.fixture(scope="module")
def matches() -> list[AnalyzedMatch]:
    return analyze_samples()


@pytest.fixture(scope="module")
def tables(matches: list[AnalyzedMatch]) -> AnalyzedTables:
    return tabulate_analyzed(matches)


def frame(tables: AnalyzedTables, name: str, title: str, *by: str) -> pd.DataFrame:
    sections = load_report(name).report(tables, Question(by=by or ("player",)))
    return next(section.frame for section in sections if section.title == title)


def read_counts(frame: pd.DataFrame, *keys: str) -> dict[tuple[object, ...], tuple[float, float]]:
    """Return numerator and denominator by the keys and the figure."""
    return {
        tuple(row[key] for key in (*keys, "figure")): (row["count"], row["of"])
        for row in frame.to_dict("records")
    }


def players(matches: list[AnalyzedMatch]) -> Iterator[tuple[str, int, AnalyzedMatch]]:
    """Yield every side of every match, with its player."""
    person = Players()
    for match in matches:
        for side in (0, 1):
            yield person(match.names[side]), side, match


def test_no_board_is_in_doubt_and_nobody_changes_columns(matches: list[AnalyzedMatch]) -> None:
    """The second computations need not care, then."""
    for match in matches:
        assert all(row.verified for row in match.rows)
        assert all((result.left_name, result.right_name) == match.names for result in match.results)


def test_error_rates_are_those_of_the_metrics(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    sums: Sums = defaultdict(lambda: [0.0, 0.0])
    for player, side, match in players(matches):
        for metric in METRICS:
            figure = metric.measure(match.rows, side)
            money = metric.per == "match" and not match.length
            key = player, rate_name(metric.name, "points" if money else metric.unit)
            sums[key][0] += figure.lost
            sums[key][1] += figure.counted
    rates = read_counts(frame(tables, "errors", "Error rates"), "player")
    assert set(rates) == set(sums)
    for key, (cost, number) in rates.items():
        assert (cost, number) == pytest.approx(sums[key], abs=1e-6), key


def test_a_rate_is_what_is_lost_times_the_factor_of_the_metric(tables: AnalyzedTables) -> None:
    factors = {rate_name(metric.name, metric.unit): metric.factor for metric in METRICS}
    for row in frame(tables, "errors", "Error rates").to_dict("records"):
        factor = factors.get(row["figure"], 1)
        assert row["value"] == pytest.approx(factor * row["count"] / row["of"])
        assert not row["low"] > row["value"]


def test_rates_of_plays_cube_and_phases(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    metric = METRICS[0]
    sums: Sums = defaultdict(lambda: [0.0, 0.0])
    for player, side, match in players(matches):
        for row in match.rows:
            if row.side == side and metric.counts(row):
                title = "Plays" if row.kind is Kind.PLAY else "Cube"
                for key in ((title, player), ("By phase", player, row.phase)):
                    sums[key][0] += loss(row) or 0.0
                    sums[key][1] += 1
    rates = {
        (title, *key[:-1]): rate
        for title, keys in (
            ("Plays", ("player",)),
            ("Cube", ("player",)),
            ("By phase", ("player", "phase")),
        )
        for key, rate in read_counts(frame(tables, "errors", title), *keys).items()
        if key[-1] == "gnubg (mEMG)"
    }
    assert set(rates) == set(sums)
    for key, rate in rates.items():
        assert rate == pytest.approx(sums[key]), key


@pytest.mark.parametrize("by", [("player", "score"), ("player", "opened"), ("length",), ()])
def test_groups_add_up_to_the_whole(tables: AnalyzedTables, by: tuple[str, ...]) -> None:
    of_all = read_counts(frame(tables, "errors", "Plays", "player"), "player")
    sections = list(load_report("errors").report(tables, Question(by=by)))
    parts = read_counts(
        sections[1].frame.assign(all=1, place=range(len(sections[1].frame))), "place"
    )
    for metric in ("gnubg (mEMG)", "PR (xg-a)", "PR (xg-b)"):
        for column in (0, 1):
            total = sum(rate[column] for key, rate in of_all.items() if key[-1] == metric)
            assert sum(
                rate[column] for key, rate in parts.items() if key[-1] == metric
            ) == pytest.approx(total)


def of_player(match: AnalyzedMatch, side: int) -> Player:
    return statistics(match.rows, match.results).players[side]


def test_cube_errors_are_those_of_gnu_backgammon(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    costs_of_kind: Sums = defaultdict(lambda: [0.0, 0.0, 0.0])
    for player, side, match in players(matches):
        player_statistics = of_player(match, side)
        for kind in CubeError:
            total = player_statistics.errors.get(kind)
            sums = costs_of_kind[player, kind]
            sums[0] += total.equity if total else 0.0
            sums[1] += player_statistics.close_or_actual
            sums[2] += total.number if total else 0
    costs = read_counts(frame(tables, "cube-errors", "Costs"), "player")
    often = read_counts(frame(tables, "cube-errors", "How often"), "player")
    assert len(costs) > 6
    for (player, kind), (equity, decisions, number) in costs_of_kind.items():
        if decisions:
            key = player, f"{kind} (mEMG)"
            assert costs[key] == pytest.approx((equity, decisions), abs=1e-5), key
            assert often.get((player, str(kind)), (0, 0))[0] == number
    for player in {player for player, _ in costs_of_kind}:
        if (player, "all six (mEMG)") in costs:
            six = [costs[player, f"{kind} (mEMG)"][0] for kind in CubeError]
            assert costs[player, "all six (mEMG)"][0] == pytest.approx(sum(six))


def test_errors_are_counted_of_the_decisions_in_which_they_can_be_made(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    doubles: dict[str, int] = defaultdict(int)
    for player, side, match in players(matches):
        doubles[player] += of_player(match, side).doubles
    often = read_counts(frame(tables, "cube-errors", "How often"), "player")
    for player, count in doubles.items():
        if count:
            assert often[player, "wrong double below DP"][1] == count


def test_losses_of_kinds_are_those_of_phases_and_cube_errors(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    """By the plays themselves and GNU Backgammon's classes, which know nothing of kinds."""
    sums: Sums = defaultdict(lambda: [0.0, 0.0])
    for player, side, match in players(matches):
        of_side = of_player(match, side)
        for row in match.rows:
            if row.side == side and row.kind is Kind.PLAY and METRICS[0].counts(row):
                sums[player, f"{row.phase} plays"][0] += loss(row) or 0.0
                sums[player, f"{row.phase} plays"][1] += 1
        for figure, errors in (
            ("close no doubles below the cash point", (CubeError.MISSED_BELOW_CP,)),
            ("close no doubles above the cash point", (CubeError.MISSED_ABOVE_CP,)),
            ("doubles", (CubeError.WRONG_BELOW_DP, CubeError.WRONG_ABOVE_TG)),
            ("takes", (CubeError.WRONG_TAKE,)),
            ("passes", (CubeError.WRONG_PASS,)),
        ):
            totals = (of_side.errors.get(error) for error in errors)
            sums[player, figure][0] += sum(total.equity for total in totals if total)
    rates = read_counts(frame(tables, "losses", "By kind of decision"), "player")
    for key, (lost, number) in rates.items():
        assert lost == pytest.approx(sums[key][0], abs=1e-5), key
        if str(key[-1]).endswith(" plays"):
            assert number == sums[key][1]


def test_losses_of_kinds_add_up_to_the_error_rate(tables: AnalyzedTables) -> None:
    whole = read_counts(frame(tables, "errors", "Error rates"), "player")
    sums = read_counts(frame(tables, "losses", "Where points are lost"), "player")
    totals: Sums = defaultdict(lambda: [0.0, 0.0])
    for (player, _), (lost, number) in read_counts(
        frame(tables, "losses", "By kind of decision"), "player"
    ).items():
        totals[player,][0] += lost
        totals[player,][1] += number
    for (player,), parts in totals.items():
        assert parts == pytest.approx(whole[player, "gnubg (mEMG)"]), player
        assert parts == pytest.approx(sums[player, "all kinds"]), player


def test_missed_and_early_doubles_are_compared_band_by_band(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    """By a plain pass over all close decisions: error shares of both sides in bands of equal cost."""
    sides: dict[tuple[str, int, bool], list[bool]] = defaultdict(list)
    for player, side, match in players(matches):
        for row in match.rows:
            if row.side != side or row.kind not in (Kind.DOUBLE, Kind.NO_DOUBLE):
                continue
            no_double, take, passed = row.cube_equities
            gain = min(take, passed) - no_double
            too_good = gain < 0 and no_double > passed
            if METRICS[0].counts(row) and 0.001 <= abs(gain) < 0.16 and not too_good:
                band = sum(abs(gain) >= limit for limit in (0.02, 0.04, 0.08))
                is_wrong = (gain > 0) != (row.kind is Kind.DOUBLE)
                sides[player, band, gain > 0].append(is_wrong)
    balances: Sums = defaultdict(lambda: [0.0, 0.0])
    for (player, band, is_due), missed in sides.items():
        early = sides.get((player, band, False), [])
        if is_due and early:
            weight = len(missed) * len(early) / (len(missed) + len(early))
            difference = sum(missed) / len(missed) - sum(early) / len(early)
            balances[player,][0] += weight * difference
            balances[player,][1] += weight
    assert len(balances) > 3
    title = "Doubling too late or too early"
    estimated = frame(tables, "cube-habits", title).set_index(["figure", "player"])
    estimated = estimated.loc["missed minus early, comparable (percentage points)"]
    for (player,), (difference, weight) in balances.items():
        assert estimated.loc[player, "value"] == pytest.approx(100 * difference / weight), player
    assert set(estimated.index) == {player for (player,) in balances}


def test_luck_is_that_of_gnu_backgammon(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    sums: Sums = defaultdict(lambda: [0.0, 0.0])
    for player, side, match in players(matches):
        player_statistics = of_player(match, side)
        sums[player, "luck a roll (mEMG)"][0] += player_statistics.luck.equity
        sums[player, "luck a roll (mEMG)"][1] += player_statistics.luck.number
        for mark in ("very lucky", "lucky", "unlucky", "very unlucky"):
            sums[player, mark][0] += player_statistics.luck_marked.get(mark, 0)
            sums[player, mark][1] += player_statistics.luck.number
    luck = read_counts(frame(tables, "luck", "Rolls"), "player")
    for key, expected in sums.items():
        assert luck[key] == pytest.approx(expected, abs=1e-4), key


def test_luck_adjusted_results_are_those_of_gnu_backgammon(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    """Only matches whose games are all finished, and finished money games."""
    sums: Sums = defaultdict(lambda: [0.0, 0.0])
    for player, side, match in players(matches):
        finished = [
            result for result in match.results if result.compute_gain_of_winner() is not None
        ]
        games = {result.game for result in finished}
        match_statistics = statistics([row for row in match.rows if row.game in games], finished)
        if finished and (len(finished) == len(match.results) or not match.length):
            sums[player, bool(match.length), "result"][0] += match_statistics.luck.actual[side]
            sums[player, bool(match.length), "luck-adjusted result"][0] += (
                match_statistics.luck.adjusted[side]
            )
            for column in ("result", "luck-adjusted result"):
                sums[player, bool(match.length), column][1] += 1 if match.length else len(finished)
    for is_match, title, unit in (
        (True, "Results of matches", "% MWC a match"),
        (False, "Results of money games", "points a game"),
    ):
        luck = read_counts(frame(tables, "luck", title), "player")
        for (player, of_match, column), expected in sums.items():
            if of_match == is_match:
                assert luck[player, f"{column} ({unit})"] == pytest.approx(expected, abs=1e-4)


def test_ratings_of_one_match_are_those_of_gnu_backgammon() -> None:
    [match] = analyze_samples(["gnubg.mat"])
    rows = (row._replace(luck=row.luck and row.luck / 10) for row in match.rows)
    match = match._replace(rows=tuple(rows))
    tables, match_statistics = tabulate_analyzed([match]), statistics(match.rows, match.results)
    errors = frame(tables, "ratings", "By errors").set_index(["player", "figure"])
    luck = frame(tables, "ratings", "By luck").set_index(["player", "figure"])
    for name, player in zip(match.names, match_statistics.players, strict=True):
        for figure, rate in (
            ("overall (mEMG)", player.overall_rate),
            ("plays (mEMG)", player.checker_rate),
            ("cube (mEMG)", player.cube_rate),
        ):
            row = errors.loc[(name, figure)]
            assert row["value"] == pytest.approx(1000 * rate.equity, abs=1e-3)
            assert row["called"] == ""  # A single match has no interval.
        fibs = errors.loc[(name, "FIBS rating"), "value"]
        assert fibs == pytest.approx(fibs_rating(player, match.length), abs=1e-2)
        assert luck.loc[(name, "luck a roll (mEMG)"), "called"] == ""
    difference = luck.loc[(match.names[0], "FIBS difference"), "value"]
    assert difference == pytest.approx(fibs_difference(match_statistics), abs=0.5)


def test_players_are_called_by_what_their_whole_interval_is_called() -> None:
    """From 18 to 26 mEMG: of 9,000 decisions chance makes 0.6, of 200 it makes 3.9."""
    rates = pd.DataFrame({"value": [21.0] * 4, "of": [9000, 9000, 200, 9000]}, dtype=float)
    rates = rates.assign(low=[20.0, 17.0, 20.0, float("nan")], high=[22.0, 22.0, 22.0, 22.0])
    names = name_certain_grades(
        rates, lambda value: rating_name(value / 1000), 1000 * LEAST_DEVIATION
    )
    assert names.tolist() == ["Casual player", "", "", ""]


def test_the_worst_are_the_dearest_legal_decisions(
    matches: list[AnalyzedMatch], tables: AnalyzedTables
) -> None:
    losses = [loss(row) for match in matches for row in match.rows if row.legal is not False]
    costliest = sorted((cost for cost in losses if cost is not None), reverse=True)[:10]
    rows = frame(tables, "worst", "Costliest decisions")
    assert rows["loss"].tolist() == pytest.approx(costliest)


def test_engines_are_never_put_together(matches: list[AnalyzedMatch]) -> None:
    from bganalyze.statistics.reports.answer import answer_from_analyses

    by_other = analyze_samples(engine=Guesser("other", "9ply"))
    alone = answer_from_analyses(tabulate_analyzed(matches), ["errors"], Question())
    answer = answer_from_analyses(
        tabulate_analyzed([*matches, *by_other]), list(ANALYZED_REPORTS), Question()
    )
    assert alone.question.by == ("player",)
    assert answer.question.by == ("engine", "player")
    for sections in (
        named_sections for name, named_sections in answer.reports.items() if name != "worst"
    ):
        for section in sections:
            assert set(section.frame["engine"]) == {"guesser 1 at 0ply", "other 1 at 9ply"}
    worst = answer.reports["worst"][0].frame
    assert len(worst) == 10
    assert worst["loss"].is_monotonic_decreasing
    merged = answer.reports["errors"][0].frame
    own_rows = merged[merged["engine"] == "guesser 1 at 0ply"].drop(columns="engine")
    pd.testing.assert_frame_equal(
        own_rows.reset_index(drop=True).astype({"player": str}),
        alone.reports["errors"][0].frame.astype({"player": str}),
    )
    distinct = len({match.record for match in matches}) - 1  # One is an early save of another.
    assert f"{distinct} matches analyzed by other 1 at 9ply" in answer.counted
    count, *repetitions = answer.left_out
    assert count == "4 matches found twice and counted once"
    assert len(repetitions) == 2


@pytest.mark.corpus
def test_error_rates_of_real_files(corpus: Path) -> None:
    """Whoever played: what the metrics count, on boards beyond doubt, is counted once."""
    matches = []
    for path in sorted((corpus / "mat").rglob("*.*"))[::EACH]:
        matches += [analyze_match(match, Guesser()) for match in read(path)]
    tables = tabulate_analyzed(matches)
    section, *_ = load_report("errors").report(tables, Question(by=()))
    figures_of_file = {
        row["figure"]: (row["count"], row["of"]) for row in section.frame.to_dict("records")
    }
    for metric in METRICS:
        if metric.per == "decision":
            rows = [row for match in matches for row in match.rows if row.verified]
            losses = [loss(row) for row in rows if metric.counts(row)]
            expected = sum(filter(None, losses)), len(losses)
            assert figures_of_file[rate_name(metric.name, metric.unit)] == pytest.approx(expected)
    assert {row.phase for match in matches for row in match.rows} == set(PHASES)
