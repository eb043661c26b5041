"""C5xx: the doubling cube.

After a cube error the state of the cube is uncertain. Consequences of that are no second finding.
"""

from __future__ import annotations

from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.rules.catalog import GradedMessage, Message, rule
from bganalyze.validation.rules.words import opponent_placeholder, player_placeholder


@rule("C501", "not-owner", Severity.ERROR)
def not_owner(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A double by the side that does not own the cube.

    What it does. Reports a double while the other side owns the cube. Either side
    may double with a cube in the middle.

    Why. The side that takes a double owns the cube, and only the owner may
    redouble. Often the double is in the wrong column, or an earlier take is
    missing.

    Example:

          1) 31: 8/5 6/5                   Doubles => 2
          2)  Takes                        65: 24/13
          3) 42: 8/4 6/4                   Doubles => 4     <- C501
          4)  Drops                        Wins 2 points

    Source: T. Keith's rules (GNU Backgammon manual) on the cube.

    Never shown: on whose side of the board the cube lay.
    """
    return (
        f"{player_placeholder(problem)} doubles, but {opponent_placeholder(problem)} owns the cube"
    )


@rule("C502", "double-out-of-turn", Severity.ERROR)
def double_out_of_turn(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A double after the roll, off turn, or twice in a turn.

    What it does. Reports a double that follows a roll in the same cell, a double
    before the last one is answered, and a beaver without a double. If a turn of the
    other side is missing before a double, that is T105.

    Why. A side may double only on its own turn before the roll, and not again
    before the answer.

    Example:

          1) 31: 8/5 6/5                   65: 24/13  Doubles => 2  <- C502
          2)  Drops                        Wins 1 point

    Source: T. Keith's rules (GNU Backgammon manual) on the cube. `bganalyze rule
    C502 --rules BOOK` shows how a book treats such a double.

    Never shown: whether the dice had come to rest when the cube was turned.
    """
    return f"{player_placeholder(problem)} may not double now: {problem.about['why']}"


