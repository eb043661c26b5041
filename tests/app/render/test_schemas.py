"""Every JSON output fits its schema, and the schemas are those of the types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bganalyze.app.cli.app import app
from bganalyze.app.jobs.check import check_file
from bganalyze.app.jobs.repair import search_file
from bganalyze.app.render import get_finding_renderer
from bganalyze.app.render.data import VERSION as VERSION_OF_FIGURES
from bganalyze.app.render.findings.machine import KEYS
from bganalyze.app.render.findings.records import VERSION
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.proposals import render_jsonl
from bganalyze.app.render.schemas import field_meanings
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import find_files
from bganalyze.validation.findings import FINDING_KEYS, Edit, Finding, Selection
from bganalyze.validation.slip_odds import Odds, Ratio
from tests.app.samples import SAMPLES, list_samples_of_rules
from tests.app.serving.asking import OF_OVERVIEW, ask_page, refusal_of, sample
from tests.json_docs import JSON_SCHEMAS, schema_text
from tests.json_schemas import list_schema_errors, schema_path

FAULTY = SAMPLES / "faulty" / "P410-larger-die.mat"
REPORTED = [
    *(SAMPLES / "clean" / name for name in ("bgtournament.mat", "dueller.mat", "positions.txt")),
    SAMPLES / "clean" / "xg-mobile.txt",
    *(SAMPLES / "faulty" / f"{name}.mat" for name in ("C508-beaver-excluded", "R602-pass")),
    *(SAMPLES / "faulty" / f"P{name}.mat" for name in ("402-blocked-point", "404-corrected-left")),
    *(SAMPLES / "faulty" / f"{name}.mat" for name in ("P405-winning-open", "R605-short-length")),
    SAMPLES / "faulty" / "S701-false-signature.json",
    *(SAMPLES / "clean" / name for name in ("archive.zip", "redoubles.sgf")),
    FAULTY,
    SAMPLES / "faulty" / "T120-score-line-lost.mat",
]
"""Samples whose match report is made. The first eleven have every key, null, empty list and kind
of value that reports of all samples have. Each finding is held to its schema in any case."""

WRITTEN = dict.fromkeys([*REPORTED, *list_samples_of_rules()])

each_schema = pytest.mark.parametrize("name", JSON_SCHEMAS)


def lines(written: str) -> list[Any]:
    """Return the values of JSON lines."""
    return list(map(json.loads, written.splitlines()))


def run_program(*words: object) -> str:
    """Return what the program writes."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code < 2, result.output
    return result.stdout


# The files.


@each_schema
def test_a_schema_is_that_of_the_types(name: str) -> None:
    """After `python -m tests.refresh_docs`."""
    assert schema_path(name).read_text(encoding="utf-8") == schema_text(name)


