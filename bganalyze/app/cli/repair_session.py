"""`bganalyze repair --interactive`: step through the errors of a file, saving after each step."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import typer

from bganalyze.app.cli.exit_status import complain, print_note, refuse
from bganalyze.app.cli.output_paths import STANDARD_OUTPUT
from bganalyze.app.cli.repaired import Destination
from bganalyze.app.jobs.outcome import CLEAN, FAILED, UNREADABLE
from bganalyze.app.jobs.repair import make_repairable_text
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.repair_screen import (
    EDITED_KEYS,
    ENDING_KEYS,
    describe_keys,
    render_error_screen,
    render_last_screen,
)
from bganalyze.files.reading import (
    STANDARD_INPUT,
    FileToRead,
    UnreadableError,
    load_file,
    read_regular_file,
)
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import is_binary
from bganalyze.repairing.applying import RepairOption, RepairQuestion, Session, SessionStep
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.prior import PlayPrior
from bganalyze.validation.findings import Finding

_CLEARED = "\x1b[2J\x1b[H"
_INSTEAD = "--choose with --write takes proposals by their numbers"
_TAKE = ("t", "\r", "\n")
_NEXT, _PREVIOUS = ("n", "\x1b[C", "\x1b[B"), ("p", "\x1b[D", "\x1b[A")
_QUIT = ("q", "\x04")


def repair_interactively(
    items: Sequence[FileToRead],
    destination: Destination,
    output_options: OutputOptions,
    rate_plays: PlayPrior,
    *,
    force: bool,
) -> int:
    """Ask the user, on the terminal, how to repair each error; return the exit status.

    After each answer, the repaired file is written to `destination`.
    """
    statuses = [CLEAN]
    for item in items:
        try:
            sitting = _begin_session(item, destination, output_options, rate_plays, force=force)
            goes_on = sitting.ask_about_errors()
        except NotATranscript as error:
            if item.named or error.recognized_as is not None:
                complain(str(error))
                statuses.append(UNREADABLE)
            continue
        except UnreadableError as error:
            complain(f"{item}: {error}")
            statuses.append(UNREADABLE)
            continue
        print_note(sitting.summary())
        statuses.append(FAILED if sitting.session.file.errors or not goes_on else CLEAN)
        if not goes_on:
            break
    return max(statuses)


def require_terminal(items: Sequence[FileToRead], out: str | None) -> None:
    """End the run without a terminal, or if input or output is a standard stream."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise refuse(f"--interactive needs a terminal; {_INSTEAD}")
    if os.environ.get("TERM") == "dumb":
        raise refuse(f"--interactive needs a terminal that can be cleared; {_INSTEAD}")
    if out == STANDARD_OUTPUT or any(item.path == STANDARD_INPUT for item in items):
        raise refuse("--interactive works on files; - would be the terminal itself")


