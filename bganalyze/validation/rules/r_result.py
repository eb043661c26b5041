"""R6xx: results, points and scores."""

from __future__ import annotations

from bganalyze.board.position import OFF
from bganalyze.board.rule_book import RuleBook
from bganalyze.text import join_words
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.rules.catalog import GradedMessage, Message, rule
from bganalyze.validation.rules.words import (
    name_of_point,
    opponent_placeholder,
    player_placeholder,
    points_in_words,
    side_placeholder,
)


@rule("R601", "unfounded-win", Severity.ERROR)
def unfounded_win(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A win without a bear-off, a pass or a resignation.

    What it does. Reports a result that nothing in the game explains. It checks only
    files of programs and sites that write resignations in words. In match text, at
    least as many games must have a resignation in words as end early without one.
    In other files a bare `Wins` means that the other side resigned, and is no
    error.

    Why. The end of the game is missing, or the result belongs to another game.

    Example:

        ; [Site "BackgammonGalaxy"]
         3 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                 65: 24/18 18/13
          2)                              Losses 1 point
              Wins 1 point
         Game 2
         Ann : 1                         Bob : 0
          1) 43: 13/9 13/10              51: 13/8 6/5
              Wins 1 point                                  <- R601

    Source: T. Keith's rules (GNU Backgammon manual) on the end of a game; practice
    for resignations.

    Never shown: an agreement at the table.
    """
    return f"{player_placeholder(problem)} wins, but the game has no bear-off, pass or resignation"


@rule("R602", "wrong-points", Severity.ERROR)
def wrong_points(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The written points do not match the end of the game.

    What it does. After a pass it expects the cube value before the double; after
    the last bear-off the cube value once, twice for a gammon, or three times for a
    backgammon; after a resignation any of these, or the points that it states
    (`Losses 2 points`, `Resigns gammon`). If the loser has borne off a checker, a
    resignation must state a gammon. Points capped at what the winner still needs
    are allowed. After a resignation, the match length is allowed too: `Wins 7
    points and the match` says that the whole match was given up, and gives no more
    than the winner needs. If a pass written as a take, or a lost double, explains
    the points, the finding says so. Points that are wrong in the same way from one
    game on, such as points without the cube, are one error.

    Why. The score of the match follows from these numbers. The same mistake is not
    reported again at the next score line.

    Example:

          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops                        Wins 2 points    <- R602

    Source: T. Keith's rules (GNU Backgammon manual) on gammons, backgammons and the
    cube.

    Never shown: a settlement between the players.
    """
    written, worth = (
        points_in_words(problem.about["points"]),
        join_words(problem.about["allowed"], "or"),
    )
    end = {
        "pass": "the pass as written is worth",
        "borne-off": "the bear-off as written is worth",
        "resigned-for": "the resignation as written is for",
    }
    how = end.get(problem.about["ended"], "the resignation as written can be worth only")
    return f"the record gives {written}, but {how} {worth}"


