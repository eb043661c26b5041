"""What stands under an answer: what was counted and left out, and who judged."""

from __future__ import annotations

from bganalyze.config import title
from bganalyze.counts import Files
from bganalyze.render.setting import Setting
from bganalyze.reports.answer import Answer


def remarks(answer: Answer, setting: Setting) -> tuple[str, ...]:
    """Return the remarks, each a sentence without its capital and its full stop.

    Of verdicts that are kept the engines are counted; no law has judged them.
    """
    counted = f"counted: {', '.join(answer.counted)}"
    law = () if answer.is_of_verdicts else (f"judged by the law: {title(setting.law)}",)
    return (counted, *answer.left_out, *_not_read(answer.files), *law)


def _not_read(files: Files | None) -> tuple[str, ...]:
    """How many files hold no transcript or could not be read, if there are any."""
    if files is None or not (files.skipped or files.unreadable):
        return ()
    counts = {"skipped": files.skipped, "unreadable": len(files.unreadable)}
    words = (f"{number:,} {word}" for word, number in counts.items() if number)
    return (f"files: {', '.join([f'{files.read:,} read', *words])}",)
