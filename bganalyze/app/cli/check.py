"""`bganalyze check`: check match files."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bganalyze.app.cli.exit_status import complain, exit_on, print_note, refuse
from bganalyze.app.cli.io import (
    adapt_to_file,
    list_rule_codes,
    load_settings,
    make_output_options,
    report_empty_paths,
    require_writable,
    write,
    write_file,
)
from bganalyze.app.cli.options import (
    Color,
    Encoding,
    Force,
    MaybePaths,
    OnCluster,
    Quiet,
    Rules,
    StoreFolder,
    choice_option,
    choose_paths,
    make_comma_list_completer,
    open_executor,
    value_option,
    workers_option,
)
from bganalyze.app.cli.progress import Progress, make_progress
from bganalyze.app.config import FAIL_ON, Config, rule_book_title
from bganalyze.app.jobs.checked import CheckOutcome, CheckTally, report_no_match_file
from bganalyze.app.jobs.remembered_checks import Memory, check_files
from bganalyze.app.render import FINDING_FORMATS, FindingRenderer, get_finding_renderer
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.rule_book import SWITCHES
from bganalyze.files.limits import reason
from bganalyze.files.reading import (
    FileToRead,
    distinct_paths,
    find_files_in_encoding,
    holds_many_files,
)
from bganalyze.text import number_of
from bganalyze.validation.findings import Selection, Severity, UnknownCodeError, parse_prefixes

if TYPE_CHECKING:
    from collections import Counter

    from bganalyze.app.jobs.baseline import Baseline, Fingerprint

AFTER_ILLEGAL = SWITCHES["after-illegal"]


def _complete_codes(incomplete: str) -> list[tuple[str, str]]:
    """Return the rule codes, with names, that complete the last word of a comma list."""
    from bganalyze.validation.rules import CATALOG  # A run that reads no file needs no rules.

    names = {rule.code: rule.name for rule in CATALOG}
    return make_comma_list_completer(names, names.__getitem__)(incomplete)


def command(
    context: typer.Context,
    paths: MaybePaths = None,
    select: Annotated[
        list[str] | None,
        value_option(
            "CODES",
            "Only these rules, by prefix: --select P,C5",
            autocompletion=_complete_codes,
            show_default="all",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        value_option(
            "CODES",
            "Not these rules; the longest prefix decides: --ignore T108",
            autocompletion=_complete_codes,
            show_default="none",
        ),
    ] = None,
    rules: Rules = None,
    after_illegal: Annotated[
        str | None,
        choice_option(
            AFTER_ILLEGAL.values,
            "HOW",
            "The play that counts after an illegal one.",
            "as the settings file says, or played",
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        choice_option(
            FAIL_ON,
            "SEVERITY",
            "What makes the exit status 1.",
            "as the settings file says, or error",
        ),
    ] = None,
    severity: Annotated[
        str | None,
        choice_option(
            tuple(Severity),
            "SEVERITY",
            "List only findings of this severity or above.",
            "info; as text from several files, warning",
        ),
    ] = None,
    format: Annotated[
        str, choice_option(FINDING_FORMATS, "FORMAT", "How findings are written.")
    ] = "text",
    out: Annotated[
        Path | None, value_option("FILE", "Write to this file instead of the screen.")
    ] = None,
    html: Annotated[
        Path | None,
        value_option("FILE", "Write the findings to this file as one page, and print none."),
    ] = None,
    force: Force = False,
    baseline: Annotated[
        Path | None,
        value_option(
            "FILE",
            "Leave out the findings and unreadable files listed in this file: only new ones count.",
        ),
    ] = None,
    update_baseline: Annotated[
        bool,
        typer.Option(
            "--update-baseline",
            help="Write all present findings and unreadable files to --baseline.",
        ),
    ] = False,
    workers: Annotated[int | None, workers_option("Number of processes that check files.")] = None,
    cluster: OnCluster = None,
    store: StoreFolder = None,
    encoding: Encoding = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Read all files again, even unchanged ones.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the inferred conventions of each file.")
    ] = False,
    quiet: Quiet = False,
    color: Color = "auto",
    full: Annotated[
        bool,
        typer.Option("--full", help="Explain findings in a pipe or a file too, as on a terminal."),
    ] = False,
    board: Annotated[
        bool, typer.Option("--board/--no-board", help="Draw boards in explained findings.")
    ] = True,
) -> None:
    """Check match files: report each broken rule, its place, and what can be done.

    Exit status: 2 if a file could not be read or the call was wrong;
    else 1 if there is a finding at or above --fail-on (error by default)
    that is not corrected; else 0. Findings and unreadable files
    listed in the baseline do not count.
    With --update-baseline it is 0 or 2.

    Settings are read from the nearest bganalyze.toml or pyproject.toml
    in the folder of the first path or above it.

    With --store, unchanged collected files are not read again. Without PATH,
    all collected paths are checked, except URLs. If a path is missing, its
    findings are those of the time when it was collected.

    Example:

        bganalyze check match.mat
        bganalyze check match.mat --full > answer.txt
        bganalyze check matches/ --select P,C --ignore P411 --rules usbgf
        bganalyze check matches/ --severity error
        bganalyze check matches/ --html findings.html
        bganalyze check archive.zip --format csv --out findings.csv
        bganalyze check matches/ --baseline known.jsonl --update-baseline
        bganalyze check matches/ --baseline known.jsonl
        bganalyze check --store club
    """
    options = Config(
        rules=rules,
        select=_split_code_prefixes(select),
        ignore=_split_code_prefixes(ignore),
        fail_on=fail_on,
        switches={"after_illegal": after_illegal} if after_illegal else {},
        encoding=encoding,
    )
    paths = distinct_paths(choose_paths(context, paths, store))
    config = load_settings(paths[0], options)
    several = len(paths) > 1 or holds_many_files(paths[0])
    setting = make_output_options(
        config.rule_book,
        color,
        full=full,
        board=board,
        verbose=verbose,
        quiet=quiet,
        least=_choose_lowest_severity(severity, are_infos_counted=several and format == "text"),
        errors_first=several,
        odds=config.odds,
        only_new=baseline is not None,
    )
    if out is not None and html is not None:
        raise refuse("give either --out or --html, not both")
    require_writable(out or html, force=force)
    listed = _open_baseline(baseline, update=update_baseline)
    tally = CheckTally(None if update_baseline else config.threshold)
    with (
        open_executor(workers, cluster) as executing,
        _open_earlier_results(
            paths,
            rule_book_title(config.rule_book),
            store,
            no_cache=no_cache or config.encoding is not None,
        ) as memory,
        closing(
            check_files(
                _find_files_to_check(paths, memory, config.encoding),
                config.rule_book,
                config.selection,
                memory,
                executing,
            )
        ) as results,
    ):
        counted = tally.count_each(results if listed is None else listed.leave_out_listed(results))
        render = get_finding_renderer(format)
        if format != "text":
            render = _render_with_empty_paths(render, tally, paths)
        if html is not None:
            _write_page(counted, html, setting, paths, force=force, tally=tally)
        elif out is not None:
            _write_findings(counted, render, out, setting, paths, force=force, tally=tally)
        else:
            kept: list[CheckOutcome] = []
            _print_findings(_collect_if_single(counted, kept), render, setting, paths)
            if kept and format == "text" and not setting.quiet:
                _print_next_steps(kept[0], config, rules, full=setting.full)
    if listed is not None:
        _finish_baseline(listed, paths, config.selection, update=update_baseline, quiet=quiet)
    raise report_empty_paths(tally.attempts, paths, tally.status(paths))


@contextmanager
def _open_earlier_results(
    paths: list[str], rule_book: str, store: Path | None, *, no_cache: bool
) -> Iterator[Memory | None]:
    """Provide, in a `with` block, the results of earlier checks from a store or the cache.

    With `no_cache`, there are none, and the value is None.
    """
    if no_cache:
        yield None
        return
    from bganalyze.statistics.store.cache import StoreMemory, open_cache  # Loads SQLite.
    from bganalyze.statistics.store.manifest import MatchStoreError
    from bganalyze.statistics.store.opening import open_store

    with (
        exit_on(MatchStoreError),
        closing(
            open_cache(rule_book, paths)
            if store is None
            else StoreMemory(open_store(store, rule_book))
        ) as memory,
    ):
        yield memory


def _find_files_to_check(
    paths: list[str], memory: Memory | None, encoding: str | None
) -> Iterator[FileToRead]:
    """Yield the files under the paths; for a missing path, the files found there earlier."""
    if memory is None:
        return find_files_in_encoding(paths, encoding)
    return memory.find(
        paths,
        lambda path: complain(f"{path}: missing; these are the findings when it was collected"),
    )


def _split_code_prefixes(lists: list[str] | None) -> tuple[str, ...] | None:
    """Return the prefixes of rule codes in several comma lists, or None without lists."""
    with exit_on(UnknownCodeError):
        return parse_prefixes(lists, list_rule_codes()) if lists else None


def _choose_lowest_severity(severity: str | None, *, are_infos_counted: bool) -> Severity:
    """Return the lowest severity of the findings to list: `severity`, or else a default."""
    if severity is not None:
        return Severity(severity)
    return Severity.WARNING if are_infos_counted else Severity.INFO


def _open_baseline(path: Path | None, *, update: bool) -> "Baseline | None":
    """Return the baseline (known findings) in a file, or None if `path` is None.

    With `update`, a missing file counts as an empty baseline.
    """
    if path is None:
        if update:
            raise refuse("--update-baseline writes the file that --baseline names")
        return None
    from bganalyze.app.jobs.baseline import BaselineError, load_baseline, make_empty_baseline

    # A missing file is made at the end.
    if update and not path.exists():
        return make_empty_baseline(path)
    with exit_on(BaselineError):
        return load_baseline(path)


def _finish_baseline(
    baseline: "Baseline", paths: list[str], selection: Selection, *, update: bool, quiet: bool
) -> None:
    """Print how many findings the baseline left out, and how many of them are gone.

    With `update`, write the new baseline, and print how many findings it has.
    """
    stale = baseline.find_stale(paths, selection)
    file = baseline.path
    if update:
        try:
            written = baseline.write(stale)
        except OSError as error:
            raise refuse(f"{file}: {reason(error)}") from error
        if not quiet:
            removed = f"{stale.total():,} removed"
            print_note(f"wrote {file}: {_count_entries_in_words(written)}, {removed}")
    elif not quiet and baseline.left_out:
        print_note(f"{_count_entries_in_words(baseline.left_out)} listed in {file} left out")
    if not update and baseline.seems_moved(paths, selection):
        print_note(
            f"no finding of {file} matches these paths: was the archive or the baseline moved?"
        )
    if stale and not update and not quiet:
        pronoun = "it" if stale.total() == 1 else "them"
        print_note(
            f"{file}: {_count_entries_in_words(stale)} no longer there; --update-baseline removes {pronoun}"
        )


def _count_entries_in_words(entries: "Counter[Fingerprint]") -> str:
    """Return words on how many entries a baseline has: `3 findings and 1 unreadable file`."""
    files = sum(times for entry, times in entries.items() if entry.is_unreadable_file)
    findings = entries.total() - files
    parts = [number_of(findings, "finding")] if findings or not files else []
    return " and ".join([*parts, *([number_of(files, "unreadable file")] if files else [])])


def _collect_if_single(
    outcomes: Iterable[CheckOutcome], kept: list[CheckOutcome]
) -> Iterator[CheckOutcome]:
    """Yield the outcomes unchanged; if there is only one, of a file read, put it in `kept`."""
    for number, checked in enumerate(outcomes):
        kept[:] = [checked] if number == 0 and checked.record is not None else []
        yield checked


def _print_next_steps(
    checked: CheckOutcome, config: Config, rules: str | None, *, full: bool
) -> None:
    """Print the result of the match that was checked, and commands that may come next.

    `full` means that the output has boards.
    """
    from bganalyze.app.cli.next_steps import list_next_steps  # Replays the file once more.

    write([f"{line}\n" for line in list_next_steps(checked, config, rules, full=full)])


def _print_findings(
    results: Iterable[CheckOutcome],
    render: FindingRenderer,
    setting: OutputOptions,
    paths: list[str],
) -> None:
    """Print the outcomes of a check as `render` writes them; print problems on standard error."""
    with make_progress(paths, quiet=setting.quiet) as progress:
        for piece in render(_print_problems(results, progress), setting):
            with progress.hidden():
                write([piece])


def _write_findings(
    results: Iterable[CheckOutcome],
    render: FindingRenderer,
    path: Path,
    setting: OutputOptions,
    paths: list[str],
    *,
    force: bool,
    tally: CheckTally,
) -> None:
    """Write the outcomes of a check, as `render` writes them, to a file; then print a summary."""
    of_file = adapt_to_file(setting)._replace(full=False)
    with make_progress(paths, quiet=setting.quiet) as progress:
        content = "".join(render(_print_problems(results, progress), of_file))
    summary = _summarize_listed(tally, setting.least)
    write_file(path, content.encode(), force=force, quiet=setting.quiet, summary=summary)


def _write_page(
    results: Iterable[CheckOutcome],
    path: Path,
    setting: OutputOptions,
    paths: list[str],
    *,
    force: bool,
    tally: CheckTally,
) -> None:
    """Write the outcomes of a check to a file as an HTML page, and print a summary."""
    from bganalyze.app.render.findings.page import findings_page

    with make_progress(paths, quiet=setting.quiet) as progress:
        content = findings_page(_print_problems(results, progress), setting)
    summary = _summarize_listed(tally, setting.least)
    write_file(path, content.encode(), force=force, quiet=setting.quiet, summary=summary)


def _summarize_listed(tally: CheckTally, least: Severity) -> str:
    """Return a line such as `3 findings (1 error, 2 infos) of 9 files`.

    It counts only findings of the severity `least` or above.
    """
    counts = [
        number_of(tally.severities[severity], severity)
        for severity in Severity
        if tally.severities[severity] and severity.reaches(least)
    ]
    listed = sum(n for severity, n in tally.severities.items() if severity.reaches(least))
    kinds = f" ({', '.join(counts)})" if counts else ""
    unreadable = len(tally.attempts.unreadable)
    others = f", and {number_of(unreadable, 'unreadable file')}" if unreadable else ""
    files = number_of(tally.attempts.files, "file")
    return f"{number_of(listed, 'finding')}{kinds} of {files}{others}"


def _render_with_empty_paths(
    render: FindingRenderer, tally: CheckTally, paths: list[str]
) -> FindingRenderer:
    """Return a renderer that works like `render`, and also reports paths without a match file."""

    def add_empty_paths(outcomes: Iterable[CheckOutcome]) -> Iterator[CheckOutcome]:
        """Yield the outcomes, then one for each path without a match file."""
        yield from outcomes
        for path in tally.attempts.find_empty_paths(paths):
            yield report_no_match_file(path)

    # A program that reads the output must see why the exit status is 2.
    return lambda outcomes, setting: render(add_empty_paths(outcomes), setting)


_HOW_TO_IGNORE = "a comment that silences a rule is written `bganalyze: ignore T105`"


def _print_problems(outcomes: Iterable[CheckOutcome], progress: Progress) -> Iterator[CheckOutcome]:
    """Print unreadable files and useless `ignore` comments; yield all outcomes unchanged."""
    for checked in progress.count_each(outcomes):
        for line, word in checked.unknown_codes:
            reason = f"no rule code begins with {word!r}" if word else _HOW_TO_IGNORE
            progress.complain(f"{checked.path}:{line}: nothing is ignored: {reason}")
        yield checked
