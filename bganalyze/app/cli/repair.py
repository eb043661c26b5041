"""`bganalyze repair`: likely transcription slips in match files, and edits that repair them."""

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from bganalyze import NAME
from bganalyze.analysis.engines import EngineError
from bganalyze.app.cli.exit_status import FAULT, exit_on, print_note, refuse
from bganalyze.app.cli.io import (
    load_settings,
    make_output_options,
    report_empty_paths,
    write,
    write_bytes,
)
from bganalyze.app.cli.options import (
    Color,
    Encoding,
    Force,
    Paths,
    Quiet,
    Rules,
    choice_option,
    value_option,
)
from bganalyze.app.cli.output_paths import STANDARD_OUTPUT
from bganalyze.app.cli.progress import Progress, make_progress
from bganalyze.app.cli.repaired import (
    Destination,
    InPlace,
    OtherDestination,
    can_change_in_place,
    require_unchanged,
)
from bganalyze.app.config import Config
from bganalyze.app.jobs.executor import WorkerError, map_files
from bganalyze.app.jobs.outcome import CLEAN, FAILED, FileCounts
from bganalyze.app.jobs.repair import RepairOutcome, is_proposed, search_file
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.render import PROPOSAL_FORMATS, get_proposal_renderer
from bganalyze.files.reading import FileToRead, UnreadableError, distinct_paths, find_files
from bganalyze.packages import OPEN_SAGE, how_to_add
from bganalyze.repairing.applying import (
    ChosenProposal,
    explain_left_out,
    find_first_harmless_repair,
    parse_number_of_proposal,
)
from bganalyze.repairing.prior import PlayPrior, rate_plays_by_appearance, rate_plays_by_engine

_OUT = "--write --out PLACE"


def _check_choices(text: str | None) -> str | None:
    """Return the value of `--choose` unchanged; end the run if it is not like `2,3.2`."""
    if text is not None:
        choices = list(map(_parse_choice, text.split(",")))
        if len({choice.cause for choice in choices}) < len(choices):
            raise typer.BadParameter(f"{text!r} chooses two proposals of one cause")
    return text


def _parse_choice(word: str) -> ChosenProposal:
    """Return the number of a proposal that a word such as `2.3` states; end the run for others."""
    try:
        return parse_number_of_proposal(word)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def command(
    paths: Paths,
    rules: Rules = None,
    format: Annotated[
        str, choice_option(PROPOSAL_FORMATS, "FORMAT", "How proposals are written.")
    ] = "text",
    write_it: Annotated[
        bool,
        typer.Option("--write", help="Write the repaired files, to --out or --in-place."),
    ] = False,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Change the files themselves.")
    ] = False,
    out: Annotated[
        str | None,
        value_option(
            "PLACE",
            "The file to write, or the folder for several; - is standard output.",
        ),
    ] = None,
    choose: Annotated[
        str | None,
        value_option(
            "NUMBERS",
            "For one file: apply these proposals, too, or instead of proved ones. 2 is the "
            "first proposal for cause 2, 2.3 the third.",
            callback=_check_choices,
        ),
    ] = None,
    interactive: Annotated[
        bool,
        typer.Option(
            "--interactive",
            "-i",
            help="Step through the errors on the terminal, saving after each.",
        ),
    ] = False,
    engine: Annotated[
        bool,
        typer.Option(
            "--engine",
            help="Rate the likelihood of plays with an engine (Open Sage).",
        ),
    ] = False,
    encoding: Encoding = None,
    force: Force = False,
    workers: Annotated[
        int, value_option("N", "Number of processes that look for repairs.", min=1)
    ] = os.cpu_count() or 1,
    quiet: Quiet = False,
    color: Color = "auto",
) -> None:
    """Propose edits that repair the errors of a match file.

    A repair is proved if no other edit that was tried fits the match. Proved
    repairs are shown as a diff. Below it, the likely causes of the errors are
    numbered, each with its proposed edits; --choose takes these numbers. Only
    --write and --interactive write files. Each repaired file is checked again;
    a repair that causes more errors, or new ones, is left out.

    Only files with a proved or chosen repair are written; the others are not
    copied to --out.

    A binary file is repaired as text: --in-place writes a .bgm file beside it,
    --out a .bgm or .mat file.

    Exit status: 2 if a file could not be read or written, or the call was
    wrong; else 1 if errors remain after the repairs; else 0.

    Example:

        bganalyze repair match.mat
        bganalyze repair match.mat --format diff > match.diff
        bganalyze repair match.mat --write --in-place
        bganalyze repair match.mat --choose 2,3.2 --write --out repaired.mat
        bganalyze repair matches/ --write --out repaired/
        bganalyze repair match.mat --interactive --out repaired.mat
    """
    paths = distinct_paths(paths)
    items = list(find_files(paths))
    chosen = [_parse_choice(word) for word in choose.split(",")] if choose else []
    _require_consistent_options(
        items, writes=write_it or interactive, in_place=in_place, out=out, chosen=bool(chosen)
    )
    config = load_settings(paths[0], Config(rules=rules, encoding=encoding))
    items = [item._replace(encoding=config.encoding) for item in items]
    setting = make_output_options(config.rule_book, color, quiet=quiet, odds=config.odds)
    prior = _require_engine_to_rate_plays() if engine else rate_plays_by_appearance
    if interactive:
        from bganalyze.app.cli.repair_session import repair_interactively, require_terminal

        require_terminal(items, out)
        place = _choose_destination(items, out, in_place=in_place, force=force, quiet=quiet)
        raise typer.Exit(repair_interactively(items, place, setting, prior, force=force))
    destination = (
        _choose_destination(items, out, in_place=in_place, force=force, quiet=quiet)
        if write_it
        else None
    )
    counts, run = FileCounts(), _RepairRun(items, destination, chosen, quiet, rules)
    job = partial(search_file, rule_book=config.rule_book, chosen=chosen, rate_plays=prior)
    render = get_proposal_renderer(format)
    with (
        closing(map_files(job, items, Processes(workers))) as results,
        make_progress(paths, quiet=quiet) as progress,
        exit_on(WorkerError),
    ):
        for piece in render(
            run.write_each(progress.count_each(counts.count_each(results)), progress), setting
        ):
            if out != STANDARD_OUTPUT:
                with progress.hidden():
                    _print_piece(piece)
    if not quiet:
        for note in run.closing_notes(format):
            print_note(note)
    status = FAILED if run.errors_left else CLEAN
    raise report_empty_paths(counts, paths, FAULT if run.failed else counts.status(paths, status))


