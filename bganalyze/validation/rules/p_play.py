"""P4xx: the movement of checkers. Every finding here has a standing under the player-error rule.

A play has at most one of these findings: the first that fits, in the order of the functions below.
"""

from __future__ import annotations

from bganalyze.board.play_faults import is_blocked
from bganalyze.board.position import BAR
from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Play
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.rules.board_changes import describe_changes
from bganalyze.validation.rules.catalog import Message, rule
from bganalyze.validation.rules.words import (
    name_of_point,
    opponent_placeholder,
    player_placeholder,
    roll_in_words,
    step_in_words,
)


@rule("P401", "empty-point", Severity.ERROR)
def empty_point(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A checker is moved from a point where the side has none.

    What it does. Reports a step from a point that has no checker of the side, in
    any order of the play's steps.

    Why. Either the point is mistyped, or an earlier play was recorded wrongly and
    the board has been wrong since then. If the rest of the game fits another play
    better, the finding names it.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 20/14                     61: 13/7 8/7     <- P401 stands
          3) 64: 24/20 13/7                51: 13/8 6/5

    Source: T. Keith's rules (GNU Backgammon manual) on movement; the player-error
    rule: it may be corrected only before the next roll. Other rule books differ:
    `bganalyze rule P401 --rules BOOK` says how.

    Never shown: which checker was moved on the board.
    """
    words = f"{step_in_words(problem)}: {player_placeholder(problem)} has no checker on {name_of_point(problem.about['fault'].point)}"
    on_bar = _describe_bar(problem)
    return f"{words}, and {on_bar}" if on_bar else words


def _describe_bar(problem: MatchProblem) -> str:
    """Return text that checkers on the bar must enter first, or "" without such checkers."""
    turn = problem.turn
    if turn is None or not isinstance(turn.action, Play):
        return ""
    position = turn.position(turn.action.side)
    if position.own[BAR] <= sum(step.path[0] == BAR for step in turn.action.steps):
        return ""
    dice = turn.action.dice
    if dice is not None and all(is_blocked(position, BAR - die) for die in dice):
        return f"cannot enter from the bar with {roll_in_words(problem)}"
    return "must enter from the bar first"


@rule("P402", "blocked-point", Severity.ERROR)
def blocked_point(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A checker lands on a point that two or more opposing checkers hold.

    What it does. Reports a step that ends on such a point, and a step of several
    dice that touches such a point in every order of the dice. A single opposing
    checker is hit, and is no error.

    Why. A point held by two checkers is closed to the other side. A checker moved
    by both dice must be able to land between them.

    Example:

          1) 31: 8/5 6/5                   64: 24/20 13/7   <- P402 stands
          2) 42: 8/4 6/4                   61: 13/7 8/7

    Source: T. Keith's rules (GNU Backgammon manual) on movement; the player-error
    rule: it may be corrected only before the next roll. Other rule books differ:
    `bganalyze rule P402 --rules BOOK` says how.

    Never shown: whether the checker was on that point or was put on the next one.
    """
    blocked = name_of_point(problem.about["fault"].point)
    words = f"{step_in_words(problem)}: {blocked} is blocked by two or more checkers of {opponent_placeholder(problem)}"
    on_bar = _describe_bar(problem)
    return f"{words}, and {player_placeholder(problem)} {on_bar}" if on_bar else words


