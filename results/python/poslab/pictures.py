# SPDX-License-Identifier: Apache-2.0
"""How the notebooks draw: one look a scheme in every picture, logarithms that can show 0, legends beside the panels,
curves that lie on each other told apart, and one setting of a file that has several."""

import textwrap

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import poslab

# Okabe and Ito's colours, which all eyes tell apart, without their yellow, which paper swallows; with brown, grey and
# violet. The markers differ too, and the variants of a scheme in their dashes.
COLOURS = ["#000000", "#8C8C8C", "#6A3D1F", "#0072B2", "#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#5B4B9E"]
MARKERS = ["o", "s", "D", "^", "v", "P", "X", "*", "<", ">"]
DASHES = ["-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (5, 1.2, 1, 1.2))]


def use_paper_style():
    mpl.rcParams.update({
        "figure.dpi": 96, "savefig.dpi": 300, "figure.constrained_layout.use": True,
        "font.size": 8, "axes.titlesize": 8.5, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7,
        "axes.titlelocation": "left", "axes.titlepad": 8, "axes.spines.top": False, "axes.spines.right": False,
        "legend.fontsize": 7.5, "legend.frameon": False,
    })


def panels(*titles, width=7.4, height=2.8, ratios=None):
    """A row of axes, lettered."""
    widths = {"width_ratios": ratios or [1] * len(titles)}
    _, axes = plt.subplots(1, len(titles), figsize=(width, height), gridspec_kw=widths)
    for one, letter, title in zip(np.atleast_1d(axes), "abcdef", titles):
        one.set_title(rf"$\bf{{{letter}}}$  {title}")
    return axes


def begin(run, experiment, *drawn):
    """What a section needs to begin: of each axis that varies and is not `drawn`, the value that most cells have, as
    words for `run.rows` and `run.curve`. None, and a sentence, if this file has no cells of the experiment.
    """
    if experiment not in run.experiments:
        print(f"This file has no {experiment}: its study did not ask for it.")
        return None
    good = run.rows(experiment, status="ok")
    if good.sizes["cell"] == 0:
        print(f"No cell of {experiment} in this file has numbers: run.failures and run.skipped say why.")
        return None
    where = {}
    for name in poslab.varying(good):
        if name in ("scheme", "variant", "repeat", *drawn):
            continue
        values = [value for value in good[name].to_numpy().tolist() if value == value]
        counts = {value: values.count(value) for value in values}
        where[name] = max(counts, key=counts.get)
        others = ", ".join(str(value) for value in counts if value != where[name])
        if others:
            print(poslab.printable(f"Drawn: {name} {where[name]}. The file has {others} too."))
    return where


def coinciding(curves, nearer_than=1.0):
    """Groups of the names whose curves nowhere are further apart than this, in points of the picture. `curves`: name ->
    array of (x, y); a curve may end earlier, or begin later, than another.
    """
    groups = []
    for name, points in curves.items():
        for group in groups:
            if _lie_on_each_other(curves[group[0]], points, nearer_than):
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def _lie_on_each_other(a, b, nearer_than):
    a, b = (points[np.isfinite(points).all(axis=1)] for points in (a, b))
    a, b = a[np.isin(a[:, 0], b[:, 0])], b[np.isin(b[:, 0], a[:, 0])]
    return len(a) > 1 and a.shape == b.shape and bool((np.abs(a - b) <= nearer_than).all())


def tell_apart(axes, lines):
    """Lines that lie on each other get the same breadth and dashes that take turns, so that all colours can be seen.
    `lines`: name -> line. Returns the groups of names. To be called when the axes have their scales.
    """
    axes.get_xlim(), axes.get_ylim()  # limits that follow the curves are made now
    points = {name: axes.transData.transform(np.column_stack([np.asarray(line.get_xdata(), float),
                                                              np.asarray(line.get_ydata(), float)]))
              for name, line in lines.items()}
    to_points = 72 / axes.figure.dpi
    groups = coinciding({name: of_name * to_points for name, of_name in points.items()})
    for group in groups:
        whole = max(group, key=lambda name: np.isfinite(points[name]).all(axis=1).sum())  # below the others, without gaps
        for turn, name in enumerate(group):
            lines[name].set(linewidth=1.6, linestyle=(4 * turn, (4, 4 * (len(group) - 1))))
        lines[whole].set(linestyle="-", zorder=1.9)
    return groups


class Looks:
    """The look of each variant of a run: a colour and a marker for its scheme, dashes among the scheme's variants."""

    def __init__(self, run):
        self.schemes = run.index.drop_duplicates("variant").set_index("variant").scheme
        self.untrained = set(run.index[run.index.message == "untrained weights"].variant)
        self._lines = {}  # axes -> variant -> line

    def name(self, variant):
        """`sinusoidal(layout=timing-signal)` -> `sinusoidal, timing-signal`; `(untrained)` where weights were drawn."""
        scheme, _, settings = variant.rstrip(")").partition("(")
        alone = (self.schemes == self.schemes[variant]).sum() == 1
        words = [] if alone else [setting.partition("=")[2] for setting in settings.split(", ")]
        return poslab.plot_text(", ".join([scheme] + words)) + (" (untrained)" if variant in self.untrained else "")

    def __call__(self, variant):
        scheme = list(dict.fromkeys(self.schemes)).index(self.schemes[variant])
        among = list(self.schemes.index[self.schemes == self.schemes[variant]]).index(variant)
        # Earlier ones are broader, so that a later one on the same values does not hide them.
        breadth = 1 - list(self.schemes.index).index(variant) / len(self.schemes)
        return {
            "color": COLOURS[scheme % len(COLOURS)], "linestyle": DASHES[among % len(DASHES)],
            "linewidth": 0.9 + 1.6 * breadth, "marker": MARKERS[scheme % len(MARKERS)],
            "markersize": 2.5 + 3.5 * breadth, "markerfacecolor": "white", "markeredgewidth": 0.9,
            "label": self.name(variant),
        }

    def by_variant(self, rows):
        """The rows of each variant, in the study's order."""
        return {variant: rows.isel(cell=rows.variant.to_numpy() == variant) for variant in self.schemes.index
                if variant in rows.variant.to_numpy()}

    def longest(self, run, experiment, **where):
        """For each variant the longest `length` that it served, in the study's order."""
        rows = self.by_variant(run.rows(experiment, status="ok", **where))
        return {variant: rows[variant].length.max().item() for variant in rows}

    def curves(self, run, measure, variants=None, **where):
        """The curve of each variant that has one, in the study's order; repeats stay a dimension. `variants`: only
        these, or variant -> length.
        """
        found = {}
        for variant in self.schemes.index if variants is None else variants:
            length = {"length": variants[variant]} if isinstance(variants, dict) else {}
            try:
                found[variant] = run.curve(measure, variant=variant, **length, **where)
            except LookupError:  # skipped, failed, or not in this study
                continue
        return {variant: curve for variant, curve in found.items() if curve.notnull().any()}

    def means(self, run, measure, variants=None, **where):
        """Mean, least and greatest over the repeats of each curve; all three are the curve where it has no repeats."""
        found = {}
        for variant, curve in self.curves(run, measure, variants, **where).items():
            repeated = curve if "repeat" in curve.dims else curve.drop_vars("repeat").expand_dims("repeat")
            found[variant] = repeated.mean("repeat"), repeated.min("repeat"), repeated.max("repeat")
        return found

    def line(self, axes, variant, x, y, low=None, high=None, markers=None):
        """A curve, with a band from low to high. `markers`: how many there are along it, evenly on the axis as it is
        scaled then (default: one a point); those of several curves interleave.
        """
        look = self(variant)
        (line,) = axes.plot(x, y, markevery=self._marked(axes, variant, np.asarray(x), markers) if markers else None, **look)
        self._lines.setdefault(axes, {})[variant] = line
        if low is not None:
            axes.fill_between(x, low, high, color=look["color"], alpha=0.2, linewidth=0)

    def _marked(self, axes, variant, x, markers):
        shown = axes.xaxis.get_transform().transform(x.astype(float))
        phase = (list(self.schemes.index).index(variant) + 0.5) / len(self.schemes)
        wanted = shown[0] + (shown[-1] - shown[0]) * (np.arange(markers) + phase) / markers
        return sorted(set(np.abs(shown[:, None] - wanted).argmin(axis=0).tolist()))

    def legend(self, *all_axes, beside=None):
        """One legend for these panels, right of `beside` (the last one), in the study's order; other labels last, and
        last of all which curves lie on each other. Called when all is drawn.
        """
        beside = beside or all_axes[-1]
        handles = {}
        for axes in all_axes:
            handles.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
        names = [self.name(variant) for variant in self.schemes.index]
        same = [line for number, axes in enumerate(all_axes) for line in self._same(axes, "abcdef"[number % 6])]
        for variant in self.schemes.index:  # as they look alone
            if self.name(variant) in handles and len(np.shape(handles[self.name(variant)])) == 0:
                handles[self.name(variant)] = mpl.lines.Line2D([], [], **self(variant))
        order = [name for name in names if name in handles] + [label for label in handles if label not in names]
        own = beside.get_legend()
        right = {"loc": "center left", "bbox_to_anchor": (1.04, 0.5), "borderaxespad": 0}
        handles.update({line: mpl.lines.Line2D([], [], linestyle="none") for line in same})
        order += same
        if order:
            beside.legend([handles[label] for label in order], order, handlelength=3, **right)
        if own:
            beside.add_artist(own)  # a panel's own legend stays


    def _same(self, axes, letter):
        """`in a: rope = none`, for each group of curves of these axes; the first three of them."""
        groups = tell_apart(axes, self._lines.get(axes, {}))
        names = [" = ".join(self.name(variant).removesuffix(" (untrained)") for variant in group[:4])
                 + (f" = {len(group) - 4} more" if len(group) > 4 else "") for group in groups]
        if len(names) > 3:
            names[3:] = [f"{len(names) - 3} more groups"]
        wrap = {"width": 30, "subsequent_indent": "   ", "break_on_hyphens": False}
        return [textwrap.fill(f"in {letter}: {name}", **wrap) for name in names]


def rows_of(axes, names):
    """A row for each name, from the top; returns their heights."""
    heights = -np.arange(len(names), dtype=float)
    axes.set_yticks(heights, names)
    axes.set_ylim(heights.min(initial=0) - 0.6, 0.6)
    axes.tick_params(axis="y", length=0)
    for height in heights:
        axes.axhline(height, color="0.92", linewidth=0.8, zorder=0)
    return heights


def log_with_zeros(axes, curves, which="y"):
    """A logarithmic axis for non-negative curves (variant -> values), with a grey strip at its low end for values that
    are exactly 0: a lane each, since a logarithm cannot show them. Returns the curves as they are to be drawn.
    """
    curves = {variant: np.asarray(values, dtype=float) for variant, values in curves.items()}
    positive = np.concatenate([values[values > 0] for values in curves.values()] or [[]])
    low, high = (np.log10(positive.min()), np.log10(positive.max())) if positive.size else (-1, 0)
    low = np.floor(low - 0.1)
    lanes = [variant for variant, values in curves.items() if (values == 0).any()]
    lane = 0.05 * max(1, high - low)
    strip = lane * (len(lanes) + 1) if lanes else 0
    powers = np.arange(low, high + 0.3, max(1, np.ceil((high - low) / (4 if which == "x" else 6))))
    ticks, labels = [10.0**power for power in powers], [f"$10^{{{int(power)}}}$" for power in powers]
    if lanes:
        paint = axes.axvspan if which == "x" else axes.axhspan
        paint(10 ** (low - strip), 10**low, color="0.92", zorder=0, linewidth=0)
        first = 1 if which == "x" else 0  # below an axis there is no room for the tick beside the strip
        ticks = [10 ** (low - strip / 2)] + ticks[first:]
        labels = ["0" if which == "x" else "exactly 0"] + labels[first:]
    getattr(axes, f"set_{which}scale")("log")
    getattr(axes, f"set_{which}ticks")(ticks, labels)
    getattr(axes, f"{which}axis").set_minor_locator(mpl.ticker.NullLocator())
    getattr(axes, f"set_{which}lim")(10 ** (low - strip), 10 ** (high + 0.06 * max(1, high - low)))
    in_lane = {variant: 10 ** (low - lane * (number + 1)) for number, variant in enumerate(lanes)}
    return {variant: np.where(values == 0, in_lane.get(variant, np.nan), values) for variant, values in curves.items()}


def powers_of_two(axes, which, values):
    getattr(axes, f"set_{which}scale")("log", base=2)
    getattr(axes, f"set_{which}ticks")(values, [f"{int(value)}" for value in values])
    getattr(axes, f"{which}axis").set_minor_locator(mpl.ticker.NullLocator())


def powers_of_two_from_0(axes, last):
    """A position axis that is logarithmic from 1 on and still shows 0."""
    axes.set_xscale("symlog", base=2, linthresh=1, linscale=0.6)
    ticks = [0] + [2**power for power in range(0, 40, 3) if 2**power <= last]
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    axes.set_xlim(-0.15, last)


def heat_on_grid(axes, array, dimension=None, centred=False):
    """A heat map of an array over the cells of a grid (poslab.on_grid), row 0 on top, with its colour bar. `centred`:
    as many shades below 0 as above.
    """
    cells = poslab.on_grid(array, dimension)
    if cells.ndim != 2:
        raise ValueError(f"a heat map has rows and columns, but this array has {', '.join(map(str, cells.dims))}")
    values = cells.to_numpy()
    rows, columns = (cells[name].to_numpy() for name in cells.dims)
    reach = {"vmin": -np.nanmax(np.abs(values)), "vmax": np.nanmax(np.abs(values)), "cmap": "RdBu_r"} if centred else {}
    extent = (columns[0] - 0.5, columns[-1] + 0.5, rows[-1] + 0.5, rows[0] - 0.5)
    image = axes.imshow(values, extent=extent, interpolation="nearest", **reach)
    axes.set_xlabel("column")
    axes.set_ylabel("row")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    unit = array.attrs.get("units", "1")
    axes.figure.colorbar(image, ax=axes, shrink=0.7, label="" if unit == "1" else poslab.plot_text(unit))
    return image


def code_on_grid(code, channels, name="channel"):
    """A panel for each of these channels of a code on a grid (`encoding_table`, or `turned_ones` of one head)."""
    axes = panels(*(f"channel {channel}" for channel in channels))
    for one, channel in zip(np.atleast_1d(axes), channels):
        heat_on_grid(one, code.sel({name: channel}), "position", centred=True)
    return axes


def bias_on_grid(bias, queries, head=0):
    """A panel for each of these queries (row, column): what a head's bias (`position_bias`) adds to each key cell."""
    axes = panels(*(f"head {head}, query at ({row}, {column})" for row, column in queries))
    for one, (row, column) in zip(np.atleast_1d(axes), queries):
        of_query = (bias.query_position_row == row) & (bias.query_position_column == column)
        heat_on_grid(one, bias.sel(head=head).isel(query_position=int(np.flatnonzero(of_query)[0])), "key_position")
        one.plot(column, row, "x", color="white", markersize=5)
    return axes


# Broad first, so that one on the same values does not hide it: all-ones contents lie on equal ones for every bias.
CONTENTS = {
    "equal": ("equal contents", {"color": "#E69F00", "linewidth": 3.2}),
    "random": ("random contents", {"color": "#0072B2", "linewidth": 1.2}),
    "ones": ("all-ones contents", {"color": "#000000", "linewidth": 0.9, "linestyle": (0, (3, 2))}),
}
BOUND = {"color": "#D55E00", "linestyle": ":", "linewidth": 1.6}


def distance_profile(run, look, variants=None, columns=4, width=7.4, **where):
    """Logits by distance, a panel for each variant (default: all that have a profile): mean (line) and standard
    deviation (band) for three kinds of contents. Dotted: the shape of RoFormer's bound, which itself lies far above,
    drawn from the value of all-ones contents at distance 0.
    `where` names the axes that several cells differ in, as in `run.curve`.
    """
    profiles = look.means(run, "mean_ones", variants, **where)
    if not profiles:
        raise LookupError(f"no variant has logits by distance where {where or 'all is as it is'}")
    columns = min(columns, len(profiles))
    rows = -(-len(profiles) // columns)
    _, panel_of = plt.subplots(rows, columns, figsize=(width, 0.7 + 1.6 * rows), sharex=True, sharey=True,
                              squeeze=False)
    for axes, variant in zip(panel_of.flat, profiles):
        axes.set_title(look.name(variant))
        axes.axhline(0, color="0.85", linewidth=0.8, zorder=0)
        for contents in CONTENTS:
            _profile(axes, run, look, variant, contents, where)
        _bound(axes, look.means(run, "bound", [variant], **where), profiles[variant][0])
    for axes in panel_of.flat[len(profiles):]:
        axes.set_visible(False)
    _profile_scales(panel_of, [mean for mean, _, _ in profiles.values()])
    handles = [mpl.lines.Line2D([], [], label=name, **line) for name, line in CONTENTS.values()]
    handles.append(mpl.lines.Line2D([], [], **BOUND, label="shape of RoFormer's bound"))
    panel_of[0, 0].figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=4)
    return panel_of


def _profile(axes, run, look, variant, contents, where):
    name, line = CONTENTS[contents]
    mean = look.means(run, f"mean_{contents}", [variant], **where)[variant][0]
    deviation = look.means(run, f"deviation_{contents}", [variant], **where)[variant][0]
    axes.fill_between(mean.distance, mean - deviation, mean + deviation, color=line["color"], alpha=0.18, linewidth=0)
    axes.plot(mean.distance, mean, label=name, **line)


def _bound(axes, bounds, ones):
    for bound, _, _ in bounds.values():
        start = bound.distance.to_numpy() == 0
        scale = ones.to_numpy()[start] / bound.to_numpy()[start]
        axes.plot(bound.distance, bound * scale, **BOUND)


def _profile_scales(panel_of, means):
    """A logarithm of the distance that shows 0. What falls below -15 leaves the panel: it has no weight any more."""
    for axes in panel_of.flat:
        powers_of_two_from_0(axes, max(float(mean.distance.max()) for mean in means))
    low, _ = panel_of[0, 0].get_ylim()
    panel_of[0, 0].set_ylim(max(low, -15), max(float(mean.max()) for mean in means) + 4)
    figure = panel_of[0, 0].figure
    figure.supxlabel("distance m − n (positions)", fontsize=8)
    figure.supylabel("logit (sd of content logits)", fontsize=8)
