"""The rulings of rule books on a case, with their clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.app.config import rule_book_title
from bganalyze.app.render.document import (
    Block,
    Cell,
    Grid,
    Note,
)
from bganalyze.app.render.findings import standing_in_words
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.board.rule_text import Clause
from bganalyze.validation.cases import BookRuling, Case
from bganalyze.validation.findings import Severity, Standing
from bganalyze.validation.rules.ruling import (
    CLOSERS,
    SILENT,
    describe_rule,
    explain_missing_clause,
    related_clauses,
)

MOST_IN_FULL = 4
"""Most rule books on a sheet that still shows all clauses of each about the subject."""

NOT_STATED = "not stated"


def name_books(names: Sequence[str], case: Case) -> str:
    """Return names of rule books as short text, such as `all books` or `all books but …`.

    `case` has all rule books that were asked.
    """
    others = [
        book_ruling.rule_book.name
        for book_ruling in case.rulings
        if book_ruling.rule_book.name not in names
    ]
    if not others and len(names) > 1:
        return "all books"
    if len(others) < len(names) // 2:
        return f"all books but {', '.join(others)}"
    return ", ".join(names)


def _list_books_without_time_limit(case: Case) -> list[str]:
    """Return the rule books that are not known to state a time limit for a correction."""
    return [
        book_ruling.rule_book.name
        for book_ruling in case.rulings
        if book_ruling.ruling is not None and book_ruling.ruling.is_limit_from_base_rule
    ]


def name_books_with_limits(names: Sequence[str], case: Case) -> str:
    """Return words such as `by wbgf-2.1` on the rule books called `names`.

    A note follows on the books whose time limit is unknown.
    """
    without_limit = _list_books_without_time_limit(case)
    silent = [name for name in names if name in without_limit]
    if not silent:
        return f"by {name_books(names, case)}"
    listed = ", ".join(silent)
    if len(silent) == len(names):
        return f"by the base rule (the time limit of {listed} is not known here)"
    return (
        f"by {name_books(names, case)} (by the base rule for {listed}: no time limit is known here)"
    )


def tell_what_to_look_up(book_ruling: BookRuling, book_name: str) -> str:
    """Return advice such as `look up the time limit in clause 4.2 of BOOK (not read here)`."""
    unread = () if book_ruling.ruling is None else book_ruling.ruling.unread_clauses
    number = next((clause.number for clause in unread if clause.number), None)
    if number is None:
        return f"look up the time limit in {book_name} (not known here)"
    return f"look up the time limit in clause {number} of {book_name} (not read here)"


def list_rulings(case: Case) -> Iterator[Block]:
    """Yield a table of the rulings, then the clauses of the rule books.

    Rule books with the same ruling share a row.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for book_ruling in case.rulings:
        words = _describe_ruling(book_ruling, in_full=len(case.rulings) <= MOST_IN_FULL)
        alike.setdefault(words, []).append(book_ruling.rule_book.name)
    rows = tuple(tuple(map(Cell, (", ".join(names), *words))) for words, names in alike.items())
    yield Grid("", ("rule book", "standing", "who acts", "what to do now"), rows, words=4)
    for clause, names in _map_clauses_to_books(case).items():
        limit = _describe_base_limit(clause, names, case)
        yield Note(f"By {', '.join(names)}, {clause.name}: {clause.words.strip()}{limit}")
    if len(case.rulings) > MOST_IN_FULL:  # else they are at the head of the sheet
        yield Note(
            "Editions: " + "; ".join(rule_book_title(each.rule_book) for each in case.rulings)
        )
    if partly_read := [
        book_ruling.rule_book
        for book_ruling in case.rulings
        if book_ruling.rule_book.text.read_in_part
    ]:
        yield Note(f"Known only in part: {_list_partly_read(partly_read)}")


def _describe_base_limit(clause: Clause, names: Sequence[str], case: Case) -> str:
    """Return a sentence on the time limit of the base rules, to print after a clause, or "".

    It is needed if that limit has passed, the clause says who decides, and its rule book states no
    limit. `names` are the rule books that have the clause.
    """
    if "who_decides" not in dict(clause.decides):
        return ""
    for book_ruling in case.rulings:
        ruling = book_ruling.ruling
        if book_ruling.rule_book.name not in names or ruling is None:
            continue
        if ruling.is_limit_from_base_rule and ruling.standing is Standing.STANDS:
            closer = CLOSERS[book_ruling.rule_book.stands_after]
            return f" By the base rule, only before the next {closer}."
    return ""


