"""The catalogue of findings: every rule, in the order of the codes."""

from __future__ import annotations

from bganalyze.rules import c_cube, d_dice, p_play, r_result, t_transcript, u_setup
from bganalyze.rules.catalogue import Rule

CATALOGUE: tuple[Rule, ...] = tuple(
    sorted(
        (
            *t_transcript.RULES,
            *u_setup.RULES,
            *d_dice.RULES,
            *p_play.RULES,
            *c_cube.RULES,
            *r_result.RULES,
        ),
        key=lambda rule: rule.code,
    )
)

BY_NAME = {rule.name: rule for rule in CATALOGUE}
