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

LENGTH = {"extrapolation": "train_length"}  # of the other experiments: length

LEGEND = {
    "own code": "`uniqueness` at the greatest length: `yes` and the distance of the two nearest codes; else how many codes are distinct",
    "relative": "`relative-shift`: the largest change of a logit when all positions move, over the rms logit; `yes` if it is rounding, "
                "`positions` if only the part of position against position depends on the offset alone, or only that could be measured",
    "norms": "`norm-preservation`: `kept`, or the least and the greatest ratio of lengths after and before",
    "beyond": "`extrapolation` up to {last} times the trained length: where it stops being defined; else the largest drift of the mean "
              "logit, in standard deviations of those within the trained length",
    "first": "`first-position-bias`: share of position 0 in what the last position gathers after {last} layers, over that without positions",
}
INNER = {"beyond": "multiple_list", "first": "depth_list"}  # whose last value is {last}


class Page:
    def __init__(self, run):
        self.run = run
        first = run.index.drop_duplicates("variant")
        self.variants = list(first.variant)
        self.untrained = set(run.index[run.index.message == "untrained weights"].variant)
        self.columns = {name: column for name, column in COLUMNS.items() if EXPERIMENTS[name] in run.experiments}
        self.reasons = {}  # sentence -> number of its footnote
        self.points = {}  # experiment -> what it varies beside length -> the values at which schemes are shown
        self._rows = {}

    def rows(self, experiment, variant):
        """The good rows of a variant, at the last of its points if more than length varies, or None; with the reason that it
        was skipped or failed."""
        if (experiment, variant) not in self._rows:
            self._rows[experiment, variant] = self._find_rows(experiment, variant)
        return self._rows[experiment, variant]

    def _find_rows(self, experiment, variant):
        length = LENGTH.get(experiment, "length")
        if experiment not in self.points:
            varies = self.run[experiment].indexes["cell"].names
            self.points[experiment] = {name: {} for name in varies if name not in ("scheme", "variant", "repeat", length)}
        table = self.run.rows(experiment, variant=variant)
        good = table.isel(cell=table.status.to_numpy() == "ok")
        if good.sizes["cell"] == 0:
            return None, str(table.message.item(0)) if table.sizes["cell"] else ""
        for name, shown in self.points[experiment].items():
            last = longest(good, experiment)[name].to_numpy()[-1]
            values = good[name].to_numpy()
            good = good.isel(cell=(values == last) | ((values != values) & (last != last)))  # unset is NaN
            shown[word(last)] = None
        return good, ""

    def curve(self, experiment, measure, variant):
        """Mean over repeats of a variant's curve at its greatest length, or None."""
        rows, _ = self.rows(experiment, variant)
        if rows is None:
            return None
        curve = self.run.curve(measure, experiment, id=longest(rows, experiment).id.to_numpy())
        curve = curve.mean("repeat", keep_attrs=True) if "repeat" in curve.dims else curve
        return curve if curve.notnull().any() else None

    def place(self, experiment):
        """Where schemes are shown of what varies beside length: `heads = 4, d_model = 64`; empty if nothing does."""
        return ", ".join(f"{name} = {' or '.join(values)}" for name, values in self.points.get(experiment, {}).items() if values)

    def footnote(self, reason):
        if not reason:
            return "–"
        reason = re.sub(r'^scheme "[^"]*" ', "it ", reason)  # one sentence for all whom it concerns
        number = self.reasons.setdefault(reason, len(self.reasons) + 1)
        return f"– [{number}]"

    def name(self, variant):
        return f"`{short(variant)}`" + (" *" if variant in self.untrained else "")


def short(variant):
    """Without the parameters that are unset: they only tell it from other variants of the scheme."""
    return re.sub(r"\(\)", "", re.sub(r"(, )?\b\w+=unset\b", "", variant).replace("(, ", "("))


def word(value):
    """A value of an axis as a study writes it."""
    return "unset" if value != value else str(value).lower() if isinstance(value, (bool, np.bool_)) else f"{value}"


