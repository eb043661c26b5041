"""`python packaging/move_home.py PAGE REPOSITORY`: write the project's new addresses everywhere.

Both are in `[project.urls]` of pyproject.toml, as placeholders until the project has a home. Other
files quote them, which tests/test_release.py checks; this replaces them in all files of the project.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
USAGE = "usage: python packaging/move_home.py https://NAME.github.io/bganalyze/ https://github.com/NAME/bganalyze"


def addresses_of(root: Path) -> tuple[str, str]:
    """Return the addresses of the page and of the repository."""
    urls = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    return urls["Homepage"], urls["Repository"]


def move_home(root: Path, page: str, repository: str) -> list[str]:
    """Replace both addresses in the files that git knows; return the names of changed files."""
    old_page, old_repository = addresses_of(root)
    listing = ["git", "-C", str(root), "ls-files", "-z"]
    names = subprocess.run(listing, check=True, capture_output=True, text=True).stdout  # noqa: S603
    changed = []
    for name in filter(None, names.split("\0")):
        before = (root / name).read_bytes()
        after = before.replace(old_repository.encode(), repository.encode())
        after = after.replace(old_page.encode(), page.encode())
        if after != before:
            (root / name).write_bytes(after)
            changed.append(name)
    return changed


if __name__ == "__main__":
    if len(sys.argv) != 3 or not all(word.startswith("https://") for word in sys.argv[1:]):
        sys.exit(USAGE)
    print("\n".join(move_home(ROOT, sys.argv[1], sys.argv[2])))
