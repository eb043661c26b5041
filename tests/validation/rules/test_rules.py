"""The catalog: its documentation, whose examples are executed, and its silence where it is due.

`validation/rules/catalog.py` says how an example is written; `rules/silent.txt`, and a file such as
`rules/silent_T121.txt` beside it, hold in the same form what lies next to a fault and is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import NamedTuple

import pytest

from bganalyze.board.rule_book import BASIC, USBGF, WBF, RuleBook
from bganalyze.record.model import Answer, Match, Play, ReaderNote, Result, SetUp, Span, Unread
from bganalyze.record.reader import KNOWN, read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import (
    ClosingAction,
    EvidenceKind,
    Finding,
    RecordEvidence,
    Severity,
    Standing,
)
from bganalyze.validation.replaying.match import replay
from bganalyze.validation.rules import (
    BY_NAME,
    CATALOG,
    c_cube,
    d_dice,
    p_play,
    r_result,
    t_transcript,
    u_setup,
)
from bganalyze.validation.rules.catalog import Rule
from bganalyze.validation.rules.ruling import remedy
from tests.stored.codes import list_codes, read_promised_codes

HEADER = " 5 point match\n Game 1\n Ann : 0                         Bob : 0\n"

SECTIONS = ("What it does.", "Why.", "Example:", "Source:", "Never shown:")
OPTIONAL = {"Never shown:"}

WIDTH = 80

SILENT_CASES = Path(__file__).parent / "silent.txt"

FAMILIES = {
    "T1": t_transcript,
    "U2": u_setup,
    "D3": d_dice,
    "P4": p_play,
    "C5": c_cube,
    "R6": r_result,
}

_MARK = re.compile(r"\s*<- (.*)$")
_BYTE = re.compile(rb"\\x([0-9a-f]{2})")


class Mark(NamedTuple):
    """A mark in a comment: the finding expected in its line."""

    line: int
    code: str
    standing: str | None = None


class Case(NamedTuple):
    """Match text, and what is to be found in it."""

    text: str
    marks: tuple[Mark, ...]

    def checked(self, rule_book: RuleBook = BASIC) -> list[Finding]:
        """Return the findings of the text."""
        data = _BYTE.sub(lambda escape: bytes([int(escape[1], 16)]), self.text.encode())
        return check(read_bytes(data, "case.mat"), rule_book)

    def verify(self) -> None:
        """Assert that what is marked is found, and nothing else above info."""
        findings = self.checked()
        marked = Counter((mark.line, mark.code) for mark in self.marks)
        counted = Counter((finding.line, finding.code) for finding in findings)
        grave = Counter((f.line, f.code) for f in findings if f.severity is not Severity.INFO)
        assert not marked - counted, "marked, but not found"
        assert not grave - marked, "found, but not marked"
        standings = {Mark(f.line, f.code, f.standing) for f in findings}
        assert {mark for mark in self.marks if mark.standing} <= standings


def case(block: str) -> Case:
    """Return the case that an indented block describes, under the header if it is rows alone."""
    text = dedent(block).strip("\n") + "\n"
    if re.match(r"\s*\d+\)", text):
        text = HEADER + text
    lines = text.split("\n")
    marks = tuple(mark for number, line in enumerate(lines, 1) for mark in _marks(number, line))
    return Case("\n".join(_MARK.sub("", line) for line in lines), marks)


def _marks(number: int, line: str) -> Iterator[Mark]:
    match = _MARK.search(line)
    for mark in match.group(1).split(",") if match else ():
        code, *standing = mark.split()
        yield Mark(number, code, standing[0] if standing else None)


def section(rule: Rule, name: str) -> str:
    """Return the text of one section of a rule's documentation."""
    _, heading, body = rule.doc.partition(f"\n\n{name}")
    assert heading, f"{rule.code} has no section {name!r}"
    ends = (body.find(f"\n\n{other}") for other in SECTIONS)
    return body[: min((end for end in ends if end >= 0), default=len(body))]


