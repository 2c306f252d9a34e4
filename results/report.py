#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page of a run: one table, schemes down, verdicts across, and one figure with the same rows.

    /usr/bin/python3 results/report.py results/runs/all-schemes.h5 -o experiments/studies/all-schemes.md

Every number is read from the file; a verdict compares it with the measure's own tolerance, which the file carries too.
"""

import argparse
import os
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import poslab

LEGEND = """
| column | verdict and number |
|---|---|
| own code | `uniqueness` at the greatest length: `yes` and the distance of the two nearest codes; else how many codes are distinct |
| relative | `relative-shift`: the largest change of a logit when all positions move, over the rms logit; `yes` if it is rounding, `positions` if only the part of position against position depends on the offset alone, or only that could be measured |
| norms | `norm-preservation`: `kept`, or the least and the greatest ratio of lengths after and before |
| beyond | `extrapolation` up to {multiple} times the trained length: where it stops being defined; else the largest drift of the mean logit, in standard deviations of those within the trained length |
| first | `first-position-bias`: share of position 0 in what the last position gathers after {depth} layers, over that without positions |
"""


class Page:
    def __init__(self, run):
        self.run = run
        first = run.index.drop_duplicates("variant")
        self.variants = list(first.variant)
        self.untrained = set(run.index[run.index.message == "untrained weights"].variant)
        self.reasons = {}  # sentence -> number of its footnote

    def rows(self, experiment, variant):
        """The good rows of a variant at its greatest length, or None; with the reason that it was skipped or failed."""
        if experiment not in self.run.experiments:
            return None, ""
        table = self.run.rows(experiment, variant=variant)
        good = table.isel(cell=table.status.to_numpy() == "ok")
        if good.sizes["cell"] == 0:
            return None, str(table.message.item(0)) if table.sizes["cell"] else ""
        return good, ""

    def curve(self, measure, variant, **where):
        """Mean over repeats of a variant's curve at its greatest length, or None."""
        try:
            curve = self.run.curve(measure, variant=variant, **where)
        except LookupError:
            return None
        curve = curve.mean("repeat", keep_attrs=True) if "repeat" in curve.dims else curve
        return curve if curve.notnull().any() else None

    def footnote(self, reason):
        reason = re.sub(r'^scheme "[^"]*" ', "it ", reason)  # one sentence for all whom it concerns
        number = self.reasons.setdefault(reason, len(self.reasons) + 1)
        return f"– [{number}]"

    def name(self, variant):
        return f"`{short(variant)}`" + (" *" if variant in self.untrained else "")


def short(variant):
    """Without the parameters that are unset: they only tell it from other variants of the scheme."""
    return re.sub(r"\(\)", "", re.sub(r"(, )?\b\w+=unset\b", "", variant).replace("(, ", "("))


def allowed(attributes, position=0, length=0):
    """What the measure's tolerance allows around 0."""
    return (attributes["tolerance_absolute"] + attributes["tolerance_per_position"] * position
            + attributes["tolerance_per_length"] * length)


def own_code(page, variant):
    rows, reason = page.rows("uniqueness", variant)
    if rows is None:
        return page.footnote(reason)
    rows = rows.isel(cell=rows.length.to_numpy() == rows.length.max().item())
    length, distinct = rows.length.item(0), rows.distinct.to_numpy()
    if np.isnan(distinct).all():
        return "not measured"
    if (rows.collisions.to_numpy() > 0).any():
        return f"{distinct.min():.0f} of {length} distinct"
    return f"yes, {np.nanmean(rows.min_distance):.3g}"


def relative(page, variant):
    rows, reason = page.rows("relative-shift", variant)
    if rows is None:
        return page.footnote(reason)
    length = rows.length.max().item()
    error = page.curve("content_error", variant, length=length)
    spread = rows.toeplitz_residual_relative
    exact = bool((spread <= allowed(spread.attrs, length, length)).all())
    if error is None:
        return ("positions" if exact else "no") + f", {float(spread.max()):.1g}"
    error = error.dropna("shift")  # shifts that lead to where the scheme is not defined
    positions = length + error["shift"].to_numpy()
    kept = bool((error.to_numpy() <= allowed(error.attrs, positions, length)).all())
    return ("yes" if kept else "positions" if exact else "no") + f", {float(error.max()):.1g}"


def norms(page, variant):
    rows, reason = page.rows("norm-preservation", variant)
    if rows is None:
        return page.footnote(reason)
    length = rows.length.max().item()
    error = rows.isometry_error
    if bool((error <= allowed(error.attrs, length, length)).all()):
        return f"kept, {float(error.max()):.1g}"
    low, high = page.curve("ratio_min", variant, length=length), page.curve("ratio_max", variant, length=length)
    return f"{float(low.min()):.3g} to {float(high.max()):.3g}"


def beyond(page, variant):
    rows, reason = page.rows("extrapolation", variant)
    if rows is None:
        return page.footnote(reason)
    trained = rows.train_length.max().item()
    defined = page.curve("defined", variant, train_length=trained)
    undefined = defined.position.to_numpy()[defined.to_numpy() < 1]
    if undefined.size:
        return f"not defined at {undefined.min():.0f}"
    drift = page.curve("logit_drift", variant, train_length=trained)
    if drift is None:
        return "defined"
    return f"{float(abs(drift[drift.position >= trained]).max()):.2g} sd"