@rule("C503", "crawford-double", Severity.ERROR)
def crawford_double(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A double in the Crawford game.

    What it does. Reports a double in the Crawford game: the first game that starts
    with exactly one side a point short of the match. If games are missing before
    that game and the trailing side has points, the Crawford game may be over
    already, and the double is only a warning. At 4-0 in a match to 5 the Crawford
    game cannot be over. If a match did not really begin at such a score, its first
    score line is wrong (R608 remarks on this line). The rule is silent if the
    header says that `Crawford` is off.

    Why. In the Crawford game neither side may double; afterwards the cube is in use
    again.

    Example:

         2 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops                        Wins 1 point
         Game 2
         Ann : 0                         Bob : 1
          1) 52: 13/8 13/11                43: 13/10 13/9
          2)  Doubles => 2                 Drops            <- C503
              Wins 1 point

    Source: T. Keith's rules (GNU Backgammon manual) on match play. `bganalyze rule
    C503 --rules BOOK` shows how a book treats such a double.

    Never shown: whether the players had agreed to play without the rule.
    """
    left, right = problem.about["score"]
    if problem.about["known"]:
        return GradedMessage(
            f"at {left}-{right} this is the Crawford game: neither side may double"
        )
    return GradedMessage(
        f"one side is a point short of the match ({left}-{right}): if this is the Crawford game,"
        " nobody may double",
        Severity.WARNING,
    )


@rule("C504", "dead-cube", Severity.INFO)
def dead_cube(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A double by a side that wins the match with a plain win anyway.

    What it does. Remarks on a double by a side that needs no more points than the
    present cube value to win the match. It is an error where the rule book does not
    allow it.

    Why. The double can only help the opponent. A trailing side may always double.

    Example:

         3 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Takes                        65: 24/13
          3)  Doubles => 4                 Takes
          4) 42: 8/4 6/4                   Doubles => 8     <- C504
          5)  Drops                        Wins 4 points

    Source: T. Keith's rules (GNU Backgammon manual), which allow it. Other rule
    books differ: `bganalyze rule C504 --rules BOOK` says how.
    """
    message = f"{player_placeholder(problem)} wins the match with a plain win at {problem.about['value']} already"
    if rule_book.dead_cube == "prohibit":
        return GradedMessage(f"{message}: a dead cube may not be offered", Severity.ERROR)
    return GradedMessage(f"{message}: the cube is dead")


@rule("C505", "wrong-value", Severity.ERROR)
def wrong_value(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The written cube value is not twice the old one.

    What it does. Reports a double to a value that is not twice the present one. In
    money play a first double to 4 or more is no error if the points won agree: the
    cube was doubled at the start by equal dice.

    Why. The number was mistyped, or a double and a take before it are missing. The
    points won show which, so the result may fit either cube value.

    Example:

          1) 31: 8/5 6/5                   Doubles => 8     <- C505
          2)  Drops                        Wins 1 point

    Source: T. Keith's rules (GNU Backgammon manual) on the cube, and on automatic
    doubles in money play.

    Never shown: what the cube on the table showed.
    """
    return f"a double takes the cube to {problem.about['expected']} here, not to {problem.about['value']}"


@rule("C506", "answer-without-double", Severity.ERROR)
def answer_without_double(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A take or a pass without an offer, or by the doubler.

    What it does. Reports `Takes` or `Drops` if that side has no double to answer.
    There may have been a double all the same, so both cube values are allowed
    later.

    Why. The double is missing, or the answer is in the wrong column.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 6/4                   Takes            <- C506
          3) 61: 13/7 8/7                  42: 8/4 6/4

    Source: T. Keith's rules (GNU Backgammon manual) on the cube.

    Never shown: whether a double was made and not written down.
    """
    word = "takes" if problem.about["taken"] else "passes"
    if problem.turn is not None and problem.turn.cube.is_open:
        return f"{player_placeholder(problem)} {word}, but it is for {opponent_placeholder(problem)} to answer the double"
    return f"{player_placeholder(problem)} {word}, but no double has been offered"


@rule("C507", "unanswered-double", Severity.ERROR)
def unanswered_double(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Play goes on although a double is not answered.

    What it does. Reports the first roll after a double that was neither taken nor
    passed. The offer is then void. After a beaver a roll is the answer, and no
    error.

    Why. The answer is missing. The points won may show that the double was taken,
    so the result may fit either cube value.

    Example:

          1) 31: 8/5 6/5                   Doubles => 2
          2) 42: 8/4 6/4                   61: 13/7 8/7     <- C507

    Source: T. Keith's rules (GNU Backgammon manual) on the cube: play goes on when
    the double is taken.

    Never shown: the answer, and whether the double was withdrawn.
    """
    return (
        f"the double to {problem.about['offer']} is not answered before this: it counts as not made"
    )


@rule("C508", "beaver-not-allowed", Severity.ERROR)
def beaver_not_allowed(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A beaver or raccoon in a match, or where the rules exclude it.

    What it does. Reports a beaver, or a raccoon after one, except in a money game
    whose header and rules do not switch them off.

    Why. Redoubling at once and keeping the cube is an agreement in money play. In a
    match a double is taken or passed.

    Example:

          1) 31: 8/5 6/5                   Doubles => 2
          2)  Beavers => 4                 65: 24/13        <- C508

    Source: T. Keith's rules (GNU Backgammon manual): beavers are optional in money
    play, and there are none in a match.

    Never shown: what the players had agreed upon.
    """
    kind = problem.about["kind"]
    if problem.turn is not None and problem.turn.context.terms.is_money:
        return f"the rules of this record allow no {kind}"
    return f"a {kind} is allowed in money play only"


@rule("C509", "opening-cube", Severity.ERROR)
def opening_cube(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A double before the first roll of a game.

    What it does. Reports a double with no roll before it in a game that starts from
    the starting position.

    Why. The opening roll belongs to both sides and decides who begins, so neither
    side has a turn in which to double before it. A row may be missing.

    Example:

          1)  Doubles => 2                 Takes            <- C509
          2) 31: 8/5 6/5                   65: 24/13

    Source: T. Keith's rules (GNU Backgammon manual) on the opening and on the cube.

    Never shown: whether a first turn was played and lost.
    """
    return f"{player_placeholder(problem)} doubles before the first roll of the game"


@rule("C510", "no-cube-game", Severity.ERROR)
def no_cube_game(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A cube action in a game that the record declares to be without a cube.

    What it does. Reports a double in a record whose header limits the cube to 1.

    Why. Either the header or the double is wrong.

    Example:

        ; [CubeLimit "1"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2     <- C510
          2)  Drops                        Wins 1 point

    Source: practice: the header of the programs that can switch the cube off.

    Never shown: what the players had agreed upon.
    """
    return f"{player_placeholder(problem)} doubles, but the record declares a game without a cube"


@rule("C511", "cube-limit", Severity.WARNING)
def cube_limit(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A double beyond the declared cube limit.

    What it does. Reports a double to more than the limit in the header or the
    rules.

    Why. The rules of the game set no limit, but programs do, and the record states
    it.

    Example:

        ; [CubeLimit "2"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Takes                        65: 24/13
          3)  Doubles => 4                 Drops            <- C511
              Wins 2 points

    Source: practice; by T. Keith's rules (GNU Backgammon manual) the cube may be
    turned without end.

    Never shown: whether the players kept to the limit of the program.
    """
    return f"this double takes the cube beyond its declared limit of {problem.about['limit']}"


RULES = (
    not_owner,
    double_out_of_turn,
    crawford_double,
    dead_cube,
    wrong_value,
    answer_without_double,
    unanswered_double,
    beaver_not_allowed,
    opening_cube,
    no_cube_game,
    cube_limit,
)
