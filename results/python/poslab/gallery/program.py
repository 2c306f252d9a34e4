# SPDX-License-Identifier: Apache-2.0
"""poslab itself, and where it looks for schemes."""

import json
import subprocess
from pathlib import Path
from typing import Any

WIDTH, HEADS = 64, 4
POSITIONS = (64, 32, 16, 8, 4)  # from 0, as many of these as a variant serves
GRIDS = {2: "8x8", 3: "4x4x4"}  # by the axes of a position


class Program:
    def __init__(self, path: str, plugins: list[str]) -> None:
        self.path, self.plugins = path, [word for folder in plugins for word in ("--plugins", folder)]

    def describe(self, scheme: str) -> dict[str, Any]:
        described: dict[str, Any] = json.loads(self.call("describe", scheme, "--json"))
        return described

    def experiments(self) -> list[dict[str, Any]]:
        """What each declares of itself: id, question, axes, measures."""
        listed: list[dict[str, Any]] = json.loads(self.call("list", "experiments", "--json"))["experiments"]
        return listed

    def table(self, scheme: dict[str, Any], parameters: dict[str, Any], file: Path) -> str:
        """Writes the arrays of a variant at the first positions; says of what, in words."""
        default = {parameter["name"]: parameter["default"] for parameter in scheme["parameters"]}
        settings = {name: value for name, value in parameters.items() if value is not None and value != default[name]}
        words = [word for name, value in settings.items() for word in ("--set", f"{name}={as_text(value)}")]
        grid = GRIDS.get(scheme["variant"].get("least_axes", scheme["least_axes"]))
        command = ["table", scheme["id"], *words, "--d-model", WIDTH, "--heads", HEADS, "-o", file]
        if grid:
            self.call(*command, "--grid", grid)
            return f"a grid of {grid}"
        count = next((count for count in POSITIONS if self.run(*command, "--positions", f"0:{count}").returncode == 0), None)
        if count is None:
            self.call(*command, "--positions", f"0:{POSITIONS[-1]}")  # which says why not
        return f"{count} positions from 0"

    def call(self, *words: object) -> str:
        done = self.run(*words)
        if done.returncode != 0:
            raise SystemExit(f"{self.path} {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.path, *map(str, words), *self.plugins], capture_output=True, text=True, check=False)


def as_text(value: Any) -> str:
    """A parameter as --set wants it."""
    if isinstance(value, list):
        return ",".join(map(json.dumps, value))
    return value if isinstance(value, str) else json.dumps(value)
