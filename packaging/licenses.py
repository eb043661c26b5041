"""`python packaging/licenses.py > LICENSES.txt`: print the licenses of all that the programs contain.

Run it with the Python that builds the programs. A package without a license file is an error.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

RULE = "=" * 78


def distributions_of(name: str) -> dict[str, Distribution]:
    """Return a package and all that it requires here, by name."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        package = distribution(waiting.pop())
        if found.setdefault(package.name.lower(), package) is not package:
            continue
        needs = map(Requirement, package.requires or ())
        here = (
            need for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})
        )
        waiting += [need.name for need in here]
    return found


def license_texts(package: Distribution) -> list[str]:
    """Return the texts of the license files of a package; else the license it states."""
    files = package.files or ()
    kept = [file for file in files if _is_license(file.name, str(file.parent))]
    stated = package.metadata.get("License-Expression") or package.metadata.get("License")
    return [file.read_text(encoding="utf-8") for file in kept] or [stated] * bool(stated)


def _is_license(name: str, folder: str) -> bool:
    """Whether a file of a package is its license."""
    is_named = name.upper().startswith(("LICEN", "COPYING", "NOTICE"))
    return ".dist-info" in folder and is_named


def license_document() -> Iterator[str]:
    """Yield the parts of the document: Python's license, then that of each package."""
    python = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    version = ".".join(map(str, sys.version_info[:3]))
    text = python.read_text(encoding="utf-8") if python.exists() else "PSF-2.0"
    yield f"{RULE}\nPython {version}\n{RULE}\n{text}\n"
    for name, package in sorted(distributions_of("bganalyze").items()):
        texts = license_texts(package)
        if not texts:
            sys.exit(f"{name} names no license")
        yield f"{RULE}\n{package.name} {package.version}\n{RULE}\n" + "\n".join(texts) + "\n"


if __name__ == "__main__":
    sys.stdout.writelines(license_document())
