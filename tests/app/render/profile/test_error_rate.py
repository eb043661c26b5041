"""The PR of a profile in words: opponents, warnings, and the more likely class first."""

from __future__ import annotations

from bganalyze.app.render.document import Lines
from bganalyze.app.render.profile.error_rate import (
    classes_in_words,
    describe_error_rate,
    error_rate_in_words,
    limits_in_words,
)
from bganalyze.app.render.profile.kinds import group_costs_in_words
from bganalyze.statistics.profiles.kinds import Cost, Estimate, Resignations
from bganalyze.statistics.profiles.player_pr import ErrorRate
from tests.app.render.profile.test_situations import make_profile

RATE = ErrorRate(5.3, 4.7, 5.9, 5687, 92)


def list_lines(**fields: object) -> list[str]:
    """Return the lines on the PR of a profile with these fields."""
    (block,) = describe_error_rate(make_profile()._replace(error_rate=RATE, **fields))
    assert isinstance(block, Lines)
    return list(block.lines)


def test_the_opponents_rate_is_beside_the_players() -> None:
    lines = list_lines(opponents_rate=ErrorRate(9.7, 9.0, 10.4, 5012, 92))
    assert lines[1] == (
        "opponents in the same matches: PR 9.7, 95 % interval 9.0 to 10.4, after 5,012 decisions"
    )
    assert not any("opponents" in line for line in list_lines())


def test_mixed_analyses_are_named_where_the_rate_is() -> None:
    mixed = ("figures combine analyses of several depths: 90 at 3ply, 10 at 4ply; --by depth",)
    assert "figures combine analyses of several depths: 90 at 3ply, 10 at 4ply" in list_lines(
        mixed=mixed
    )


def test_resignations_that_cost_are_named_beside_the_rate_and_the_total() -> None:
    lost = Resignations(3, 1, 2.0, 1)
    said = "3 resignations or answers to one, which lost 2.00 EMG (1 error of 0.02 EMG or more; 1 not evaluated)"
    assert list_lines(resignations=lost)[-1] == f"not in the PR: {said}"
    assert list_lines(resignations=lost._replace(lost=0.0)) == list_lines()
    cost = Cost(Estimate(10.0, 8.0, 12.0, 250, 5), None, None, 90)
    assert f"; not in this total: {said}" in group_costs_in_words([], cost, None, lost)
    assert "not in this total" not in group_costs_in_words([], cost, None, Resignations())


def test_the_class_of_the_rate_itself_comes_first() -> None:
    (said,) = classes_in_words(ErrorRate(4.8, 4.2, 5.4, 9000, 200))
    assert said == (
        "class by BMAB: Master (PR 4 to 6.5); by eXtreme Gammon: world class (PR 2.5 to 5) or, less likely,"
        " expert (PR 5 to 7.5)"
    )
    (said,) = classes_in_words(ErrorRate(5.2, 4.6, 5.8, 9000, 200))
    assert ": expert (PR 5 to 7.5) or, less likely, world" in said


def test_a_class_names_the_engine_unless_it_is_the_one_that_the_scale_assumes() -> None:
    """Of two engines the one of most matches is named."""
    of_both = list_lines(engines=("sage 2.0 at 1ply", "eXtreme Gammon 2.10"))[1]
    assert of_both.endswith("; both assume its analysis, this is mostly by sage 2.0 at 1ply")
    assert "assume" not in list_lines(engines=("eXtreme Gammon 2.10",))[1]


def test_an_interval_cut_at_0_is_never_halved() -> None:
    """22.2 (0 to 112.7): the interval would begin at -68.3, so half of it is 90.5, not 56.3."""
    rate = ErrorRate(22.2, 0.0, 112.7, 78, 12)
    said = " ".join((error_rate_in_words(rate), *limits_in_words(rate)))
    assert "±" not in said.replace("how many matches ± 1", "")
    assert "matches in all" not in said
