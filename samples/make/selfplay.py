"""Matches that GNU Backgammon plays against itself, as its `.mat` exports.

The dice come from a seeded generator and both players are the 0-ply engine. So a seed always gives
the same record with the same version and weights, on processors with the same floats.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import asdict
from pathlib import Path

from matches import Spec

GNUBG = os.environ.get("GNUBG", "gnubg")
"""The program; the environment variable `GNUBG` may give its path."""

_DRIVER = """
import gnubg, json
run = gnubg.command
spec = json.load(open("spec.json"))
money = spec["length"] == 0
for line in ("confirm new off", "confirm save off", "display off", "automatic roll on",
             "automatic move on", "automatic bearoff on"):
    run("set " + line)
run('set defaultnames "{0}" "{1}"'.format(*spec["players"]))
for player, name in enumerate(spec["players"]):
    side = "set player {0} ".format(player)
    run(side + "gnubg")
    run(side + "chequer evaluation plies 0")
    run(side + "cubedecision evaluation plies 0")
    run(side + "name " + name)
run("set player 0 cubedecision evaluation noise " + str(spec["noise"]))
run("set variation " + spec["variation"])
run("set jacoby " + ("on" if spec["jacoby"] else "off"))
run("set beavers " + str(spec["beavers"]))
run("set automatic game " + ("off" if money else "on"))
run("set seed " + str(spec["seed"]))
run("new session" if money else "new match " + str(spec["length"]))
for _ in range(spec["games"] - 1 if money else 0):
    run("new game")
for key, value in spec["info"].items():
    run("set matchinfo " + key + " " + value)
run("export match mat match.mat")
"""


def play(spec: Spec) -> str:
    """Play a match, and return its exported text."""
    job = asdict(spec)
    info = {key: job.pop(key) for key in ("event", "place", "round", "date")}
    job["info"] = {key: value for key, value in info.items() if value}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "spec.json").write_text(json.dumps(job), encoding="utf-8")
        (folder / "driver.py").write_text(_DRIVER, encoding="utf-8")
        subprocess.run(
            [GNUBG, "-t", "-q", "-p", "driver.py"],
            cwd=folder,
            env={**os.environ, "HOME": name},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            timeout=60,
            check=True,
        )
        return (folder / "match.mat").read_text(encoding="utf-8")
