"""Sessions: a file mended step by step by a person, who may take each step back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from bganalyze.findings import Edit, Finding
from bganalyze.repair.draft import Draft, Identity, identity
from bganalyze.repair.outlook import Outlook
from bganalyze.repair.prior import Prior
from bganalyze.repair.suggestion import Suggestion

BY_HAND = "by hand"
"""The kind of slip of an edit that the person has typed."""

MOST_WAYS = 9
"""How many proposals a person is shown: as many as there are keys with a figure."""


class Way(NamedTuple):
    """A way of mending an error: what is changed, and what the file is then."""

    suggestion: Suggestion
    draft: Draft
    probability: float
    proved: bool


class SessionStep(NamedTuple):
    """Where a session is: the file as it stands, and which errors were passed over."""

    draft: Draft
    passed: frozenset[Identity]
    taken: int = 0


class RepairQuestion(NamedTuple):
    """An error, and what may have been meant, likeliest first."""

    finding: Finding
    ways: tuple[Way, ...]


@dataclass
class Session:
    """The steps of a session; the last is where it stands."""

    prior: Prior
    steps: list[SessionStep] = field(default_factory=list)

    @property
    def draft(self) -> Draft:
        """The file as it stands."""
        return self.steps[-1].draft

    @property
    def step(self) -> SessionStep:
        """Where the session is."""
        return self.steps[-1]

    def question(self) -> RepairQuestion | None:
        """Return the next error that was not passed over; None where there is none."""
        passed = self.step.passed
        finding = next(
            (error for error in self.draft.to_mend if identity(error) not in passed), None
        )
        if finding is None:
            return None
        return RepairQuestion(finding, tuple(islice(self._ways(finding), MOST_WAYS)))

    def _ways(self, finding: Finding) -> Iterator[Way]:
        outlook = Outlook(self.prior)
        for repair in outlook.repairs(self.draft, finding, self.step.passed):
            mended = outlook.mended(self.draft, finding, repair.suggestion.edits)
            if mended is not None:
                yield Way(repair.suggestion, mended, repair.probability, repair.proved)

    def take(self, way: Way) -> None:
        """Go on with the file mended so."""
        self.steps.append(SessionStep(way.draft, self.step.passed, self.step.taken + 1))

    def skip(self, finding: Finding) -> None:
        """Pass an error over."""
        self.steps.append(self.step._replace(passed=self.step.passed | {identity(finding)}))

    def undo(self) -> bool:
        """Go back a step; return whether there was one."""
        if len(self.steps) == 1:
            return False
        self.steps.pop()
        return True

    def typed(self, line: int, text: str) -> Way:
        """Return what becomes of the file with a line as it was typed.

        Raise NotATranscript and UnicodeEncodeError as `Draft.mended` does.
        """
        edits = (Edit(line, self.draft.lines[line - 1], text),)
        suggestion = Suggestion(BY_HAND, f"line {line} as typed", edits, line, None, None, 0.0)
        return Way(suggestion, self.draft.mended(edits), 1.0, proved=False)