def silent_cases() -> Iterator[tuple[str, str, Case]]:
    """Code, remark and case of each entry of the files."""
    files = sorted(SILENT_CASES.parent.glob("silent*.txt"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    for entry in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        heading, _, block = entry.partition("\n")
        code, _, remark = heading.partition(" ")
        yield code, remark, case(block)


SILENT = list(silent_cases())
WITHOUT_EXAMPLE = [
    rule for rule in CATALOG if section(rule, "Example:").startswith(" no match text")
]
"""Rules that no match text in columns can break; their firing is tested on a made record."""

EXECUTED = [rule for rule in CATALOG if rule not in WITHOUT_EXAMPLE]

by_code = pytest.mark.parametrize("rule", CATALOG, ids=lambda rule: rule.code)
executed = pytest.mark.parametrize("rule", EXECUTED, ids=lambda rule: rule.code)


# The catalog as a whole


def test_codes_and_names_are_those_promised() -> None:
    """A new rule is promised by `python -m tests.stored`, which takes no promise back."""
    assert read_promised_codes() - list_codes() == set()
    assert [rule.code for rule in CATALOG] == sorted(rule.code for rule in CATALOG)


def test_no_code_and_no_name_is_given_twice() -> None:
    assert len({rule.code for rule in CATALOG}) == len(CATALOG) == len(BY_NAME)


@pytest.mark.parametrize(("prefix", "module"), FAMILIES.items())
def test_every_rule_lives_with_its_family(prefix: str, module: ModuleType) -> None:
    assert all(rule.code.startswith(prefix) for rule in module.RULES)
    assert sorted(module.RULES) == [rule for rule in CATALOG if rule.code.startswith(prefix)]
    rules = {value for value in vars(module).values() if isinstance(value, Rule)}
    assert rules == set(module.RULES)


# Documentation


@by_code
def test_documentation_keeps_to_its_outline(rule: Rule) -> None:
    first, blank, *_ = rule.doc.split("\n")
    assert re.fullmatch(r"[A-Z`].*\.", first)
    assert not blank
    places = [rule.doc.find(f"\n\n{name}") for name in SECTIONS]
    missing = {name for name, at in zip(SECTIONS, places, strict=True) if at < 0}
    assert missing <= OPTIONAL
    found_places = [at for at in places if at >= 0]
    assert found_places == sorted(found_places)
    assert all(section(rule, name).strip() for name in SECTIONS if name not in missing)


@by_code
def test_documentation_fits_a_terminal(rule: Rule) -> None:
    assert max(map(len, rule.doc.split("\n"))) <= WIDTH


@executed
def test_the_example_gives_what_is_marked(rule: Rule) -> None:
    example = case(section(rule, "Example:"))
    assert rule.code in {mark.code for mark in example.marks}
    example.verify()


@pytest.mark.parametrize("rule", WITHOUT_EXAMPLE, ids=lambda rule: rule.code)
def test_a_rule_without_a_text_says_which_format_shows_it(rule: Rule) -> None:
    words = re.findall(r"[\w-]+", section(rule, "Example:").lower())
    assert {known.name for known in KNOWN}.intersection(words)


# Silence


@pytest.mark.parametrize(
    ("code", "silent"),
    [(code, silent) for code, _, silent in SILENT],
    ids=[f"{code}: {remark}" for code, remark, _ in SILENT],
)
def test_a_rule_is_silent_next_to_its_fault(code: str, silent: Case) -> None:
    silent.verify()
    assert code not in {finding.code for finding in silent.checked()}


def test_every_rule_has_a_silent_case() -> None:
    """A new rule has its silent case in a file of its own."""
    codes, silent = {rule.code for rule in CATALOG}, {code for code, _, _ in SILENT}
    assert silent <= codes
    missing = [f"silent_{code}.txt" for code in sorted(codes - silent)]
    assert not missing, f"write {', '.join(missing)} beside {SILENT_CASES}, in the same form"


# Messages


def messages(rule_book: RuleBook = BASIC) -> Iterator[str]:
    """Yield every message of the examples and of the findings next to them."""
    for example in [
        *(case(section(rule, "Example:")) for rule in EXECUTED),
        *(c for *_, c in SILENT),
    ]:
        for finding in example.checked(rule_book):
            yield finding.message


@pytest.mark.slow
@pytest.mark.parametrize("rule_book", [BASIC, USBGF, WBF], ids=lambda rule_book: rule_book.name)
def test_messages_are_one_plain_line(rule_book: RuleBook) -> None:
    for message in messages(rule_book):
        assert re.fullmatch(r"[^\n{}]+[^\n{}.]", message), message
        assert not re.match(r"(?!Ann|Bob|Cleo|Dan)[A-Z]", message), message


def message(code: str, rows: str, rule_book: RuleBook = BASIC) -> str:
    """Return the message of the one finding of that code."""
    (reported,) = (finding for finding in case(rows).checked(rule_book) if finding.code == code)
    return reported.message


def test_a_die_that_is_used_up_is_not_said_to_be_missing() -> None:
    text = message("P404", "  1) 31: 8/5 6/3                 65: 24/13")
    assert text == "6/3 needs another 3, and that of 3-1 is played already"
    text = message("P404", "  1) 31: 8/5 6/4                 65: 24/13")
    assert text == "6/4 needs a 2, but the roll is 3-1"
    text = message("P404", "  1) 31: 8/5 24/14               65: 24/13")
    assert text == "24/14 does not fit the roll 3-1"


def test_the_answer_of_the_doubler_is_told_from_one_without_a_double() -> None:
    rows = "  1) 31: 8/5 6/5                   Doubles => 2\n  2)       {:27}{}"
    text = message("C506", rows.format("", "Takes"))
    assert text == "Bob takes, but it is for Ann to answer the double"


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ("1", "two successive games have the number 1"),
        ("0", "game 0 follows game 1: out of order, or a game repeated"),
        ("3", "game 3 follows game 1: game 2 is missing"),
        ("4", "game 4 follows game 1: the games between are missing"),
    ],
)
def test_what_is_wrong_with_a_game_number(second: str, problem: str) -> None:
    game = " Ann : 0     Bob : {}\n  1) 31: 8/5 6/5                   Doubles => 2\n"
    end = "  2)  Drops                        Wins 1 point\n"
    text = f" 5 point match\n Game 1\n{game.format(0)}{end} Game {second}\n{game.format(1)}"
    assert message("T104", text) == problem


