"""`check`: the findings of files or matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, overload

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import (
    Source,
    call_in_limits_of_matches,
    find_rule_book,
    list_paths,
    make_reiterable,
    read_and_apply_with_path_in_errors,
    yield_files_or_matches,
)
from bganalyze.app.jobs.check import check_content, check_file, check_matches
from bganalyze.app.jobs.checked import CheckOutcome, report_no_match_file
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.addresses import is_archive
from bganalyze.files.reading import FileToRead, holds_many_files
from bganalyze.record.model import Match
from bganalyze.text import Unreadable, number_of
from bganalyze.validation.findings import Finding, Selection, Severity, parse_prefixes
from bganalyze.validation.rules import CODES
from bganalyze.validation.slip_odds import NO_ODDS, Odds

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CheckResult(Sequence[Finding]):
    """The findings of a check, in the order of the files and of their places."""

    files: tuple[CheckOutcome, ...]
    """The outcome of each file, including files that are not match files."""
    rule_book: RuleBook
    """The rule book of the check."""
    odds: Odds = NO_ODDS
    """Odds of transcription slips against players' errors."""
    empty: tuple[str, ...] = ()
    """Folders and archives that were named and hold no match file."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings that no `ignore` comment in the match file silences."""
        each = (finding for checked in self.files for finding in checked.findings)
        return tuple(finding.under(self.odds) for finding in each)

    @property
    def ok(self) -> bool:
        """Whether all match files were read and have no uncorrected error.

        A named folder or archive without a match file makes this False.
        """
        if self.unreadable or self.empty:
            return False
        return not any(one.fails(Severity.ERROR) for one in self.findings)

    @property
    def skipped(self) -> int:
        """Number of files in folders and archives that are no match files."""
        return sum(one.is_skipped for one in self.files)

    @property
    def unreadable(self) -> tuple[Unreadable, ...]:
        """Match files that could not be read, with the reason."""
        return tuple(Unreadable(one.path, one.error) for one in self.files if one.error is not None)

    @overload
    def __getitem__(self, place: int) -> Finding: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Finding, ...]: ...
    def __getitem__(self, place: int | slice) -> Finding | tuple[Finding, ...]:
        """Return the finding at an index, or those of a slice."""
        return self.findings[place]

    def __len__(self) -> int:
        """Return the number of findings."""
        return len(self.findings)

    def __repr__(self) -> str:
        """The number of files read, findings of each severity, and files skipped or unreadable."""
        counts = [sum(one.severity is severity for one in self.findings) for severity in Severity]
        words = (
            number_of(count, str(severity))
            for count, severity in zip(counts, Severity, strict=True)
        )
        skipped = f", {self.skipped:,} skipped" if self.skipped else ""
        unreadable = f", {len(self.unreadable):,} unreadable" if self.unreadable else ""
        read = sum(one.is_read for one in self.files)
        return f"<{number_of(read, 'file')}: {', '.join(words)}{skipped}{unreadable}>"

    def to_frame(self) -> pd.DataFrame:
        """Return a table of the findings, with the columns of `check --format csv`."""
        import pandas as pd

        from bganalyze.app.render.findings.machine import KEYS, make_csv_record

        return pd.DataFrame(
            [make_csv_record(one, self.rule_book) for one in self.findings], columns=list(KEYS)
        )

    def render(self, format: str = "text") -> str:
        """Return the findings in a format of `bganalyze check`, or as a page of `html`.

        Raises ValueError for an unknown format.
        """
        from bganalyze.app.render import FINDING_FORMATS, get_finding_renderer, require_format
        from bganalyze.app.render.output_options import plain_output_options

        setting = plain_output_options(self.rule_book, self.odds)
        if format == "html":
            from bganalyze.app.render.findings.page import findings_page

            return findings_page(self.files, setting)
        require_format(format, (*FINDING_FORMATS, "html"))
        without_match = () if format == "text" else map(report_no_match_file, self.empty)
        return "".join(get_finding_renderer(format)((*self.files, *without_match), setting))

    def _repr_html_(self) -> str:
        """The findings with their boards, for notebooks."""
        from bganalyze.app.render.notebook import findings_html

        return findings_html(self.files, self.rule_book, self.odds)


@check_arguments
def check(
    source: Source,
    rules: str | RuleBook = BASIC,
    *,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    odds: Odds = NO_ODDS,
    name: str | None = None,
    encoding: str | None = None,
) -> CheckResult:
    r"""Check files or matches by a rule book: a name, a TOML file, or a `RuleBook`.

    - `select` and `ignore` are prefixes of rule codes: `"P,C5"` or a list.
    - `odds` say how often errors are the transcriber's slips rather than the player's errors, such
      as `Odds({"slips": Ratio(3, 1)})`.
    - `name` is the file name for bytes or an open file.
    - `encoding` is the encoding of the files, detected by default.

    Errors in files come with their likely causes, errors in `Match` values do not. Raises
    NotATranscript and UnreadableError for a named file that cannot be read, and ValueError for an
    unknown rule book, code or encoding.

    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/4\n"
    >>> result = check(text, name="a.mat")
    >>> result
    <1 file: 1 error, 0 warnings, 1 info>
    >>> [finding.code for finding in result], result.ok
    (['T107', 'P404'], False)
    """
    rule_book = find_rule_book(rules)
    selection = Selection(_split_code_prefixes(select), _split_code_prefixes(ignore))
    kept = make_reiterable(source)
    with ExitStack() as opened:
        parts = yield_files_or_matches(kept, name, opened, encoding)
        files = tuple(_check_file_or_matches(part, rule_book, selection) for part in parts)
    return CheckResult(
        files, rule_book, odds, tuple(_find_paths_without_matches(kept, name, files))
    )


def _find_paths_without_matches(
    source: Source, name: str | None, outcomes: Iterable[CheckOutcome]
) -> Iterator[str]:
    """Yield the folders and archives of a source that hold no match file.

    `outcomes` are the results of checking the files of the source.
    """
    accounted = {one.root for one in outcomes if one.skipped is None}
    for path in list_paths(source, name):
        if path not in accounted and (is_archive(path) or holds_many_files(path)):
            yield path


def _split_code_prefixes(codes: str | Iterable[str]) -> tuple[str, ...]:
    """Return the prefixes of rule codes in a comma-separated list, or in several.

    >>> _split_code_prefixes("P,C5"), _split_code_prefixes(["P", "C5"])
    (('P', 'C5'), ('P', 'C5'))
    """
    return parse_prefixes([codes] if isinstance(codes, str) else codes, CODES)


def _check_file_or_matches(
    part: FileToRead | tuple[Match, ...], rule_book: RuleBook, selection: Selection
) -> CheckOutcome:
    """Check a file, or matches already read from one file, by the selected rules."""
    if not isinstance(part, FileToRead):
        return call_in_limits_of_matches(part, partial(check_matches, part, rule_book, selection))
    if not part.named:
        return check_file(part, rule_book, selection)
    return read_and_apply_with_path_in_errors(
        part, partial(check_content, item=part, rule_book=rule_book, selection=selection)
    )
