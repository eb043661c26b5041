"""U2xx: set-up, recorded positions and variants."""

from __future__ import annotations

from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.rules.catalog import Message, rule
from bganalyze.validation.rules.words import name_of_variant, side_placeholder


@rule("U201", "wrong-set-up", Severity.ERROR)
def wrong_set_up(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A recorded starting position is not that of the variant.

    What it does. Reports a position recorded before the first roll that differs
    from the start of the game played. It is silent if the header declares that the
    record begins from a position.

    Why. A checker was set up on the wrong point. The game is replayed from the
    position as written.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=-b----E-C---eE---c-d-a--B-/0              <- U201 stands
          1) 31: 8/5 6/5                   65: 24/13

    Source: T. Keith's rules (GNU Backgammon manual) on the set-up; the player-error
    rule: it must be corrected if it is noticed before the second roll of the game
    has been played. Other rule books differ: `bganalyze rule U201 --rules BOOK`
    says how.

    Never shown: a wrong set-up that is not recorded, unless the plays show it
    (U206).
    """
    name, difference, fits = (problem.about[key] for key in ("variant", "difference", "fits"))
    if fits is not None:
        return (
            f"the recorded start is that of {name_of_variant(fits)}, not of {name_of_variant(name)}"
        )
    return f"the recorded start is not that of {name_of_variant(name)}: {difference}"


@rule("U202", "checker-count", Severity.ERROR)
def checker_count(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A side has more or fewer checkers than it should.

    What it does. Counts the checkers of a recorded position. A side must never have
    too many; at the start of a game it must have all, unless the header declares a
    position. Later, missing checkers are assumed to be borne off.

    Why. A surplus or missing checker changes who wins and by how much.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=-b----E-C---eE---c-f----B-/0              <- U202 stands
          1) 31: 8/5 6/5                   43: 13/10 13/9

    Source: T. Keith's rules (GNU Backgammon manual) on the set-up; the player-error
    rule: it must be corrected if it is noticed before the second roll of the game
    has been played. Other rule books differ: `bganalyze rule U202 --rules BOOK`
    says how. By `wbgt-2010`, as quoted by others, a side short of checkers plays
    on, and can still lose a gammon.

    Never shown: a checker that was removed from the board by mistake.
    """
    who, misplaced = side_placeholder(problem.about["who"]), problem.about["misplaced"]
    counts = (
        f"{who} has {problem.about['count']} checkers on the board, not {problem.about['most']}"
    )
    return f"{counts}: {misplaced}" if misplaced else counts


@rule("U203", "shared-point", Severity.ERROR)
def shared_point(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Checkers of both sides are on one point.

    What it does. Reports a point of a recorded position with checkers of both
    sides. A play that lands on a point held by the other side is P402 instead.

    Why. Only one side can have checkers on a point. One of the checkers belongs
    elsewhere, or was hit and is on the bar.

    Example: no match text in columns can show it, because a point has one letter
    there. A position in GNU Backgammon's SGF can, as here on White's 1 point:
    `AW[a]AB[a]`.

    Source: T. Keith's rules (GNU Backgammon manual) on movement and hitting; the
    player-error rule: it must be corrected if it is noticed before the second roll
    of the game has been played. Other rule books differ: `bganalyze rule U203
    --rules BOOK` says how.

    Never shown: which side's checker was there first.
    """
    return f"both sides have checkers on the {problem.about['point']} point of {{left}}"


@rule("U204", "set-up-mismatch", Severity.ERROR)
def set_up_mismatch(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A recorded position differs from the board that the record leads to.

    What it does. Reports a position recorded during a game if its checkers or its
    cube differ from the replay up to there. The game goes on from the recorded
    position.

    Why. An earlier play is missing or wrong, or the position is. The position is
    what the transcriber saw on the board.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
        ; Set Pos=-b----E-C---eE---c-e----B-/0              <- U204
          2) 42: 8/4 6/4                   61: 13/7 8/7

    Source: practice.

    Never shown: when record and board began to differ.
    """
    return (
        f"the position here is not the one that the record leads to: {problem.about['difference']}"
    )


@rule("U205", "impossible-cube", Severity.ERROR)
def impossible_cube(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A recorded cube has an impossible value or owner.

    What it does. Reports a cube in a recorded position if doubling cannot reach its
    value, if it is at 1 but has an owner, or if it has an owner before the first
    roll of a game from the starting position.

    Why. The cube starts at 1 in the middle, and gets an owner only after a double.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=-b----E-C---eE---c-e----B-/1              <- U205
          1) 31: 8/5 6/5                   65: 24/13

    Source: T. Keith's rules (GNU Backgammon manual) on the cube.

    Never shown: the value of the cube on the table.
    """
    return f"a cube of {problem.about['value']} cannot be {problem.about['why']}"


@rule("U206", "variant-mismatch", Severity.WARNING)
def variant_mismatch(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The plays fit another starting position than the stated one.

    What it does. Reports a game whose plays are soon illegal from the stated start,
    but all legal from the start of another variant or from a start with one checker
    elsewhere. The game is replayed from the start that fits.

    Why. The record does not name its variant, or the board was set up wrongly and
    nobody noticed.

    Example:

         5 point match
         Game 1                                             <- U206 stands
         Ann : 0                         Bob : 0
          1) 43: 23/20 24/20               21: 23/21 24/23
          2) 52: 23/21 13/8                32: 23/21 13/10

    Source: T. Keith's rules (GNU Backgammon manual) on the set-up; the player-error
    rule: it must be corrected if it is noticed before the second roll of the game
    has been played. Other rule books differ: `bganalyze rule U206 --rules BOOK`
    says how.

    Never shown: how the board was set up; this is inferred from the plays.
    """
    stated, fits = name_of_variant(problem.about["stated"]), problem.about["fits"]
    return f"the plays do not fit the start of {stated}; they fit {fits}"


@rule("U207", "unchecked-variant", Severity.WARNING)
def unchecked_variant(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A match of a variant with other rules, whose plays are not checked.

    What it does. Reports a record that states LongGammon, acey-deucey, tabula,
    Plakoto, Fevga, Moultezim, Gul Bara, Narde or Tapa. None of its plays is checked
    or counted; names, scores and results are.

    Why. The variant has other rules: a play that is illegal in backgammon may be
    right there. Without this warning an unchecked record would look like one
    without errors.

    Example:

        ; [Variation "LongGammon"]                          <- U207
         5 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 24/21 24/23               42: 24/20 24/22
          2) 44: 24/20(4)                  11: 24/23(4)
          3) 65: 24/18 24/19               Wins 1 point

    Source: practice.

    Never shown: a variant that the record does not state, unless the plays show it
    (U206).
    """
    return f"a match of {name_of_variant(problem.about['variant'])}: its plays are not checked"


RULES = (
    wrong_set_up,
    checker_count,
    shared_point,
    set_up_mismatch,
    impossible_cube,
    variant_mismatch,
    unchecked_variant,
)
