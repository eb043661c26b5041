"""The odds of a slip against a player's error: settings, ranges, and every output that rests on them."""

from __future__ import annotations

from typing import Any

import pytest

from bganalyze.app.render.findings.explained import list_likely_slips
from bganalyze.app.render.findings.machine import finding_record
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import EvidenceKind, Finding, Proposal, RecordEvidence, Severity
from bganalyze.validation.rules.words import describe_evidence
from bganalyze.validation.slip_odds import CONSISTENT, CONTRADICTED, Odds, Ratio, slip_chance
from tests.repairing.transcripts import record, row

MEANT = Proposal(
    "roll",
    "65 → 64",
    (),
    0.8,
    proved=False,
    line=1,
    row=None,
    side=None,
    errors_before=1,
    errors_after=0,
)


def finding(kind: EvidenceKind, **others: object) -> Finding:
    about = Finding("a.mat", 1, 1, 2, "P404", "die-not-rolled", Severity.ERROR, "wrong", 1)
    return about._replace(evidence=RecordEvidence(kind, ()), **others)


def make_contested(**others: object) -> Finding:
    return finding(EvidenceKind.CONTRADICTED, may_stand=True, **others)


@pytest.mark.parametrize(
    ("about", "factor"),
    [(finding(EvidenceKind.CONSISTENT), CONSISTENT), (make_contested(), CONTRADICTED)],
)
def test_without_a_setting_the_chance_of_a_slip_is_a_range(about: Finding, factor: float) -> None:
    assert about.slip is not None
    assert about.slip.lowest == pytest.approx(factor / (factor + 9))
    assert about.slip.highest == pytest.approx(9 * factor / (9 * factor + 1))


def test_with_a_setting_it_is_one_figure() -> None:
    slip = make_contested().under(Odds({"slips": Ratio(1, 55)}, "a.toml")).slip
    assert slip is not None
    assert slip.lowest == slip.highest == pytest.approx(0.5)
    assert slip.stated is not None
    assert slip.stated.source == "a.toml"


def test_where_a_players_error_is_impossible_no_odds_count() -> None:
    assert finding(EvidenceKind.CONTRADICTED).under(Odds({"slips": Ratio(1, 9)})).slip is None


@pytest.mark.parametrize(
    ("name", "dice", "kind"),
    [
        ("larger-die", (6, 4), "larger-die"),
        ("unplayed-die", (3, 3), "doubles-count"),
        ("unplayed-die", (3, 2), None),
        ("hit-not-executed", (3, 2), "hit-not-executed"),
    ],
)
def test_kinds_of_errors(name: str, dice: tuple[int, int], kind: str | None) -> None:
    assert make_contested(name=name, dice=dice).kind_of_error == kind


def test_a_run_one_pip_off_is_a_kind() -> None:
    matches = read_bytes(record(row("65: 24/14", "31: 8/5 6/5"), row("31: 8/5 6/5")), "a.mat")
    errors = [one for one in check(matches) if one.severity is Severity.ERROR]
    assert [(one.code, one.kind_of_error) for one in errors] == [("P404", "one-pip-off")]


def test_errors_that_players_make_as_often_have_no_more_slips_than_that() -> None:
    odds = Odds({"slips": Ratio(9, 1)})
    stated = odds.find_ratio("false-dance")
    assert stated is not None
    assert stated.ratio == Ratio(1, 1)
    assert slip_chance(1.0, "false-dance", None).highest == 0.5


def test_a_proposal_beside_a_players_error_says_what_its_chance_depends_on() -> None:
    ((_, unset),) = list_likely_slips(make_contested(proposals=(MEANT,)))
    assert "(69 % to 80 % that this is right, depending on how often slips are made)" in unset
    stated = make_contested(proposals=(MEANT,)).under(Odds({"slips": Ratio(1, 55)}, "a.toml"))
    ((label, words),) = list_likely_slips(stated)
    assert label == "perhaps"
    assert "(40 % that this is right, for 1 slip to 55 player's errors (a.toml))" in words


def test_what_may_have_been_meant_keeps_its_chance_if_it_is_a_slip() -> None:
    fits = finding(EvidenceKind.CONSISTENT, if_slip=(MEANT,)).under(Odds({"slips": Ratio(1, 1)}))
    data: dict[str, Any] = finding_record(fits)
    assert [one["probability"] for one in data["if_slip"]] == [0.8]
    assert data["slip"] == {
        "probability": 0.2172, "probability_range": None, "odds": ["1:1"], "source": "",
    }  # fmt: skip
    assert ("mistranscribed", "22 %, for 1 slip to 1 player's error") in describe_evidence(fits)


def test_a_kind_without_odds_of_its_own_has_even_ones() -> None:
    odds = Odds({"slips": Ratio(3, 1), "larger-die": Ratio(1, 4)}, "a.toml")
    assert odds.find_ratio("false-dance").ratio == Ratio(1, 1)
