"""D3xx: the dice."""

from __future__ import annotations

from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.rules.catalog import Message, rule
from bganalyze.validation.rules.words import player_placeholder, roll_in_words


@rule("D301", "impossible-die", Severity.ERROR)
def impossible_die(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A die shows a number that is not 1 to 6.

    What it does. Reports a roll with a 0, 7, 8 or 9 in it. The play after it is
    carried out as written and not checked. `00`, which some programs write for "not
    rolled", is no roll and is not reported.

    Why. The number was mistyped or misread, so no play can be checked against it.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 72: 13/6 13/11                61: 13/7 8/7     <- D301

    Source: practice: backgammon dice are numbered 1 to 6.

    Never shown: the number that was really rolled; the play may suggest it.
    """
    first, second = problem.about["dice"]
    return f"{first}-{second} is no roll: a die shows 1 to 6"


@rule("D302", "opening-double", Severity.ERROR)
def opening_double(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The first roll of a game from the starting position is doubles.

    What it does. Reports doubles as the first roll of a game. It is silent if the
    record starts from a position other than the start of the game.

    Why. Each side rolls one die for the opening, and the higher one plays both
    numbers. Equal dice are rolled again, so doubles here are a mistyped roll or a
    lost first turn.

    Example:

          1) 33: 8/5(2) 6/3(2)             65: 24/13        <- D302
          2) 42: 8/4 6/4                   61: 13/7 8/7

    Source: T. Keith's rules (GNU Backgammon manual) on the opening; the same in
    money play, where a tie may turn the cube but is rolled again all the same.

    Never shown: which die each side rolled, so not whether the right side began.
    """
    return f"a game cannot open with {roll_in_words(problem)}: equal dice are rolled again"


@rule("D303", "unplayed-roll", Severity.WARNING, repaired=True)
def unplayed_roll(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A play is not recorded, and the game goes on.

    What it does. Reports `????` after a roll, or a roll alone in a file that spells
    its dances (`Cannot Move`), if more play follows. `00: ????` means that the roll
    is unknown too. The rule is silent in the last turn of a game, where a roll
    without a play means that the player gave up.

    Why. A play was not logged. The board after it can only be inferred from the
    rest of the game; the finding names the play that was inserted.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: ????                      61: 13/7 8/7     <- D303
          3) 64: 24/20 13/7

    Source: practice: eXtreme Gammon and Backgammon Studio write `????` for a roll
    that was not played.

    Never shown: the play that was made.
    """
    what = "turn" if problem.about.get("dice") is None else f"play of {roll_in_words(problem)}"
    return f"the {what} is not recorded, and the game goes on"


@rule("D304", "play-without-roll", Severity.ERROR)
def play_without_roll(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A play without a roll.

    What it does. Reports steps that have no roll before them. The play is carried
    out as written; only the rules that need no dice are checked.

    Why. Without the roll it is unknown whether the play was legal or complete.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 8/4 6/4                       61: 13/7 8/7     <- D304

    Source: T. Keith's rules (GNU Backgammon manual): a turn begins with the roll of
    both dice.

    Never shown: the roll, although the lengths of the steps may suggest it.
    """
    return f"{player_placeholder(problem)} plays, but no roll is recorded"


@rule("D305", "second-roll", Severity.ERROR)
def second_roll(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Two rolls in one turn.

    What it does. Reports the second roll of a cell. If the second roll is in a row
    of its own, a turn of the other side is missing instead (T105).

    Why. A side rolls once a turn. The second roll belongs to the other column, or
    to a row that was lost.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 6/4  52: 13/8 6/4     61: 13/7 8/7     <- D305

    Source: T. Keith's rules (GNU Backgammon manual): the sides roll and play in
    turn.

    Never shown: dice rolled again because they fell off the board or on a checker;
    a record keeps the roll that counted.
    """
    return f"{player_placeholder(problem)} rolls a second time in the same turn"


RULES = (impossible_die, opening_double, unplayed_roll, play_without_roll, second_roll)