def _list_partly_read(books: Sequence[RuleBook]) -> str:
    """Return as text those of the `books` that were read only in part."""
    if len(books) > MOST_IN_FULL:
        return f"{', '.join(book.name for book in books)} (`bganalyze rule NAME` says which part)"
    return "; ".join(f"{book.name} ({book.text.read_in_part})" for book in books)


def _map_clauses_to_books(case: Case) -> dict[Clause, list[str]]:
    """Map each clause to be printed on the sheet to the names of the rule books that have it."""
    found: dict[Clause, list[str]] = {}
    in_full = len(case.rulings) <= MOST_IN_FULL
    for book_ruling in case.rulings:
        for clause in () if book_ruling.ruling is None else book_ruling.ruling.clauses:
            found.setdefault(clause, []).append(book_ruling.rule_book.name)
    for book_ruling in case.rulings:
        is_undecided = book_ruling.ruling is None or book_ruling.ruling.standing is None
        others = other_clauses(book_ruling) if is_undecided or in_full else ()
        for clause in others:
            # A long list of books leaves out the clauses that set an option.
            if in_full or not clause.decides:
                found.setdefault(clause, []).append(book_ruling.rule_book.name)
    return found


def other_clauses(book_ruling: BookRuling) -> tuple[Clause, ...]:
    """Return those clauses of a rule book about an error that its ruling does not rest on."""
    resting = () if book_ruling.ruling is None else book_ruling.ruling.clauses
    if book_ruling.finding is None or (
        book_ruling.finding.name == "dead-cube" and book_ruling.ruling is None
    ):
        return ()
    related = related_clauses(
        book_ruling.finding.code, book_ruling.finding.name, book_ruling.rule_book
    )
    return tuple(clause for clause in related if clause not in resting)


def _describe_ruling(book_ruling: BookRuling, *, in_full: bool) -> tuple[str, str, str]:
    """Return three texts on a ruling: whether a correction is possible, who acts, and the remedy.

    With `in_full`, advice to look up a time limit names the clause.
    """
    ruling = book_ruling.ruling
    if ruling is None:
        stated = "" if _finds_no_error(book_ruling) else NOT_STATED
        return stated, stated, explain_silence(book_ruling)
    if ruling.standing is None:
        return NOT_STATED, ruling.decider or NOT_STATED, ruling.remedy
    standing = standing_in_words(ruling.standing)
    if not ruling.is_limit_from_base_rule:
        return standing, ruling.decider or "nobody", ruling.remedy
    if ruling.standing is not Standing.STANDS:
        return f"{standing} by the base rule", ruling.decider, ruling.remedy
    # Equal rulings need equal texts in the table, which has no clauses.
    to_do = (
        tell_what_to_look_up(book_ruling, book_ruling.rule_book.name)
        if in_full
        else "look up the time limit (not known here)"
    )
    return f"{standing} by the base rule", f"director: {to_do}", ruling.remedy


def _finds_no_error(book_ruling: BookRuling) -> bool:
    """Whether a rule book sees no error in the action."""
    finding = book_ruling.finding
    if finding is None:
        return True
    is_remark = finding.severity is Severity.INFO and finding.name != "result-contestable"
    return is_remark and not other_clauses(book_ruling)


def explain_silence(book_ruling: BookRuling) -> str:
    """Return why a rule book gives no ruling, such as `nothing: by this book it is no error`."""
    finding, book = book_ruling.finding, book_ruling.rule_book
    if finding is None:
        return "nothing: by this book it is no error"
    if finding.name == "result-contestable":
        return describe_rule(finding.code, finding.name, book).verdict
    if not _finds_no_error(book_ruling):
        return explain_missing_clause(finding.code, finding.name, book)
    if finding.name == "dead-cube" and book.is_silent_on("dead_cube") and book.name != BASIC.name:
        return f"nothing: {SILENT} otherwise, and by the base rule it is no error"
    return "nothing: by this book it is no error"
