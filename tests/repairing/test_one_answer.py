"""A check and a repair give the same causes of an error, with the same probabilities."""

from pathlib import Path

import pytest

import bganalyze
from bganalyze.app.jobs.check import check_by_all_rules
from bganalyze.board.rule_book import BASIC
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.repairing.remedy import finding_key
from bganalyze.repairing.search import find_repairs_in_file

SAMPLES = Path(bganalyze.__file__).parents[1] / "samples" / "faulty"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: path.name)
def test_what_a_check_says_a_repair_says(path: Path) -> None:
    data = path.read_bytes()
    try:
        examination, _ = check_by_all_rules(data, path.name, BASIC)
    except NotATranscript:
        pytest.skip("no match file")
    causes = {finding_key(cause.finding): cause for cause in find_repairs_in_file(data, path.name)}
    for finding in examination.findings:
        if shown := finding.proposals or finding.if_slip:
            assert shown == causes[finding_key(finding)].proposals
            assert bool(finding.if_slip) is finding.may_be_players
