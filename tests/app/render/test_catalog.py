"""The tables of rules and formats."""

import pytest

from bganalyze.app.render.catalog import rule_page, tabulate_formats, tabulate_rules
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.record.reader import FORMATS
from bganalyze.validation.rules import CATALOG, find_rule

WIDE = OutputOptions(width=1000)


def test_all_rules_are_listed_family_by_family() -> None:
    lines = tabulate_rules(CATALOG, WIDE).splitlines()
    codes = [line.split()[0] for line in lines if line and line[1:4].isdigit()]
    assert sorted(codes) == sorted(rule.code for rule in CATALOG)
    assert [code[1] for code in codes] == sorted(code[1] for code in codes)


def test_every_rule_has_a_page() -> None:
    for rule in CATALOG:
        page = rule_page(rule, WIDE)
        assert page.startswith(f"{rule.code} {rule.name} ({rule.severity})\n\n")
        assert " ".join(rule.doc.split()) in " ".join(page.split())


def test_all_formats_are_listed() -> None:
    output = tabulate_formats(FORMATS, WIDE)
    assert all(entry.name in output for entry in FORMATS)
    assert all(extension in output for entry in FORMATS for extension in entry.extensions)
    assert max(map(len, output.splitlines())) <= 100


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_page_is_filled_anew_and_its_example_kept(width: int) -> None:
    lines = rule_page(find_rule("P410"), OutputOptions(width=width)).splitlines()
    assert all(len(line) <= width or line.startswith(" ") for line in lines)
    assert " 5 point match" in "\n".join(lines)


def test_prose_is_as_wide_as_it_is_easily_read() -> None:
    assert rule_page(find_rule("P410"), WIDE) == rule_page(
        find_rule("P410"), OutputOptions(width=80)
    )
