"""`bganalyze repair`: the slips behind the errors of a record, and the edits that mend them."""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial
from pkgutil import resolve_name
from typing import Annotated

from bganalyze.cli.io import end_of_files, settings, write
from bganalyze.cli.options import Paths, one_of, takes
from bganalyze.cli.progress import progress_of
from bganalyze.config import Config
from bganalyze.files.reading import distinct, find
from bganalyze.jobs.outcome import FileCounts
from bganalyze.jobs.repair import diagnose
from bganalyze.jobs.workers import map_files
from bganalyze.law import LAWS
from bganalyze.render import PROPOSAL_FORMATS


def command(
    paths: Paths,
    rules: Annotated[
        str | None,
        one_of(LAWS, "LAW", "The law to judge by.", "as the settings file says, or basic"),
    ] = None,
    format: Annotated[
        str, one_of(PROPOSAL_FORMATS, "FORMAT", "How proposals are written.")
    ] = "jsonl",
    workers: Annotated[int, takes("N", "How many processes look.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Find the slips behind the errors of a record, and propose the edits that mend them.

    Example:

        bganalyze repair match.mat --format jsonl
    """
    paths = distinct(paths)
    config = settings(paths[0], Config(rules=rules))
    counts, render = FileCounts(), resolve_name(PROPOSAL_FORMATS[format])
    with (
        closing(map_files(partial(diagnose, law=config.law), find(paths), workers)) as results,
        progress_of(paths, quiet=False) as progress,
    ):
        for diagnosed in progress.counted(counts.counted(results)):
            with progress.hidden():
                write(render(diagnosed))
    raise end_of_files(counts, paths, counts.status(paths))