@dataclass
class _RepairSession:
    """The repair of one file by a person at a terminal."""

    item: FileToRead
    destination: Destination
    setting: OutputOptions
    session: Session
    is_converted: bool
    saved: bytes
    """The text as last saved, or as first read."""
    on_disk: bytes | None
    """The content of the file to replace, or None for a new file."""
    note: str = ""

    def ask_about_errors(self) -> bool:
        """Ask the user about each error of the file; return False if the user quits."""
        while (question := self.session.find_next_question()) is not None:
            if not self._ask_about(question):
                return False
            self._save_file()
        if len(self.session.steps) == 1:
            return True
        step = self.session.step
        key = self._ask_key(
            render_last_screen(str(self.item), step.taken, step.file, self.setting), ENDING_KEYS
        )
        if key == "u":
            self.session.undo()
            self._save_file()
            return self.ask_about_errors()
        return True

    def summary(self) -> str:
        """Return a line on the repaired file, such as `a.mat: 2 repairs taken, 1 error left`."""
        step = self.session.step
        return render_last_screen(str(self.item), step.taken, step.file, self.setting).rstrip()

    def _ask_about(self, question: RepairQuestion) -> bool:
        """Ask the user how to repair an error; return False if the user quits."""
        ways, at = question.ways, 0
        while True:
            file = self.session.file
            height = shutil.get_terminal_size().lines - bool(self.note)
            page = render_error_screen(question.finding, ways, at, file, self.setting, height)
            key = self._ask_key(page, describe_keys(len(ways)))
            if key in _QUIT:
                return False
            if key in _TAKE and ways:
                self.session.make_repair(ways[at])
                return True
            if key == "s":
                self.session.skip(question.finding)
                return True
            if key == "u" and self.session.undo():
                return True
            if key == "e":
                line = ways[at].suggestion.line if ways else question.finding.line
                way = self._let_user_edit_line(line)
                if way is not None:
                    return self._save_typed_edit(question.finding, way)
            elif key in _NEXT or key in _PREVIOUS:
                at = (at + (1 if key in _NEXT else -1)) % max(len(ways), 1)
            elif key.isdecimal() and 0 < int(key) <= len(ways):
                at = int(key) - 1
            else:
                self.note = "there is nothing to undo" if key == "u" else f"no such key: {key!r}"

    def _save_typed_edit(self, finding: Finding, edited: RepairOption) -> bool:
        """Save a line that the user has edited, and offer to undo that; return False to quit."""
        before = self.session.file
        self.session.make_repair(edited)
        self._save_file()
        height = shutil.get_terminal_size().lines
        page = render_error_screen(finding, [edited], 0, before, self.setting, height)
        key = self._ask_key(page, EDITED_KEYS)
        if key == "u":
            self.session.undo()
        return key not in _QUIT

    def _ask_key(self, page: str, keys: str) -> str:
        """Show a page above a line about the keys; return the key that the user presses."""
        note = f"{self.note}\n" if self.note else ""
        sys.stdout.write(f"{_CLEARED}{page}{note}{keys} ")
        sys.stdout.flush()
        self.note = ""
        try:
            return typer.getchar()
        except EOFError:
            return _QUIT[0]
        finally:
            sys.stdout.write("\n")

    def _let_user_edit_line(self, line: int) -> RepairOption | None:
        """Let the user edit a line of the file; return the edit, or None if it cannot be made."""
        lines = self.session.file.lines
        try:
            number = int(_ask_for_line("number of the line to edit: ", str(line)))
            at = range(1, len(lines) + 1).index(number)
            text = _ask_for_line("", lines[at])
            if text != lines[at]:
                return self.session.repair_by_hand(number, text)
            self.note = f"line {number} is as it was"
        except EOFError:
            return None
        except UnicodeEncodeError:
            self.note = "the encoding of the file has no such character"
        except NotATranscript:
            self.note = "with that line the file could not be read"
        except ValueError:
            self.note = f"the file has the lines 1 to {len(lines)}"
        return None

    def _save_file(self) -> None:
        """Write the file with the repairs made so far; raise UnreadableError if this fails."""
        data = self.session.file.data
        if data == self.saved:
            return
        written = self.destination.write_file(
            data, self.item, self.on_disk, is_converted=self.is_converted
        )
        self.saved, self.on_disk = data, written.content


def _begin_session(
    item: FileToRead,
    destination: Destination,
    output_options: OutputOptions,
    rate_plays: PlayPrior,
    *,
    force: bool,
) -> _RepairSession:
    """Read a file, and return the session in which the user repairs it.

    If the output file exists, the user is asked whether to continue from it. Raises NotATranscript
    and UnreadableError.
    """
    content = load_file(item)
    text, is_converted = make_repairable_text(content, item.path), is_binary(content)
    path = destination.path(item, is_converted=is_converted)
    on_disk = content if path == item.path else None
    if path != item.path and os.path.exists(path) and not force:
        if not typer.confirm(f"{path} already exists; continue from it?"):
            raise UnreadableError(f"not repaired; {path} was left as it is")
        text = on_disk = read_regular_file(path)
    session = Session(
        rate_plays,
        [SessionStep(read_file_to_repair(text, item.path, output_options.rule_book), frozenset())],
    )
    return _RepairSession(item, destination, output_options, session, is_converted, text, on_disk)


def _ask_for_line(prompt: str, text: str) -> str:
    """Ask the user for a line of text; if possible, let the user start from `text`."""
    try:
        import readline
    except ImportError:  # On Windows; an empty answer keeps the text as it is.
        return input(f"{prompt}[{text}] ") or text
    readline.parse_and_bind("tab: self-insert")
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        return input(prompt)
    finally:
        readline.set_startup_hook()
