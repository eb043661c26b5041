"""T1xx: the text of the transcript, its rows, columns and headers."""

from __future__ import annotations

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.recorded_analysis import IGNORED
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.rules.catalog import GradedMessage, Message, rule
from bganalyze.validation.rules.words import (
    line_of,
    only_legal_play,
    opponent_placeholder,
    player_placeholder,
    roll_in_words,
)


@rule("T101", "unreadable-text", Severity.ERROR)
def unreadable_text(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Text that cannot be read as a roll, a play, a cube action or a result.

    What it does. Reports each run of such text once, however many lines it has.
    Plain words between rows are comments. Above the games it reports text that
    looks like part of a game, and a length or a name that a later line contradicts.
    Actions hidden by the text are not also reported missing: the rest of the row
    and of the game is still read. If an SGF file ends there without a closing
    bracket, it says that the file seems to be cut off.

    Why. It is a slip, or something that this file format has no word for. The game
    cannot be replayed with certainty over it.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: foo bar                   61: 13/7 8/7     <- T101

    Source: practice: the common form of match text, as its many writers spell it.

    Never shown: the meaning of the text.
    """
    text, last = _shorten(problem.about["text"]), problem.about.get("last_line")
    continued = f" and what follows, up to line {last}," if last else ""
    if problem.game is None:
        return f"{text!r} cannot be read as a line above the games, or a later line contradicts it"
    return f"{text!r}{continued} cannot be read as a roll, a play, a cube action or a result"


@rule("T102", "undecodable-bytes", Severity.WARNING)
def undecodable_bytes(problem: MatchProblem, rule_book: RuleBook) -> Message:
    r"""Bytes that fit no encoding.

    What it does. Reports bytes that are no character in the encoding of the file:
    stated, shown by its bytes, or guessed from its names. In JSON and binary files
    it also reports half a character, read as U+FFFD.

    Why. The file was damaged, or saved twice in different encodings. Usually a name
    is affected.

    Example:

         5 point match
         Game 1
         Ann : 0                         J\x81\x8d\x9drg : 0   <- T102
          1) 31: 8/5 6/5                   65: 24/13

    Source: practice: records are plain text.

    Never shown: which character it was.
    """
    text = _shorten(problem.about["text"])
    return f"damaged text, read as {text!r}: correct it and save the file as UTF-8"


@rule("T103", "row-number", Severity.INFO)
def row_number(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Row numbers repeat, jump or sit inside a cell.

    What it does. Remarks on a row number that does not follow the one before, and
    on a number, or a name with a score, inside a row. Empty rows are skipped. It is
    a warning if the numbers jump and go on from there: rows are lost.

    Why. A row may be missing or repeated. A single number proves nothing: some
    programs go on numbering after a resignation.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          3) 42: 8/4 6/4                   61: 13/7 8/7     <- T103

    Source: practice: rows are numbered from 1 in each game.

    Never shown: whether a row was lost or only the number is wrong.
    """
    text = problem.about["text"]
    after = problem.about.get("after")
    if after is not None:
        first = f"row {text} follows row {after}" if after else f"the game begins with row {text}"
        return GradedMessage(f"{first}: rows are missing", Severity.WARNING)
    if problem.side is None:
        return f"row number {text} does not follow the row before it"
    return f"{text!r} is inside a row and is ignored"


