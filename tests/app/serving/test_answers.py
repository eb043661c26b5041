"""Answers to the page: the same as those of the commands, whatever the page sends."""

from __future__ import annotations

import base64
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.analysis.engines import EngineError, levels, start
from bganalyze.app.jobs.check import check_file
from bganalyze.app.render import get_finding_renderer
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.serving.answers import ASKS, stream_answer
from bganalyze.app.serving.requests import ServerContext
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.files.outputs import make_safe_parts
from bganalyze.files.reading import find_files
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.text import printable
from bganalyze.validation.findings import Selection
from bganalyze.writing import WRITERS
from tests.app.serving.asking import OF_OVERVIEW, SAMPLES, ask_page, find_refusal, request, sample
from tests.disputed_match import DISPUTED
from tests.in_process import remember_profiles
from tests.nasty import FILE_NAMES, NAMES

FAULTY = "faulty/P410-larger-die.mat"
CHECKED = sorted(
    path
    for folder in ("clean", "faulty")
    for path in (SAMPLES / folder).iterdir()
    if path.suffix != ".tsv"
)[::3]


def command_says(name: str) -> str:
    """Return what `check --format jsonl` writes of a file in the present folder."""
    results = (check_file(item, RULE_BOOKS["basic"], Selection()) for item in find_files([name]))
    return "".join(get_finding_renderer("jsonl")(results, OutputOptions()))


@pytest.mark.slow
def test_a_check_finds_what_the_command_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in CHECKED:
        monkeypatch.chdir(path.parent)
        events = ask_page("check", {path.name: path.read_bytes()})
        assert "".join(event["jsonl"] for event in events) == command_says(path.name), path.name


def test_a_check_tells_what_is_to_be_shown() -> None:
    (checked,) = ask_page("check", sample(FAULTY))
    (finding,) = checked["findings"]
    assert checked["problem"] is None
    assert checked["repairable"]
    assert (finding["code"], finding["severity"], finding["line"]) == ("P410", "error", 26)
    assert finding["where"] == "game 1, row 20, right: Bruno Vale"


def test_a_check_gives_the_result_of_each_match_also_of_clean_files() -> None:
    (checked,) = ask_page("check", sample("clean/short-match.mat"))
    assert checked["results"] == ["Ada Quill – Cleo Hart: 0–3, won by Cleo Hart"]
    (checked,) = ask_page("check", sample("faulty/R603-wrong-winner.mat"))
    assert checked["results"] == []
    assert [dispute["players"] for dispute in checked["disputes"]] == ["Ada Quill – Cleo Hart"]
    (checked,) = ask_page("check", sample(FAULTY))
    assert len(checked["results"]) == 1
    assert checked["disputes"] == []


def test_the_rule_book_is_the_one_that_is_chosen() -> None:
    (checked,) = ask_page("check", sample("faulty/C504-dead-cube.mat"), rules="usbgf")
    assert json.loads(checked["jsonl"].splitlines()[0])["rule_book"].startswith("usbgf-2024 (US")


def test_members_of_an_archive_are_told_one_by_one() -> None:
    events = ask_page("check", sample("clean/archive.zip"))
    assert [event["path"] for event in events] == [
        "archive.zip!galaxy.txt",
        "archive.zip!one-point.mat",
        "archive.zip!studio.txt",
    ]


def test_a_bad_file_costs_only_itself() -> None:
    files = {"a.zip": b"PK\x03\x04 broken", "b.mat": b"\x00" * 100, **sample(FAULTY)}
    archive, noise, checked = ask_page("check", files)
    assert "broken archive" in archive["problem"]
    assert noise["problem"]
    assert checked["findings"]


def test_what_lies_in_a_folder_and_is_no_transcript_is_skipped() -> None:
    file = {"path": "club/notes.txt", "root": "club", "size": 5}
    head = json.dumps({"ask": "check", "options": {}, "files": [file]}).encode()
    event, _ = map(json.loads, stream_answer(len(head).to_bytes(4, "big") + head + b"hello"))
    assert event["skipped"]


UNREADABLE = b"""5 point match

 Game 1
 Ann : 0                            Bob : 0
  1) 31: 8/5 6/5                   65: 24/13
  2) 42: foo bar                   61: 13/7 8/7
  3) Doubles => 2                  Drops
      Wins 1 point
"""


def test_the_likely_cause_of_an_error_is_told() -> None:
    explained = ask_page("explain", {"a.mat": UNREADABLE}, path="a.mat")[0]
    assert "Most likely" in {label for label, _ in explained["facts"]}


def test_a_finding_is_explained_with_its_boards() -> None:
    (explained,) = ask_page("explain", sample(FAULTY), path="P410-larger-die.mat")
    assert explained["title"] == "P410 larger-die"
    assert [words for words, _ in explained["boards"]] == ["Before", "After"]
    assert all(svg.startswith("<svg") for _, svg in explained["boards"])
    assert ["Legal", "6/1"] in explained["facts"]
    assert explained["place"] == "1.20R"


