"""Lets GNU Backgammon play against itself and returns its own `.mat` exports.

The dice come from a seeded generator and both players are the 0-ply engine, so that one seed always
gives the same record (with the same version and weights; the samples come from 1.07.001).
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

GNUBG = os.environ.get("GNUBG", "gnubg")
"""The program; the environment variable `GNUBG` names another place than the search path."""

_DRIVER = """
import gnubg, json
run = gnubg.command
for line in ("confirm new off", "confirm save off", "display off", "automatic roll on",
             "automatic move on", "automatic bearoff on"):
    run("set " + line)
for player in "01":
    run("set player " + player + " gnubg")
    run("set player " + player + " chequer evaluation plies 0")
    run("set player " + player + " cubedecision evaluation plies 0")
for spec in json.load(open("specs.json")):
    money = spec["length"] == 0
    run('set defaultnames "{0}" "{1}"'.format(*spec["names"]))
    run("set variation " + spec["variation"])
    run("set jacoby " + ("on" if spec["jacoby"] else "off"))
    run("set beavers " + str(spec["beavers"]))
    run("set automatic game " + ("off" if money else "on"))
    run("set player 0 cubedecision evaluation noise " + str(spec["noise"]))
    for player, name in enumerate(spec["names"]):
        run('set player {0} name {1}'.format(player, name))
    run("set seed " + str(spec["seed"]))
    run("new session" if money else "new match " + str(spec["length"]))
    for _ in range(spec["games"] - 1 if money else 0):
        run("new game")
    for key, value in spec["info"].items():
        run("set matchinfo " + key + " " + value)
    run("export match mat " + spec["file"])
"""


@dataclass(frozen=True)
class Spec:
    """One match to play: `length` 0 is a money session of `games` games."""

    names: tuple[str, str]
    length: int
    seed: int
    date: str
    event: str = ""
    place: str = ""
    round: str = ""
    variation: str = "standard"
    games: int = 1
    jacoby: bool = False
    beavers: int = 0
    noise: float = 0.0
    """Noise in the first player's cube decisions; with some, he doubles into beavers."""


def play(specs: Sequence[Spec], timeout: float = 120) -> list[str]:
    """The exported text of every match, in the order of the specs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs = []
        for index, spec in enumerate(specs):
            job = asdict(spec) | {"file": f"{index}.mat"}
            info = {key: str(job.pop(key)) for key in ("event", "place", "round", "date")}
            job["info"] = {key: value for key, value in info.items() if value}
            jobs.append(job)
        (folder / "specs.json").write_text(json.dumps(jobs), encoding="utf-8")
        (folder / "driver.py").write_text(_DRIVER, encoding="utf-8")
        subprocess.run(
            [GNUBG, "-t", "-q", "-p", "driver.py"],
            cwd=folder,
            env={**os.environ, "HOME": name},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            timeout=timeout,
            check=True,
        )
        return [(folder / str(job["file"])).read_text(encoding="utf-8") for job in jobs]
