"""The sheet of a case, from which a director can rule: text, Markdown, HTML or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypedDict

from bganalyze.analysis.gain_of_illegal import PlayGain
from bganalyze.app.config import rule_book_title
from bganalyze.app.render import document_markdown, document_text
from bganalyze.app.render.actions import action_in_words
from bganalyze.app.render.analyses import format_chance
from bganalyze.app.render.board import make_scene
from bganalyze.app.render.document import (
    Block,
    Cell,
    Chapter,
    Diagram,
    Diagrams,
    Document,
    Grid,
    Note,
    Part,
)
from bganalyze.app.render.findings import standing_in_words
from bganalyze.app.render.findings.explained import finding_scenes
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.position import Step
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.board.rule_text import Clause, Known
from bganalyze.record.model import Comment, Play, Result, RulingMade, SetUp
from bganalyze.text import number_of
from bganalyze.validation.cases import BookRuling, Case, PointsUnderRemedy
from bganalyze.validation.findings import EvidenceKind, Finding, Severity, Standing
from bganalyze.validation.replaying.facts import Turn
from bganalyze.validation.replaying.outcomes import OF_RESULTS, SCORE, Score
from bganalyze.validation.replaying.places import side_of
from bganalyze.validation.replaying.terms import length_of
from bganalyze.validation.rules.ruling import (
    SILENT,
    describe_rule,
    explain_missing_clause,
    is_correctable_until_play,
    related_clauses,
)
from bganalyze.validation.rules.words import describe_evidence

MOST_TURNS = 6
"""Actions of the time line that are shown one by one."""

MOST_IN_FULL = 4
"""Rule books of which all clauses about the subject fit on a sheet."""

_BLANK = "_" * 24

_NO_DIFFERENCE = 0.0005
"""The least difference of equities (EMG) that three decimals show."""


def render_text(case: Case, gain: PlayGain | None, setting: OutputOptions) -> Iterator[str]:
    """Yield the sheet on one error as text: what happened, and what each rule book says, for a director.

    `gain` compares an illegal play with the best legal play.
    """
    return document_text.render(make_ruling_sheet(case, gain), setting)


def render_markdown(case: Case, gain: PlayGain | None, setting: OutputOptions) -> Iterator[str]:
    """Yield the sheet on one error as Markdown: what happened, and what each rule book says, for a director.

    `gain` compares an illegal play with the best legal play.
    """
    return document_markdown.render(make_ruling_sheet(case, gain), setting)


def render_json(case: Case, gain: PlayGain | None, _: OutputOptions) -> Iterator[str]:
    """Yield what happened at one error, and what each rule book says, as a JSON object.

    `gain` compares an illegal play with the best legal play.
    """
    yield json.dumps(ruling_object(case, gain), ensure_ascii=False, indent=2) + "\n"


def sheet_page(case: Case, gain: PlayGain | None = None) -> str:
    """Return the sheet on one error (`case`) as a page of HTML that prints on one sheet of paper."""
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only

    return render_page(make_ruling_sheet(case, gain))


def make_ruling_sheet(case: Case, gain: PlayGain | None = None) -> Document:
    """Return the sheet on which a director can decide about one error, as a document.

    `case` has the error and the ruling of each rule book; `gain` compares an illegal play with the
    best legal play, by an engine.
    """
    match, finding = case.replayed.match, case.finding
    names = _player_names(case)
    parts = (
        Part("What happened", tuple(_describe_error(case, gain, names))),
        Part("Time line", (_time_line(case, names),)),
        Part("By the rule books", tuple(_list_rulings(case))),
        Part("The points", tuple(_tabulate_points(case))),
        Part("What the record cannot show", tuple(map(Note, _list_unknowns(case)))),
        Part("Decision", (_make_decision_form(),)),
    )
    facts = tuple(_list_facts(case, names))
    chapter = Chapter(_title_of_sheet(case), parts, facts=facts)
    return Document(f"Ruling on {match.source.path}:{finding.line}", (chapter,), layout="sheet")


def _title_of_sheet(case: Case) -> str:
    """Return the heading of a ruling sheet: a disputed result or score, or the code of a rule."""
    finding = case.finding
    if finding.name in OF_RESULTS:
        return f"Disputed result of game {case.turn.context.game} ({finding.code})"
    if finding.name == SCORE:
        return f"Disputed score before game {case.turn.context.game} ({finding.code})"
    return f"Ruling: {finding.code} {finding.name}"


def _player_names(case: Case) -> tuple[str, str]:
    """Return the players by the columns of the game in question."""
    game = case.replayed.games[case.turn.context.game - 1].game
    return game.names_or(case.replayed.match.names)


def _list_facts(case: Case, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of a label and a text for the head of the sheet: players, scores, and place of the error."""
    context, finding = case.turn.context, case.finding
    yield "Players", " – ".join(names)
    terms, (left, right) = context.terms, context.score
    crawford = ", Crawford game" if context.crawford else ""
    length = terms.length if terms.length is not None else length_of(case.replayed.match)
    before = f"{left} – {right} ({_length_in_words(length)}{crawford})"
    yield f"Score before game {context.game}", before
    players, (after, winner) = case.replayed.match.names, case.recorded
    if after is not None:
        scores = ", ".join(f"{name} {points}" for name, points in zip(players, after, strict=True))
        won = "undecided" if winner is None else f"{players[winner]} wins"
        yield "Score at the end, as recorded", f"{scores} ({won})"
    row = "" if finding.row is None else f", row {finding.row.strip()}"
    yield "Place", f"{finding.path}, line {finding.line}, game {context.game}{row}"