@pytest.mark.slow
@each_schema
def test_a_schema_is_one_and_says_its_version(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(schema_path(name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    version = schema["$id"].removeprefix(f"urn:bganalyze:{name}:")
    assert schema["title"].endswith(f", version {version}")


@each_schema
def test_every_key_is_needed_and_has_a_meaning(name: str) -> None:
    for title, held in json.loads(schema_text(name))["$defs"].items():
        assert held["additionalProperties"] is False
        assert held["required"] == list(held["properties"]), title
        assert [key for key, entry in held["properties"].items() if not entry["description"]] == []


def test_the_keys_of_a_finding_are_those_of_all_formats() -> None:
    keys = json.loads(schema_text("findings"))["$defs"]["Finding"]["properties"]
    assert keys.keys() == set(KEYS)
    of_report = json.loads(schema_text("report"))["$defs"]["Finding"]["properties"]
    assert of_report.keys() == set(FINDING_KEYS)


def test_a_meaning_is_one_line_in_the_words_of_json() -> None:
    assert field_meanings(Edit)["new"] == "The new text; null for a removed line."
    assert not any("\n" in meaning for meaning in field_meanings(Finding).values())


# Documents that are written


@pytest.mark.slow
@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_outputs_of_samples_fit(path: Path) -> None:
    items, setting = list(find_files([str(path)])), OutputOptions()
    results = [check_file(item, BASIC, Selection()) for item in items]
    written = "".join(get_finding_renderer("jsonl")(results, setting))
    assert list_schema_errors("findings", *lines(written)) == []
    diagnosed = [search_file(item, BASIC) for item in items if path.parent.name == "faulty"]
    assert list_schema_errors("proposals", *lines("".join(render_jsonl(diagnosed, setting)))) == []
    if path in REPORTED and path.suffix != ".zip":
        report = json.loads(run_program("report", path, "--format", "json"))
        assert (report["version"], list_schema_errors("report", report)) == (VERSION_OF_FIGURES, [])


def test_an_object_and_a_list_of_findings_fit(tmp_path: Path) -> None:
    (tmp_path / "cut.xg").write_bytes(b"RGMH")
    paths = (FAULTY, tmp_path / "cut.xg")
    result = CliRunner().invoke(app, ["check", *map(str, paths), "--format", "json-object"])
    written = json.loads(result.stdout)
    assert list(written) == ["version", "findings", "files"]
    assert written["version"] == VERSION
    assert written["files"]["unreadable"]
    assert list_schema_errors("findings", written, written["findings"], []) == []
    as_lines = CliRunner().invoke(app, ["check", *map(str, paths), "--format", "jsonl"]).stdout
    assert [line["name"] for line in lines(as_lines)][-1] == "unreadable-file"
    assert list_schema_errors("findings", *lines(as_lines)) == []


def test_odds_that_are_set_fit() -> None:
    setting = OutputOptions(odds=Odds({"slips": Ratio(1, 4)}, "bganalyze.toml"))
    (item,) = find_files([str(FAULTY)])
    (line,) = lines("".join(render_jsonl([search_file(item, BASIC)], setting)))[:1]
    assert line["slip"]["source"] == "bganalyze.toml"
    assert list_schema_errors("proposals", line) == []


def test_statistics_fit() -> None:
    dated = ("--by", "player,year", "--since", "2001-01-01", "--min-games", "2", "--report", "dice")
    answer = json.loads(run_program("stats", FAULTY, *dated, "--format", "json"))
    assert answer["version"] == VERSION_OF_FIGURES
    assert answer["question"]["since"] == "2001-01-01"
    assert list_schema_errors("statistics", answer) == []


@pytest.mark.slow
def test_statistics_of_every_report_fit() -> None:
    of_files = json.loads(run_program("stats", SAMPLES / "clean", "--format", "json"))
    assert list_schema_errors("statistics", of_files) == []


def events() -> list[dict[str, Any]]:
    """Return the events that need neither tables nor an engine."""
    files, name = sample("faulty/P410-larger-die.mat"), {"path": FAULTY.name}
    return [
        *ask_page("check", {**files, "b.mat": b"\x00" * 100}),
        *ask_page("explain", files, **name),
        *ask_page("propose", files, **name),
        *ask_page("repair", files, **name, chosen=[[1, 1]]),
        *ask_page("convert", files, **name, to="mat"),
        refusal_of("explain", files, path="c.mat"),
    ]


def test_events_fit() -> None:
    assert list_schema_errors("page", *events(), {"kind": "end"}) == []


@pytest.mark.slow
def test_every_kind_of_event_is_in_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bganalyze.app.serving.statistics.NAMES", OF_OVERVIEW)
    files = sample("faulty/P410-larger-die.mat")
    pages = [*ask_page("report", files, path=FAULTY.name), *ask_page("statistics", files)]
    pages += ask_page("profile", files)
    assert list_schema_errors("page", *pages) == []
    of_engines = {"met", "analyzed", "mistake", "rates"}
    kinds = {
        event["properties"]["kind"]["enum"][0]
        for event in json.loads(schema_text("page"))["$defs"].values()
        if "kind" in event["properties"]
    }
    assert {event["kind"] for event in (*events(), *pages)} == kinds - of_engines - {"end"}


# Documents that are not


def without(document: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a document that lacks a key."""
    return {name: value for name, value in document.items() if name != key}


@pytest.mark.parametrize(
    ("name", "words", "key"),
    [
        ("findings", ("check", FAULTY, "--format", "jsonl"), "cause"),
        ("findings", ("check", FAULTY, "--format", "json-object"), "files"),
        ("proposals", ("repair", FAULTY, "--format", "jsonl"), "slip"),
        ("statistics", ("stats", FAULTY, "--report", "dice", "--format", "json"), "version"),
        ("report", ("report", FAULTY, "--format", "json"), "rule_book"),
    ],
)
def test_what_lacks_a_key_or_has_another_is_refused(
    name: str, words: tuple[object, ...], key: str
) -> None:
    document = json.JSONDecoder().raw_decode(run_program(*words))[0]
    assert list_schema_errors(name, document) == []
    assert list_schema_errors(name, without(document, key))
    assert list_schema_errors(name, document | {"odd": 1})
    assert list_schema_errors(name, document | {key: [[]]})


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "unheard"},
        {"kind": "end", "odd": 1},
        {"kind": "counted"},
        {"kind": "counted", "files": "2"},
        {
            "kind": "explained",
            "title": "",
            "tone": "",
            "boards": [["", "", ""]],
            "line": "",
            "facts": [],
        },
    ],
)
def test_other_events_are_refused(event: dict[str, Any]) -> None:
    assert list_schema_errors("page", event)


def test_a_version_to_come_is_refused() -> None:
    nothing = {"findings": [], "files": {"read": 0, "skipped": 0, "unreadable": []}}
    assert list_schema_errors("findings", {"version": VERSION, **nothing}) == []
    assert list_schema_errors("findings", {"version": VERSION + 1, **nothing})
