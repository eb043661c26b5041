"""The points of a case: as recorded, and after each remedy."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.app.render.document import (
    Block,
    Cell,
    Grid,
    Note,
)
from bganalyze.app.render.ruling.books import name_books_with_limits
from bganalyze.text import number_of
from bganalyze.validation.cases import BY_GAMES, BY_HEADER, BY_NEXT_SCORE, Case, PointsUnderRemedy
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.outcomes import Score


def tabulate_points(case: Case) -> Iterator[Block]:
    """Yield a table of the points scored, as recorded and under each remedy.

    A remedy is a way to put the error right.
    """
    names = case.replayed.match.names
    chances = tuple(f"chance of {name}" for name in names)
    headings = ("", "this game", "score after it", "score at the end", *chances)
    rows = tuple(_make_points_row(remedied, names, case) for remedied in case.points)
    if not (has_chances := _shows_any_chances(case)):
        headings, rows = headings[: -len(chances)], tuple(row[: -len(chances)] for row in rows)
    yield Grid("", headings, rows, words=4)
    if has_chances:
        yield Note(f"chances to win the match: {_describe_chances(case)}")
    recorded, *remedies = case.points
    for remedied in case.points:
        if remedied.contradicted_by:
            yield Note(f"against “{remedied.remedy}”: {'; '.join(remedied.contradicted_by)}")
    for remedied in remedies:
        yield Note(f"{remedied.remedy}: {_say_whether_books_allow_remedy(case)}")
    for remedied in remedies:
        if remedied.points.crawford_game != recorded.points.crawford_game and remedied.points.final:
            yield Note(f"{remedied.remedy}: {_describe_moved_crawford(remedied, recorded)}")


def _shows_any_chances(case: Case) -> bool:
    """Whether the sheet shows chances to win the match."""
    return any(_shows_chances(remedied, case) for remedied in case.points)


def _shows_chances(remedied: PointsUnderRemedy, case: Case) -> bool:
    """Whether the sheet shows the chances to win the match under a remedy."""
    # If the error was noticed during the match, the match goes on.
    is_over = case.noticed is None and remedied.points.winner is not None
    return remedied.points.chances is not None and not is_over


def _describe_chances(case: Case) -> str:
    """Return words on the score to which the winning chances belong: `those after game 2`."""
    game = case.turn.context.game
    shown = [remedied for remedied in case.points if _shows_chances(remedied, case)]
    if all(remedied.points.won is None for remedied in shown):
        return f"those before game {game}, of players of equal strength"
    is_open = any(remedied.points.won is None for remedied in shown)
    return f"those after game {game}" + ("; before it where the game is open" if is_open else "")


def _say_whether_books_allow_remedy(case: Case) -> str:
    """Return words on the rule books that still allow a remedy: `still possible by wbgf-2.1`.

    If none does, the text begins with `too late` or says that no book asks for the remedy.
    """
    standings = {
        book_ruling.rule_book.name: None
        if book_ruling.ruling is None
        else book_ruling.ruling.standing
        for book_ruling in case.rulings
    }
    still_open = [name for name, standing in standings.items() if standing is Standing.OPEN]
    if still_open:
        return f"still possible {name_books_with_limits(still_open, case)}"
    if Standing.STANDS in standings.values():
        late = [name for name, standing in standings.items() if standing is Standing.STANDS]
        return f"too late {name_books_with_limits(late, case)}; shown for comparison"
    return "asked for by no rule book here; shown for comparison"


def _describe_moved_crawford(
    under_remedy: PointsUnderRemedy, as_recorded: PointsUnderRemedy
) -> str:
    """Return a sentence on how a remedy changes which game is the Crawford game."""
    new, old = under_remedy.points.crawford_game, as_recorded.points.crawford_game
    if new is None:
        return f"game {old} would not have been the Crawford game"
    instead = "" if old is None else f", not game {old}"
    return f"game {new} would have been the Crawford game{instead}; later games are counted as recorded"


def _make_points_row(
    remedied: PointsUnderRemedy, names: tuple[str, str], case: Case
) -> tuple[Cell, ...]:
    """Return the table cells of the points scored under one remedy."""
    won, after, final, winner, unneeded, chances, *_ = remedied.points
    score = _describe_score(after)
    if remedied.remedy in (BY_HEADER, BY_GAMES):
        game = score = ""  # It is about the match.
    elif won is None and remedied.remedy == BY_NEXT_SCORE:
        game = "no win gives this score"
    elif won is None:
        game = "open" if final is None else "does not count"
    elif won.points is None:
        game = f"{names[won.side]}, points unknown"
    else:
        game = f"{names[won.side]} {number_of(won.points, 'point')}"
    ending = _describe_score(final)
    if winner is not None:
        ending += f", {names[winner]} wins"
    if unneeded:
        ending += f"; {number_of(unneeded, 'later game')} not needed"
    shown = ("", "")
    if chances is not None and _shows_chances(remedied, case):
        shown = (f"{100 * chances[0]:.1f} %", f"{100 * chances[1]:.1f} %")
    return tuple(map(Cell, (remedied.remedy, game, score, ending, *shown)))


def _describe_score(score: Score | None) -> str:
    """Return a score as text, such as `10 – 14`, or `open` for None."""
    return "open" if score is None else " – ".join(map(str, score))