def _length_in_words(length: int | None) -> str:
    """Return the length of a match in words.

    >>> _length_in_words(7), _length_in_words(0), _length_in_words(None)
    ('match to 7 points', 'money play', 'match length not recorded')
    """
    if length is None:
        return "match length not recorded"
    return f"match to {number_of(length, 'point')}" if length else "money play"


def _describe_error(case: Case, gain: PlayGain | None, names: tuple[str, str]) -> Iterator[Block]:
    """Yield what happened: message, boards, legal plays, and whether player or transcriber probably erred.

    `gain` compares an illegal play with the best legal play; None without an engine.
    """
    finding = case.finding
    yield Note(finding.message, tone=finding.severity.value)
    if finding.situation is not None:
        yield Diagrams(tuple(_draw_boards(case, names)))
    if finding.legal is not None:
        yield Note(f"nearest legal plays: {finding.legal_in_words}")
    if gain is not None:
        yield Note(gain_in_words(gain))
    yield Note(_weigh_player_or_transcriber(finding))
    if case.others:
        listed = "; ".join(f"{other.code}, {other.message}" for other in case.others)
        yield Note(f"at the same place, to be ruled on by its code: {listed}")


def gain_in_words(gain: PlayGain) -> str:
    """Return, in words, what a play gained over the best legal one.

    >>> gain_in_words(PlayGain("sage", "2.0", "2ply", None))
    'sage 2.0 at 2ply cannot compare the play: its board is in doubt, or the play was taken back'
    """
    engine = f"{gain.engine} {gain.version} at {gain.level}"
    decision, equity = gain.decision, gain.equity
    if decision is None:
        return (
            f"{engine} cannot compare the play: its board is in doubt, or the play was taken back"
        )
    if decision.better is None:
        return f"{engine} has no evaluation of this play"
    if equity is None:
        return f"{engine} evaluates legal plays only; the best one is {decision.better}"
    if abs(equity) < _NO_DIFFERENCE:
        return f"by {engine} the play is worth as much as the best legal one, {decision.better}"
    size = f"{abs(equity):.3f} EMG"
    if gain.chance is not None:
        size += f" ({format_chance(abs(gain.chance), money=decision.length == 0)})"
    if equity > 0:
        return f"by {engine} the play gained {size} over the best legal one, {decision.better}"
    return f"by {engine} the play lost {size} against the best legal one, {decision.better}"


