"""`repair`: likely transcription slips behind the errors of a file, and the repaired file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING

from bganalyze.app.api.arguments import check_arguments, require_kind
from bganalyze.app.api.sources import (
    Source,
    call_in_limits,
    find_rule_book,
    read_and_apply_with_path_in_errors,
    require_single_file,
)
from bganalyze.app.jobs.repair import RepairSearch, is_proposed
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.repairing.applying import ChosenProposal, RepairedFile, parse_number_of_proposal
from bganalyze.repairing.prior import PlayPrior, rate_plays_by_appearance, rate_plays_by_engine
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.text import number_of
from bganalyze.validation.findings import Finding, Proposal
from bganalyze.validation.slip_odds import NO_ODDS, Odds

if TYPE_CHECKING:
    import pandas as pd


_MOST_NAMED = 12
"""Proposals that are named at most where one does not exist."""


@dataclass(frozen=True)
class RepairResult:
    """The errors of a file with their proposed repairs."""

    search: RepairSearch
    rule_book: RuleBook
    odds: Odds = NO_ODDS
    """Odds of transcription slips against players' errors."""

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.search.file.path

    @property
    def text(self) -> bytes:
        """The text that edits apply to: the file's bytes or, for a binary file, its `.bgm` text."""
        return self.search.file.data

    @cached_property
    def causes(self) -> tuple[RepairableFinding, ...]:
        """The errors with their proposed repairs, the likeliest repair of an error first.

        If an error may be the player's own, its proposals are plays that the transcriber may have
        meant.
        """
        return tuple(self.search)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The errors of the file that were not corrected in the game."""
        return self.search.errors

    @property
    def proposals(self) -> dict[str, Proposal]:
        """All proposed repairs by number: `2` is the first one for error 2, `2.3` the third."""
        return {
            str(ChosenProposal(number, rank)): proposal
            for number, cause in enumerate(self.causes, start=1)
            for rank, proposal in enumerate(cause.proposals, start=1)
        }

    @property
    def proved(self) -> dict[str, Proposal]:
        """The proved repairs by number.

        A repair is proved if no other repair that was tried fits the match.
        """
        return {number: proposal for number, proposal in self.proposals.items() if proposal.proved}

    @property
    def no_repair_reason(self) -> str:
        """The reason why there is no proposal; "" if there is a proposal, or no error."""
        return "" if self.proposals or not self.errors else self.search.no_repair_reason

    def apply(self, choices: int | str | Iterable[int | str] | None = None) -> RepairedFile:
        """Return the file with the chosen proposals applied, or by default with all proved ones.

        `choices` are numbers in `proposals`: one (`"1.2"`) or several (`["1.2", 2]`), at most one
        for each error. A proposal that causes more errors, or new ones, is not applied but listed
        in `left_out`. Raises ValueError for an unknown number and for two proposals for one error.
        """
        require_kind("choices", choices, ("int", "str", "Iterable[int | str]", "None"))
        if choices is None:
            return self._call_in_limits(self.search.apply)
        several = choices if isinstance(choices, Iterable) else [choices]
        several = [choices] if isinstance(choices, str) else several
        chosen = dict.fromkeys(parse_number_of_proposal(str(choice)) for choice in several)
        causes = Counter(choice.cause for choice in chosen)
        for choice in chosen:
            if not is_proposed(self.causes, choice):
                known = ", ".join(islice(self.proposals, _MOST_NAMED)) or "none"
                raise ValueError(f"there is no proposal {choice}; `proposals` has {known}")
            if causes[choice.cause] > 1:
                one, other, *_ = (str(one) for one in chosen if one.cause == choice.cause)
                raise ValueError(f"{one} and {other} both repair cause {choice.cause}: choose one")
        return self._call_in_limits(partial(self.search.apply_chosen, tuple(chosen)))

    def _call_in_limits(self, work: Callable[[], RepairedFile]) -> RepairedFile:
        """Return `work()`; raise UnreadableError if `work` takes too much time or memory."""
        return call_in_limits(len(self.text), work)

    def diff(self, choices: int | str | Iterable[int | str] | None = None) -> str:
        """Return the changes that `apply(choices)` makes, as a unified diff.

        For a binary file, it is a diff of its `.bgm` text, to be read and not applied: `@{…}`
        stands for each line of engine data.
        """
        from bganalyze.app.render.proposals import make_readable_diff

        after = self.apply(choices).data
        diff = make_readable_diff(
            self.text, after, self.search.text_path, is_converted=self.search.is_converted
        )
        return b"".join(diff).decode("utf-8", "replace")

    def render(self, format: str = "text") -> str:
        """Return the proposals in a format of `bganalyze repair`; raise ValueError for an unknown one."""
        from bganalyze.app.render import PROPOSAL_FORMATS, render_proposals, require_format
        from bganalyze.app.render.output_options import plain_output_options

        require_format(format, PROPOSAL_FORMATS)
        outcome = self.search.make_outcome(self.apply(), self.path)
        return render_proposals([outcome], format, plain_output_options(self.rule_book, self.odds))

    def to_frame(self) -> pd.DataFrame:
        """Return a table of the proposals, with the keys of `repair --format jsonl` as columns."""
        import json

        import pandas as pd

        return pd.DataFrame(map(json.loads, self.render("jsonl").splitlines()))

    def __repr__(self) -> str:
        """The path, and the numbers of errors, causes and proved repairs."""
        errors = number_of(len(self.errors), "error")
        return f"<{self.path}: {errors}, {number_of(len(self.causes), 'cause')}, {len(self.proved)} proved>"

    def _repr_html_(self) -> str:
        """The errors with boards and possible plays, and the diff, for notebooks."""
        from bganalyze.app.render.notebook import repairable_findings_html

        return repairable_findings_html(
            self.causes,
            self.search.file.replays,
            self.search.match_lines,
            self.rule_book,
            self.odds,
        )


@check_arguments
def repair(
    source: Source,
    rules: str | RuleBook = BASIC,
    *,
    engine: bool = False,
    odds: Odds = NO_ODDS,
    name: str | None = None,
    encoding: str | None = None,
) -> RepairResult:
    r"""Find the likely causes of the errors of a file, and edits that repair them.

    - `engine` lets the engine Open Sage rate how likely plays are.
    - `odds` say how often errors are the transcriber's slips rather than the player's errors, such
      as `Odds({"slips": Ratio(3, 1)})`.
    - `name` is the file name for bytes or an open file.
    - `encoding` is the encoding of the file, detected by default.

    No file is written: `apply` returns the repaired file. An edit is `proved` if no other repair
    that was tried fits the match. Raises ValueError for an unknown encoding, EngineError if the
    engine is not installed, TypeError for a match already read, NotATranscript, and
    UnreadableError, also if the source is not one file.

    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/5     62: 24/18 13/12\n"
    >>> found = repair(text, name="a.mat")
    >>> found, found.proved
    (<a.mat: 1 error, 1 cause, 0 proved>, {})
    """
    rule_book = find_rule_book(rules)
    if engine:
        rate_plays_by_engine(())
    prior = rate_plays_by_engine if engine else rate_plays_by_appearance
    with ExitStack() as opened:
        item = require_single_file(source, name, opened, encoding)
        search = partial(search_all_repairs, path=item.path, rule_book=rule_book, rate_plays=prior)
        return RepairResult(read_and_apply_with_path_in_errors(item, search), rule_book, odds)


def search_all_repairs(
    content: bytes, path: str, rule_book: RuleBook, rate_plays: PlayPrior
) -> RepairSearch:
    """Search the content of a file for repairs of all its errors.

    `rate_plays` says how likely a player is to choose each play of a roll.
    """
    search = RepairSearch(content, path, rule_book, rate_plays)
    for _ in search:
        pass
    return search
