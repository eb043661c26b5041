"""Grammars: two ways to what a token is made of, and what is kept of a grammar."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import cache_from_source
from itertools import product
from pathlib import Path
from random import Random

import pytest
from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from bganalyze.record.decoding import decode
from bganalyze.record.grammar import Grammar, Lexer, _RuleSet, _strip_priority, grammar
from bganalyze.record.line_tree import LinePart
from bganalyze.record.match_text import cells, reader
from bganalyze.record.reader import Format, _recognize_format
from tests.constructs import CONSTRUCTS
from tests.fuzzing.bases import bases_of
from tests.fuzzing.mutants import mutant
from tests.fuzzing.parts import DESCRIBED, differences, differences_of_mutants
from tests.fuzzing.ways import differing, mutants_of

LINES = """
// A list of numbers.
%declare NUMBERS
file: (NUMBERS | TEXT)*
numbers.2: first ("," _rest)* [remark]
first: /[0-9]+/
_rest: second | third
second.3: "x"i /[0-9]/
third: /[0-9]{2}/
remark: " " /[a-z\\/]+/
TEXT.-10: /[^\\n]+/
NEWLINE: /\\n+/
%ignore NEWLINE
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "lines.lark"
    path.write_text(LINES)
    return path


def find_cache(path: Path) -> Path:
    """Return the file that a grammar is cached in, wherever Python keeps its bytecode."""
    [table] = Path(cache_from_source(str(path))).parent.glob("lines.*")
    return table


