"""Matches of a file as lines of a match list."""

from __future__ import annotations

from pathlib import Path

from bganalyze.app.jobs.matches import list_file, list_file_briefly
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import FileToRead

FAULTY = Path(__file__).parents[3] / "samples" / "faulty"


def test_repairs_are_unknown_in_a_brief_list() -> None:
    path = str(FAULTY / "R604-first-score.mat")
    (whole,) = list_file(FileToRead(path, path), BASIC).matches
    (brief,) = list_file_briefly(FileToRead(path, path), BASIC).matches
    assert (whole.errors, whole.repairs) == (1, 1)
    assert (brief.errors, brief.repairs) == (1, None)
