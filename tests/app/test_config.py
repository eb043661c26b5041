"""Settings from a file: where it is found, what it may hold, and what is put over it."""

import os
from pathlib import Path

import pytest

from bganalyze.app.config import (
    Config,
    ConfigError,
    find_config,
    load_config,
    load_rule_book,
    rule_book_title,
)
from bganalyze.board.rule_book import BASIC, RULE_BOOKS, USBGF, WBF
from bganalyze.board.rule_text import RuleBookError, read_packaged_file
from bganalyze.validation.findings import Selection, Severity

CODES = ("P401", "P406", "T108")


def write_config(folder: Path, text: str, name: str = "bganalyze.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_a_file_may_hold(tmp_path: Path) -> None:
    config = load_config(
        write_config(
            tmp_path,
            """
            rules = "usbgf"
            select = ["P", "T1"]
            ignore = "P406,T108"
            fail-on = "warning"
            aliases = "names/aliases.toml"
            [switches]
            dead-cube = "allow"
            jacoby = true
            cube-limit = 64
            stands_after = "roll-or-double"
            """,
        ),
        CODES,
    )
    assert config.selection == Selection(("P", "T1"), ("P406", "T108"))
    assert config.threshold is Severity.WARNING
    assert config.aliases == tmp_path / "names" / "aliases.toml"
    assert (config.rule_book.name, config.rule_book.dead_cube, config.rule_book.jacoby) == (
        "usbgf-2024",
        "allow",
        True,
    )
    assert (config.rule_book.cube_limit, config.rule_book.stands_after) == (64, "roll-or-double")


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    config = load_config(write_config(tmp_path, ""), CODES)
    assert (config.rule_book, config.selection, config.threshold) == (
        BASIC,
        Selection(),
        Severity.ERROR,
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('rules = "ebif"', f"rules: 'ebif' is not one of {', '.join(RULE_BOOKS)}"),
        ("rules = 3", "rules: 3 is not one of"),
        ('fail-on = "remark"', "fail-on: 'remark' is not one of error, warning, info, never"),
        ('select = ["X"]', "select: 'X' begins no rule code; the families are"),
        ("aliases = 3", "aliases: 3 is not a file"),
        ("ignore = [1]", "ignore: .1. is not a list of rule codes"),
        ("ignore = 1", "ignore: 1 is not a list of rule codes"),
        ('color = "red"', "color: unknown; the keys are rules, select, ignore, fail-on"),
        ("switches = 1", "switches: is not a table"),
        ("[switches]\nraccoons = 1", "raccoons: unknown; the keys are who-decides"),
        ("[switches]\njacoby = 1", "jacoby: 1 is not true or false"),
        ("[switches]\ncube-limit = true", "cube-limit: True is not a whole number from 1"),
        ('[switches]\nvariant = "chess"', "variant: 'chess' is not one of standard, nackgammon"),
        ("repair = 1", "repair: is not a table"),
        ('[repair]\nslip = "1:1"', "slip: unknown; the keys are slips, larger-die, false-dance"),
        ("[repair]\nslips = 0.5", "slips: 0.5 is not a ratio of slips to player's errors"),
        ('[repair]\nslips = "1:0"', "slips: '1:0' is not a ratio .*, with neither of them 0"),
        ("rules = ", "Invalid value"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(tmp_path: Path, text: str, problem: str) -> None:
    path = write_config(tmp_path, text)
    with pytest.raises(ConfigError, match=problem) as raised:
        load_config(path, CODES)
    assert str(raised.value).startswith(f"{path}: ")
    assert "\n" not in str(raised.value)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bganalyze.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        load_config(path, CODES)


def test_the_nearest_file_upward_is_taken(tmp_path: Path) -> None:
    inner = tmp_path / "league" / "round"
    inner.mkdir(parents=True)
    outer = write_config(tmp_path, "")
    assert find_config(inner / "a.mat") == outer
    near = write_config(inner.parent, "[tool.bganalyze]\n", "pyproject.toml")
    assert find_config(inner / "a.mat") == near
    assert find_config(inner) == near


def test_a_pyproject_without_a_section_is_passed_over(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    outer = write_config(tmp_path, 'rules = "wbf"')
    write_config(inner, "[project]\nname = 'x'\n broken", "pyproject.toml")
    assert find_config(inner) == outer


def test_a_section_of_pyproject(tmp_path: Path) -> None:
    path = write_config(
        tmp_path, '[tool.bganalyze]\nrules = "wbf"\n[tool.other]\n', "pyproject.toml"
    )
    assert load_config(path, CODES).rule_book == WBF


def test_its_own_file_goes_before_pyproject(tmp_path: Path) -> None:
    write_config(tmp_path, "[tool.bganalyze]\n", "pyproject.toml")
    settings = write_config(tmp_path, "")
    assert find_config(tmp_path) == settings


def test_the_command_line_goes_over_the_file() -> None:
    file = Config(rules="wbf", select=("P",), fail_on="info", switches={"jacoby": True})
    options = Config(rules="usbgf", ignore=("T",), switches={"after_illegal": "stop"})
    config = file.overridden_by(options)
    assert config.selection == Selection(("P",), ("T",))
    assert (config.rule_book.name, config.rule_book.jacoby, config.rule_book.after_illegal) == (
        "usbgf-2024",
        True,
        "stop",
    )
    assert config.threshold is Severity.INFO


def test_never_is_no_threshold() -> None:
    assert Config(fail_on="never").threshold is None


def test_the_title_of_a_rule_book_names_what_differs() -> None:
    edition = (
        "usbgf-2024 (US Backgammon Federation, Tournament Rules 2024 with Ruling Guide, 2025-01)"
    )
    assert rule_book_title(USBGF) == edition
    config = Config(rules="usbgf", switches={"dead_cube": "allow", "crawford": False})
    assert (
        rule_book_title(config.rule_book) == f"{edition} with dead-cube = allow, crawford = false"
    )


def test_moves_is_the_name_of_who_decides_in_the_rules_of_the_wbgf(tmp_path: Path) -> None:
    path = write_config(tmp_path, 'rules = "wbf"\n[switches]\nmoves = "responsible"')
    rule_book = load_config(path, CODES).rule_book
    assert rule_book.who_decides == "opponent-must-decide"
    clause = rule_book.deciding_clause("who_decides")
    assert clause is not None
    assert clause.number.startswith("4.2(iv)")


def test_a_settings_file_names_the_file_of_a_rule_book(tmp_path: Path) -> None:
    copy = read_packaged_file("wbgt-2010").replace("starters-second-turn", "fifth-roll")
    (tmp_path / "club.toml").write_text(copy, encoding="utf-8")
    rule_book = load_config(write_config(tmp_path, 'rules = "club.toml"'), CODES).rule_book
    assert rule_book.set_up_stands_after == "fifth-roll"
    assert rule_book_title(rule_book).startswith("wbgt-2010 in club.toml ")
    assert rule_book_title(rule_book).endswith(
        " (World Backgammon Tour, Tournament Rules 1.1, 2010-02)"
    )
    changed = rule_book_title(rule_book._replace(jacoby=True))
    assert changed == f"{rule_book_title(rule_book)} with jacoby = true"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            'stands-after = "roll"',
            'stands-after = "dice"',
            "clause 1: decides: stands-after: 'dice' is",
        ),
        ("decides =", "decide =", "clause 1: 'decide' is unknown; the keys are topic"),
        (
            'known = "quoted"',
            'known = "heard"',
            "clause 1: known: 'heard' is not one of read, quoted",
        ),
        (
            'topic = "movement"',
            'topic = "moves"',
            "clause 1: topic: 'moves' is not one of movement",
        ),
        ('number = "4.2.1"', "number = 4", "clause 1: number: 4 is not a text"),
        ('known = "quoted"\n', "", "clause 1: known is missing"),
        ('date = "2010-02"', 'date = "2010-13"', 'date: a text such as "2023", "2023-08"'),
        ('name = "wbgt-2010"', 'name = ""', "name: one word"),
        ('body = "World Backgammon Tour"\n', "", "body is missing"),
        ("[[clause]]", "[[clauses]]", "'clauses' is unknown"),
        ('"4.2.1"', '"4.2.1', "Illegal character"),
    ],
)
def test_a_wrong_rule_book_is_one_line_with_file_and_place(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    path = tmp_path / "club.toml"
    path.write_text(read_packaged_file("wbgt-2010").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RuleBookError) as raised:
        load_rule_book(str(path))
    message = str(raised.value)
    assert message.startswith(f"{path}: {problem}")
    assert "\n" not in message


def test_a_missing_rule_book_is_said_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"rules: .*none\.toml: .*[Nn]o such file"):
        load_config(write_config(tmp_path, 'rules = "none.toml"'), CODES)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a." * 100_000 + "b = 1", "a key has more than 50 parts"),
        ("'a' . " * 100_000 + "b = 1", "a key has more than 50 parts"),
        ("[" + "a." * 100_000 + "b]", "a key has more than 50 parts"),
        ("x = " + "[" * 100_000, "brackets are nested too deeply"),
        ("x = " + "9" * 10_000, "limit"),
        ("# " + "x" * 5_000_000, "larger than 5,000,000 bytes"),
    ],
)
def test_a_settings_file_that_would_take_for_ever_is_refused(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "bganalyze.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=problem):
        load_config(path, ["P409"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_in_place_of_a_settings_file_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "bganalyze.toml"
    os.mkfifo(path)
    with pytest.raises(ConfigError, match="not a regular file"):
        load_config(path, ["P409"])
