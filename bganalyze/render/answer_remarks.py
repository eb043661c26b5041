"""What stands under an answer: what was counted and left out, and who judged."""

from __future__ import annotations

from bganalyze.config import title
from bganalyze.render.setting import Setting
from bganalyze.reports.answer import Answer


def remarks(answer: Answer, setting: Setting) -> tuple[str, ...]:
    """Return the remarks, each a sentence without its capital and its full stop.

    Of verdicts that are kept the engines are counted; no law has judged them.
    """
    counted = f"counted: {', '.join(answer.counted)}"
    law = () if answer.is_of_verdicts else (f"judged by the law: {title(setting.law)}",)
    return (counted, *answer.left_out, *law)