def test_proposals_are_told_and_the_chosen_one_is_made() -> None:
    path = "P410-larger-die.mat"
    cause, searched = ask_page("propose", sample(FAULTY), path=path)
    assert "44: 6/2" in cause["proposals"][0]["text"]
    assert searched["errors"] == 1
    (repaired,) = ask_page("repair", sample(FAULTY), path=path, chosen=[[1, 2]])
    assert (repaired["errorsBefore"], repaired["errorsAfter"]) == (1, 0)
    assert "+ 20) 51: 25/20                   54: 6/1" in map(str.rstrip, repaired["diff"])
    (checked_again,) = ask_page("check", {path: base64.b64decode(repaired["data"])})
    assert checked_again["findings"] == []


def test_a_cause_is_told_before_the_next_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for = []

    def causes(*_: object) -> Iterator[RepairableFinding]:
        for cause in find_repairs_in_file(sample(FAULTY)["P410-larger-die.mat"], "a.mat") * 2:
            looked_for.append(cause)
            yield cause

    monkeypatch.setattr("bganalyze.app.jobs.repair.find_repairable_findings", causes)
    events = stream_answer(
        request("propose", {"b.mat": sample(FAULTY)["P410-larger-die.mat"]}, path="b.mat")
    )
    assert json.loads(next(events))["number"] == 1
    assert len(looked_for) == 1
    assert [json.loads(event).get("number") for event in events] == [2, None, None]
    assert len(looked_for) == 2


def test_nothing_is_repaired_that_was_not_chosen() -> None:
    path = "P410-larger-die.mat"
    (repaired,) = ask_page("repair", sample(FAULTY), path=path, chosen=[])
    assert base64.b64decode(repaired["data"]) == sample(FAULTY)[path]
    assert repaired["diff"] == []


@pytest.mark.parametrize("chosen", [[[2, 1]], [[1, 99]], [[0, 1]], [[1]], "1.1", None])
def test_a_choice_that_was_not_offered_is_refused(chosen: object) -> None:
    message = find_refusal("repair", sample(FAULTY), path="P410-larger-die.mat", chosen=chosen)
    assert "proposal" in message


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_converted(name: str) -> None:
    files = sample("clean/one-point.mat")
    (converted,) = ask_page("convert", files, path="one-point.mat", to=name)
    distinct = "-mat" if name == "mat" else ""  # The file itself has this extension.
    assert converted["name"] == f"one-point{distinct}{WRITERS[name].extension}"
    assert len(read_bytes(base64.b64decode(converted["data"]), converted["name"])) == 1


@pytest.mark.slow
def test_a_report_is_the_page_of_the_command() -> None:
    (page,) = ask_page("report", sample(FAULTY), path="P410-larger-die.mat")
    assert page["name"] == "P410-larger-die.html"
    assert 'class="match-player"' in page["html"]
    assert "Checker play" in page["html"]


def test_a_report_without_tables_has_the_player_and_the_findings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bganalyze.app.serving.reports.TABLES", ("a_package_that_is_not_there",))
    (page,) = ask_page("report", sample(FAULTY), path="P410-larger-die.mat")
    assert 'class="match-player"' in page["html"]
    assert "P410 larger-die" in page["html"]
    assert "Points won" not in page["html"]
    assert "numpy" not in page["html"]


@pytest.mark.slow
def test_statistics_count_all_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bganalyze.app.serving.statistics.NAMES", OF_OVERVIEW)
    files = sample("clean/one-point.mat") | sample("clean/archive.zip")
    *counted, page = ask_page("statistics", files)
    assert counted[-1] == {"kind": "counted", "files": 4}
    assert "<html" in page["html"]


def test_statistics_of_nothing_are_refused() -> None:
    assert (
        find_refusal("statistics", {"a.mat": b"nothing"}) == "none of these files is a match file"
    )


@pytest.mark.slow
def test_a_profile_is_of_one_of_the_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("bgsage", reason="Open Sage is not installed")
    monkeypatch.setattr("bganalyze.app.jobs.profile.make_profile", remember_profiles())
    files = sample("clean/one-point.mat")
    *_, players = ask_page("profile", files)
    assert players == {"kind": "players", "names": ["Ada Quill", "Bruno Vale"]}
    context = ServerContext(str(tmp_path / "a.db"))
    events = ask_page("profile", files, context, player="Bruno Vale")
    met = sum(event["decisions"] for event in events if event["kind"] == "met")
    assert met == sum(event["decisions"] for event in events if event["kind"] == "analyzed") > 10
    assert "Profile of Bruno Vale" in events[-1]["html"]
    assert [one["kind"] for one in ask_page("profile", files, context, player="Bruno Vale")][
        1:
    ] == ["page"]