def test_what_stands_inside_a_row_is_not_called_its_number() -> None:
    rows = "  1) 31: 8/5 6/5                   65: 24/13\n  2) Ann : 0                       61: 13/7 8/7"
    assert message("T103", rows) == "'Ann : 0' is inside a row and is ignored"


def test_why_a_beaver_is_not_allowed() -> None:
    rows = """
     0 point match
     Game 1
     Ann : 0                         Bob : 0
      1) 31: 8/5 6/5                   Doubles => 2
      2)  Beavers => 4                 65: 24/13
    """
    assert message("C508", rows.replace("0 point", "3 point")) == (
        "a beaver is allowed in money play only"
    )
    without = BASIC._replace(beavers=False)
    assert message("C508", rows, without) == "the rules of this record allow no beaver"


# Severities that depend on the rule book or the record


def severities(code: str, rows: str, rule_book: RuleBook = BASIC) -> list[Severity]:
    """Return the severities of the findings of that code."""
    return [finding.severity for finding in case(rows).checked(rule_book) if finding.code == code]


LATE_START = """
 5 point match
 Game {}
 Ann : {}                         Bob : {}
  1) 31: 8/5 6/5                   Doubles => 2
"""


def test_a_crawford_double_is_a_warning_where_the_game_may_be_over() -> None:
    assert severities("C503", LATE_START.format(1, 4, 1)) == [Severity.WARNING]
    assert severities("C503", LATE_START.format(7, 4, 3)) == [Severity.WARNING]
    example = section(BY_NAME["crawford-double"], "Example:")
    assert severities("C503", example) == [Severity.ERROR]