def longest(rows, experiment):
    lengths = rows[LENGTH.get(experiment, "length")].to_numpy()
    return rows.isel(cell=lengths == lengths.max())


def allowed(attributes, position=0, length=0):
    """What the measure's tolerance allows around 0."""
    return (attributes["tolerance_absolute"] + attributes["tolerance_per_position"] * position
            + attributes["tolerance_per_length"] * length)


def own_code(page, variant):
    rows, reason = page.rows("uniqueness", variant)
    if rows is None:
        return page.footnote(reason)
    rows = longest(rows, "uniqueness")
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
    error = page.curve("relative-shift", "content_error", variant)
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
    low, high = (page.curve("norm-preservation", name, variant) for name in ("ratio_min", "ratio_max"))
    if low is None or high is None:
        return "not measured"
    return f"{float(low.min()):.3g} to {float(high.max()):.3g}"


def beyond(page, variant):
    rows, reason = page.rows("extrapolation", variant)
    if rows is None:
        return page.footnote(reason)
    trained = rows.train_length.max().item()
    defined = page.curve("extrapolation", "defined", variant)
    if defined is None:
        return "not measured"
    undefined = defined.position.to_numpy()[defined.to_numpy() < 1]
    if undefined.size:
        return f"not defined at {undefined.min():.0f}"
    drift = page.curve("extrapolation", "logit_drift", variant)
    if drift is None or not drift[drift.position >= trained].notnull().any():
        return "defined"
    return f"{float(abs(drift[drift.position >= trained]).max()):.2g} sd"


def first(page, variant):
    rows, reason = page.rows("first-position-bias", variant)
    if rows is None:
        return page.footnote(reason)
    share, none = (page.curve("first-position-bias", name, variant) for name in ("context_share", "context_share_none"))
    if share is None or none is None:
        return "not measured"
    ratio = float(share[-1] / none[-1])
    return f"× {ratio:.3g}" if ratio > 1e-3 else f"× {ratio:.0e}"


COLUMNS = {"own code": own_code, "relative": relative, "norms": norms, "beyond": beyond, "first": first}
EXPERIMENTS = {"own code": "uniqueness", "relative": "relative-shift", "norms": "norm-preservation", "beyond": "extrapolation",
               "first": "first-position-bias"}


