"""An examined upload as JSON."""

# Annotations are values here, not text: a schema is made of them.

from typing import Annotated, Any, Literal, TypedDict

from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.uploads import ExaminedFinding
from bganalyze.app.render.matches import as_record
from bganalyze.board.rule_book import RuleBook
from bganalyze.statistics.match_list import ListedMatch
from bganalyze.text import Unreadable

VERSION = 1
"""The version of the schema of examinations."""


class ExaminationObject(TypedDict):
    """An upload, as `bganalyze examine` writes it: one object for each file that is named."""

    version: Literal[1]
    """The version of this schema."""
    name: str
    """The name of the upload, as given. It is only a label."""
    rule_book: Annotated[RuleBook, str]
    """The rule book the upload was checked by."""
    ok: bool
    """Whether everything could be read, there is a match, and no error is left except corrected ones."""
    is_empty: bool
    """Whether it is an archive in which no match file was found."""
    is_search_complete: bool
    """Whether no limit ended the search for repairs; if False, errors may have proposals that are not listed."""
    unreadable: tuple[Unreadable, ...]
    """The upload, or members of an archive, that could not be read, with the reason."""
    skipped: tuple[Unreadable, ...]
    """Members of an archive that are no match files, with the reason."""
    matches: tuple[ListedMatch, ...]
    """The matches, in the order of the files."""
    findings: tuple[ExaminedFinding, ...]
    """The findings of `check`, in the order of the files and of their places."""
    appearing: tuple[ExaminedFinding, ...]
    """Errors that only appear once the likeliest proposals are made, with theirs."""


def make_examination_record(examined: object, rule_book: RuleBook) -> dict[str, Any]:
    """Return the examination of an uploaded file as a dictionary for JSON.

    `examined` is any object that has the dictionary's values as attributes.
    """
    keys = [key for key in ExaminationObject.__annotations__ if key not in ("version", "rule_book")]
    record = {key: as_record(getattr(examined, key)) for key in keys}
    return {"version": VERSION, **record, "rule_book": rule_book_title(rule_book)}