@pytest.mark.parametrize("number", [1, 2, 9])
@pytest.mark.parametrize("points", [(4, 0), (0, 4)])
def test_a_first_game_at_match_point_against_no_point_is_the_crawford_game(
    number: int, points: tuple[int, int]
) -> None:
    rows = LATE_START.format(number, *points)
    for text in (rows, f'; [Crawford "On"]\n{rows}'):
        assert severities("C503", text) == [Severity.ERROR]
    assert severities("C503", f'; [Crawford "Off"]\n{rows}') == []
    for length, codes in (("1 point", []), ("7 point", []), ("0 point", [])):
        assert severities("C503", rows.replace("5 point", length)) == codes


def test_after_a_missing_game_the_score_may_show_the_crawford_game() -> None:
    before = LATE_START.format(1, 0, 0) + "  2)  Drops                        Wins 1 point\n"
    for number, points, expected in (
        (3, (0, 4), [Severity.ERROR]),
        (3, (1, 4), []),
        (2, (0, 4), []),
    ):
        later = LATE_START.format(number, *points).replace(" 5 point match\n", "")
        assert severities("C503", before + later) == expected


def test_a_first_score_line_that_the_next_one_contradicts_shows_no_crawford_game() -> None:
    rows = LATE_START.format(1, 4, 0) + (
        "  2)  Drops                        Wins 1 point\n"
        " Game 2\n Ann : 0                         Bob : 1\n  1) 31: 8/5 6/5\n"
    )
    assert severities("C503", rows) == [Severity.WARNING]


def test_a_dead_cube_is_an_error_where_the_rule_book_forbids_it() -> None:
    example = section(BY_NAME["dead-cube"], "Example:")
    assert severities("C504", example) == [Severity.INFO]
    assert severities("C504", example, WBF) == [Severity.INFO]
    assert severities("C504", example, USBGF) == [Severity.ERROR]
    assert message("C504", example, USBGF).endswith("a dead cube may not be offered")


def test_the_rule_book_decides_what_is_still_to_be_done_at_the_end() -> None:
    example = section(BY_NAME["result-contestable"], "Example:")
    assert message("R614", example).endswith("either player may still call for its correction")
    assert message("R614", example, USBGF).endswith("it must be corrected")


# Rules that no match text in columns can break


def with_set_up(**changes: object) -> Match:
    """Return a record with a set-up changed in ways that no match text can write."""
    text = " 5 point match\n Game 1\n Ann : 0   Bob : 0\n; Set Pos={}/0\n  1) 31: 8/5 6/5\n"
    (match,) = read_bytes(text.format("-b----E-C---eE---c-e----B-").encode(), "made.mat")
    (game,) = match.games
    actions = tuple(a._replace(**changes) if isinstance(a, SetUp) else a for a in game.actions)
    return match._replace(games=(game._replace(actions=actions),))


def test_both_sides_on_a_point() -> None:
    left = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(point, 0) for point in range(26))
    right = tuple({24: 2, 13: 5, 8: 3, 6: 3, 12: 2}.get(point, 0) for point in range(26))
    findings = check([with_set_up(boards=(left, right))])
    (shared,) = (finding for finding in findings if finding.code == "U203")
    assert (shared.line, shared.standing) == (4, Standing.OPEN)
    assert shared.message == "both sides have checkers on the 13 point of Ann"


def test_a_signature_that_does_not_hold() -> None:
    (match,) = read_bytes(
        b" 5 point match\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/5\n", "a.mat"
    )
    note = ReaderNote("false-signature", Span(1, 1, 2), "the match")
    (reported,) = (
        finding for finding in check([match._replace(oddities=(note,))]) if finding.code == "S701"
    )
    assert reported.message == ("the signature of the match is invalid: it was made for other data")


NACKGAMMON = "-bb---D-C---dD---c-d---BB-"
HYPERGAMMON = "-aaa------------------AAA-"