def _draw_boards(case: Case, names: tuple[str, str]) -> Iterator[Diagram]:
    """Yield the boards before and after the action; for a wrong set-up, also the board it should have made."""
    finding = case.finding
    assert finding.situation is not None
    scene = make_scene(finding.situation, names)
    before, after = finding_scenes(finding, scene)
    action = case.turn.action
    if isinstance(action, Play):
        before = before._replace(arrows=tuple(_yield_movements(action.steps)))
    yield Diagram(_describe_action(case.turn, names), before, after=after)
    if finding.expected is not None:
        yield Diagram("The board that should have been", scene._replace(position=finding.expected))


def _yield_movements(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """Yield each movement from one point to the next."""
    for path, _ in steps:
        yield path[0], path[-1]


def _describe_action(turn: Turn, names: tuple[str, str]) -> str:
    """Return the action of a turn in words, after its player if one acts: `Ann 31: 8/5 6/5`."""
    if isinstance(turn.action, Comment):
        return turn.action.text or "the end of the game"
    if isinstance(turn.action, SetUp | RulingMade):
        return action_in_words(turn, names)
    if isinstance(turn.action, Result):
        return f"result as written: {names[side_of(turn)]} {action_in_words(turn)}"
    return f"{names[side_of(turn)]} {action_in_words(turn)}"


def _weigh_player_or_transcriber(finding: Finding) -> str:
    """Return a sentence on whether the rest of the match contradicts the play, so that it may be written down wrong.

    It may also agree with the play, or show nothing.
    """
    said = "; ".join(words for _, words in describe_evidence(finding))
    match None if finding.evidence is None else finding.evidence.kind:
        case EvidenceKind.CONTRADICTED:
            return (
                f"the record contradicts itself, so a slip of the transcriber is possible: {said}"
            )
        case EvidenceKind.CONSISTENT:
            return f"the record does not contradict that it was played so: {said}"
        case _:
            return "the record does not show whether it was played so or written down wrong"


def _time_line(case: Case, names: tuple[str, str]) -> Grid:
    """Return a table of the actions from the error on, with notes such as `noticed before this`.

    Long runs of actions without notes are cut.
    """
    closers = _group_books_by_deadline(case)
    rows: list[tuple[Cell, ...]] = []
    left_out = 0
    for index, turn in enumerate(_actions_until_noticed(case)):
        notes = list(_note_moments(turn, case, closers))
        if index >= MOST_TURNS and not notes:
            left_out += 1
            continue
        if left_out:
            rows.append(_left_out_row(left_out))
            left_out = 0
        rows.append(
            (
                Cell(_line_of(turn, case)),
                Cell(_describe_action(turn, names)),
                Cell("; ".join(notes)),
            )
        )
    if left_out:
        rows.append(_left_out_row(left_out))
    if case.noticed is None:
        rows.append((Cell(""), Cell("after the end of the record"), Cell("noticed now")))
    return Grid("", ("line", "action", ""), tuple(rows), words=3)


def _actions_until_noticed(case: Case) -> Iterator[Turn]:
    """Yield the actions from the error until it was noticed."""
    moment = case.noticed
    for turn in case.time_line:
        yield turn
        if moment is not None and _is_same_action(turn, moment.turn):
            return


def _left_out_row(number: int) -> tuple[Cell, ...]:
    """Return a row that stands for a number of actions left out."""
    return Cell("…"), Cell(number_of(number, "more action")), Cell("")


def _line_of(turn: Turn, case: Case) -> str:
    """Return the line of an action in the file, such as `12`, or `12 (game 2)` if the error is in another game."""
    line, game = turn.action.span.line, turn.context.game
    return str(line) if game == case.turn.context.game else f"{line} (game {game})"


def _is_same_action(one: Turn, other: Turn) -> bool:
    """Whether two turns come from the same place in the file."""
    return one.action.span == other.action.span


BooksByDeadline = dict[tuple[str, bool], list[str]]
"""Names of rule books by the place of the action after which they allow no correction, and True if they
wait for its play, False if its roll is enough."""


def _group_books_by_deadline(case: Case) -> BooksByDeadline:
    """Return the names of rule books by the action that ends the time in which they allow a correction.

    The key is (place of the action, whether these books wait until the roll there is played).
    """
    found: BooksByDeadline = {}
    for each in case.rulings:
        finding = each.finding
        if finding is None or finding.standing is not Standing.STANDS or not finding.closed_by:
            continue
        key = finding.closed_by, is_correctable_until_play(finding, each.rule_book)
        found.setdefault(key, []).append(each.rule_book.name)
    return found


def _note_moments(turn: Turn, case: Case, closers: BooksByDeadline) -> Iterator[str]:
    """Yield the notes on an action: that it is the error, when this was noticed, which books call it too late."""
    if _is_same_action(turn, case.turn):
        yield "the action in question"
    moment = case.noticed
    if moment is not None and _is_same_action(turn, moment.turn):
        yield (
            "noticed after this roll, before its play"
            if moment.is_rolled
            else "noticed before this"
        )
    place = f"{turn.action.span.line}:{turn.action.span.column}"
    for words, waits in (("from here", False), ("after this play", True)):
        if books := closers.get((place, waits)):
            yield f"{words} it stands ({_list_books(books, case)})"


def _list_books(books: Sequence[str], case: Case) -> str:
    """Return names of rule books as text: "all books", or "all books but …" if few are left out."""
    others = [said.rule_book.name for said in case.rulings if said.rule_book.name not in books]
    if not others and len(books) > 1:
        return "all books"
    if len(others) < len(books) // 2:
        return f"all books but {', '.join(others)}"
    return ", ".join(books)


def _list_rulings(case: Case) -> Iterator[Block]:
    """Yield the rulings as a table, books with equal rulings in one row; then the clauses quoted, and editions."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for said in case.rulings:
        alike.setdefault(_ruling_in_words(said), []).append(said.rule_book.name)
    rows = tuple(tuple(map(Cell, (", ".join(names), *words))) for words, names in alike.items())
    yield Grid("", ("rule book", "standing", "who acts", "what to do now"), rows, words=4)
    for clause, names in _map_clauses_to_books(case).items():
        yield Note(f"By {', '.join(names)}, {clause.name}: {clause.words.strip()}")
    yield Note("Editions: " + "; ".join(rule_book_title(said.rule_book) for said in case.rulings))
    if partly_read := [said.rule_book for said in case.rulings if said.rule_book.text.read_in_part]:
        yield Note(f"Known only in part: {_list_partly_read(partly_read)}")


def _list_partly_read(books: Sequence[RuleBook]) -> str:
    """Return the rule books that were not read as a whole, and which part was, if they are few."""
    if len(books) > MOST_IN_FULL:
        return f"{', '.join(book.name for book in books)} (`bganalyze rule NAME` says which part)"
    return "; ".join(f"{book.name} ({book.text.read_in_part})" for book in books)


def _map_clauses_to_books(case: Case) -> dict[Clause, list[str]]:
    """Return the names of rule books by clause: first clauses on which rulings are based, then related ones.

    With many books, related clauses are returned only for books that leave the case open.
    """
    found: dict[Clause, list[str]] = {}
    for said in case.rulings:
        for clause in () if said.ruling is None else said.ruling.clauses:
            found.setdefault(clause, []).append(said.rule_book.name)
    for said in case.rulings:
        is_undecided = said.ruling is None or said.ruling.standing is None
        if is_undecided or len(case.rulings) <= MOST_IN_FULL:
            for clause in _select_related_clauses(said, in_full=len(case.rulings) <= MOST_IN_FULL):
                found.setdefault(clause, []).append(said.rule_book.name)
    return found


def _select_related_clauses(said: BookRuling, *, in_full: bool) -> Iterator[Clause]:
    """Yield a book's clauses about the error on which its ruling is not based.

    Without `in_full`, clauses that would decide something by themselves are left out.
    """
    for clause in _other_clauses(said):
        if in_full or not clause.decides:
            yield clause


def _other_clauses(said: BookRuling) -> tuple[Clause, ...]:
    """Return the clauses of a book about the error, except those on which its ruling is based."""
    resting = () if said.ruling is None else said.ruling.clauses
    if said.finding is None or (said.finding.name == "dead-cube" and said.ruling is None):
        return ()
    related = related_clauses(said.finding.code, said.finding.name, said.rule_book)
    return tuple(clause for clause in related if clause not in resting)


def _ruling_in_words(said: BookRuling) -> tuple[str, str, str]:
    """Return a book's ruling as three texts: correctable or not, who acts, what is to be done."""
    ruling = said.ruling
    if ruling is None:
        stated = "" if _finds_no_error(said) else NOT_STATED
        return stated, stated, _explain_silence(said)
    if ruling.standing is None:
        return NOT_STATED, ruling.decider or NOT_STATED, ruling.remedy
    return standing_in_words(ruling.standing), ruling.decider or "nobody", ruling.remedy


def _finds_no_error(said: BookRuling) -> bool:
    """Whether a rule book calls the action correct; False if it says nothing about such actions."""
    finding = said.finding
    if finding is None:
        return True
    is_remark = finding.severity is Severity.INFO and finding.name != "result-contestable"
    return is_remark and not _other_clauses(said)


def _explain_silence(said: BookRuling) -> str:
    """Return, in words, why a rule book gives no ruling on the error."""
    finding, book = said.finding, said.rule_book
    if finding is None:
        return "nothing: by this book it is no error"
    if finding.name == "result-contestable":
        return describe_rule(finding.code, finding.name, book).verdict
    if not _finds_no_error(said):
        return explain_missing_clause(finding.code, finding.name, book)
    if finding.name == "dead-cube" and book.is_silent_on("dead_cube") and book.name != BASIC.name:
        return f"nothing: {SILENT} otherwise, and by the base rule it is no error"
    return "nothing: by this book it is no error"


NOT_STATED = "not stated"


def _tabulate_points(case: Case) -> Iterator[Block]:
    """Yield a table of the points as recorded and under each remedy (way to put the error right), then notes."""
    names = case.replayed.match.names
    chances = tuple(f"chance of {name}" for name in names)
    headings = ("", "this game", "score after it", "score at the end", *chances)
    rows = tuple(_points_row(remedied, names) for remedied in case.points)
    if not (has_chances := _has_chances(case)):
        headings, rows = headings[: -len(chances)], tuple(row[: -len(chances)] for row in rows)
    yield Grid("", headings, rows, words=4)
    if has_chances:
        yield Note(f"chances to win the match: those after game {case.turn.context.game}")
    recorded, *remedies = case.points
    for remedied in case.points:
        if remedied.contradicted_by:
            yield Note(f"against “{remedied.remedy}”: {'; '.join(remedied.contradicted_by)}")
    for remedied in remedies:
        yield Note(f"{remedied.remedy}: {_describe_books_allowing_remedy(case)}")
    for remedied in remedies:
        if remedied.points.crawford_game != recorded.points.crawford_game and remedied.points.final:
            yield Note(f"{remedied.remedy}: {_describe_moved_crawford(remedied, recorded)}")


def _has_chances(case: Case) -> bool:
    """Whether to show winning chances: some are known, and the match was not over when the error was noticed."""
    is_over = case.noticed is None and all(
        remedied.points.winner is not None for remedied in case.points
    )
    return not is_over and any(remedied.points.chances is not None for remedied in case.points)


def _describe_books_allowing_remedy(case: Case) -> str:
    """Return, in words, which rule books still allow to put the error right."""
    standings = {
        said.rule_book.name: None if said.ruling is None else said.ruling.standing
        for said in case.rulings
    }
    still_open = [name for name, standing in standings.items() if standing is Standing.OPEN]
    if still_open:
        return f"still possible by {_list_books(still_open, case)}"
    if Standing.STANDS in standings.values():
        return "too late by every rule book here that states a time; shown for comparison"
    return "asked for by no rule book here; shown for comparison"


def _describe_moved_crawford(remedied: PointsUnderRemedy, recorded: PointsUnderRemedy) -> str:
    """Return a sentence on which game becomes the Crawford game if the error is put right.

    `remedied` has the points in this case, `recorded` the points in the file.
    """
    new, old = remedied.points.crawford_game, recorded.points.crawford_game
    if new is None:
        return f"game {old} would not have been the Crawford game"
    instead = "" if old is None else f", not game {old}"
    return f"game {new} would have been the Crawford game{instead}; later games are counted as recorded"


def _points_row(remedied: PointsUnderRemedy, names: tuple[str, str]) -> tuple[Cell, ...]:
    """Return the table cells of the points under one remedy: this game, the score after it, the final score."""
    won, after, final, winner, unneeded, chances, *_ = remedied.points
    if won is None:
        game = "open" if final is None else "does not count"
    elif won.points is None:
        game = f"{names[won.side]}, points unknown"
    else:
        game = f"{names[won.side]} {number_of(won.points, 'point')}"
    ending = _score_in_words(final)
    if winner is not None:
        ending += f", {names[winner]} wins"
    if unneeded:
        ending += f"; {number_of(unneeded, 'later game')} not needed"
    score = _score_in_words(after)
    shown = ("", "") if chances is None else tuple(f"{100 * chance:.1f} %" for chance in chances)
    return tuple(map(Cell, (remedied.remedy, game, score, ending, *shown)))


def _score_in_words(score: Score | None) -> str:
    """Return a score as text, such as "10 – 14", or "open" for None."""
    return "open" if score is None else " – ".join(map(str, score))


def _list_unknowns(case: Case) -> Iterator[str]:
    """Yield sentences on what the match file cannot show, and whom to ask."""
    yield "whether and when somebody called it at the table: ask both players and those who watched"
    yield from _list_unknowns_of_error(case.finding)
    if case.points[0].points.winner is not None and any(
        said.rule_book.forbidden_cube == "annulled-until-recorded"
        for said in _rulings_on_forbidden_double(case)
    ):
        yield "whether the result of the match was recorded already: look at the list of results"
    if any(
        remedied.points.won is None and remedied.points.final is None for remedied in case.points
    ):
        yield "how the game would have ended: where it is open, the chances are those before it, of players of equal strength"


def _list_unknowns_of_error(finding: Finding) -> Iterator[str]:
    """Yield sentences on what no match file shows about an error of this kind, and whom to ask."""
    if finding.code == "T105":
        yield (
            "whether a turn was played but not written down, or not played at all (the clock was "
            "hit, or a play overlooked): ask both players and the transcriber"
        )
    if finding.code == "P499":
        yield "how the checkers came there: the record has only the board after the play"
    elif finding.code.startswith("P4"):
        yield "whether it was written down as it was played: ask the transcriber, or look at the video"
    if finding.code.startswith("P4"):
        yield "how the dice lay, and whether they were read right: ask both players"
    if finding.code.startswith("C5"):
        yield "what was said with the double, and where the cube lay: ask both players"
    if finding.is_of_set_up:
        yield "whether the board was set up so or only written down so: ask both players"
    yield from _list_unknowns_of_result(finding)


def _list_unknowns_of_result(finding: Finding) -> Iterator[str]:
    """Yield sentences on what no match file shows about a wrong result or score, and whom to ask."""
    if finding.name == "game-after-match":
        yield "to what length the match was to be played: look at the draw, or ask both players"
    if finding.name == "ruling-mismatch":
        yield "what was ruled: ask the director"
    if finding.name == "wrong-winner":
        yield (
            "whether the plays stand in the wrong columns: ask the transcriber, or look at the video"
        )
    if finding.code.startswith("R6"):
        yield "what the players agreed and wrote on the score sheet: ask both players"


def _rulings_on_forbidden_double(case: Case) -> Iterator[BookRuling]:
    """Yield the rulings that are based on what a rule book says about a forbidden double."""
    for said in case.rulings:
        if said.ruling is not None and "forbidden_cube" in said.ruling.switches:
            yield said


def _make_decision_form() -> Grid:
    """Return an empty form for the decision, the director's name, and date and signature."""
    rows = tuple(
        (Cell(label), Cell(_BLANK)) for label in ("Decision", "Director", "Date, signature")
    )
    return Grid("", ("", ""), rows, words=2)


# JSON.

VERSION: Final = 1
"""The version of the schema."""


class ClauseRecord(TypedDict):
    """A clause on which a ruling rests."""

    number: str
    """Its number or name in the book; empty if that is not known."""
    words: str
    """The clause in our own words."""
    known: Literal["read", "quoted"]
    """Whether its text was read, or is quoted by others."""


class RulingRecord(TypedDict):
    """Ruling of one rule book on a fault."""

    rule_book: str
    """The name of the book."""
    edition: str
    """The book with its edition and date, and with settings that change it."""
    is_fault: bool
    """Whether a check by this book finds the fault."""
    standing: Literal["corrected", "open", "stands"] | None
    """The standing at the moment when it was noticed; None if the book does not say."""
    who_acts: str | None
    """The player or players who must or may act; None if it is too late or the book does not say."""
    remedy: str
    """The remedy now, or a remark that the book does not say."""
    clauses: list[ClauseRecord]
    """The clauses on which this rests."""
    other_clauses: list[ClauseRecord]
    """Other clauses about the subject."""


class PointsRecord(TypedDict):
    """The points of the match under one remedy, by the columns of its first game."""

    remedy: str
    """The remedy in words."""
    winner_of_game: int | None
    """The winner of the game: 0 left, 1 right; None if the game has to be played on or again."""
    points: int | None
    """The points of the game; None if they are unknown or the game is open."""
    score_after: tuple[int, int] | None
    """The score after the game; None while it is open."""
    final_score: tuple[int, int] | None
    """The score after the later games as recorded; None while the game is open."""
    winner: int | None
    """The winner of the match: 0 left, 1 right; None if undecided."""
    unneeded_games: int
    """Number of later games that were played although the match was over."""
    chances: tuple[float, float] | None
    """The chance of each player to win the match after the game, from 0 to 1; None in money play."""
    contradicted_by: list[str]
    """Places in the match file, in words, that contradict this result of a disputed game."""


class GainRecord(TypedDict):
    """The gain of a play over the best legal one, by an engine."""

    engine: str
    """The name of the engine."""
    version: str
    """Its version."""
    level: str
    """Its level."""
    best: str | None
    """The best legal play; None without an evaluation."""
    equity: float | None
    """The equity gained (EMG), below 0 for a loss; None if the engine does not evaluate the play."""
    chance: float | None
    """The match-winning chance gained, from -1 to 1, or in money play the points; None if unknown."""


class RulingObject(TypedDict):
    """A fault of a match and its rulings by rule books, as `ruling --format json` writes them."""

    version: Literal[1]
    """The version of this schema."""
    path: str
    """The file."""
    match: int
    """The match in its file, counted from 1."""
    game: int
    """The game in its match, counted from 1."""
    line: int
    """The line of the fault, counted from 1."""
    column: int
    """The first column of its place, counted from 1."""
    code: str
    """The code of the rule."""
    name: str
    """The name of the rule."""
    message: str
    """The message of the finding."""
    position: str | None
    """The board before the action as an XGID; None if the fault has none."""
    legal: list[str]
    """The nearest legal plays; empty if no play is in question."""
    evidence: Literal["contradicted", "consistent", "unknown"] | None
    """Whether the rest of the match contradicts the fault as recorded."""
    noticed: int | None
    """The line of the action before which it was noticed, or after whose roll; None for now, after the end
    of the record."""
    noticed_after_roll: bool
    """Whether it was noticed after the roll of that action, before its play."""
    gain: GainRecord | None
    """The gain of the play by an engine; None without an engine or a play."""
    rulings: list[RulingRecord]
    """The ruling of each rule book."""
    points_then: list[PointsRecord]
    """The points as recorded, then under each remedy."""


def ruling_object(case: Case, gain: PlayGain | None = None) -> RulingObject:
    """Return what happened at one error, and what each rule book says, as a JSON object.

    `gain` compares an illegal play with the best legal play.
    """
    finding = case.finding
    return {
        "version": VERSION,
        "path": finding.path,
        "match": case.replayed.match.number,
        "game": case.turn.context.game,
        "line": finding.line,
        "column": finding.column,
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "position": finding.position,
        "legal": list(finding.legal or ()),
        "evidence": None if finding.evidence is None else finding.evidence.kind.value,
        "noticed": None if case.noticed is None else case.noticed.turn.action.span.line,
        "noticed_after_roll": case.noticed is not None and case.noticed.is_rolled,
        "gain": None if gain is None else _gain_record(gain),
        "rulings": list(map(_ruling_record, case.rulings)),
        "points_then": list(map(_points_record, case.points)),
    }


def _gain_record(gain: PlayGain) -> GainRecord:
    """Return what a play gained in JSON types."""
    return {
        "engine": gain.engine,
        "version": gain.version,
        "level": gain.level,
        "best": None if gain.decision is None else gain.decision.better,
        "equity": gain.equity,
        "chance": gain.chance,
    }


def _ruling_record(said: BookRuling) -> RulingRecord:
    """Return a ruling in JSON types."""
    book, finding, ruling = said
    clauses = () if ruling is None else ruling.clauses
    return {
        "rule_book": book.name,
        "edition": rule_book_title(book),
        "is_fault": finding is not None,
        "standing": None if ruling is None or ruling.standing is None else ruling.standing.value,
        "who_acts": None if ruling is None else ruling.decider or None,
        "remedy": _explain_silence(said) if ruling is None else ruling.remedy,
        "clauses": list(map(_clause_record, clauses)),
        "other_clauses": list(map(_clause_record, _other_clauses(said))),
    }


def _clause_record(clause: Clause) -> ClauseRecord:
    """Return a clause of a rule book as a JSON object; a clause whose text is only assumed is not allowed."""
    assert clause.known is not Known.ASSUMED
    return {
        "number": clause.number,
        "words": clause.words.strip(),
        "known": "read" if clause.known is Known.READ else "quoted",
    }


def _points_record(remedied: PointsUnderRemedy) -> PointsRecord:
    """Return the points under one remedy (way to put the error right) as a JSON object."""
    won, after, final, winner, unneeded, chances, *_ = remedied.points
    return {
        "remedy": remedied.remedy,
        "winner_of_game": None if won is None else won.side,
        "points": None if won is None else won.points,
        "score_after": after,
        "final_score": final,
        "winner": winner,
        "unneeded_games": unneeded,
        "chances": chances,
        "contradicted_by": list(remedied.contradicted_by),
    }