def first(page, variant):
    rows, reason = page.rows("first-position-bias", variant)
    if rows is None:
        return page.footnote(reason)
    length = rows.length.max().item()
    share, none = (page.curve(name, variant, length=length) for name in ("context_share", "context_share_none"))
    ratio = float(share[-1] / none[-1])
    return f"× {ratio:.3g}" if ratio > 1e-3 else f"× {ratio:.0e}"


COLUMNS = {"own code": own_code, "relative": relative, "norms": norms, "beyond": beyond, "first": first}


def table(page):
    lines = ["| scheme | " + " | ".join(COLUMNS) + " |", "|---" * (1 + len(COLUMNS)) + "|"]
    for variant in page.variants:
        cells = [column(page, variant) for column in COLUMNS.values()]
        lines.append(f"| {page.name(variant)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def heat(axes, page, curves, title, bar, **look):
    """A row for each variant, its curve as colours; rows without a curve stay grey. Rows may have different places."""
    axes.set_title(title, loc="left", fontsize=9)
    axes.set_facecolor("0.9")
    axes.set_ylim(len(page.variants) - 0.5, -0.5)
    norm = plt.Normalize(look["low"], look["high"])
    for row, variant in enumerate(page.variants):
        if curves.get(variant) is None:
            continue
        places, values = curves[variant]
        edges = np.concatenate([places - look["half"](places), [places[-1] + look["half"](places[-1:])[0]]])
        axes.pcolormesh(edges, [row - 0.45, row + 0.45], values[None, :], norm=norm, cmap=look["cmap"])
    axes.set_xlabel(look["label"])
    axes.set_xscale(look.get("scale", "linear"))
    axes.tick_params(axis="y", length=0)
    plt.colorbar(plt.cm.ScalarMappable(norm, look["cmap"]), ax=axes, label=bar, shrink=0.35, pad=0.02)


def figure(page, path):
    height = 1.2 + 0.21 * len(page.variants)
    _, axes = plt.subplots(1, 3, figsize=(13, height), sharey=True, constrained_layout=True)
    longest = {name: page.run.rows(name).to_dataframe() for name in page.run.experiments}

    def curves(experiment, measure, length, change):
        found = {}
        for variant in page.variants:
            rows = longest[experiment] if experiment in longest else None
            mine = rows[(rows.variant == variant) & (rows.status == "ok")] if rows is not None else []
            curve = page.curve(measure, variant, **{length: mine[length].max()}) if len(mine) else None
            if curve is not None:
                found[variant] = curve.coords[curve.dims[0]].to_numpy().astype(float), change(curve, variant, mine)
        return found

    error = curves("relative-shift", "content_error", "length", lambda c, *_: np.log10(np.maximum(c.to_numpy(), 1e-17)))
    heat(axes[0], page, error, "change of logits when all positions move", "log10 of change over rms logit", low=-16, high=0,
         cmap="viridis", label="shift", scale="log", half=lambda x: x * 0.6)
    drift = curves("extrapolation", "logit_drift", "train_length", lambda c, *_: c.to_numpy())
    heat(axes[1], page, drift, "drift of the mean logit beyond the trained length", "standard deviations within it", low=-3,
         high=3, cmap="RdBu_r", label="position", half=lambda x: np.full(len(x), 30.0))

    def ratio(curve, variant, mine):
        none = page.curve("context_share_none", variant, length=mine.length.max())
        return np.log2((curve / none).to_numpy())

    share = curves("first-position-bias", "context_share", "length", ratio)
    heat(axes[2], page, share, "position 0 in the last context, over that without positions", "log2 of the ratio", low=-3,
         high=3, cmap="PuOr_r", label="layers", half=lambda x: np.full(len(x), 0.45))
    axes[2].set_xticks(sorted({int(x) for places, _ in share.values() for x in places}))
    axes[0].set_yticks(range(len(page.variants)),
                       [page.name(v).replace("`", "") for v in page.variants], fontsize=7)
    plt.savefig(path, dpi=110, metadata={"Software": None})
    plt.close()


def text(page, study, picture):
    multiples = page.run.rows("extrapolation").multiple_list.to_numpy() if "extrapolation" in page.run.experiments else []
    depths = page.run.rows("first-position-bias").depth_list.to_numpy() if "first-position-bias" in page.run.experiments else []
    last = [str(lists[0]).strip("[]").split(",")[-1].strip() if len(lists) else "–" for lists in (multiples, depths)]
    body = table(page)
    notes = "\n".join(f"{number}. {reason}" for reason, number in page.reasons.items())
    counts = page.run.index.status.value_counts()
    states = ", ".join(f"{count} {status}" for status, count in counts.items())
    return f"""# {page.run.title}

Made by `results/report.py` from the results of [{study}]({study}) ({len(page.run.index)} cells: {states}). A row again, with
every measure and curve behind it: `poslab run {study} --only <scheme>`; all of them: `./dev run experiments/studies/{study}`.

{body}

\\* untrained weights, as drawn at initialisation: a verdict on these numbers is about the start of training.
{LEGEND.format(multiple=last[0], depth=last[1])}
Why there is no number:

{notes or "Nothing was skipped."}

![The same rows: change of logits under shifts, drift beyond the trained length, the share of position 0]({picture})

Grey: the experiment does not apply, or the curve has no number there.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the page; its picture lies beside it")
    options = parser.parse_args()
    page = Page(poslab.open(options.results))
    picture = options.output.with_suffix(".png")
    figure(page, picture)
    partial = options.output.with_suffix(".md.new")
    partial.write_text(text(page, options.results.stem + ".toml", picture.name))
    os.replace(partial, options.output)


if __name__ == "__main__":
    main()