def test_a_profile_is_refused_in_one_line() -> None:
    files = sample("clean/one-point.mat")
    assert find_refusal("profile", files, player="Nobody") == "no match has a player of that name"
    assert "bganalyze serve" in find_refusal("profile", files, player="Ada Quill")
    assert find_refusal("profile", files, player=1) == "1 is not the name of a player"
    assert find_refusal("profile", {"a.mat": b"no"}) == "none of these files is a match file"


def test_nothing_is_analyzed_where_nothing_can_be_kept() -> None:
    assert "bganalyze serve" in find_refusal("analyze", sample(FAULTY), path="P410-larger-die.mat")


@pytest.mark.parametrize("ask", sorted(set(ASKS) - {"check", "statistics", "profile"}))
def test_a_file_that_was_not_sent_is_refused(ask: str) -> None:
    options = {"path": "/etc/passwd", "to": "mat", "chosen": []}
    message = find_refusal(ask, sample(FAULTY), **options)
    assert "is not among the files sent" in message or ask == "analyze"


def test_a_rule_book_that_is_none_is_refused() -> None:
    assert find_refusal("check", sample(FAULTY), rules="wild").startswith(
        "unknown rule book 'wild'"
    )
    assert "unknown rule book" in find_refusal("check", sample(FAULTY), rules=["basic"])


WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
from bganalyze.app.serving import reports
if "numpy" in {missing}:
    reports.TABLES = ("a_package_that_is_not_there",)
from tests.app.serving.asking import OF_OVERVIEW, ask_page, sample
file, path = sample("faulty/P410-larger-die.mat"), "P410-larger-die.mat"
for ask, options in {asks}:
    assert ask_page(ask, file, **options, path=path), ask
"""
"""Questions of the page under Pyodide, where these packages are missing."""

NOT_THERE = {"sqlalchemy", "typer", "click", "platformdirs", "multiprocessing", "bgsage"}
TABLES = {"numpy", "pandas", "scipy", "matplotlib"}
ANYWHERE = [
    ("check", {}),
    ("explain", {}),
    ("propose", {}),
    ("repair", {"chosen": [[1, 1]]}),
    ("convert", {"to": "gvab"}),
    ("report", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "asks"),
    [(NOT_THERE | TABLES, ANYWHERE), (NOT_THERE, [("report", {}), ("statistics", {})])],
    ids=["from npm", "whole distribution"],
)
def test_under_pyodide_nothing_else_is_needed(missing: set[str], asks: object) -> None:
    program = WITHOUT.replace("{missing}", repr(missing)).replace("{asks}", repr(asks))
    call = [sys.executable, "-c", program]
    subprocess.run(call, check=True, cwd=Path(__file__).parents[3])


def test_what_cannot_be_asked_is_refused() -> None:
    assert find_refusal("__import__", {}).startswith("'__import__' is not a kind of request")


WRONG_VALUES: list[object] = [
    None,
    True,
    5,
    -(10**30),
    1e300,
    math.inf,
    math.nan,
    [],
    ["mat"],
    {"a": {"b": []}},
    "",
    "os.path",
    "..os",
    "sage:start",
    "\ud800",
    "x" * 10**6,
]


def is_refused_in_one_line(message: str) -> bool:
    return "fault of bganalyze" not in message and "\n" not in message and len(message) < 300


@pytest.mark.parametrize("value", WRONG_VALUES, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize(
    ("ask", "option"),
    [
        ("check", "rules"),
        ("convert", "to"),
        ("analyze", "engine"),
        ("repair", "chosen"),
        ("report", "level"),
    ],
)
def test_a_value_that_an_option_cannot_have_is_refused(
    ask: str, option: str, value: object
) -> None:
    options = {"path": "P410-larger-die.mat", "to": "mat", "chosen": [], option: value}
    if (option, value) == ("chosen", []):
        return
    assert is_refused_in_one_line(find_refusal(ask, sample(FAULTY), **options))


@pytest.mark.parametrize(
    "choice", [[[math.inf, 1]], [[10**30, 1]], [["1", "1"]], [{}], [[True, 1]]]
)
def test_a_choice_is_two_numbers(choice: object) -> None:
    path = "P410-larger-die.mat"
    assert is_refused_in_one_line(find_refusal("repair", sample(FAULTY), path=path, chosen=choice))


@pytest.mark.parametrize("value", WRONG_VALUES, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("key", ["ask", "options", "files", "path", "root", "size", "gone"])
def test_a_head_of_other_types_is_answered_in_one_line(key: str, value: object) -> None:
    file = {"path": "a.mat", "root": "a.mat", "size": 1}
    head = {"ask": "check", "options": {}, "files": [file | ({key: value} if key in file else {})]}
    if key not in file:
        head[key] = value
    if key == "gone":
        head = {name: part for name, part in head.items() if name != "files"}
    text = json.dumps(head).encode()
    last = json.loads(list(stream_answer(len(text).to_bytes(4, "big") + text + b"x"))[-1])
    assert is_refused_in_one_line(last.get("message", ""))


@pytest.mark.parametrize("name", ["os", "os.path", "..os", "sage:start", "program", "", "Sage"])
def test_only_engines_are_imported(name: str) -> None:
    with pytest.raises(EngineError, match="unknown engine"):
        levels(name)
    with pytest.raises(EngineError, match="unknown engine"):
        start(name)


@given(st.binary(max_size=200))
def test_noise_is_refused(body: bytes) -> None:
    (line,) = stream_answer(body)
    assert json.loads(line)["kind"] == "refused"


@given(st.integers(min_value=-(2**70), max_value=2**70))
def test_a_file_of_a_size_that_is_not_its_own_is_refused(size: int) -> None:
    body = request("check", {"a.mat": b"12345"})
    damaged = body.replace(b'"size": 5', b'"size": %d' % size)
    damaged = (len(damaged) - 4 - 5).to_bytes(4, "big") + damaged[4:]
    last = json.loads(list(stream_answer(damaged))[-1])
    assert (last["kind"] == "end") == (size == 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FILE_NAMES, *NAMES])
def test_a_name_is_only_a_name(name: str) -> None:
    data = (SAMPLES / "clean/one-point.mat").read_bytes()
    (checked,) = ask_page("check", {name: data})
    assert checked["path"] == name
    assert checked["title"] == printable(name)
    (converted,) = ask_page("convert", {name: data}, path=name, to="mat")
    assert converted["name"] == make_safe_parts(converted["name"], "")[-1]


MAIL = b"""Hello Tom,
here is the match:

