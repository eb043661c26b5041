"""The wheel: what is in it, and that the program runs from it and from nowhere else."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import bganalyze

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

SOURCES = ("bganalyze", "grammars", "web", "pyproject.toml", "README.md", "LICENSE")
OFFLINE = re.compile(r"No matching distribution|Could not find a version|Connection|Read timed out")


def pip(*words: str) -> subprocess.CompletedProcess[str]:
    """Run pip, or skip the test if pip is missing."""
    call = [sys.executable, "-m", "pip", "--disable-pip-version-check", *words]
    process = subprocess.run(call, capture_output=True, text=True, check=False)
    if "No module named pip" in process.stderr:
        pytest.skip("there is no pip in this environment")
    return process


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy, for building leaves things behind."""
    place = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name)
        else:
            shutil.copy(ROOT / name, place / name)
    process = pip("wheel", "--no-deps", "--wheel-dir", str(place / "dist"), str(place))
    if process.returncode and OFFLINE.search(process.stderr):
        pytest.skip("what builds a wheel cannot be fetched: offline")
    assert process.returncode == 0, process.stderr
    (built,) = (place / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel alone is installed."""
    place = tmp_path_factory.mktemp("site")
    process = pip("install", "--no-deps", "--no-index", "--target", str(place), str(wheel))
    assert process.returncode == 0, process.stderr
    return place


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python on what is installed in the folder, from elsewhere."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    call = [sys.executable, *words]
    return subprocess.run(
        call, cwd=site, env=environment, capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_grammars_types_and_license(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    grammars = {f"bganalyze/grammars/{path.name}" for path in (ROOT / "grammars").glob("*.lark")}
    assert grammars
    data = {"bganalyze/py.typed", "bganalyze/board/kazaross-xg2.csv"}
    data |= {path.relative_to(ROOT).as_posix() for path in ROOT.glob("bganalyze/**/*.schema.json")}
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    pages = {f"bganalyze/app/render/pages/{name}" for name in ("page.html", "page.css", "page.js")}
    web = {f"bganalyze/web/{path.name}" for path in (ROOT / "web").iterdir() if path.is_file()}
    assert grammars | data | pages | web <= set(names)


def test_the_wheel_holds_every_module_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".py")}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "bganalyze").rglob("*.py")}
    assert names == modules | {"bganalyze/grammars/__init__.py", "bganalyze/web/__init__.py"}


def test_the_wheel_asks_for_what_is_declared(wheel: Path) -> None:
    (name,) = (n for n in zipfile.ZipFile(wheel).namelist() if n.endswith("/METADATA"))
    requirements = re.findall(
        r"^Requires-Dist: ([\w.-]+)(?!.*\bextra ==).*$",
        zipfile.ZipFile(wheel).read(name).decode(),
        re.MULTILINE,
    )
    assert requirements == [
        re.split(r"[^\w.-]", requirement)[0] for requirement in PROJECT["dependencies"]
    ]


def test_the_program_runs_from_the_wheel(site: Path) -> None:
    home = run(site, "-c", "import bganalyze; print(bganalyze.__file__)")
    assert Path(home.stdout.strip()).is_relative_to(site)
    (script,) = (site / "bin").glob("bganalyze*")
    sample = ROOT / "samples" / "faulty" / "P410-larger-die.mat"
    command = [str(script)] if script.suffix != ".exe" else ["-m", "bganalyze"]
    process = run(site, *command, "check", str(sample))
    assert process.returncode == 1, process.stderr
    assert ": P410 error: " in process.stdout
    assert process.stderr == ""


def test_a_checkout_runs_beside_an_installation(site: Path) -> None:
    """Python started in the checkout imports the checkout's package, with its own grammars."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    program = (
        "import sys\n"
        "sys.meta_path = [each for each in sys.meta_path if 'editable' not in repr(each)]\n"
        "import bganalyze\n"
        "print(len(bganalyze.read('samples/clean/one-point.mat')))"
    )
    call = [sys.executable, "-c", program]
    process = subprocess.run(
        call, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (process.stdout, process.stderr) == ("1\n", "")


def test_the_version_is_that_of_the_package() -> None:
    assert bganalyze.__version__ == importlib.metadata.version("bganalyze")
