// SPDX-License-Identifier: Apache-2.0
// A measure as a picture, with its numbers below it: lines, one point for each scheme, or a heat map for each.
import { dotPicture } from "./dot_picture.js";
import { downloads } from "./downloads.js";
import { picture } from "./picture.js";
import { linesOf, nullNumber, SCHEMES, trainedAt } from "./series.js";
import { tableOf } from "./tables.js";
import { element, plural, short } from "./texts.js";

const MAX_SHOWN = 400; // rows of the table below a picture; the CSV has all
const MAX_PANELS = 24;
const titleOf = (experiment, measure, { fixed }) => {
  const at = Object.entries(fixed).map(
    ([name, value]) => `${name} = ${typeof value === "number" ? short(value) : value}`,
  );
  return `${experiment.name}: ${measure.name}${at.length ? ` at ${at.join(", ")}` : ""}`;
};

const nothing = () => [
  element(
    "p",
    { class: "note" },
    "No scheme that is switched on has numbers here: skipped, failed, or the measure does not apply. Cells says why.",
  ),
];

const cut = (panels) => (panels > MAX_PANELS ? ` The first ${MAX_PANELS} of ${panels} panels are drawn.` : "");

function labelOf(measure) {
  return measure.unit !== "1" ? `${measure.name} (${measure.unit})` : measure.name;
}

export function lines(experiment, measure, chosen, found, looks, width, rows) {
  const isDimension = measure.dims.includes(chosen.across);
  const made = linesOf(found, chosen.across, chosen.panelBy, isDimension);
  if (made.size === 0) return nothing();
  const panelOf = experiment.columns[chosen.panelBy]; // absent where panels are of a dimension
  const panels = [...made].slice(0, MAX_PANELS).map(([panel, of]) => ({
    title: chosen.panelBy ? `${chosen.panelBy} = ${panel}` : titleOf(experiment, measure, chosen),
    mark: trainedAt(experiment, chosen.across, panelOf ? rows.filter((row) => String(panelOf[row]) === panel) : rows),
    lines: [...of].map(([name, line]) => ({ name, look: looks.get(name), ...line })),
  }));
  const described = {
    title: titleOf(experiment, measure, chosen),
    xLabel: chosen.across,
    yLabel: labelOf(measure),
    logX: chosen.logX,
    logY: chosen.logY,
    nullValue: nullNumber(measure),
    high: chosen.high,
  };
  const drawing = () => picture(panels, described, width);
  const head = [
    ...(chosen.panelBy ? [chosen.panelBy] : []),
    "variant",
    chosen.across,
    "mean",
    "low",
    "high",
    "repeats",
  ];
  const body = [...made].flatMap(([panel, of]) =>
    [...of].flatMap(([name, { x, y, low, high, repeats }]) =>
      x.map((at, i) => [...(chosen.panelBy ? [panel] : []), name, at, y[i], low[i], high[i], repeats[i]]),
    ),
  );
  const band = isDimension ? "from the least repeat to the greatest" : "one standard error of the mean to both sides";
  const missing =
    (chosen.logY && found.some(({ value }) => value <= 0)) ||
    (chosen.logX && found.some(({ at }) => at[chosen.across] <= 0))
      ? " Values of zero and below have no place on a logarithmic axis."
      : "";
  const few = cut(made.size);
  return [
    drawing(),
    element("p", { class: "caption" }, `Means over repeats; bands: ${band}.${missing}${few}`),
    ...below(measure, drawing, head, body),
  ];
}

export function dots(experiment, measure, chosen, found, looks, width) {
  const of = linesOf(found, SCHEMES, "", false).get("");
  if (!of) return nothing();
  const rows = [...of].map(([name, { y, low, high, repeats }]) => ({
    name,
    look: looks.get(name),
    y: y[0],
    low: low[0],
    high: high[0],
    repeats: repeats[0],
  }));
  const drawing = () =>
    dotPicture(
      rows,
      { title: titleOf(experiment, measure, chosen), label: labelOf(measure), nullValue: nullNumber(measure) },
      width,
    );
  return [
    drawing(),
    element("p", { class: "caption" }, "Means over repeats, with one standard error to both sides."),
    ...below(
      measure,
      drawing,
      ["variant", "mean", "low", "high", "repeats"],
      rows.map(({ name, y, low, high, repeats }) => [name, y, low, high, repeats]),
    ),
  ];
}

export function heatMaps(experiment, measure, { across, up, ...chosen }, found, looks, width) {
  const byVariant = Map.groupBy ? Map.groupBy(found, ({ variant }) => variant) : grouped(found);
  const all = [...byVariant]
    .map(([variant, of]) => ({ title: variant, grid: gridOf(of, across, up) }))
    .filter(({ grid }) => grid);
  if (all.length === 0) return nothing();
  const panels = all.slice(0, MAX_PANELS);
  const low = Math.min(...panels.map(({ grid }) => grid.low)),
    high = Math.max(...panels.map(({ grid }) => grid.high));
  for (const panel of panels) (Object.assign(panel.grid, { low, high }), (panel.lines = []));
  const described = { title: titleOf(experiment, measure, chosen), xLabel: across, yLabel: up, nullValue: NaN };
  const drawing = () => picture(panels, described, width);
  const body = all.flatMap(({ title, grid }) =>
    grid.y.flatMap((y, j) => grid.x.map((x, i) => [title, x, y, grid.values[j * grid.x.length + i]])),
  );
  return [
    drawing(),
    element(
      "p",
      { class: "caption" },
      `${measure.name}: means over repeats, all panels on one scale of colours.${cut(all.length)}`,
    ),
    ...below(measure, drawing, ["variant", across, up, "mean"], body),
  ];
}

function grouped(found) {
  const groups = new Map();
  for (const one of found) groups.set(one.variant, [...(groups.get(one.variant) ?? []), one]);
  return groups;
}

function gridOf(found, across, up) {
  const axis = (name) => [...new Set(found.map(({ at }) => at[name]))].sort((a, b) => a - b);
  const x = axis(across),
    y = axis(up),
    sums = new Float64Array(x.length * y.length),
    counts = new Float64Array(sums.length);
  const placeX = new Map(x.map((value, i) => [value, i])),
    placeY = new Map(y.map((value, i) => [value, i]));
  for (const { at, value } of found) {
    if (Number.isNaN(value)) continue;
    const i = placeY.get(at[up]) * x.length + placeX.get(at[across]);
    ((sums[i] += value), (counts[i] += 1));
  }
  const values = Array.from(sums, (sum, i) => sum / counts[i]);
  let low = Infinity,
    high = -Infinity;
  for (const value of values)
    if (Number.isFinite(value)) ((low = Math.min(low, value)), (high = Math.max(high, value)));
  return low <= high ? { x, y, values, low, high } : null;
}

// The same numbers as a table, and as files.
function below(measure, drawing, head, body) {
  const rows = body.slice(0, MAX_SHOWN),
    more = body.length > rows.length ? ` The first ${MAX_SHOWN} of ${body.length} rows: the CSV has all.` : "";
  const numbers = element(
    "details",
    { class: "numbers" },
    element("summary", {}, `The same numbers as a table: ${plural(body.length, "row")}`),
  );
  numbers.addEventListener("toggle", () => {
    if (numbers.querySelector("table") || !numbers.open) return;
    numbers.append(
      element("p", {}, more),
      tableOf("Numbers", head, rows),
    );
  });
  return [...downloads(measure.name, { svg: drawing, csv: () => [head, ...body] }), numbers];
}
