"""Preconditions of a release: the checks before it, one version, one address, and the light packages."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bganalyze
from bganalyze.app.serving.site import LIBRARIES
from bganalyze.packages import HEAVY

ROOT = Path(__file__).parent.parent
PACKAGING = ROOT / "packaging"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PASSING, FAILING = (sys.executable, "-c", ""), (sys.executable, "-c", "raise SystemExit(1)")

release: dict[str, Any] = runpy.run_path(str(PACKAGING / "release.py"))
moving: dict[str, Any] = runpy.run_path(str(PACKAGING / "move_home.py"))

VERSION_FILE = "bganalyze/__init__.py"
TREE = {
    VERSION_FILE: '__version__ = "1.2.0"\n',
    "CHANGELOG.md": "# Changelog\n\n## [1.2.0] - 2027-01-31\n\nMore.\n\n## [1.1.0] - 2026-12-01\n\nOld.\n",
    "CITATION.cff": 'version: 1.2.0\ndate-released: "2027-01-31"\n',
    "README.md": "[Page](https://old.example/) and [code](https://old.example/code)\n",
    "pyproject.toml": (
        '[project.urls]\nHomepage = "https://old.example/"\nRepository = "https://old.example/code"\n'
    ),
}


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., None]:
    """Git in a folder of its own."""
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")

    def call(*words: str) -> None:
        command = ["git", "-C", str(tmp_path), *identity, *words]
        subprocess.run(command, check=True, capture_output=True)

    return call


@pytest.fixture
def tree(tmp_path: Path, git: Callable[..., None]) -> Path:
    """A small project that can be released."""
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "all")
    return tmp_path


def obstacles(tree: Path, suite: tuple[str, ...] = PASSING) -> list[str]:
    found: list[str] = release["find_obstacles"](tree, suite)
    return found


def test_a_clean_tree_with_an_entry_and_a_passing_suite_is_released(tree: Path) -> None:
    assert obstacles(tree) == []


def test_a_failing_suite_is_an_obstacle(tree: Path) -> None:
    (only,) = obstacles(tree, FAILING)
    assert only.startswith("the tests fail: ")


def test_the_suite_runs_only_if_all_else_is_in_order(tree: Path) -> None:
    (tree / "new.txt").touch()
    assert obstacles(tree, FAILING) == [
        "uncommitted changes, such as new.txt: commit or remove them"
    ]


def test_a_release_is_made_of_the_main_branch_of_a_repository(
    tree: Path, git: Callable[..., None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert obstacles(tmp_path_factory.mktemp("copy")) == [
        "this is no git repository: release from a clone"
    ]
    git("switch", "-q", "-c", "other")
    assert obstacles(tree) == ["the branch is other: switch to main"]
    git("switch", "-q", "--detach")
    assert obstacles(tree) == ["the branch is none: switch to main"]


def test_a_tag_that_exists_is_an_obstacle(tree: Path, git: Callable[..., None]) -> None:
    git("tag", "v1.2.0")
    (only,) = obstacles(tree)
    assert only.startswith("v1.2.0 is tagged already")


@pytest.mark.parametrize(
    ("name", "old", "new", "obstacle"),
    [
        ("CHANGELOG.md", "[1.2.0]", "[1.1.9]", "CHANGELOG.md has no entry for 1.2.0"),
        ("CHANGELOG.md", " - 2027-01-31", "", "the entry for 1.2.0 in CHANGELOG.md has no date"),
        ("CHANGELOG.md", "More.\n", "", "the entry for 1.2.0 in CHANGELOG.md has no text"),
        (
            "CHANGELOG.md",
            "2027-01-31",
            "2027-02-01",
            "CITATION.cff should have date-released: 2027-02-01",
        ),
        ("CITATION.cff", "1.2.0", "1.1.0", "CITATION.cff should have version: 1.2.0"),
        (VERSION_FILE, "1.2.0", "1.20", "CHANGELOG.md has no entry for 1.20"),
    ],
)
def test_files_that_disagree_are_an_obstacle(
    tree: Path, git: Callable[..., None], name: str, old: str, new: str, obstacle: str
) -> None:
    (tree / name).write_text(TREE[name].replace(old, new), encoding="utf-8")
    git("commit", "-q", "-a", "-m", "wrong")
    assert obstacles(tree)[0].startswith(obstacle)


def test_this_version_has_its_entry_and_its_citation() -> None:
    version = bganalyze.__version__
    date, notes = release["notes_of"](ROOT, version)
    assert notes
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation
    assert f'\ndate-released: "{date}"\n' in citation


def test_a_new_home_replaces_both_addresses_everywhere(tree: Path) -> None:
    page, code = "https://ann.example/bganalyze/", "https://git.example/ann/bganalyze"
    assert moving["move_home"](tree, page, code) == ["README.md", "pyproject.toml"]
    assert (tree / "README.md").read_text(
        encoding="utf-8"
    ) == f"[Page]({page}) and [code]({code})\n"
    assert moving["addresses_of"](tree) == (page, code)


def test_all_files_have_the_addresses_of_the_project() -> None:
    page, repository = moving["addresses_of"](ROOT)
    folders = (ROOT / "docs", ROOT / ".github", PACKAGING)
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files += [ROOT / name for name in ("README.md", "SECURITY.md", "CITATION.cff", "action.yml")]
    texts = [
        path.read_text(encoding="utf-8") for path in files if path.suffix not in (".png", ".pyc")
    ]
    quoted = re.findall(r"https://bganalyze-\w+\.example[\w./-]*", "\n".join(texts))
    assert quoted
    assert [address for address in quoted if not address.startswith((page, repository))] == []
    assert page in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_light_packages_are_the_dependencies_without_the_heavy_ones() -> None:
    lines = (PACKAGING / "light.txt").read_text(encoding="utf-8").splitlines()
    light = {line for line in lines if not line.startswith("#")}
    declared = set(PROJECT["dependencies"]) - set(HEAVY.values())
    assert {need for need in declared if not need.startswith("backports.zstd")} == light


def test_the_recipe_of_the_programs_packs_the_libraries_of_the_page() -> None:
    recipe = (PACKAGING / "bganalyze.spec").read_text(encoding="utf-8")
    for project, package in LIBRARIES.items():
        assert f'"{project}"' in recipe
        assert f'"{package}"' in recipe


def test_the_licenses_are_those_of_all_that_is_required() -> None:
    pytest.importorskip("packaging.requirements")
    licenses = runpy.run_path(str(PACKAGING / "licenses.py"))
    packages = licenses["distributions_of"]("jinja2")
    assert set(packages) == {"jinja2", "markupsafe"}
    (text,) = licenses["license_texts"](packages["markupsafe"])
    assert "Redistribution and use" in text


def test_workflows_actions_and_forms_are_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    names = ["action.yml", ".pre-commit-hooks.yaml", "CITATION.cff", *_yaml_files()]
    for name in names:
        assert yaml.safe_load((ROOT / name).read_text(encoding="utf-8")), name


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs in bash")
def test_the_action_takes_no_file_of_a_checked_repository_for_a_module(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    script = action["runs"]["steps"][-1]["run"]
    (tmp_path / "lark.py").write_text("raise SystemExit('run from the repository')")
    sample = ROOT / "samples" / "faulty" / "P406-bar-first.mat"
    (tmp_path / "match.mat").write_bytes(sample.read_bytes())
    programs = Path(sys.executable).parent
    path = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    words = {"PATHS": "match.mat", "ARGUMENTS": "--severity error"}
    end = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env=os.environ | path | words,
        capture_output=True,
        text=True,
        check=False,
    )
    assert end.returncode == 1, end.stderr
    assert "::error file=match.mat,line=26," in end.stdout


def _yaml_files() -> list[str]:
    return [
        path.relative_to(ROOT).as_posix()
        for folder in (ROOT / ".github", PACKAGING)
        for path in sorted(folder.rglob("*.y*ml"))
    ]