@rule("T104", "game-number", Severity.WARNING, repaired=True)
def game_number(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Games are missing, repeated or out of order within a match.

    What it does. Reports a game line whose number is not one more than that of the
    game before. The first number is free, because a record may begin late. Games
    out of order, by their numbers or by all their scores, are reported once. A game
    with every roll and play of an earlier one, five at least, is a copy. A copy
    with the same score line, doubles and result is not counted, unless the next
    score line does count it. Any other copy is counted, and the next score is not
    compared with it.

    Why. A game was lost or pasted twice, and the scores and the Crawford game may
    be wrong from here on.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops                        Wins 1 point
         Game 3                                             <- T104
         Ann : 0                         Bob : 1
          1) 52: 13/8 13/11                43: 13/10 13/9

    Source: practice: the games of a match are numbered in their order.

    Never shown: whether a game is missing or only its number is wrong; the scores
    may show it.
    """
    if "order" in problem.about:
        order = ", ".join(map(str, problem.about["order"]))
        if problem.about["by_scores"]:
            return f"the games are in the wrong order: by their scores they were played as {order}"
        return f"the games are in the wrong order: {order}"
    if "copy" in problem.about:
        copy, original = problem.about["copy"], problem.about["original"]
        if not problem.about["counts"]:
            repeat = "is recorded twice" if copy == original else f"repeats game {original}"
            return f"game {copy} {repeat}: it is counted once"
        if copy == original:
            return f"game {copy} is recorded twice, and both are counted"
        return (
            f"game {copy} has every play of game {original}: one is a copy of the other,"
            " and both are counted"
        )
    number, before = problem.about["number"], problem.about["before"]
    if problem.about["mistyped"]:
        return f"game {number} is between games {before} and {before + 2}: its number is wrong"
    if number == before:
        return f"two successive games have the number {number}"
    if number < before:
        return f"game {number} follows game {before}: out of order, or a game repeated"
    missing = f"game {before + 1} is" if number == before + 2 else "the games between are"
    return f"game {number} follows game {before}: {missing} missing"


@rule("T105", "turn-order", Severity.ERROR)
def turn_order(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """One side acts twice in succession: a turn of the other side is missing.

    What it does. Reports the second of two turns of one side with no turn of the
    other between them. It is silent if the other side was on the bar against a
    closed board: many records leave out such a turn.

    Why. The sides play in turn, so a cell was left empty or a row was lost. The
    missing play is inferred from the rest of the game. If nobody knows the turn,
    write `00: ????` in its cell in match text, or `R 00 ?` in the .bgm format; if
    the roll is known, `61: ????`.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 6/4
          3) 61: 13/7 8/7                  53: 8/3 6/3      <- T105

    Source: T. Keith's rules (GNU Backgammon manual): the sides roll and play in
    turn.

    Never shown: whether the turn was played and not written, or taken out of turn.
    """
    return f"{player_placeholder(problem)} acts twice in succession: a turn of {opponent_placeholder(problem)} is missing before this"


@rule("T106", "action-after-end", Severity.ERROR)
def action_after_end(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """An action after the game was decided.

    What it does. Reports, once per game, the first roll, play or cube action after
    the last checker was borne off, a double was passed or the game was resigned. It
    also reports a second result that contradicts the first. If the plays that
    follow fit the board, the game goes on and they are checked: a pass is read as a
    take. If they begin a game of their own, that is T120 instead.

    Why. The end is written too early, or instead of another action.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2)  Doubles => 2                 Drops
          3) 61: 13/7 8/7                  42: 8/4 6/4      <- T106
              Wins 1 point

    Source: T. Keith's rules (GNU Backgammon manual): the game ends with the last
    checker borne off, with a pass, or, by practice, with an accepted resignation.

    Never shown: whether the players went on playing.
    """
    ended = {
        "borne-off": "the last checker was borne off",
        "pass": "the double was passed",
        "forfeit": "it was forfeited",
        "time": "it was lost on time",
        "replayed": "a director had it played again",
        "result": "another result comes before this one",
    }
    return (
        f"the game was over already: {ended.get(problem.about['ended'], 'one side had resigned')}"
    )


@rule("T107", "unfinished-game", Severity.INFO)
def unfinished_game(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The record stops inside a game.

    What it does. Remarks on a game without a winner and without a result.

    Why. The players were disconnected, the game was broken off, or the end of the
    file is lost. Such a game counts in no score and in no statistics of results.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 6/4                   61: 13/7 8/7     <- T107

    Source: practice.

    Never shown: how the game went on, if it did.
    """
    return "the record of this game stops before its end"


@rule("T108", "missing-hit-mark", Severity.INFO)
def missing_hit_mark(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A hit without its `*` in a file that marks hits.

    What it does. Remarks, once per file, on a step that hits and is not marked. It
    is silent in files that never mark hits, such as those of Backgammon Galaxy.

    Why. The hit follows from the board and is carried out. A reader may overlook
    it.

    Example:

          1) 62: 24/18 13/11               64: 24/20 13/7*
          2) 43: bar/21 8/5                61: bar/24 13/7  <- T108

    Source: practice; by T. Keith's rules (GNU Backgammon manual) a hit does not
    depend on how it is written.
    """
    return "a checker is hit here, but the step has no * (reported once per file)"


@rule("T109", "false-hit-mark", Severity.WARNING, repaired=True)
def false_hit_mark(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A `*` without a hit.

    What it does. Reports a step that is marked as a hit but lands on no opposing
    checker. The play is carried out without a hit.

    Why. The star, the step or an earlier play is wrong. If there are earlier
    findings, look at them first.

    Example:

          1) 31: 8/5 6/5                   65: 24/18 18/13* <- T109
          2) 42: 8/4 6/4                   61: 13/7 8/7

    Source: practice; by T. Keith's rules (GNU Backgammon manual) a hit does not
    depend on how it is written.

    Never shown: the place of the hit checker, if one was hit.
    """
    return "marked with *, but no checker is hit here"