def table(page):
    lines = ["| scheme | " + " | ".join(page.columns) + " |", "|---" * (1 + len(page.columns)) + "|"]
    for variant in page.variants:
        cells = [column(page, variant) for column in page.columns.values()]
        lines.append(f"| {page.name(variant)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def heat(axes, page, curve_of, title, bar, **look):
    """A row for each variant, its curve as colours; rows without a curve stay grey. Rows may have different places."""
    axes.set_title(title, loc="left", fontsize=9)
    axes.set_facecolor("0.9")
    axes.set_ylim(len(page.variants) - 0.5, -0.5)
    norm = plt.Normalize(look["low"], look["high"])
    for row, variant in enumerate(page.variants):
        curve = curve_of(variant)
        if curve is None:
            continue
        places, values = curve[curve.dims[0]].to_numpy().astype(float), curve.to_numpy()
        edges = np.concatenate([places - look["half"](places), [places[-1] + look["half"](places[-1:])[0]]])
        axes.pcolormesh(edges, [row - 0.45, row + 0.45], values[None, :], norm=norm, cmap=look["cmap"])
    axes.set_xlabel(look["label"])
    axes.set_xscale(look.get("scale", "linear"))
    axes.tick_params(axis="y", length=0)
    plt.colorbar(plt.cm.ScalarMappable(norm, look["cmap"]), ax=axes, label=bar, shrink=0.35, pad=0.02)


def shift_panel(page, axes):
    def logarithm(variant):
        error = page.curve("relative-shift", "content_error", variant)
        return None if error is None else np.log10(np.maximum(error, 1e-17))

    heat(axes, page, logarithm, "change of logits when all positions move", "log10 of change over rms logit", low=-16, high=0,
         cmap="viridis", label="shift", scale="log", half=lambda x: x * 0.6)


def drift_panel(page, axes):
    heat(axes, page, lambda variant: page.curve("extrapolation", "logit_drift", variant),
         "drift of the mean logit beyond the trained length", "standard deviations within it", low=-3, high=3, cmap="RdBu_r",
         label="position", half=lambda x: np.full(len(x), 30.0))


def share_panel(page, axes):
    def ratio(variant):
        share, none = (page.curve("first-position-bias", name, variant) for name in ("context_share", "context_share_none"))
        return None if share is None or none is None else np.log2(share / none)

    heat(axes, page, ratio, "position 0 in the last context, over that without positions", "log2 of the ratio", low=-3, high=3,
         cmap="PuOr_r", label="layers", half=lambda x: np.full(len(x), 0.45))
    axes.set_xticks(sorted({int(x) for curve in map(ratio, page.variants) if curve is not None for x in curve[curve.dims[0]]}))


PANELS = {  # what it shows, and who draws it
    "relative-shift": ("change of logits under shifts", shift_panel),
    "extrapolation": ("drift beyond the trained length", drift_panel),
    "first-position-bias": ("the share of position 0", share_panel),
}


def pictured(page):
    return [experiment for experiment in PANELS if experiment in page.run.experiments]


def figure(page):
    """A panel for each of PANELS that the study asks; None if it asks none."""
    asked = pictured(page)
    if not asked:
        return None
    height = 1.2 + 0.21 * len(page.variants)
    whole, axes = plt.subplots(1, len(asked), figsize=(1 + 4 * len(asked), height), sharey=True, constrained_layout=True, squeeze=False)
    for experiment, one in zip(asked, axes[0]):
        PANELS[experiment][1](page, one)
        if page.place(experiment):
            one.set_title(f"{one.get_title(loc='left')}\n{page.place(experiment)}", loc="left", fontsize=9)
    axes[0, 0].set_yticks(range(len(page.variants)), [page.name(v).replace("`", "") for v in page.variants], fontsize=7)
    return whole


def legend(page):
    lines = ["| column | verdict and number |", "|---|---|"]
    for name in page.columns:
        lists = page.run.rows(EXPERIMENTS[name])[INNER[name]].to_numpy() if name in INNER else []
        last = str(lists[0]).strip("[]").split(",")[-1].strip() if len(lists) else "–"
        lines.append(f"| {name} | {LEGEND[name].format(last=last)} |")
    places = [f"`{experiment}` at {page.place(experiment)}" for experiment in page.points if page.place(experiment)]
    if places:
        lines += ["", f"The study varies more than length; each scheme is shown at the last of its points: {'; '.join(places)}."]
    return "\n".join(lines)


def text(page, study, picture):
    body = table(page)
    notes = "\n".join(f"{number}. {reason}" for reason, number in page.reasons.items())
    counts = page.run.index.status.value_counts()
    states = ", ".join(f"{count} {status}" for status, count in counts.items())
    shown = f"""

![The same rows: {", ".join(PANELS[experiment][0] for experiment in pictured(page))}]({picture})

Grey: the experiment does not apply, or the curve has no number there.""" if picture else ""
    return f"""# {page.run.title}

Made by `results/report.py` from the results of [{study}]({study}) ({len(page.run.index)} cells: {states}). A row again, with
every measure and curve behind it: `poslab run {study} --only <scheme>`; all of them: `poslab run {study}`.

{body}

\\* untrained weights, as drawn at initialisation: a verdict on these numbers is about the start of training.

{legend(page)}

Why there is no number:

{notes or "Nothing was skipped."}{shown}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the page; its picture lies beside it")
    options = parser.parse_args()
    page = Page(poslab.open(options.results))
    picture, drawn = options.output.with_suffix(".png"), figure(page)
    if drawn:
        drawn.savefig(picture, dpi=110, metadata={"Software": None})
    partial = options.output.with_suffix(".md.new")
    partial.write_text(text(page, options.results.stem + ".toml", picture.name if drawn else ""))
    os.replace(partial, options.output)


if __name__ == "__main__":
    main()
