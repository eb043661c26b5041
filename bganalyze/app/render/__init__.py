"""Output formats. All output of the package is formatted here.

A format is a function with a line in one of the tables below. The line names the function like an
entry point, `module:function`, so that it is imported only when used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeAlias

from bganalyze.app.render.output_options import UNLIMITED
from bganalyze.text import did_you_mean

if TYPE_CHECKING:
    from bganalyze.analysis.gain_of_illegal import PlayGain
    from bganalyze.analysis.select import SelectedDecision
    from bganalyze.app.jobs.checked import CheckOutcome
    from bganalyze.app.jobs.repair import RepairOutcome
    from bganalyze.app.render.output_options import OutputOptions
    from bganalyze.statistics.claimed_results.verdicts import Verification
    from bganalyze.statistics.match_list import ListedMatch
    from bganalyze.statistics.match_report import MatchReport
    from bganalyze.statistics.norms import NormTable
    from bganalyze.statistics.profiles import PlayerProfile
    from bganalyze.statistics.reports.answer import ReportAnswer
    from bganalyze.statistics.store.query import QueryResult
    from bganalyze.validation.cases import Case

FINDING_FORMATS = {
    "text": "bganalyze.app.render.findings.text:render",
    "json": "bganalyze.app.render.findings.machine:render_json",
    "jsonl": "bganalyze.app.render.findings.machine:render_jsonl",
    "json-object": "bganalyze.app.render.findings.machine:render_json_object",
    "sarif": "bganalyze.app.render.findings.machine:render_sarif",
    "github": "bganalyze.app.render.findings.machine:render_github",
    "csv": "bganalyze.app.render.findings.machine:render_csv",
}
"""The output formats of `check`."""

ANSWER_FORMATS = {
    "table": "bganalyze.app.render.answers:render_table",
    "csv": "bganalyze.app.render.data:render_answer_csv",
    "json": "bganalyze.app.render.data:render_answer_json",
    "markdown": "bganalyze.app.render.answers:render_markdown",
}
"""The output formats of `stats`."""

_OVERVIEW = {"table": "bganalyze.app.render.answers:render_overview"}
"""The output format of the first table of an answer."""

DECISION_FORMATS = {
    "csv": "bganalyze.app.render.decisions:render_csv",
    "parquet": "bganalyze.app.render.decisions:render_parquet",
    "xgid": "bganalyze.app.render.decisions:render_xgids",
    "cards": "bganalyze.app.render.cards:render_cards",
    "markdown": "bganalyze.app.render.forum:render_posts",
}
"""The output formats of `export`."""

REPORT_FORMATS = {
    "text": "bganalyze.app.render.match_report:render_text",
    "json": "bganalyze.app.render.data:render_matches_json",
    "markdown": "bganalyze.app.render.match_report:render_markdown",
}
"""The output formats of `report`, besides the page of HTML."""

MATCH_FORMATS = {
    "text": "bganalyze.app.render.matches:render_text",
    "csv": "bganalyze.app.render.matches:render_csv",
    "json": "bganalyze.app.render.matches:render_json",
    "jsonl": "bganalyze.app.render.matches:render_jsonl",
    "html": "bganalyze.app.render.matches:render_html",
}
"""The output formats of `matches`."""

VERIFICATION_FORMATS = {
    "text": "bganalyze.app.render.verification:render_text",
    "csv": "bganalyze.app.render.verification:render_csv",
    "json": "bganalyze.app.render.verification:render_json",
    "html": "bganalyze.app.render.verification:render_html",
}
"""The output formats of `verify`."""

RULING_FORMATS = {
    "text": "bganalyze.app.render.ruling:render_text",
    "json": "bganalyze.app.render.ruling:render_json",
    "markdown": "bganalyze.app.render.ruling:render_markdown",
}
"""The output formats of `ruling`, besides the page of HTML."""

PROFILE_FORMATS = {
    "text": "bganalyze.app.render.profile:render_text",
    "markdown": "bganalyze.app.render.profile:render_markdown",
    "csv": "bganalyze.app.render.profile:render_csv",
    "matches": "bganalyze.app.render.profile:render_matches",
}
"""The output formats of `profile`, besides the page of HTML."""

NORM_FORMATS = {
    "text": "bganalyze.app.render.norms:render_text",
    "csv": "bganalyze.app.render.norms:render_csv",
    "toml": "bganalyze.app.render.norms:render_toml",
}
"""The output formats of `norms`."""

QUERY_FORMATS = {
    "table": "bganalyze.app.render.query:render_table",
    "csv": "bganalyze.app.render.query:render_csv",
    "json": "bganalyze.app.render.query:render_json",
    "jsonl": "bganalyze.app.render.query:render_jsonl",
    "parquet": "bganalyze.app.render.query:render_parquet",
}
"""The output formats of `query`."""

_PROSE = ("text", "table")
"""The formats for people to read, whose long lines a terminal folds."""

PROPOSAL_FORMATS = {
    "text": "bganalyze.app.render.proposals:render_text",
    "diff": "bganalyze.app.render.proposals:render_diff",
    "jsonl": "bganalyze.app.render.proposals:render_jsonl",
    "sarif": "bganalyze.app.render.proposals:render_sarif",
}
"""The output formats of `repair`."""


def _import_renderer(formats: Mapping[str, str], name: str) -> Callable[..., Iterator[Any]]:
    """Import and return the function that writes the format `name`.

    `formats` maps names of formats to `module:function`.
    """
    render: Callable[..., Iterator[Any]] = resolve_name(formats[name])
    if name not in _PROSE:
        return render
    return lambda *arguments: fold_prose(render(*arguments), arguments[-1])


def fold_prose(pieces: Iterable[str], setting: OutputOptions) -> Iterator[str]:
    """Yield texts with their lines folded to `setting.prose_width`, unless it is unlimited."""
    if setting.prose_width >= UNLIMITED:
        yield from pieces
        return
    from bganalyze.app.render.folding import fold_lines  # Loads Rich.

    yield from fold_lines(pieces, setting)


def render_proposals(results: Iterable[RepairOutcome], name: str, setting: OutputOptions) -> str:
    """Return the proposed repairs of files, written in the `repair` format called `name`."""
    return b"".join(_encode_texts(get_proposal_renderer(name)(results, setting))).decode()


ProposalRenderer: TypeAlias = (
    "Callable[[Iterable[RepairOutcome], OutputOptions], Iterator[str | bytes]]"
)
"""A function that yields proposals in one format, as they arrive: text, or bytes of files."""

FindingRenderer: TypeAlias = "Callable[[Iterable[CheckOutcome], OutputOptions], Iterator[str]]"
"""A function that yields results of a check in one format, as they arrive."""

MatchRenderer: TypeAlias = "Callable[[Iterable[ListedMatch], OutputOptions], Iterator[str]]"
"""A function that yields a list of matches in one format, as they arrive."""

VerificationRenderer: TypeAlias = "Callable[[Verification, OutputOptions], Iterator[str]]"
"""A function that yields the verification of results in one format."""

AnswerRenderer: TypeAlias = "Callable[[ReportAnswer, OutputOptions], Iterator[str]]"
"""A function that yields an answer in one format."""


def require_format(name: str, formats: Collection[str]) -> None:
    """Raise ValueError if `formats` has no format called `name`."""
    if name not in formats:
        hint = did_you_mean(name, formats)
        raise ValueError(f"{name!r} is not a format; choose from {', '.join(formats)}{hint}")


def get_proposal_renderer(name: str) -> ProposalRenderer:
    """Return the function that writes proposed repairs in the `repair` format called `name`."""
    return _import_renderer(PROPOSAL_FORMATS, name)


def get_finding_renderer(name: str) -> FindingRenderer:
    """Return the function that writes findings in the `check` format called `name`."""
    return _import_renderer(FINDING_FORMATS, name)


def get_match_renderer(name: str) -> MatchRenderer:
    """Return the function that writes lists of matches in the `matches` format called `name`."""
    return _import_renderer(MATCH_FORMATS, name)


def get_verification_renderer(name: str) -> VerificationRenderer:
    """Return the function that writes verdicts on claims in the `verify` format called `name`."""
    return _import_renderer(VERIFICATION_FORMATS, name)


def get_answer_renderer(name: str) -> AnswerRenderer:
    """Return the function that writes reports over many matches in the `stats` format `name`."""
    return _import_renderer(ANSWER_FORMATS, name)


def render_overview(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield the first table of some reports as text, cut so that it fits a screen."""
    return _import_renderer(_OVERVIEW, "table")(answer, setting)