@rule("T110", "ambiguous-route", Severity.WARNING)
def ambiguous_route(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A joined step whose routes leave different boards, and no mark shows which.

    What it does. Reports a joined step that hits a checker on its way in one order
    of the dice, but hits another or none in the other order. It is silent if a mark
    shows the hit, or if the file marks hits and this step has no mark.

    Why. Both plays are legal, and the rest of the game depends on which was made.
    The replay uses the route without the hit, unless the rest fits the other.

    Example:

          1) 62: 24/18 13/11               64: 13/3         <- T110
          2) 61: 24/18 8/7

    Source: practice; T. Keith's rules (GNU Backgammon manual) make each die a step
    of its own.

    Never shown: which way the checker went.
    """
    return f"{roll_in_words(problem)} can be played by two routes that hit differently: write each step"


@rule("T111", "blocked-route", Severity.WARNING)
def blocked_route(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A legal result, written by a blocked route.

    What it does. Reports a play whose result is legal although the steps as written
    touch a blocked point or fit no die. The play counts as legal. It is silent for
    GammonView and BackgammonSage, which join the points that two boards differ in.

    Why. The checkers end on legal points, so only the record needs a correction.

    Example:

          1) 61: 13/7 8/7                  64: 24/18/14     <- T111
          2) 31: 8/5 6/5

    Source: T. Keith's rules (GNU Backgammon manual) on movement: a checker moved by
    both dice must be able to land between them, by either order.

    Never shown: which way the checker went.
    """
    return "the result is legal, but the steps as written are blocked or fit no die"


@rule("T112", "ghost-row", Severity.WARNING)
def ghost_row(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The winning play is repeated in the other column.

    What it does. Reports the last play of a game if it is repeated in the loser's
    column before the result. The copy is not carried out.

    Why. Some hand-made records repeat the play like this. It would be impossible
    for the side in that column.

    Example:

        ; [Position "Ann: two checkers each on 6 and 5; Bob: two on 2"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0
        ; Set Pos=--B----------------bb-----/0
          1) 61: 6/off 6/5                 43: 2/off 2/off
          2) 43: 2/off 2/off               Wins 1 point     <- T112

    Source: practice.
    """
    return "the winning play is written a second time, in the other column: it counts once"


@rule("T113", "header-mismatch", Severity.INFO)
def header_mismatch(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The names in the header differ from those in the score lines.

    What it does. Remarks, once per file, on two different pairs of names. Their
    order, capitals and a rating after the name do not matter.

    Why. Real names in the header and nicknames below are common. The score line
    decides which player has which column.

    Example:

        ; [Player 1 "Cleo Hart"]
        ; [Player 2 "Dan Moss"]
         5 point match
         Game 1
         Ann : 0                         Bob : 0            <- T113
          1) 31: 8/5 6/5                   65: 24/13

    Source: practice.

    Never shown: which name belongs to whom.
    """
    header = " and ".join(problem.about["header"])
    return f"the header names {header}, the score lines {{left}} and {{right}}"