def _require_engine_to_rate_plays() -> PlayPrior:
    """Return the function with which Open Sage rates plays; end the run without Open Sage."""
    if find_spec("bgsage") is None:
        raise refuse(f"--engine needs Open Sage: {how_to_add(OPEN_SAGE)}")
    try:
        rate_plays_by_engine(())
    except EngineError as error:
        raise refuse(error) from error
    return rate_plays_by_engine


def _require_consistent_options(
    items: Sequence[FileToRead], *, writes: bool, in_place: bool, out: str | None, chosen: bool
) -> None:
    """End the run if options for writing repaired files contradict each other."""
    if writes and in_place == (out is not None):
        raise refuse("where to? --in-place changes the files themselves, --out PLACE writes others")
    if not writes and (in_place or out is not None):
        raise refuse("--in-place and --out go with --write or --interactive")
    if chosen and not (len(items) == 1 and items[0].named):
        raise refuse("--choose is for one file; name one")
    if out == STANDARD_OUTPUT and len(items) != 1:
        raise refuse("only one file goes to standard output")


def _choose_destination(
    items: Sequence[FileToRead], out: str | None, *, in_place: bool, force: bool, quiet: bool
) -> Destination:
    """Return the destination of repaired files: the files themselves, or `out`."""
    if in_place or out is None:
        return InPlace(force=force)
    return OtherDestination(items, out, force=force, quiet=quiet)


def _print_piece(piece: str | bytes) -> None:
    """Print one piece of the list of proposed repairs."""
    if isinstance(piece, bytes):
        write_bytes([piece])
    else:
        write([piece])


CUT_SHORT = (
    "the search for causes ended at its limit, so some errors may have causes that are not shown"
)
AGAIN = "; write what is proved, and run repair again"