def test_a_program_without_files_of_code_reads_grammars_all_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a frozen one, whose modules lie in an archive."""
    monkeypatch.setattr("bganalyze.record.patterns.__file__", str(path / "patterns.py"))
    assert Grammar(path).parse("file", "1\n") == Grammar(path).parse("file", "1\n")
    assert find_cache(path).exists()


def test_a_declared_token_is_what_its_rule_describes(path: Path) -> None:
    tree = Grammar(path).parse("file", "12,X3\nnothing\n7,44 a/b\n7,44 A")
    assert [token.type for token in tree.children if isinstance(token, Token)] == [
        "NUMBERS",
        "TEXT",
        "NUMBERS",
        "TEXT",
    ]


def test_a_pattern_and_lark_tell_the_same_parts(path: Path) -> None:
    grammar = Grammar(path)
    match = grammar.pattern("numbers").fullmatch("12,X3 a/b")
    assert match is not None
    assert match.groupdict() == {"first": "12", "second": "X3", "third": None, "remark": " a/b"}
    tree = grammar.parse_token("numbers", "12,X3 a/b")
    assert {
        part.data: "".join(map(str, part.children))
        for part in tree.children
        if isinstance(part, Tree)
    } == {"first": "12", "second": "3", "remark": "a/b"}


def test_what_was_made_is_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Grammar(path).parse("file", "12,X3")
    pattern = Grammar(path).pattern("numbers").pattern
    monkeypatch.setattr("bganalyze.record.grammar.load_grammar", None)
    assert Grammar(path).parse("file", "12,X3") == expected
    assert Grammar(path).pattern("numbers").pattern == pattern


def test_a_changed_grammar_is_made_anew(path: Path) -> None:
    assert Grammar(path).pattern("third").fullmatch("44")
    path.write_text(LINES.replace("{2}", "{3}"))
    assert not Grammar(path).pattern("third").fullmatch("44")


@pytest.mark.parametrize("damage", [b"", b"garbage", pickle.dumps(({}, {}))])
def test_a_damaged_file_is_made_anew(path: Path, damage: bytes) -> None:
    expected = Grammar(path).parse("file", "12,X3")
    table = find_cache(path)
    table.write_bytes(damage)
    assert Grammar(path).parse("file", "12,X3") == expected
    assert table.read_bytes() != damage


def test_a_file_with_one_wrong_byte_is_made_anew(path: Path) -> None:
    expected = Grammar(path).parse("file", "12,X3")
    table = find_cache(path)
    content = table.read_bytes()
    for place in range(0, len(content), len(content) // 20):
        table.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert Grammar(path).parse("file", "12,X3") == expected


def test_nothing_is_kept_where_python_keeps_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    Grammar(path).parse("file", "12,X3")
    assert [file.name for file in path.parent.iterdir()] == ["lines.lark"]


def test_it_is_kept_where_python_keeps_its_own(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "far" / "away"))
    Grammar(path).parse("file", "12,X3")
    assert list((tmp_path / "far").rglob("lines.*.grammar"))


def test_where_nothing_can_be_written_it_is_made_each_time(path: Path) -> None:
    (path.parent / "__pycache__").write_text("a file where the folder would be")
    assert Grammar(path).parse("file", "12,X3") == Grammar(path).parse("file", "12,X3")


@pytest.mark.slow
@pytest.mark.parametrize("known", DESCRIBED, ids=[known.name for known in DESCRIBED])
class TestTwoWaysToTheParts:
    """Lark and the pattern made from a rule find the same parts of a token."""

    def test_of_samples(self, known: Format) -> None:
        texts = [decode(data).text for data in bases_of(known.name)]
        assert texts
        assert [difference for text in texts for difference in differences(text, known)] == []

    def test_of_constructs(self, known: Format) -> None:
        texts = [text(2) for text in CONSTRUCTS.values() if _recognize_format(text(2)) == known]
        assert texts
        assert [found for text in texts for found in differences(text, known)] == []

    def test_of_mutants(self, known: Format) -> None:
        assert list(differences_of_mutants(known, 80, seed=4)) == []

    def test_of_real_files(self, known: Format, corpus: Path) -> None:
        texts = (decode(data).text for data in bases_of(known.name, corpus, one_in=40))
        assert [difference for text in texts for difference in differences(text, known)] == []

    def test_every_line_can_be_shown(self, known: Format, monkeypatch: pytest.MonkeyPatch) -> None:
        # Every line of a text is shown: what it is made of is looked for once.
        module = import_module(f"bganalyze.record.{known.module}")
        monkeypatch.setattr(module, "tree", cache(module.tree))
        monkeypatch.setattr(Grammar, "parse_token", cache(Grammar.parse_token))
        for data in bases_of(known.name)[:40]:
            text = decode(data).text
            for number, line in enumerate(text.split("\n")[:60], start=1):
                part = known.line_tree(text, number)
                assert part is not None or not line.strip()
                assert part is None or words_of(part) <= set("".join(line.split()))


QUICKER = [known for known in DESCRIBED if known.name in ("mat", "gammon-empire", "bkg")]
"""Formats with cells, and with steps in the notation of match text."""


@pytest.mark.slow
@pytest.mark.parametrize("known", QUICKER, ids=[known.name for known in QUICKER])
def test_quicker_ways_read_to_the_same_matches(known: Format) -> None:
    mutants = mutants_of(known.name, 50, seed=4)
    assert list(differing((*bases_of(known.name), *mutants))) == []


@pytest.mark.slow
def test_so_they_do_on_real_files(corpus: Path) -> None:
    assert (
        list(differing(path.read_bytes() for path in sorted((corpus / "mat").iterdir())[::20]))
        == []
    )


@pytest.mark.slow
@pytest.mark.parametrize("end", ["", "\t"])
@pytest.mark.parametrize(
    "first_row",
    [" 1)\t\t31: 8/5 6/5  42: 8/4 6/4", "\t1)\t\t\t\t31: 21:", " 1) 31: 8/5 6/5\t42: 8/4 6/4"],
)
def test_so_they_do_where_tabs_divide_cells(first_row: str, end: str) -> None:
    head = " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
    text = f"{head}{first_row}{end}\n  2) 21: 13/11 6/5               21: 13/11 6/5\n"
    assert list(differing([text.encode()])) == []


@pytest.mark.slow
def test_a_wrong_quick_way_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = bases_of("mat")[:20]
    monkeypatch.setattr(
        reader, "place_play", lambda play, line, *at: cells.place_play(play, line + 1, *at)
    )
    assert list(differing(texts))


def words_of(part: LinePart) -> set[str]:
    """Return the characters of a part and of those inside it."""
    inside = (words_of(inner) for inner in part.parts)
    return set("".join(part.text.split())).union(*inside)


@pytest.mark.slow
@pytest.mark.parametrize("known", DESCRIBED, ids=[known.name for known in DESCRIBED])
def test_texts_have_the_tokens_that_lark_parts_them_into(known: Format) -> None:
    originals = bases_of(known.name)
    mutants = [mutant(originals, Random(f"{known.name} {number}")) for number in range(40)]
    read = import_module(f"bganalyze.record.{known.module}").tree
    read("")
    for name in known.grammars:
        level = grammar(name)
        parsers = [
            parser for name, parser in vars(level)["_parsers"].items() if "inside" not in name
        ]
        for text in (decode(data).text for data in (*originals, *mutants)):
            for parser in parsers:
                assert _places(Lexer(parser).tokens(text)) == _places(parser.lex(text))


def _places(tokens: Iterable[Token]) -> list[tuple[object, ...]]:
    """Return the kinds of tokens and their places."""
    return [
        (token.type, str(token), *_start(token), token.end_line, token.end_column, token.end_pos)
        for token in tokens
    ]


def _start(token: Token) -> tuple[int | None, ...]:
    return token.start_pos, token.line, token.column


GRAMMARS = Path(__file__).parents[2] / "grammars"
STARTS = sorted(
    {(known.grammars[0], "matches") for known in DESCRIBED}
    | {(level, level) for known in DESCRIBED for level in known.levels}
)
BEGINS_MATCH = Token("_MATCH_BEGINS", "")
NEVER_APART = {"sgf": {"_BLANK"}}
"""Tokens that never occur alone between others, because those include them."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "start"), STARTS)
def test_any_two_tokens_may_follow_each_other(name: str, start: str) -> None:
    parser = _RuleSet(GRAMMARS / f"{name}.lark").parser(start)
    kinds = {str(terminal.name) for terminal in parser.terminals}
    kinds -= {*parser.ignore_tokens, *NEVER_APART.get(name, ()), BEGINS_MATCH.type}
    for pair in product(sorted(kinds), repeat=2):
        parsing = parser.parse_interactive()
        for kind in pair:
            with suppress(UnexpectedToken):  # A match may begin before any line.
                parsing.feed_token(Token(kind, ""))
                continue
            parsing.feed_token(BEGINS_MATCH)
            parsing.feed_token(Token(kind, ""))
        parsing.feed_eof()


def test_a_terminal_without_a_priority_stays() -> None:
    assert _strip_priority('POINT: "."') == 'POINT: "."'