@rule("T114", "name-change", Severity.WARNING, repaired=True)
def name_change(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The players' names or columns change between games of a match.

    What it does. Reports a score line whose names differ from those of the game
    before, or are in each other's column. Capitals and a rating after the name do
    not matter.

    Why. Points may be counted for the wrong player, or two matches were joined.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops                        Wins 1 point
         Game 2
         Cleo : 0                        Bob : 1            <- T114
          1) 52: 13/8 13/11                43: 13/10 13/9

    Source: practice.

    Never shown: whether another player sat down or a name was typed differently.
    """
    before, now = problem.about["before"], problem.about["now"]
    return f"the players were {before[0]} and {before[1]}, and are {now[0]} and {now[1]} here"


@rule("T115", "several-matches", Severity.INFO)
def several_matches(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The file holds more than one match.

    What it does. Remarks on the line where each further match begins. Scores, names
    and game numbers start anew there. In money play a game at 0-0 begins a new
    session if the next score follows from it; each session is a match of its own.

    Why. Programs that read one match per file read only the first.

    Example:

         1 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   65: 24/13
              Wins 1 point
         1 point match                                      <- T115
         Game 1
         Cleo : 0                        Dan : 0
          1) 31: 8/5 6/5                   65: 24/13
              Wins 1 point

    Source: practice.
    """
    if problem.about["is_session"]:
        return f"a new money session begins here at 0-0: it is match {problem.about['number']} of this file"
    return f"match {problem.about['number']} of this file begins here"


@rule("T116", "impossible-value", Severity.ERROR)
def impossible_value(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A number that no game can produce.

    What it does. Reports a result of more than 64 points that is not a cube value
    once, twice or three times; smaller numbers that do not fit the game are R602.
    As warnings it also reports a match of more than 1,000 points, a date before the
    year 1800 or after 2199, and, once per match, the first number of a stored
    analysis that is no possible chance or equity.

    Why. Some programs wrote such numbers after a lost connection or a resignation;
    others are in damaged files. They are left out of every count: the points come
    from the next score, or else from the board, or else are unknown.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 6/4                   Wins 4016 point  <- T116

    Source: T. Keith's rules (GNU Backgammon manual): a game is worth the cube once,
    twice or three times.

    Never shown: which number was meant.
    """
    match problem.about:
        case {"points": points}:
            return f"no game can be won by {points} points"
        case {"length": length}:
            message = f"no match is played to {length} points"
        case {"date": date}:
            message = f"no match was played on {_shorten(date)}: the date is ignored"
        case _:
            message = IGNORED.format(problem.about["text"])
    return GradedMessage(message, Severity.WARNING)


@rule("T117", "missing-length", Severity.WARNING)
def missing_length(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """No match line: the length of the match is not recorded.

    What it does. Reports a record that begins with a game and has no line such as
    `5 point match` before it. Money games have such a line: `0 point match`. It is
    an info for a single game without a number, as in `.gam` files.

    Why. Without the length, the Crawford game, a dead cube and the end of the match
    are unknown, so those rules are silent.

    Example:

         Game 1                                             <- T117
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   65: 24/13

    Source: practice.

    Never shown: whether it was a match or play for money.
    """
    if problem.about["is_single"]:
        return GradedMessage("a single game: the match length is unknown", Severity.INFO)
    stated = problem.about["stated"]
    return f"no line such as {stated!r} before the first game: the match length is unknown"


@rule("T118", "replayed-turn", Severity.WARNING, repaired=True)
def replayed_turn(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """The same turn is recorded twice.

    What it does. Reports a repeated row or play, and skips the copy. If the first
    play was illegal, a second play of the same roll is its correction, and no
    error.

    Why. A row was pasted twice. Playing it twice would make the rest of the game
    illegal.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42: 8/4 6/4                   61: 13/7 8/7
          2) 42: 8/4 6/4                   61: 13/7 8/7     <- T118
          3) 64: 24/20 13/7                51: 13/8 6/5

    Source: practice.

    Never shown: whether the side rolled the same numbers again, and the turn
    between was lost.
    """
    return f"this turn is already recorded in {line_of(problem.about['first'])}: it counts once"


@rule("T119", "ambiguous-empty", Severity.INFO)
def ambiguous_empty(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """An empty cell that may be a dance, a play not logged, or a resignation.

    What it does. Remarks on a roll with no play at the very end of a record without
    a result, or in the last turn of a game that the same player won, if the roll
    could be played. If only one play was legal, it is named.

    Why. It is no error in itself: the player may have resigned or been
    disconnected, and the winner's opponent may have resigned before the play.

    Example:

          1) 31: 8/5 6/5                   65: 24/13
          2) 42:                                            <- T119

    Source: practice.

    Never shown: which of these it was.
    """
    written = f"no play is written for {roll_in_words(problem)}"
    only = only_legal_play(problem)
    if problem.about.get("has_won"):
        legal = f" (only {only} was legal)" if only else ""
        return f"{written}{legal}: not logged, or {opponent_placeholder(problem)} gave up before it was played"
    return f"{written}{f' (only {only} was legal)' if only else ''}: not logged, or given up after the roll"


@rule("T120", "missing-header", Severity.ERROR)
def missing_header(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """A game without the game line or the score line that the other games have.

    What it does. Reports, at its first line, a game that begins without one or both
    of these lines: its rows follow a result, or are numbered from 1 anew. The game
    is replayed and checked like any other, at the score that follows from the games
    before it. It is silent if most games of the match have no such line. If the
    rows of the first game do not start at 1, or have no numbers and fit no game
    from its start, the beginning of the file is cut off; findings that depend on
    the board and the cube before its first row are consequences of that.

    Why. The line was lost in copying. Without it, programs read the two games as
    one, and the second is lost.

    Example:

         5 point match
         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                   Doubles => 2
          2)  Drops                        Wins 1 point

          1) 52: 13/8 13/11                43: 13/10 13/9   <- T120

    Source: practice: each game has a game line and a score line.

    Never shown: the score in the lost line.
    """
    row, lines = problem.about["row"], problem.about["lines"]
    if problem.about["is_cut_off"]:
        where = "in the middle of a game" if row is None else f"at row {row} of a game"
        missing = f"the {', the '.join(lines)} and the {'plays' if row is None else 'rows'} above"
        return f"the file begins {where}: {missing} are missing"
    words = " and the ".join(lines)
    return f"a game begins here, but its {words} {'are' if len(lines) > 1 else 'is'} missing"


@rule("T121", "cleaned-text", Severity.INFO)
def cleaned_text(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Text that was cleaned before it was read.

    What it does. Says, once for each kind, what was replaced before the match was
    read, and how often: special and non-breaking spaces, invisible and control
    characters, tabs, wrapped lines, quote marks and escapes of mail, tags and
    character references of web pages, full-width digits, arrows, dashes, curly
    quotes and marks such as `?!`. If the two columns of a text were lost, it also
    says how many winners were guessed from the last action of a game. The file
    itself stays as it is, and every place is a place in the file.

    Why. Mail programs, web pages, word processors and editors put such characters
    in place of plain ones. Players and plays are the same without them.

    Example:

        > 5 point match                                     <- T121
        > Game 1
        > Ann : 0                         Bob : 0
        >  1) 31: 8/5 6/5                   65: 24/13

    Source: practice: records that went through mail, web pages and editors.

    Never shown: whether the text lost anything else on its way.
    """
    return str(problem.about["text"])


