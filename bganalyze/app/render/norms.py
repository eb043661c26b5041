"""Norms as a table for people, as CSV, and as the TOML file that the program reads."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from rich.table import Table

from bganalyze.analysis.decision_kinds import KINDS_IN
from bganalyze.app.render.console import fit_line, make_table, render_to_string
from bganalyze.app.render.matches import csv_line
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.statistics.norms import Norm, NormTable, write_norms


def render_text(table: NormTable, setting: OutputOptions) -> Iterator[str]:
    """Yield a table of norms (usual error rates) with their source."""
    groups = list(dict.fromkeys(norm.group for norm in table.norms))
    grid = make_table("kind of decision", *groups, figures=len(groups))
    for kind in KINDS_IN:
        norms = [table.find(kind, group) for group in groups]
        if any(norms):
            grid.add_row(kind, *("" if norm is None else _write_norm(norm) for norm in norms))
    yield render_to_string(grid, setting)
    if table.percentiles:
        yield "\n"
        yield render_to_string(_tabulate_percentiles(table), setting)
    yield "\nequity lost per 500 counted decisions, [95 % interval], (decisions)\n"
    yield fit_line(f"source: {table.source}", setting) + "\n"
    yield fit_line(f"license: {table.license or 'not stated'}", setting) + "\n"
    yield fit_line(f"analyzed by {table.engine}; counted as by {table.counting}", setting) + "\n"


def _write_norm(norm: Norm) -> str:
    """Return a norm as text: its error rate, interval and number of decisions."""
    interval = "" if isnan(norm.low) else f" [{norm.low:.1f}, {norm.high:.1f}]"
    return f"{norm.rate:.1f}{interval} ({norm.decisions:,})"


def _tabulate_percentiles(table: NormTable) -> Table:
    """Return a table of percentiles of usual losses (norms), one on each line."""
    grid = make_table("players below", "kind of decision", "rate", "players", "games", figures=3)
    for one in table.percentiles:
        rate = f"{one.rate:.1f} [{one.low:.1f}, {one.high:.1f}]"
        grid.add_row(
            f"{one.percent} %", one.kind, rate, f"{one.players:,}", f"{one.least_games} or more"
        )
    return grid


def render_csv(table: NormTable, _: OutputOptions) -> Iterator[str]:
    """Yield a CSV line for each norm (usual error rate)."""
    yield csv_line(Norm._fields)
    for norm in table.norms:
        yield csv_line(norm)


def render_toml(table: NormTable, _: OutputOptions) -> Iterator[str]:
    """Yield the norms as a TOML file, which other commands can read again."""
    yield write_norms(table)
