"""`python packaging/release.py`: run the checks before a release, and say how to tag it.

It refuses a branch other than `main`, uncommitted changes, a missing or undated entry in CHANGELOG.md,
a CITATION.cff of another version or date, a version that is tagged already, and a failing test suite.
It changes nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
SUITE = (sys.executable, "-m", "pytest", "-q")


def find_obstacles(root: Path, suite: Sequence[str] = SUITE) -> list[str]:
    """Return the reasons against a release; the suite runs only if there is no other reason."""
    return list(_find_in_files(root)) or list(_find_in_suite(root, suite))


def version_of(root: Path) -> str:
    """Return the version of the package."""
    text = (root / "bganalyze" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert match is not None, "bganalyze/__init__.py has no __version__"
    return match[1]


def notes_of(root: Path, version: str) -> tuple[str, str] | None:
    """Return the date and the text of a version's entry in CHANGELOG.md, or None without an entry."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## \[{re.escape(version)}\](?: - (\d{{4}}-\d\d-\d\d))?\n"
    match = re.search(heading + r"(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return None if match is None else (match[1] or "", match[2].strip())


def _find_in_files(root: Path) -> Iterator[str]:
    """Yield the reasons that files and git give against a release."""
    if not (root / ".git").exists():
        yield "this is no git repository: release from a clone"
        return
    branch = _git(root, "branch", "--show-current").strip()
    if branch != "main":
        yield f"the branch is {branch or 'none'}: switch to main"
    changed = _git(root, "status", "--porcelain").splitlines()
    if changed:
        yield f"uncommitted changes, such as {changed[0][3:]}: commit or remove them"
    version = version_of(root)
    if _git(root, "tag", "--list", f"v{version}").strip():
        yield f"v{version} is tagged already: raise __version__ in bganalyze/__init__.py"
    date, notes = notes_of(root, version) or (None, None)
    if date is None:
        yield f"CHANGELOG.md has no entry for {version}: add ## [{version}] - YYYY-MM-DD"
    elif not date or not notes:
        yield f"the entry for {version} in CHANGELOG.md has no {'text' if date else 'date'}"
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    for key, value in (("version", version), ("date-released", date)):
        written = re.search(rf"^{key}: *[\"']?([^\"'\n]+)", citation, re.MULTILINE)
        if value and (written is None or written[1] != value):
            yield f"CITATION.cff should have {key}: {value}"


def _find_in_suite(root: Path, suite: Sequence[str]) -> Iterator[str]:
    """Yield the reason against a release if the tests fail."""
    if subprocess.run(suite, cwd=root, check=False).returncode:  # noqa: S603 - our own command
        yield f"the tests fail: {' '.join(suite)}"


def _git(root: Path, *words: str) -> str:
    """Return the output of git in the tree."""
    call = ["git", "-C", str(root), *words]
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout  # noqa: S603


def main() -> None:
    """Print the obstacles and end with status 1, or print the commands that make the release."""
    obstacles = find_obstacles(ROOT)
    for obstacle in obstacles:
        print(f"no release: {obstacle}")
    if obstacles:
        sys.exit(1)
    tag = f"v{version_of(ROOT)}"
    print(f"ready; to release: git tag -a {tag} -m {tag} && git push origin {tag}")


if __name__ == "__main__":
    main()
