"""`show`: the board before one action of a match, or of a finding."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.read import read
from bganalyze.app.api.sources import UNNAMED, Source, call_in_limits_of_matches, find_rule_book
from bganalyze.board.ids import Situation, xgid
from bganalyze.board.plays import legal_plays, notation
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import Match
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.places import (
    LinePlace,
    PlaceError,
    first_turn_after_set_up,
    parse_place,
    situation_before,
    turn_at,
    turn_of_finding,
    turn_on_line,
)
from bganalyze.validation.replaying.replayed import Turn


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """The board before an action, seen by the side on roll, or the board at the end of a game."""

    match: Match
    turn: Turn

    @property
    def situation(self) -> Situation:
        """The position with cube, score and dice, seen by the side on roll."""
        return situation_before(self.turn)

    @property
    def moment(self) -> str:
        """The moment of the board in words: before an action in a line, or at the end of a game."""
        from bganalyze.app.render.board import describe_moment

        return describe_moment(self.turn, self.match)

    @property
    def xgid(self) -> str:
        """The position as an XGID, the notation of eXtreme Gammon."""
        return xgid(self.situation)

    @property
    def plays(self) -> tuple[str, ...]:
        """The legal plays; empty without a roll, or if no checker can move."""
        situation = self.situation
        if situation.dice is None:
            return ()
        legal = legal_plays(situation.position, situation.dice).values()
        return tuple(notation(steps) for steps in legal if steps)

    def text(self, plays: int = 20) -> str:
        """Return the board as text, with at most `plays` legal plays."""
        from bganalyze.app.render.board import position_text
        from bganalyze.app.render.output_options import plain_output_options

        return "".join(position_text(self.turn, self.match, plays, plain_output_options()))

    def svg(self) -> str:
        """Return the board as a picture in SVG."""
        from bganalyze.app.render.board import position_scene
        from bganalyze.app.render.board_picture import board_svg

        return board_svg(position_scene(self.turn, self.match))

    def png(self) -> bytes:
        """Return the board as a picture in PNG; needs matplotlib."""
        from bganalyze.app.render.board import position_scene
        from bganalyze.app.render.board_picture import board_png

        return board_png(position_scene(self.turn, self.match))

    def __repr__(self) -> str:
        """The XGID."""
        return f"<{self.xgid}>"

    def _repr_html_(self) -> str:
        """The board as a picture, for notebooks."""
        return self.svg()


@check_arguments
def show(
    source: Source,
    where: str | int | Finding,
    *,
    match: int | None = None,
    rules: str | RuleBook = BASIC,
    name: str | None = None,
) -> ShownBoard:
    r"""Return the board before an action of a match, or the board of a finding.

    - `where` is a finding; a line of the file (`41`, `"41"`, `"41R"` or `"41:38"`); or a game, row
      and side (`"2.14R"`; without a side, the first action of the row).
    - `match` is the number of the match in the source. By default it is the first one for a game
      and row. Several files need a `match` or a finding.
    - `rules` is the rule book of the replay, as for the check that made the finding.

    If there is no action at the place (a header, say), the board is the one before the next action
    of the game or, without a next action, the final one; `moment` says which. Raises PlaceError,
    NotATranscript and UnreadableError, TypeError for a `where` of another type, and ValueError for
    an unknown rule book.

    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/5     52: 13/8 24/22\n"
    >>> show(text, "1.1R", name="a.mat")
    <XGID=-b---BD-B---eE---c-e----B-:0:0:-1:52:0:0:0:5:10>
    """
    rule_book = find_rule_book(rules)
    matches = read(source, name=name)
    if not matches:
        raise PlaceError("there is no match to show")
    if isinstance(where, Finding):
        work = partial(_find_board_of_finding, matches, where, rule_book)
    else:
        work = partial(_find_board_at_place, matches, str(where), match, rule_book)
    return call_in_limits_of_matches(matches, work, PlaceError)


def find_board(
    matches: Sequence[Match], where: str, number: int = 1, rule_book: RuleBook = BASIC
) -> ShownBoard:
    """Return the board at a place in match `number`, such as `2.14R` (game 2, row 14, right side).

    A line of the file, such as `41`, is a place, too. Raises PlaceError.
    """
    position = parse_place(where)
    if isinstance(position, LinePlace):
        found, turn = turn_on_line((replay(match, rule_book) for match in matches), position)
        return ShownBoard(found.match, first_turn_after_set_up(found, turn))
    replayed = replay(_require_match(matches, number), rule_book)
    return ShownBoard(
        replayed.match, first_turn_after_set_up(replayed, turn_at(replayed, position))
    )


def _require_match(matches: Sequence[Match], number: int) -> Match:
    """Return the match with this number; raise PlaceError if there is none."""
    if not 0 < number <= len(matches):
        raise PlaceError(f"{matches[0].source.path}: has no match {number}")
    return matches[number - 1]


def _find_board_at_place(
    matches: Sequence[Match], where: str, number: int | None, rule_book: RuleBook
) -> ShownBoard:
    """Return the board at a place: a game, row and side such as `2.14R`, or a line such as `41`.

    Without a match `number`, a line may be in any match, and a row is in the first. Raises
    PlaceError.
    """
    if number is not None:
        return find_board([_require_match(matches, number)], where, rule_book=rule_book)
    files = {id(match.source): match.source.path for match in matches}
    if len(files) > 1:
        raise PlaceError(
            f"{len(files)} files in the source: name one of them, or give `match`, from 1 to"
            f" {len(matches)}"
        )
    return find_board(matches, where, rule_book=rule_book)


def _have_compatible_file_names(finding: Finding, match: Match) -> bool:
    """Whether a finding and a match may be from one file: names are equal, or one is unknown."""
    names = {os.path.basename(path) for path in (finding.path, match.source.path)}
    return len(names) == 1 or UNNAMED in names


def _find_board_of_finding(
    matches: Sequence[Match], finding: Finding, rule_book: RuleBook
) -> ShownBoard:
    """Return the board of a finding; raise PlaceError if its match is not in `matches`."""
    is_one_file = len({id(match.source) for match in matches}) == 1
    for match in matches:
        is_of_file = match.source.path == finding.path or (
            is_one_file and _have_compatible_file_names(finding, match)
        )
        if is_of_file and match.number == finding.match:
            replayed = replay(match, rule_book)
            return ShownBoard(replayed.match, turn_of_finding(replayed, finding))
    raise PlaceError(
        f"the source does not hold match {finding.match} of {finding.path}, where the finding is"
    )