>  1 point match
>
>  Game 1
>  Ann : 0                         Bob : 0
>   1) 31: 8/5 6/4                  65: 24/13
>       Wins 1 point

Best wishes
Zoe
"""


def test_the_report_and_a_conversion_are_of_the_repaired_match() -> None:
    files = {"mail.txt": MAIL}
    (checked,) = ask_page("check", files)
    assert checked["prose"] == 4
    *causes, _ = ask_page("propose", files, path="mail.txt")
    (rank,) = (
        number
        for number, proposal in enumerate(causes[0]["proposals"], start=1)
        if "31: 8/5 6/5" in proposal["text"]
    )
    about = {"path": "mail.txt", "chosen": [[1, rank]]}
    (repaired,) = ask_page("repair", files, **about)
    assert repaired["name"] == "mail-repaired.txt"
    texts = {}
    for to, prose in product(("mat", "xg-text"), (True, False)):
        (made,) = ask_page("convert", files, to=to, prose=prose, **about)
        texts[made["name"], prose] = base64.b64decode(made["data"]).decode()
    assert {name for name, _ in texts} == {"mail-repaired.mat", "mail-repaired-xg-text.txt"}
    for (_, prose), text in texts.items():
        assert "8/5 6/5" in text
        assert "6/4" not in text
        assert ("Tom" in text, "Zoe" in text) == (prose, prose)
    (page,) = ask_page("report", files, **about)
    assert page["name"] == "mail-repaired.html"
    assert "This is the repaired match" in page["html"]
    assert "Ann: game 1, row 1, was it so?" in page["html"]
    (page,) = ask_page("report", files, path="mail.txt")
    assert "the repaired match" not in page["html"]


def test_a_disputed_result_is_shown_once_with_its_readings_side_by_side() -> None:
    (checked,) = ask_page("check", {"a.mat": DISPUTED.encode()}, rules="wbf")
    assert checked["results"] == []
    (dispute,) = checked["disputes"]
    ((headings, game, match, against),) = dispute["tables"]
    assert headings == ["", "By the recorded result", "By the board"]
    assert game == ["Game 1", "Bob wins 1 point", "Ann wins 1 point"]
    assert match[1].startswith("2–3, won by Bob")
    assert match[2].startswith("3–1, won by Ann")
    assert "the last checker of Ann is borne off" in against[1]
    assert "2 later score lines continue" in against[2] or "score line" in against[2]
    assert any("rule book wbgf-2.1 is not known to say" in note for note in dispute["notes"])


def test_findings_are_listed_by_severity() -> None:
    (checked,) = ask_page("check", {"mail.txt": MAIL})
    severities = [finding["severity"] for finding in checked["findings"]]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)
    assert {"error", "info"} <= {*severities}
    explained = ask_page("explain", {"mail.txt": MAIL}, path="mail.txt")
    assert [event["tone"] for event in explained] == severities