@pytest.mark.parametrize(
    ("stated", "board", "variant"),
    [
        ("Backgammon", NACKGAMMON, "nackgammon, not of the standard game"),
        ("NackGammon", "-b----E-C---eE---c-e----B-", "the standard game, not of nackgammon"),
        ("Backgammon", HYPERGAMMON, "hypergammon with 3 checkers, not of the standard game"),
    ],
)
def test_the_start_of_another_variant_is_called_so(stated: str, board: str, variant: str) -> None:
    text = f'; [Variation "{stated}"]\n 5 point match\n Game 1\n Ann : 0          Bob : 0\n'
    (finding,) = check(read_bytes(f"{text}; Set Pos={board}/0\n  1) 21:\n".encode(), "made.mat"))[
        :1
    ]
    assert (finding.code, finding.message) == ("U201", f"the recorded start is that of {variant}")


@pytest.mark.parametrize(
    "stated",
    ["LongGammon", "Long gammon", "acey-deucey", "Tabula", "Plakoto", "GulBara", "Narde (long)"],
)
def test_a_variant_with_other_rules_is_told_and_not_checked(stated: str) -> None:
    text = f'; [Variation "{stated}"]\n 5 point match\n Game 1\n Ann : 0          Bob : 0\n'
    match = read_bytes(
        f"{text}  1) 66: 1/7 bar/9      Takes\n  7) foo\n      Wins 1 point\n".encode(), "made.mat"
    )
    (reported,) = (finding for finding in check(match) if finding.severity != "info")
    assert (reported.code, reported.line) == ("U207", 1)
    assert reported.message.endswith(": its plays are not checked")
    (game,) = replay(match[0]).games
    assert [type(turn.action) for turn in game.turns] == [Play, Answer, Unread, Result]
    assert not any(turn.verified for turn in game.turns[:-1])


@pytest.mark.parametrize(
    ("value", "owner", "problem"),
    [(3, 0, "a cube of 3 cannot be reached by doubling"), (1, 1, "a cube of 1 cannot be owned")],
)
def test_an_impossible_cube(value: int, owner: int, problem: str) -> None:
    findings = check([with_set_up(cube_value=value, cube_owner=owner)])
    (cube,) = (finding for finding in findings if finding.code == "U205")
    assert cube.message.startswith(problem)


@pytest.mark.parametrize(
    ("doubling", "cube", "problem"),
    [
        ("", "1", "the cube is at 2 with Bob, not at 1 in the middle"),
        ("  2)  Doubles => 2                  Takes\n", "0", "1 in the middle, not at 2 with Bob"),
        ("  2)  Doubles => 2                  Takes\n", "-1", "at 2 with Ann, not at 2 with Bob"),
        ("  2)  Doubles => 2                  Takes\n", "2", "at 4 with Bob, not at 2 with Bob"),
    ],
)
def test_a_recorded_cube_that_is_not_the_one_in_play(
    doubling: str, cube: str, problem: str
) -> None:
    text = (
        " 5 point match\n Game 1\n Ann : 0                         Bob : 0\n"
        f"  1) 31: 8/5 6/5                   65: 24/13\n{doubling}"
        f"; Set Pos=-b----E-C---eF---b-db---A-/{cube}\n"
        "  3) 42: 8/4 6/4                   61: 13/7 8/7\n"
    )
    findings = check(read_bytes(text.encode(), "a.mat"))
    (mismatch,) = (finding for finding in findings if finding.severity is Severity.ERROR)
    assert (mismatch.code, problem in mismatch.message) == ("U204", True)


def test_two_routes_that_both_hit_are_told_of_where_hits_are_marked_too() -> None:
    text = HEADER + (
        "  1) 53: 24/16                     21: 24/23 13/11\n"
        "  2) 62: 24/18 13/11               64: 13/3\n"
        "  3) 31: bar/24 6/3                52: 6/1* 13/11\n"
    )
    findings = check(read_bytes(text.encode(), "a.mat"))
    assert [(finding.line, finding.code) for finding in findings] == [(5, "T110"), (6, "T107")]


# Options for an error


ROLLED = ClosingAction("Bob", "rolled 6-3", 9, "right", game=1)


def error_of(standing: Standing, closer: ClosingAction | None, code: str = "P409") -> Finding:
    place = ("a.mat", 9, 6, 9)
    error = Finding(*place, code, "error", Severity.ERROR, "wrong", 1)
    return error._replace(standing=standing, closer=closer, game=1)