@rule("T122", "guessed-encoding", Severity.INFO)
def guessed_encoding(problem: MatchProblem, rule_book: RuleBook) -> Message:
    """Text in an encoding that is stated nowhere, or that was misread before.

    What it does. Says which encoding was guessed for a text that is not UTF-8 and
    states none. It shows the first words concerned, and any second encoding that is
    nearly as likely. It is silent if the encoding is without doubt that of western
    Europe (windows-1252). It also reports two or more words of UTF-8 that another
    program misread and saved again, such as `LÃ¶vet` for `Lövet`; these words are
    read as they are.

    Why. The same bytes are other letters in each encoding. If the guess is wrong,
    the players have other names, and count as other players in statistics.

    Example:

         5 point match
         Game 1
         LÃ¶vet : 0                      Bob : 0            <- T122
          1) 31: 8/5 6/5                   65: 24/13
          2)  Doubles => 2                  Drops
              Wins 1 point
         Game 2
         LÃ¶vet : 1                      Bob : 0
          1) 31: 8/5 6/5                   65: 24/13

    Source: practice: records from programs of many countries.

    Never shown: which encoding the writer had in mind.
    """
    return str(problem.about["text"])


def _shorten(text: str, most: int = 40) -> str:
    """Return `text`, cut to at most `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


RULES = (
    unreadable_text,
    undecodable_bytes,
    row_number,
    game_number,
    turn_order,
    action_after_end,
    unfinished_game,
    missing_hit_mark,
    false_hit_mark,
    ambiguous_route,
    blocked_route,
    ghost_row,
    header_mismatch,
    name_change,
    several_matches,
    impossible_value,
    missing_length,
    replayed_turn,
    ambiguous_empty,
    missing_header,
    cleaned_text,
    guessed_encoding,
)
