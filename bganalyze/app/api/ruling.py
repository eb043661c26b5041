"""`ruling`: one page that a director can rule from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.read import read
from bganalyze.app.api.sources import Source, call_in_limits_of_matches, find_rule_book
from bganalyze.app.jobs.check import find_slips_of_error
from bganalyze.board.rule_book import EDITIONS, RuleBook
from bganalyze.validation.cases import NOW, BookRuling, Case, PointsUnderRemedy, find_case
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying.places import PlaceError

if TYPE_CHECKING:
    from bganalyze.analysis.gain_of_illegal import PlayGain

ALL = "all"
"""The name for every rule book."""


@dataclass(frozen=True, slots=True)
class RulingSheet:
    """An error in a match, what each rule book prescribes for it, and the score that results."""

    case: Case
    gain: PlayGain | None = None
    """The gain of the play over the best legal one by an engine; None without an engine or a play."""

    @property
    def finding(self) -> Finding:
        """The error that the rule books rule on, with its rule, place and message."""
        return self.case.finding

    @property
    def rulings(self) -> tuple[BookRuling, ...]:
        """What each rule book prescribes for the error."""
        return self.case.rulings

    @property
    def points(self) -> tuple[PointsUnderRemedy, ...]:
        """The final score as recorded, then with each remedy that a rule book may prescribe.

        A remedy puts an error right, such as by not counting an illegal double.
        """
        return self.case.points

    def render(self, format: str = "text") -> str:
        """Return the sheet as `text`, `markdown`, `json`, or as a page of `html`.

        Raises ValueError for an unknown format.
        """
        from bganalyze.app.render import RULING_FORMATS, render_ruling, require_format
        from bganalyze.app.render.output_options import plain_output_options
        from bganalyze.app.render.ruling import sheet_page

        if format == "html":
            return sheet_page(self.case, self.gain)
        require_format(format, (*RULING_FORMATS, "html"))
        pieces = render_ruling(self.case, self.gain, format, plain_output_options())
        return "".join(pieces)

    def __repr__(self) -> str:
        """The error, and the names of the rule books."""
        books = ", ".join(each.rule_book.name for each in self.rulings)
        return f"<ruling on {self.finding.code} in line {self.finding.line} by {books}>"

    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks."""
        from bganalyze.app.render.notebook import frame_page

        return frame_page(self.render("html"))


@check_arguments
def ruling(
    source: Source,
    where: str,
    *,
    noticed: str = NOW,
    rules: str | RuleBook | Iterable[str] = "basic",
    code: str | None = None,
    match: int | None = None,
    engine: str | None = None,
    level: str | None = None,
    name: str | None = None,
) -> RulingSheet:
    r"""Return what rule books prescribe for an error, such as an illegal play.

    - `where` is the place of the error: a game, row and side (`"2.14R"`), or a line of the file
      (`"41"` or `"41:38"`).
    - `noticed` is the place of the action before which the error was noticed; `":rolled"` at the
      end means after the roll of this action, but before its play. By default it is `"now"`, after
      the end of the match file.
    - `rules` is one rule book, several, or `"all"`. The first that finds an error at the place
      decides which error is meant.
    - `code` is the code of the rule that is meant, if several were broken there.
    - `match` is the number of the match in the source. Without it, a line may be in any match, and
      a game and row are in the first.
    - `engine` and `level`, as for `analyze`, compare an illegal play with the best legal one.

    Raises PlaceError if there is no error at the place, NotATranscript and UnreadableError,
    EngineError, and ValueError for an unknown rule book.

    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/4     52: 13/8 24/22\n"
    >>> ruling(text, "1.1L", rules="wbf", name="a.mat")
    <ruling on P404 in line 5 by wbgf-2.1>
    """
    books = load_rule_books(rules)
    matches = read(source, name=name)
    chosen = matches if match is None else matches[match - 1 : match] if match > 0 else []
    if not chosen:
        raise PlaceError(f"there is no match {match or 1}; the source has {len(matches)}")
    case = call_in_limits_of_matches(
        chosen, lambda: add_slips(find_case(chosen, where, books, noticed, code)), PlaceError
    )
    return RulingSheet(case, compare_with_best_play(case, engine, level))


def add_slips(case: Case) -> Case:
    """Return a case with the transcription slips that may have caused its error."""
    knowing = next(each.rule_book for each in case.rulings if each.finding == case.finding)
    finding = find_slips_of_error(case.finding, case.replayed.match.source, knowing)
    return case._replace(finding=finding)


def compare_with_best_play(case: Case, engine: str | None, level: str | None) -> PlayGain | None:
    """Return an engine's comparison of an illegal play with the best legal one.

    Returns None for another error, or without `engine` and `level`. Raises EngineError.
    """
    if engine is None and level is None:
        return None
    from bganalyze.analysis.gain_of_illegal import measure_gain

    return measure_gain(case.replayed, case.turn, engine, level)


def load_rule_books(rules: str | RuleBook | Iterable[str]) -> tuple[RuleBook, ...]:
    """Return the rule books with these names or in these files; `all` means all.

    >>> [book.name for book in load_rule_books("wbf, basic,wbgf-2.1,")]
    ['wbgf-2.1', 'basic']
    """
    if isinstance(rules, RuleBook):
        return (rules,)
    named = rules.split(",") if isinstance(rules, str) else rules
    names = [name for name in map(str.strip, named) if name] or [""]
    expanded = chain.from_iterable(EDITIONS if name == ALL else (name,) for name in names)
    return tuple(dict.fromkeys(map(find_rule_book, expanded)))