@pytest.mark.parametrize(
    ("standing", "rule_book", "closer", "code", "expected"),
    [
        (Standing.OPEN, BASIC, None, "P409", "either player may call for its correction"),
        (Standing.OPEN, WBF, None, "P409", "it must be corrected before the next roll"),
        (Standing.OPEN, USBGF, None, "P409", "it must be corrected before the next roll"),
        (
            Standing.OPEN,
            BASIC,
            None,
            "U201",
            "it must be corrected if either player notices it before the second roll of the game has",
        ),
        (
            Standing.STANDS,
            BASIC,
            ROLLED,
            "P409",
            "the play stays on the board as made; too late to correct after the next roll: Bob rolled 6-3 (line 9, right)",
        ),
        (
            Standing.STANDS,
            BASIC,
            ROLLED,
            "U201",
            "the set-up stays on the board as made; not corrected before the second roll of the game",
        ),
        (Standing.CORRECTED, BASIC, ROLLED, "P409", "in time (line 9, right): nothing is left"),
        (Standing.CORRECTED, USBGF, None, "U201", "in time: nothing is left to do"),
    ],
)
def test_the_remedy(
    standing: Standing, rule_book: RuleBook, closer: ClosingAction | None, code: str, expected: str
) -> None:
    assert remedy(error_of(standing, closer, code), rule_book).startswith(expected)


def test_the_remedy_names_the_game_where_a_later_one_closes_an_error() -> None:
    error = error_of(Standing.STANDS, ROLLED._replace(game=2))
    assert remedy(error, BASIC).endswith(
        "after the next roll, in game 2: Bob rolled 6-3 (line 9, right)"
    )


def test_a_contradicted_play_stands_only_if_it_was_made() -> None:
    error = error_of(Standing.STANDS, ROLLED)
    for kind in EvidenceKind:
        words = remedy(error._replace(evidence=RecordEvidence(kind)), BASIC)
        is_sure = not words.startswith("only if it was really played so; ")
        assert is_sure is (kind is not EvidenceKind.CONTRADICTED)


def test_a_play_of_a_checker_that_is_not_there_was_not_made_so() -> None:
    error = error_of(Standing.STANDS, ROLLED, "P401")._replace(name="empty-point")
    words = remedy(error._replace(evidence=RecordEvidence(EvidenceKind.CONTRADICTED)), BASIC)
    assert words == (
        "only if it was really played so, but the board shown has no such checker:"
        " this play or an earlier one is recorded wrongly;"
        " too late to correct after the next roll: Bob rolled 6-3 (line 9, right)"
    )


def test_the_remedy_names_the_double_where_one_closes_an_error() -> None:
    rule_book = BASIC._replace(stands_after="roll-or-double")
    opened = remedy(error_of(Standing.OPEN, None), rule_book)
    assert opened.endswith("until the next roll or double")
    assert remedy(error_of(Standing.STANDS, None), rule_book) == (
        "the play stays on the board as made; not corrected before the next roll or double"
    )


@pytest.mark.parametrize(
    ("play", "message"),
    [
        (
            "42: 12/8 6/4",
            "12/8: Ann has no checker on the 12 point, and must enter from the bar first",
        ),
        (
            "66: 12/6",
            "12/6: Ann has no checker on the 12 point, and cannot enter from the bar with 6-6",
        ),
        ("42: bar/21 12/10", "12/10: Ann has no checker on the 12 point"),
        (
            "54: 24/19 6/2",
            "24/19: the 19 point is blocked by two or more checkers of Bob, and Ann must enter from the bar first",
        ),
        (
            "42: 6/10 6/4",
            "6/10 does not go forward: checkers move to lower points, and Ann must enter from the bar first",
        ),
    ],
)
def test_a_play_that_leaves_a_checker_on_the_bar_says_so(play: str, message: str) -> None:
    rows = f"  1) 62: 24/18 13/11               64: 24/20 13/7*\n  2) {play}\n"
    [error] = [
        finding
        for finding in check(read_bytes((HEADER + rows).encode(), "a.mat"))
        if finding.code.startswith("P4")
    ]
    assert error.message == message
