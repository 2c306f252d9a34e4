# SPDX-License-Identifier: Apache-2.0
"""The tables of peers.md, between its marks."""

from __future__ import annotations

import math
import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from dumps import Row, scheme_of

PAGE = Path(__file__).with_name("peers.md")
# Families and dumps that differ, and why.
KNOWN = {
    "build_sincos2d_pos_embed": "sines of both axes stand before cosines: no scheme here has that order",
}
WORKED_OUT = {
    "worked out in float32": "float32",
    "worked out in float64": "exact",
    "worked out in float64, stored in float32": "rounded",
}


def short(variant: str, longest: int = 110) -> str:
    """A list of many numbers, by their count."""
    variant = re.sub(r"\[([^\]]{30,})\]", lambda found: f"[{found[1].count(',') + 1} numbers]", variant)
    variant = re.sub(r"(\d)\.0\b", r"\1", variant)
    return variant if len(variant) <= longest else variant[: longest - 3] + "..."


def mark(row: Row | None) -> str:
    if row is None:
        return "–"
    if row.problem:
        return f"**{row.problem}**"
    return WORKED_OUT.get(row.precision, row.precision) if row.fits else "**differs**"


def said_of(row: Row) -> str:
    """What identify says by itself; also the same of the scheme that was expected, where it names another first."""
    if row.verdict == "nothing":
        return "**nothing**"
    same = [one for one in row.others if scheme_of(one) == scheme_of(row.expected) != scheme_of(row.named)]
    text = f"{row.verdict}: `{short(row.named)}`" + "".join(f", `{short(one)}`" for one in same)
    return text if row.is_named() else f"**{text}**"


def named(rows: list[Row]) -> str:
    """Once, where it agrees with itself."""
    return "; ".join(sorted({said_of(row) for row in rows if not row.problem}))


def transformers_table(rows: list[Row]) -> str:
    versions = sorted({row.library.split()[1] for row in rows}, reverse=True)
    lines = [
        "| family | dumped | variant, as import writes it (* not by import) | "
        + " | ".join(versions)
        + " | identify by itself |",
        "|---|---|---|" + "---|" * len(versions) + "---|",
    ]
    places: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        places.setdefault((row.family, row.what, row.expected), []).append(row)
    for (family, what, expected), same in places.items():
        by_version = {row.library.split()[1]: row for row in same}
        star = "" if same[0].imported or not expected else " *"
        lines.append(
            f"| {family} | {what} | `{short(expected)}`{star} | "
            + " | ".join(mark(by_version.get(v)) for v in versions)
            + f" | {named(same)} |"
        )
    return "\n".join(lines)


def others_table(rows: list[Row]) -> str:
    lines = ["| library | dumped | variant | | identify by itself |", "|---|---|---|---|---|"]
    lines += [
        f"| {row.library} | {row.what} | `{short(row.expected)}` | {mark(row)} | {named([row])} |" for row in rows
    ]
    return "\n".join(lines)


def license_of(package: str) -> str:
    try:
        about = metadata(package).json
    except PackageNotFoundError:
        return ""
    said = str(about.get("license_expression") or about.get("license") or "")
    if not said or len(said) > 40:
        classifiers = [
            text.split(" :: ")[-1] for text in list(about.get("classifier", [])) if text.startswith("License")
        ]
        said = classifiers[0] if classifiers else said.splitlines()[0] if said else "not said"
    return said


def packages_table() -> str:
    folder = PAGE.parent
    pinned = [
        line.split("==")
        for name in ("requirements.txt", "transformers-4.txt")
        for line in (folder / name).read_text().split()
    ]
    lines = ["| package | version | licence, as the package says it |", "|---|---|---|"]
    lines += sorted({f"| {package} | {number} | {license_of(package)} |" for package, number in pinned})
    return "\n".join(lines)


def number(mean: float, error: float) -> str:
    """57.0(14): in brackets the standard error of the last digits."""
    if not error > 1e-12 * abs(mean):
        return f"{mean:.4g}"
    digits = max(0, 1 - math.floor(math.log10(error)))
    return f"{mean:.{digits}f}({round(error * 10**digits)})"


def trained_table(runs: list[dict[str, Any]], scheme: str, columns: dict[str, str]) -> str:
    """`columns`: measure -> its head."""
    lines = ["| table | | " + " | ".join(columns.values()) + " |", "|---|---|" + "---|" * len(columns)]
    for run in runs:
        if (run["scheme"] == "shaw") == (scheme == "shaw"):
            cells = [number(*run["measures"][measure]) for measure in columns]
            lines.append(f"| {run['table']} | {run['weights']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


ADDED = {
    "distinct": "codes that differ",
    "position_error": "a linear probe's error in position",
    "position_error_chance": "of one that knows no code",
    "participation": "directions filled",
    "content_error_rms": "relative: rms of what moving all positions by 10 changes",
}
VECTORS = {
    "distinct": "codes that differ",
    "content_error_rms": "relative: rms of what moving all positions by 10 changes",
    "size": "size of what is added to logits, nat",
}


def write_page(rows: list[Row], trained: list[dict[str, Any]]) -> None:
    of_transformers = [row for row in rows if row.library.startswith("transformers ")]
    tables = {
        "packages": packages_table(),
        "tables": trained_table(trained, "learned", ADDED),
        "vectors": trained_table(trained, "shaw", VECTORS),
        "transformers": transformers_table(of_transformers),
        "others": others_table([row for row in rows if row not in of_transformers]),
    }
    text = PAGE.read_text()
    for name, table in tables.items():
        text = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)",
            lambda found: f"{found[1]}{table}\n{found[2]}",
            text,
            flags=re.DOTALL,
        )
    PAGE.write_text(text)
