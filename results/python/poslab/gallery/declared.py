# SPDX-License-Identifier: Apache-2.0
"""The tables of axes and measures on an experiment's page, from what the experiment declares of itself."""

import re
from collections.abc import Sequence
from typing import Any

BEGIN, END = "<!-- Declared; `./dev tables` renews it. -->", "<!-- Until here. -->"
BLOCK = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)


def with_tables(page: str, experiment: dict[str, Any]) -> str:
    """The page with its tables as they are to be. Raises ValueError if it has no single place for them."""
    if len(BLOCK.findall(page)) != 1:
        raise ValueError(f"{experiment['id']}.md has no single place for its tables; it begins and ends with the lines\n{BEGIN}\n{END}")
    return BLOCK.sub(lambda _: f"{BEGIN}\n{tables(experiment)}\n{END}", page)


def tables(experiment: dict[str, Any]) -> str:
    axes = [(code(axis["name"]), code(setting(axis["default"])), text(axis["allowed"]), text(axis["unit"]), text(axis["sentence"]))
            for axis in experiment["axes"]]
    measures = [row_of(alike) for alike in families(experiment["measures"])]
    return "\n".join([*table(("axis", "default", "values", "unit", "what it is"), axes), "",
                      *table(("measure", "dimensions", "unit", "what it is, and its definition", "null value", "tolerance"), measures)])


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (heads, ("---",) * len(heads), *rows)]


def row_of(measures: list[dict[str, Any]]) -> tuple[str, ...]:
    first = measures[0]
    sentence = alternatives([one["sentence"] for one in measures])
    return (", ".join(code(one["name"]) for one in measures), ", ".join(first["dimensions"]) or "–", text(first["unit"]),
            f"{text(sentence)}:<br>{code(first['definition'])}", exceptions(measures, "null_value"), exceptions(measures, "tolerance"))


def families(measures: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Measures that are the same of several things, each family a row: `mean_random` and `mean_equal`, defined alike."""
    found: list[list[dict[str, Any]]] = []
    for measure in measures:
        for family in found:
            if are_alike([*family, measure]):
                family.append(measure)
                break
        else:
            found.append([measure])
    return found


def are_alike(measures: list[dict[str, Any]]) -> bool:
    """Whether their names differ in the same word, their sentences begin alike, and they are otherwise defined alike."""
    names = [one["name"].split("_") for one in measures]
    if len({len(words) for words in names}) > 1 or sum(len(set(words)) > 1 for words in zip(*names)) != 1:
        return False
    alike = [(one["dimensions"], one["unit"], one["definition"], one["sentence"].split()[:3]) for one in measures]
    return all(one == alike[0] for one in alike)


def alternatives(sentences: list[str]) -> str:
    """Several sentences as one, with strokes between what they do not share: `mean of the queries / keys on a side`."""
    if len(set(sentences)) == 1:
        return sentences[0]
    words = [one.split() for one in sentences]
    begin = shared(words)
    end = shared([one[begin:][::-1] for one in words])
    middle = [" ".join(one[begin:len(one) - end]) for one in words]
    comma = "," if all(one.endswith(",") for one in middle) else ""
    return " ".join([*words[0][:begin], " / ".join(one.removesuffix(comma) for one in middle) + comma, *words[0][len(words[0]) - end:]])


def exceptions(measures: list[dict[str, Any]], fact: str) -> str:
    """The fact of the first; of the others where it differs, behind the word in which their names do."""
    first = measures[0]
    words = first["name"].split("_")
    others = [f"{word}: {text(one[fact])}" for one in measures if one[fact] != first[fact]
              for word, same in zip(one["name"].split("_"), words) if word != same]
    return "; ".join([text(first[fact]), *others])


def shared(lists: list[list[str]]) -> int:
    """How many words all begin with."""
    count = 0
    while all(len(words) > count + 1 for words in lists) and len({words[count] for words in lists}) == 1:
        count += 1
    return count


def setting(value: Any) -> str:
    """A value of an axis as a study has it."""
    if isinstance(value, list):
        return f"[{', '.join(map(setting, value))}]"
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def text(words: str) -> str:
    """A sentence of a declaration as a cell shows it; what is in backticks there is code on the page, too."""
    return re.sub(r"[\\*<~|]|(?<!\w)_|_(?!\w)", r"\\\g<0>", words)


def code(formula: str) -> str:
    """Whatever is in it, a stroke among it, which would end the cell."""
    span = f"`` {formula} ``" if "`" in formula else f"`{formula}`"
    return span.replace("|", r"\|")
