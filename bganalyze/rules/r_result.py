"""R6xx: results, points and scores."""

from __future__ import annotations

from bganalyze.facts import Fact
from bganalyze.findings import Severity
from bganalyze.law import Law
from bganalyze.rules.catalogue import rule
from bganalyze.rules.words import either, player, points, side_name


@rule("R601", "unfounded-win", Severity.ERROR)
def unfounded_win(fact: Fact, law: Law) -> str:
    """A win without a bear-off, a drop or a resignation."""
    return f"{player(fact)} wins, but nobody has borne off, dropped or resigned"


@rule("R602", "wrong-points", Severity.ERROR)
def wrong_points(fact: Fact, law: Law) -> str:
    """The points written are not what the end of the game is worth."""
    ended = {"drop": "the drop", "borne-off": "the bear-off"}.get(
        fact.about["ended"], "the resignation"
    )
    written, worth = points(fact.about["points"]), either(fact.about["allowed"])
    return f"{written} written, but {ended} is worth {worth}"


@rule("R603", "wrong-winner", Severity.ERROR)
def wrong_winner(fact: Fact, law: Law) -> str:
    """The win is written for the side that lost."""
    return f"the win is written for {player(fact)}, but {side_name(fact.about['winner'])} won"


@rule("R604", "score-mismatch", Severity.ERROR)
def score_mismatch(fact: Fact, law: Law) -> str:
    """A score line does not follow from the game before it."""
    score, expected = fact.about["score"], fact.about["expected"]
    return (
        f"the score {score[0]}-{score[1]} does not follow: "
        f"after the game before it is {expected[0]}-{expected[1]}"
    )


@rule("R605", "game-after-match", Severity.ERROR)
def game_after_match(fact: Fact, law: Law) -> str:
    """A game after the match was over."""
    return f"the match was over at {fact.about['score'][0]}-{fact.about['score'][1]}"


@rule("R606", "missing-result", Severity.WARNING)
def missing_result(fact: Fact, law: Law) -> str:
    """The board decided the game, the record does not say so, and more follows."""
    return "the game is decided, but its result is not recorded"


@rule("R607", "match-end-mark", Severity.INFO)
def match_end_mark(fact: Fact, law: Law) -> str:
    """`and the match` where the match is not over."""
    return "marked as the end of the match, which is not won yet"


@rule("R608", "partial-match", Severity.INFO)
def partial_match(fact: Fact, law: Law) -> str:
    """The record does not hold the whole match."""
    return str(fact.about["why"])


@rule("R609", "resignation-size", Severity.INFO)
def resignation_size(fact: Fact, law: Law) -> str:
    """A resignation for more than can still be lost, or for less than is lost already."""
    return f"resigned for {points(fact.about['points'])}, more than could still be lost"


@rule("R610", "jacoby-gammon", Severity.ERROR)
def jacoby_gammon(fact: Fact, law: Law) -> str:
    """Gammon points under the Jacoby rule with a cube that nobody owns."""
    return "under the Jacoby rule a gammon counts only after the cube was turned"


@rule("R611", "final-score-mismatch", Severity.WARNING)
def final_score_mismatch(fact: Fact, law: Law) -> str:
    """A final score stated in the header disagrees with the games."""
    stated, found = fact.about["stated"], fact.about["found"]
    return (
        f"the header gives {stated[0]}-{stated[1]} as the final score, "
        f"the games {found[0]}-{found[1]}"
    )


@rule("R612", "crawford-mismatch", Severity.WARNING)
def crawford_mismatch(fact: Fact, law: Law) -> str:
    """A recorded Crawford mark disagrees with the scores."""
    return "marked as the Crawford game, which the score says it is not"


@rule("R613", "forfeit-or-time", Severity.INFO)
def forfeit_or_time(fact: Fact, law: Law) -> str:
    """The game ended off the board."""
    return f"ended off the board: {fact.about['text']}"


@rule("R614", "result-contestable", Severity.WARNING)
def result_contestable(fact: Fact, law: Law) -> str:
    """The record ends with an illegal play that won the game."""
    return "the last play of the record won the game and is illegal: it may still be called"


RULES = (
    unfounded_win,
    wrong_points,
    wrong_winner,
    score_mismatch,
    game_after_match,
    missing_result,
    match_end_mark,
    partial_match,
    resignation_size,
    jacoby_gammon,
    final_score_mismatch,
    crawford_mismatch,
    forfeit_or_time,
    result_contestable,
)