@dataclass(slots=True)
class _RepairRun:
    """A run of `repair`: where it writes the repaired files, and its counts."""

    items: Sequence[FileToRead]
    destination: Destination | None
    chosen: Sequence[ChosenProposal]
    quiet: bool
    rules: str | None = None
    """The rule book as the user named it."""
    read: int = 0
    changed: int = 0
    proposals: int = 0
    first_choice: tuple[FileToRead, ChosenProposal] | None = None
    """The first proposal that can be made alone, and its file."""
    errors: int = 0
    errors_left: int = 0
    failed: bool = False

    def write_each(
        self, results: Iterable[RepairOutcome], progress: Progress
    ) -> Iterator[RepairOutcome]:
        """Write the repaired files, and yield each outcome, with the path if it was written."""
        for item, outcome in zip(self.items, results, strict=True):
            repaired, written_path = outcome.repaired, None
            if repaired is not None:
                _require_choices(outcome, self.chosen)
                self.read += 1
                self.changed += outcome.is_changed
                self.errors += repaired.errors_before
                self.errors_left += repaired.errors_after
                self.proposals += sum(len(cause.proposals) for cause in outcome.causes)
                if self.first_choice is None and (
                    choice := find_first_harmless_repair(outcome.causes)
                ):
                    self.first_choice = item, choice
                for choice in repaired.left_out:
                    progress.complain(
                        f"{item}: {choice} is left out: {explain_left_out(outcome.causes, repaired, choice)}"
                    )
                if outcome.is_cut_short:
                    progress.complain(
                        f"{item}: {CUT_SHORT}{AGAIN if repaired.made and not self.destination else ''}"
                    )
                written_path = self._write_one(item, outcome, repaired.data, progress)
            yield replace(outcome, written_path=written_path)

    def _write_one(
        self, item: FileToRead, outcome: RepairOutcome, content: bytes, progress: Progress
    ) -> str | None:
        """Write the repaired content of one file, and return the path written.

        Returns None if there is nothing to write, or if writing fails.
        """
        if self.destination is None or not (outcome.is_changed or self._writes_to_standard_output):
            return None
        try:
            require_unchanged(item, outcome.text)
            is_converted = outcome.is_converted
            is_itself = self.destination.path(item, is_converted=is_converted) == item.path
            expected_content = outcome.text if is_itself else None
            written = self.destination.write_file(
                content, item, expected_content, is_converted=is_converted
            )
        except UnreadableError as error:
            progress.complain(f"{item}: {error}")
            self.failed = True
            return None
        if written.path != STANDARD_OUTPUT and not self.quiet:
            with progress.hidden():
                print_note(f"wrote {written.path}")
        return written.path

    def closing_notes(self, format: str) -> Iterator[str]:
        """Yield lines on why no file was written, and how to have one written."""
        if self.changed and self.destination is None and format == "text":
            where = (
                "--write --in-place, or --write --out PLACE" if self.can_change_in_place else _OUT
            )
            yield f"nothing written; to write it, use {where}"
        if self.changed or not self.read:
            return
        if self.destination is None and format == "text" and self.proposals and not self.chosen:
            if self.first_choice is None:
                yield "nothing is proved, and no proposal alone repairs an error"
            else:
                how = self._say_how_to_choose(*self.first_choice)
                yield f"nothing is proved; to make a proposal, {how}"
        if self.destination is not None and not self._writes_to_standard_output:
            yield f"nothing written: {self._reason_unchanged}"
        elif self.destination is None and format == "diff":
            yield f"the diff is empty: {self._reason_unchanged}"

    def _say_how_to_choose(self, item: FileToRead, choice: ChosenProposal) -> str:
        """Return the options or the command with which a user makes the repair `choice`."""
        in_place = can_change_in_place(item)
        place = f"fixed{Path(item.path).suffix}" if in_place else "PLACE"
        options = f"--choose {choice} --write --out {place}"
        if len(self.items) == 1:
            return f"add its number: {options}"
        if not in_place:
            return "repair its file alone, and name its number: --choose"
        book = [] if self.rules is None else ["--rules", self.rules]
        command = shlex.join([NAME, "repair", item.path, *book])
        return f"name its file and its number: {command} {options}"

    @property
    def _reason_unchanged(self) -> str:
        """The reason why no repair was made."""
        if not self.errors:
            return "there is no error to repair"
        if not self.proposals:
            return "no repair was found"
        if self.chosen:
            return "the chosen repairs could not be made"
        hint = "; --choose takes a proposal by its number" if len(self.items) == 1 else ""
        return f"no repair is proved{hint}"

    @property
    def can_change_in_place(self) -> bool:
        """Whether all files are plain files on this machine, which can be changed in place."""
        return all(map(can_change_in_place, self.items))

    @property
    def _writes_to_standard_output(self) -> bool:
        """Whether the repaired file goes to standard output."""
        return (
            isinstance(self.destination, OtherDestination) and self.destination.is_standard_output
        )


def _require_choices(outcome: RepairOutcome, chosen: Sequence[ChosenProposal]) -> None:
    """End the run if a number in `chosen`, such as 2.3, names no proposed repair."""
    for choice in chosen:
        if not is_proposed(outcome.causes, choice):
            numbers = [
                str(ChosenProposal(number, len(cause.proposals)))
                for number, cause in enumerate(outcome.causes, start=1)
            ]
            hint = f"the last of each cause: {', '.join(numbers)}"
            raise refuse(
                f"{outcome.path}: no proposal {choice}; {hint if numbers else 'there are none'}"
            )
