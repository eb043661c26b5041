"""Repairs for the page: proposals for a file, and the file with the chosen proposals."""

from __future__ import annotations

import base64
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from bganalyze.app.jobs.repair import OWN_TEXT, RepairSearch, is_proposed
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.proposals import diff_lines, note_above_proposals, proposal_line
from bganalyze.app.serving.events import CauseFound, FileRepaired, SearchEnded
from bganalyze.app.serving.requests import Request, RequestError, open_requested_file
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.outputs import make_safe_parts
from bganalyze.files.reading import MEMBER_MARK, FileToRead, load_file
from bganalyze.repairing.applying import ChosenProposal
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.text import printable
from bganalyze.validation.findings import Finding, Proposal
from bganalyze.validation.rules.words import place_in_words
from bganalyze.writing import WRITERS

PLAIN = OutputOptions()


def propose(request: Request) -> Iterator[CauseFound | SearchEnded]:
    """Yield each error of a file with its proposed repairs, as soon as they are found.

    The last event counts the errors.
    """
    with open_requested_file(request) as item:
        search = _get_repair_search(load_file(item), item.path, request.rule_book)
    for number, cause in enumerate(search, start=1):
        yield _make_error_event(number, cause)
    yield {"kind": "searched", "errors": len(search.file.errors)}


def repair(request: Request) -> Iterator[FileRepaired]:
    """Yield the requested file, changed by the repairs that the request chooses."""
    with open_requested_file(request) as item:
        search = _get_repair_search(load_file(item), item.path, request.rule_book)
    result = search.apply_chosen(_read_choices(request, tuple(search)))
    outcome = search.make_outcome(result, item.root)
    yield {
        "kind": "repaired",
        "name": _name_repaired(item, search),
        "data": base64.b64encode(result.data).decode(),
        "diff": diff_lines(outcome, PLAIN),
        "errorsBefore": result.errors_before,
        "errorsAfter": result.errors_after,
        "leftOut": list(map(str, result.left_out)),
    }


class RequestedMatches(NamedTuple):
    """The file that a request is about, repaired as chosen, with the repairs made."""

    item: FileToRead
    made: Mapping[int, Sequence[tuple[Finding, Proposal]]] = MappingProxyType({})
    """The repairs made, each with its finding, by the number of their match."""


@contextmanager
def open_repaired_file(request: Request) -> Iterator[RequestedMatches]:
    """Provide, in a `with` block, the requested file with the repairs that the request chooses."""
    with open_requested_file(request) as item:
        if not request.options.get("chosen"):
            yield RequestedMatches(item)
            return
        search = _get_repair_search(load_file(item), item.path, request.rule_book)
        causes = tuple(search)
        result = search.apply_chosen(_read_choices(request, causes))
        made: dict[int, list[tuple[Finding, Proposal]]] = defaultdict(list)
        for choice in result.made:
            finding, proposal = _find_proposal(causes, choice)
            made[finding.match].append((finding, proposal))
        name = _name_repaired(item, search)
        yield RequestedMatches(FileToRead(name, name, held=result.data), made)


def _find_proposal(
    causes: Sequence[RepairableFinding], choice: ChosenProposal
) -> tuple[Finding, Proposal]:
    """Return the proposed repair with the number `choice`, after the error that it repairs."""
    cause = causes[choice.cause - 1]
    return cause.finding, cause.proposals[choice.rank - 1]


@lru_cache(maxsize=4)
def _get_repair_search(content: bytes, path: str, rule_book: RuleBook) -> RepairSearch:
    """Return the search for repairs of a file. It is cached, so that it can be continued."""
    return RepairSearch(content, path, rule_book)


def _read_choices(request: Request, causes: Sequence[RepairableFinding]) -> list[ChosenProposal]:
    """Return the numbers, such as 2.1, of the repairs that a request chooses.

    Raises RequestError if no proposed repair has such a number.
    """
    chosen = [ChosenProposal(cause, rank) for cause, rank in request.options["chosen"]]
    if not all(min(choice) > 0 and is_proposed(causes, choice) for choice in chosen):
        raise RequestError("a chosen proposal does not exist")
    return chosen


def _make_error_event(error_number: int, cause: RepairableFinding) -> CauseFound:
    """Return an error and its proposed repairs as an event for the web page."""
    finding = cause.finding
    return {
        "kind": "cause",
        "number": error_number,
        "code": finding.code,
        "severity": finding.severity,
        "message": printable(finding.message),
        "where": printable(place_in_words(finding)),
        "line": finding.line,
        "note": note_above_proposals(cause),
        "proposals": [
            {"text": proposal_line(finding, proposal, PLAIN), "proved": proposal.proved}
            for proposal in cause.proposals
        ],
    }


def _name_repaired(item: FileToRead, search: RepairSearch) -> str:
    """Return the name of a repaired file, such as `final-repaired.mat`."""
    extension = WRITERS[OWN_TEXT].extension if search.is_converted else None
    return make_output_name(item.path, extension, "-repaired")


def make_output_name(path: str, extension: str | None = None, mark: str = "") -> str:
    """Return a file name, valid on every system, for the output made from the file at `path`.

    >>> make_output_name("club/final.xg", ".mat"), make_output_name("final?.mat", mark="-repaired")
    ('final.mat', 'final_-repaired.mat')
    """
    name = make_safe_parts(path.replace(MEMBER_MARK, "/"), "")[-1]
    start, given = os.path.splitext(name)
    return make_safe_parts(start + mark, given if extension is None else extension)[-1]
