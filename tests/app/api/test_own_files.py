"""Reports that bganalyze wrote may be kept beside matches: they are read neither as matches nor as skipped ones."""

from __future__ import annotations

from pathlib import Path

import bganalyze
from bganalyze.app.jobs.checked import CheckTally
from bganalyze.app.render.findings.summary import totals_line
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.record.own_files import is_own_file

FAULTY = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/4\n"


def test_outputs_in_a_folder_are_left_out_and_counted_as_such(tmp_path: Path) -> None:
    found = bganalyze.check(FAULTY, name="a.mat")
    report = bganalyze.report(FAULTY, name="a.mat")
    (tmp_path / "a.mat").write_bytes(FAULTY)
    (tmp_path / "known.jsonl").write_text('{"baseline": "made by bganalyze", "version": 1}\n')
    (tmp_path / "notes.html").write_text("<p>Club evening</p>")
    outputs = [found.render(kind) for kind in ("html", "json", "jsonl", "json-object", "csv")]
    outputs += [found.render("sarif"), report.render("html"), report.render("json")]
    for number, output in enumerate(outputs):
        assert is_own_file(output.encode()), output[:100]
        (tmp_path / f"{number}.txt").write_text(output, encoding="utf-8")
    result = bganalyze.check(tmp_path)
    assert (len(result), result.skipped, result.unreadable) == (len(found), 1, ())
    tally = CheckTally()
    list(tally.count_each(result.files))
    words = "1 file checked, 1 skipped, 9 made by bganalyze and left out, 1 error"
    assert totals_line(tally, OutputOptions()).startswith(words)


def test_matches_that_bganalyze_writes_are_no_such_files() -> None:
    for kind in ("mat", "bgm", "json", "sgf"):
        assert not is_own_file(bganalyze.convert(FAULTY, kind, name="a.mat").data)