def render_reports(
    reports: Sequence[MatchReport], name: str, setting: OutputOptions
) -> Iterator[str]:
    """Yield the reports on a file's matches in the `report` format called `name`."""
    return _import_renderer(REPORT_FORMATS, name)(reports, setting)


def render_ruling(
    case: Case, gain_over_best_legal: PlayGain | None, format_name: str, setting: OutputOptions
) -> Iterator[str]:
    """Yield a director's sheet on one error (`case`), in a `ruling` format.

    `gain_over_best_legal` compares an illegal play with the best legal one; None leaves that out.
    """
    return _import_renderer(RULING_FORMATS, format_name)(case, gain_over_best_legal, setting)


def render_profile(profile: PlayerProfile, name: str, setting: OutputOptions) -> Iterator[str]:
    """Yield a player's profile, in the `profile` format called `name`."""
    return _import_renderer(PROFILE_FORMATS, name)(profile, setting)


def render_norms(table: NormTable, name: str, setting: OutputOptions) -> Iterator[str]:
    """Yield norms (usual error rates), in the `norms` format called `name`."""
    return _import_renderer(NORM_FORMATS, name)(table, setting)


def render_decisions(decisions: Iterable[SelectedDecision], name: str) -> Iterator[bytes]:
    """Yield analyzed decisions in the `export` format called `name`.

    Text is encoded as UTF-8.
    """
    yield from _encode_texts(resolve_name(DECISION_FORMATS[name])(decisions))


def render_query_result(
    answered: QueryResult, format_name: str, setting: OutputOptions
) -> Iterator[bytes]:
    """Yield the rows that a query returned, in the `query` format called `format_name`.

    Text is encoded as UTF-8.
    """
    yield from _encode_texts(resolve_name(QUERY_FORMATS[format_name])(answered, setting))


def _encode_texts(pieces: Iterable[str | bytes]) -> Iterator[bytes]:
    """Yield each piece as bytes: a text encoded as UTF-8, bytes unchanged."""
    return (piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)