@rule("R603", "wrong-winner", Severity.ERROR)
def wrong_winner(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The win is written for the side that lost by the plays as written.

    What it does. Reports a result in the column of the side that passed, resigned
    or lost by the last bear-off. It is silent if the final board is in doubt. Wins
    that are all in the wrong column from one game on are one error.

    Why. The result is in the wrong column, or the columns of this game are swapped.
    The same mistake is not reported again at the next score line.

    Example:

          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops
              Wins 1 point                                  <- R603

    Source: T. Keith's rules (GNU Backgammon manual) on the end of a game and on the
    cube.

    Never shown: for whom the point was entered on the score sheet.
    """
    end = {"pass": "the pass", "borne-off": "the plays"}.get(problem.about["ended"], "the game")
    won = f"by {end} as written {side_placeholder(problem.about['winner'])} won"
    return f"the win is written for {player_placeholder(problem)}, but {won}"


@rule("R604", "score-mismatch", Severity.ERROR)
def score_mismatch(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A score line does not follow from the game before it.

    What it does. Reports a score that is neither the last score plus the written
    points nor the last score plus the points won on the board, each in full or
    capped at the match length. It is silent in money play if every game starts at
    0-0, or if only automatic doubles are left out, as in GNU Backgammon's files.
    Lines that all have the two scores swapped from one game on are one error.

    Why. A game is missing, or a score was added up wrongly. From here on the
    written score is used.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops                        Wins 1 point
         Game 2
         Ann : 0                         Bob : 3            <- R604
          1) 52: 13/8 13/11                43: 13/10 13/9

    Source: T. Keith's rules (GNU Backgammon manual) on match play: the points of
    the games are added up.

    Never shown: a score that the players corrected by agreement.
    """
    score, expected = problem.about["score"], problem.about["expected"]
    written = f"the score is written {score[0]}-{score[1]}"
    if expected is None:
        return f"{written}, which does not follow from the game before"
    if problem.about.get("open"):
        return f"{written}, but the game before it, at {expected[0]}-{expected[1]}, has no result"
    return f"{written}, but {expected[0]}-{expected[1]} follows from the game before it"


@rule("R605", "game-after-match", Severity.ERROR)
def game_after_match(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A game follows after the match is over.

    What it does. Reports a game that begins after one side has reached the match
    length, by earlier games or by the first score line. If the score lines go on
    for several games, or up to a usual length, the stated length is the likelier
    mistake: then the match line is reported, and the games are checked as those of
    a match of unknown length.

    Why. The length or a score is wrong, or another match follows without its own
    match line.

    Example:

         1 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   65: 24/13
                                           Wins 1 point
         Game 2                                             <- R605
         Ann : 0                         Bob : 1
          1) 52: 13/8 13/11                43: 13/10 13/9

    Source: T. Keith's rules (GNU Backgammon manual) on match play: the first to
    reach the length wins.

    Never shown: whether the players went on for practice.
    """
    if "longer" in problem.about:
        stated, longer = problem.about["length"], problem.about["longer"]
        return f"a match to {stated}, but the scores go on: it was to {longer} points or more"
    won = "by the scores as written the match was won already"
    return f"{won}, at {problem.about['score'][0]}-{problem.about['score'][1]}"


@rule("R606", "missing-result", Severity.WARNING, repaired=True)
def missing_result(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The board decided the game, but its result is not recorded and more follows.

    What it does. Reports a game that ends with the last bear-off or a pass, has no
    result line, and is followed by another game.

    Why. The result is certain and is counted, but programs that rely on the result
    line lose it.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops                                         <- R606
         Game 2
         Ann : 0                         Bob : 1
          1) 52: 13/8 13/11                43: 13/10 13/9

    Source: practice; T. Keith's rules (GNU Backgammon manual) on the end of a game.

    Never shown: the entry on the score sheet.
    """
    return "the game is decided here, but its result is not recorded"


@rule("R607", "match-end-mark", Severity.ERROR)
def match_end_mark(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """`and the match` although the match is not over.

    What it does. Reports a result marked as the end of the match if the winner has
    not reached the match length. It is an error if the points would win the match
    for the other side, or if another game follows; otherwise, or if the final board
    is in doubt, it is a remark. It is silent if no length is recorded, or if R603
    reports the result.

    Why. The result is in the wrong column, the length is mistyped, or the match was
    settled early.

    Example:

         3 point match
         Game 1
         Ann : 0                         Bob : 2
          1) 31: 8/5 6/5                   65: 24/13
              Wins 1 point and the match                    <- R607

    Source: practice.

    Never shown: whether the loser gave up the whole match.
    """
    marked = "marked as the end of the match, but by the score as written it is not won yet"
    if problem.about.get("for_other"):
        return f"{marked}: {opponent_placeholder(problem)} would win it by these points"
    if problem.about.get("goes_on"):
        return f"{marked}: another game follows"
    return GradedMessage(marked, Severity.INFO)


@rule("R608", "partial-match", Severity.INFO)
def partial_match(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The record does not hold the whole match.

    What it does. Remarks on a match that does not start at 0-0, has no game, or
    ends before a side has reached its length. It is silent if the last game is
    unfinished (T107), and in money play.

    Why. Statistics of matches, and the Crawford game, need the whole match.

    Example:

         5 point match
         Game 1
         Ann : 2                         Bob : 0            <- R608
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops                        Wins 1 point     <- R608

    Source: T. Keith's rules (GNU Backgammon manual) on match play: the first to
    reach the length wins.

    Never shown: whether the rest was played.
    """
    return str(problem.about["why"])


@rule("R609", "resignation-size", Severity.INFO)
def resignation_size(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A resignation for more than can still be lost.

    What it does. Remarks on a resigned backgammon if the loser is past contact and
    out of the opponent's home board, and on a resignation that states a gammon if
    the loser has borne off a checker. The points count as agreed. A resignation for
    less than is lost is fine: the winner accepted it, and a gammon is hardly ever
    certain before the last checker is off.

    Why. No player offers more than the game can cost, so the number is mistyped, or
    the board is wrong.

    Example:

        ; [Position "Ann is home with all checkers; Bob has two on 6 and two on 2"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=--B---B-----------hg------/0
          1) 31: 7/4 6/5                   61: 6/off 2/1
                                           Wins 3 points    <- R609

    Source: practice; no text of rules was found on resignations.

    Never shown: the resignation that was offered and accepted.
    """
    return f"resigned for {points_in_words(problem.about['points'])}, more than could still be lost"


@rule("R610", "jacoby-gammon", Severity.ERROR)
def jacoby_gammon(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Gammon points under the Jacoby rule with a centered cube.

    What it does. Reports two or three times the cube value in a money game without
    a taken double, if the header or the rules switch the Jacoby rule on.

    Why. Under this rule a gammon or backgammon counts once, unless a double was
    taken in that game.

    Example:

        ; [Jacoby "On"]
        ; [Position "Bob has two checkers left, Ann has borne off none"]
         0 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=--B------------h-g--------/0
          1) 61: 8/2 8/7                   43: 2/off(2)
                                           Wins 2 points    <- R610

    Source: T. Keith's rules (GNU Backgammon manual) on the Jacoby rule, optional in
    money play.

    Never shown: whether the players had agreed to play without the rule.
    """
    written = points_in_words(problem.about["points"])
    return f"{written} written, but under the Jacoby rule a gammon needs a double that was taken"


@rule("R611", "final-score-mismatch", Severity.WARNING, repaired=True)
def final_score_mismatch(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A final score stated in the header disagrees with the games.

    What it does. Compares the two `Elo` lines in the header of Backgammon Galaxy,
    which hold the final score, with the score after the last game.

    Why. A game was lost or changed after the file was written. No other entry in
    the file allows such a check.

    Example:

        ; [Site "BackgammonGalaxy"]
        ; [Player 1 Elo "3,00/0"]                           <- R611
        ; [Player 2 Elo "0,00/0"]
         1 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                 65: 24/18 18/13
          2)                              Losses 1 point
              Wins 1 point and the match

    Source: practice of Backgammon Galaxy.

    Never shown: which of the two is right.
    """
    stated, reached = problem.about["stated"], problem.about["reached"]
    other = f"the games {reached[0]}-{reached[1]}" if reached else "the games another"
    return f"the header gives {stated[0]}-{stated[1]} as the final score, {other}"


@rule("R612", "crawford-mismatch", Severity.WARNING)
def crawford_mismatch(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A recorded Crawford mark disagrees with the scores.

    What it does. Reports a remark such as `; Crawford game` in a game that is not
    the Crawford game by the score. It is silent if the record starts too late to
    know.

    Why. Exactly one game of a match can be the Crawford game: the first in which
    one side is a point short and the other is not.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Crawford game                                     <- R612
          1) 31: 8/5 6/5                   65: 24/13

    Source: T. Keith's rules (GNU Backgammon manual) on match play.

    Never shown: whether the cube was put away.
    """
    if problem.about.get("marked", True):
        return "marked as the Crawford game, but by the score it is not"
    return "not marked as the Crawford game, but by the score it is"


@rule("R613", "forfeit-or-time", Severity.INFO)
def forfeit_or_time(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The game did not end on the board.

    What it does. Remarks on a game that a row or a comment calls forfeited or lost
    on time, or that a comment calls broken off. If the game has a result line, the
    comment may mean the whole match instead.

    Why. The points of the game count, but they do not reflect the play. Without a
    result line a comment gives no points, so the game counts for nobody.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2)  Loses on time                Wins 1 point     <- R613

    Source: practice; time limits are set by the organizer.

    Never shown: who decided it.
    """
    text = problem.about["text"]
    if "comment" not in problem.about:
        return f"the game ended off the board: {text}"
    if problem.about["has_result"]:
        return f'a comment says that the game or the match ended off the board ("{text}"); the game counts by its result line'
    return f'a comment says that the game ended off the board ("{text}"); no result line gives its points'


@rule("R614", "result-contestable", Severity.WARNING)
def result_contestable(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The record ends with an illegal play that won the game.

    What it does. Reports the last play of a record if it bore off the last checker,
    was illegal, and no roll follows. The points of the game are provisional.

    Why. The error can still be corrected until the next roll, and then the game
    goes on.

    Example:

        ; [Position "Ann: one checker each on 4, 3 and 1; Bob: two on 6"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=------B--------------aa-a-/0
          1) 43: 4/off 3/off 1/off                          <- P405 open, R614
              Wins 1 point

    Source: the player-error rule: an error of movement may be corrected only before
    the next roll, and no roll followed. Other rule books differ: `bganalyze rule
    R614 --rules BOOK` says how.

    Never shown: whether the opponent agreed that the game was over.
    """
    what = {
        "both-must-act": "it must be corrected",
        "opponent-must-decide": "the opponent must still decide whether it stands",
        "opponent-may": "the opponent may still have it corrected",
        "either-may": "either player may still call for its correction",
    }[rule_book.who_decides]
    return f"this illegal play won the last game of the record: {what}"


@rule("R615", "repeated-result", Severity.WARNING, repaired=True)
def repeated_result(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The result of a game is written twice.

    What it does. Reports, once per game, a second result equal to the first. It
    counts once. A second result that differs is T106.

    Why. The line was copied twice, or a game between the two is lost.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2)  Doubles => 2                 Drops
              Wins 1 point
              Wins 1 point                                  <- R615

    Source: practice: a game has one result.

    Never shown: whether there was a game between the two.
    """
    return "the result is written a second time: it counts once"


@rule("R616", "ruling-mismatch", Severity.ERROR)
def ruling_mismatch(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A director's ruling does not agree with the rest of the match file.

    What it does. Reports a score line without the points that a director gave;
    checkers put back from a point where the side has none; and checkers put back
    after the game was over. Points given before the first roll or double of a game
    belong to the score line of that game, later points to the next score line. It
    is a warning if putting checkers back corrects no error: no illegal play or
    wrong set-up comes before, or the board is still not as a legal play would have
    left it.

    Why. The score or a board is wrong from there on, or the ruling was written down
    wrong. The score lines count as written, and a movement that is not possible is
    left out.

    Example:

        bganalyze match
        left: Ann
        right: Bob
        length: 5
        game 1
        score 0-0
        L 31 8/5 6/5
        R 42 8/4 6/4
        ruling: checker put back L 4/6                      <- R616
        L double
        R pass
        L wins 1
        ruling: 2 points to Bob (late after the break)      <- R616
        game 2
        score 1-0
        L 52 13/8 13/11
        R 41 24/23 13/9

    Source: practice; tournament rules have penalty points, for lateness and for
    repeated illegal plays: `bganalyze rule R616 --rules BOOK` says which.

    Never shown: whether the director had the right to rule so.
    """
    about = problem.about
    match about["why"]:
        case "points":
            score = "{}-{}".format(*about["score"])
            return f"the score {score} in line {about['line']} is without the points given here"
        case "no-checker":
            side, where = side_placeholder(about["who"]), name_of_point(about["point"])
            place = where if about["point"] == OFF else f"on {where}"
            return f"{side} has no checker {place} that could be put back"
        case "over":
            return "the game was over, so no checker could be put back"
        case _:
            return GradedMessage(_explain_needless_ruling(about["dice"]), Severity.WARNING)


def _explain_needless_ruling(dice: tuple[int, int] | None) -> str:
    """Return text that a director's ruling corrects no error.

    `dice` is the roll of the last illegal play, or None without such a play.
    """
    if dice is None:
        return "this corrects no illegal play and no wrong set-up in the match file"
    # The board is not as a legal play of the last wrongly played roll would leave it.
    return f"after this the board is not as a legal play of {dice[0]}-{dice[1]} would have left it"


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
    repeated_result,
    ruling_mismatch,
)