@rule("P403", "wrong-direction", Severity.ERROR)
def wrong_direction(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A step backward, or of no length.

    What it does. Reports a step from a lower to a higher point in the side's own
    numbering, or from a point to itself.

    Why. Checkers move only towards home. Often the two points were written in the
    wrong order, or in the numbering of the other side.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 6/10 6/4                  61: 13/7 8/7     <- P403 stands

    Source: T. Keith's rules (GNU Backgammon manual) on movement; the player-error
    rule: it may be corrected only before the next roll. Other rule books differ:
    `bganalyze rule P403 --rules BOOK` says how.

    Never shown: whether the play or only its spelling was wrong.
    """
    words = f"{step_in_words(problem)} does not go forward: checkers move to lower points"
    on_bar = _describe_bar(problem)
    return f"{words}, and {player_placeholder(problem)} {on_bar}" if on_bar else words


@rule("P406", "bar-first", Severity.ERROR)
def bar_first(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Another checker is moved while one is on the bar.

    What it does. Reports a play that leaves a checker on the bar and moves another
    one, or that moves on with a checker that has just entered. The written order of
    the steps does not matter: `8/4 bar/24` is read as entering first.

    Why. All checkers on the bar must enter before anything else is moved. A player
    who cannot enter them all loses the rest of the roll.

    Example:

          1) 62: 24/18 13/11               64: 24/20 13/7*
          2) 42: 8/4 6/4                                    <- P406 corrected
             42: bar/21 13/11              61: 13/7 8/7

    Source: T. Keith's rules (GNU Backgammon manual) on entering; the player-error
    rule: it may be corrected only before the next roll. Other rule books differ:
    `bganalyze rule P406 --rules BOOK` says how.

    Never shown: whether a player asked for the correction in time and was refused.
    """
    return f"{player_placeholder(problem)} has a checker on the bar, which must enter before {step_in_words(problem)}"


@rule("P407", "early-bear-off", Severity.ERROR)
def early_bear_off(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A checker is borne off while another is outside the home board or on the bar.

    What it does. Reports a checker borne off while another is outside the home
    board, even if every other step of the play is made first. Bringing the last
    checker home and bearing off with the other die is legal.

    Why. Bearing off begins when all checkers are home. If a checker is hit, bearing
    off stops until it is home again.

    Example:

        ; [Position "Ann: one checker on 9, two on 6, two on 3"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=------B---------a--b--b---/0
          1) 31: 9/8 3/off                 61: 6/off 6/5    <- P407 stands

    Source: T. Keith's rules (GNU Backgammon manual) on bearing off; the
    player-error rule: it may be corrected only before the next roll. Other rule
    books differ: `bganalyze rule P407 --rules BOOK` says how.

    Never shown: whether the checker was put back before it was noticed.
    """
    where = name_of_point(problem.about["fault"].point)
    return f"{step_in_words(problem)}: not all checkers of {player_placeholder(problem)} are home, one is on {where}"


@rule("P408", "bear-off-die", Severity.ERROR)
def bear_off_die(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A checker is borne off with a larger die while a higher point is occupied.

    What it does. Reports a checker borne off with a number larger than its point
    while another is on a higher point, in the best order of the steps.

    Why. A number bears off a checker from its own point. Only if there is no
    checker on that point or a higher one does it bear off from the highest point in
    use.

    Example:

        ; [Position "Ann: one checker each on 4, 2 and 1"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=-----BB--------------a-aa-/0
          1) 53: 2/off 1/off               61: 6/off 6/5    <- P408 stands

    Source: T. Keith's rules (GNU Backgammon manual) on bearing off; the
    player-error rule: it may be corrected only before the next roll. Other rule
    books differ: `bganalyze rule P408 --rules BOOK` says how.

    Never shown: which of the checkers the player meant to take off.
    """
    where = name_of_point(problem.about["fault"].point)
    return f"{step_in_words(problem)}: with a larger die the checker on {where} must be moved first"


@rule("P405", "too-many-steps", Severity.ERROR)
def too_many_steps(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """More steps than the roll gives.

    What it does. Reports the first step that has no die left. A joined step, such
    as `13/7` with 4-2, counts as one step per die.

    Why. A roll gives two steps, doubles give four. A third step is often a typing
    error or belongs to another row.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 6/4 24/23             61: 13/7 8/7     <- P405 stands

    Source: T. Keith's rules (GNU Backgammon manual) on movement; the player-error
    rule: it may be corrected only before the next roll. Other rule books differ:
    `bganalyze rule P405 --rules BOOK` says how.

    Never shown: which of the steps was the surplus one on the board.
    """
    return f"{roll_in_words(problem)} is played in full before {step_in_words(problem)}"


@rule("P404", "die-not-rolled", Severity.ERROR)
def die_not_rolled(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A step that no unused die of the roll allows.

    What it does. Reports a step whose length is not left in the roll, including a
    bear-off with too small a die.

    Why. Each step must use one of the rolled numbers, each once, or twice for
    doubles. Either the roll or a point is mistyped, or the player miscounted.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 13/10                 61: 13/7 8/7     <- P404 stands

    Source: T. Keith's rules (GNU Backgammon manual) on movement; the player-error
    rule: it may be corrected only before the next roll. Other rule books differ:
    `bganalyze rule P404 --rules BOOK` says how.

    Never shown: whether the roll or the play was written down wrongly.
    """
    die, dice = problem.about["fault"].die, _find_roll(problem)
    if not die or die > 6:
        return f"{step_in_words(problem)} does not fit the roll {roll_in_words(problem)}"
    if die in dice:
        return f"{step_in_words(problem)} needs another {die}, and that of {roll_in_words(problem)} is played already"
    return f"{step_in_words(problem)} needs a {die}, but the roll is {roll_in_words(problem)}"


@rule("P411", "false-dance", Severity.ERROR)
def false_dance(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """No play is recorded although a legal one exists.

    What it does. Reports `Cannot Move`, or a roll alone in a file that records
    dances in this way, if the roll could be played. It is silent in the last turn
    before a result, where the player gave up after rolling. It is also silent
    before a double in the same cell (C502), if the roll is played after the answer
    or no play follows.

    Why. A player who can play must play. Otherwise a play was not logged, or the
    board has been wrong since an earlier play.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: Cannot Move               61: 13/7 8/7     <- P411 stands
          3) 64: 24/20 13/7                51: 13/8 6/5

    Source: T. Keith's rules (GNU Backgammon manual) on the duty to play; the
    player-error rule: it may be corrected only before the next roll. Other rule
    books differ: `bganalyze rule P411 --rules BOOK` says how.

    Never shown: whether the turn was passed at the table or only not written down.
    """
    return f"no play is recorded for {roll_in_words(problem)}, but one is possible and must be made"


@rule("P409", "unplayed-die", Severity.ERROR)
def unplayed_die(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Fewer dice are played than the position allows.

    What it does. Reports a play that leaves a die although another play uses more
    of the roll. It is silent in the loser's last turn before a result, and if the
    last checker is borne off with a die to spare.

    Why. Both numbers must be played if any order allows it, and as many as possible
    of doubles. Often a step is missing in the record.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4                       61: 13/7 8/7     <- P409 stands

    Source: T. Keith's rules (GNU Backgammon manual) on the duty to play; the
    player-error rule: it may be corrected only before the next roll. Other rule
    books differ: `bganalyze rule P409 --rules BOOK` says how.

    Never shown: whether the die was left unplayed or its step not written down.
    """
    return f"not all of {roll_in_words(problem)} is played, but more can be played and must be"


@rule("P410", "larger-die", Severity.ERROR)
def larger_die(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Only one die can be played, and the smaller one was.

    What it does. Reports the smaller number played if either number can be played,
    but not both.

    Why. If only one number can be played, it must be the larger one.

    Example:

        ; [Position "Ann: one checker on 15, two on 1; Bob holds her 8 point"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=------B---a------B------b-/0
          1) 61: 15/14                     65: 17/11 17/12  <- P410 stands

    Source: T. Keith's rules (GNU Backgammon manual) on the duty to play; the
    player-error rule: it may be corrected only before the next roll. Other rule
    books differ: `bganalyze rule P410 --rules BOOK` says how.
    """
    return f"only one die of {roll_in_words(problem)} can be played, and it must be the {max(_find_roll(problem))}"


@rule("P412", "hit-not-executed", Severity.ERROR)
def hit_not_executed(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The opponent plays on as if this play had not hit.

    What it does. Reports a hit if the opponent's next play moves the hit checker
    from its old point, and would be legal without the hit. It also reports a hit if
    the next play moves another checker, and everything that follows fits only a
    board with the hit checker still in place. The replay then goes on as if there
    had been no hit.

    Why. A checker that is hit goes to the bar. Here it was left on the board, or
    the hitting play is written wrongly.

    Example:

          1) 62: 24/18 13/11               64: 13/7* 24/20  <- P412 stands
          2) 42: 18/14 6/4                 61: 13/7 8/7

    Source: T. Keith's rules (GNU Backgammon manual) on hitting; the player-error
    rule: it may be corrected only before the next roll. Other rule books differ:
    `bganalyze rule P412 --rules BOOK` says how.

    Never shown: whether the checker was on the bar and was taken back.
    """
    where = name_of_point(problem.about["point"])
    return (
        f"{player_placeholder(problem)} hits on {where}, but {opponent_placeholder(problem)} then plays as if that checker "
        "had not been hit"
    )


@rule("P499", "illegal-play", Severity.ERROR)
def illegal_play(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """An illegal play that no other rule explains, or that the record calls illegal.

    What it does. Reports a play that the record marks as illegal, as GNU
    Backgammon, Snowie and some editors do, and any illegal play that the other P
    rules do not explain.

    Why. The program or person who wrote the record already saw the error. The game
    goes on from the board after the play.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 6/4 ILLEGAL?          61: 13/7 8/7     <- P499 stands

    Source: practice of the programs that mark such plays; the player-error rule: it
    may be corrected only before the next roll. Other rule books differ: `bganalyze
    rule P499 --rules BOOK` says how.

    Never shown: with `Illegal play (...)`, the steps that were made. The boards
    before and after it show what was done: a checker left on the bar, one of the
    opponent's taken off, and so on.
    """
    if problem.about.get("called"):
        done = describe_changes(problem)
        by_the_boards = f"; by the board after it: {done}" if done else ""
        return (
            f"the record itself calls the play of {roll_in_words(problem)} illegal{by_the_boards}"
        )
    return f"the play of {roll_in_words(problem)} leaves a position that no legal play leaves"


def _find_roll(problem: MatchProblem) -> tuple[int, ...]:
    """Return the dice of the play that has the problem, or () if they are unknown."""
    action = problem.turn.action if problem.turn else None
    return (action.dice or ()) if isinstance(action, Play) else ()


RULES = (
    empty_point,
    blocked_point,
    wrong_direction,
    bar_first,
    early_bear_off,
    bear_off_die,
    too_many_steps,
    die_not_rolled,
    false_dance,
    unplayed_die,
    larger_die,
    hit_not_executed,
    illegal_play,
)
