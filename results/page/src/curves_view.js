// SPDX-License-Identifier: Apache-2.0
// A measure drawn by any of its dimensions or axes: lines by scheme, panels by another, or a heat map for each scheme.
import { state } from "./address.js";
import { controls, isOn, legend } from "./curve_controls.js";
import { dots, heatMaps, lines } from "./drawings.js";
import { lookOf } from "./looks.js";
import { fixedValues, isNumeric, nullNumber, points, rowsOf, SCHEMES, usualAcross, variablesOf } from "./series.js";
import { element } from "./texts.js";

const MAX_ROWS = 4000; // cells that one picture reads

export function curvesView(readers) {
  const asked = state(),
    file = Number(asked.get("file") ?? 0),
    reader = readers[file] ?? readers[0];
  const experiments = reader.run.experiments.filter(({ measures }) => Object.keys(measures).length);
  if (experiments.length === 0) return [element("p", { class: "note" }, "This file has no measures.")];
  const usual = telling(reader.run),
    experiment = experiments.find(({ name }) => name === asked.get("e")) ?? usual.experiment;
  const measure =
    experiment.measures[asked.get("m")] ?? (experiment === usual.experiment ? usual.measure : usualMeasure(experiment));
  const chosen = choices(experiment, measure, asked);
  const place = placeOf(`${file} ${experiment.name} ${measure.name}`);
  const variants = [...new Set(experiment.columns.variant)];
  draw(
    reader,
    experiment,
    measure,
    chosen,
    variants.filter((variant) => isOn(asked, variants, variant)),
    variants,
    place,
  );
  return [
    controls(readers, file, experiments, experiment, measure, chosen),
    element(
      "p",
      { class: "sentence" },
      element("strong", {}, measure.name),
      `: ${measure.sentence}. `,
      element("code", {}, measure.comment ?? ""),
      `. Null value: ${measure.null_value ?? "none"}${Number.isNaN(nullNumber(measure)) ? "" : " (dashed)"}.`,
    ),
    legend(asked, variants),
    place,
  ];
}

// The picture of before stands until the next one is drawn, unless it is of another measure.
let last = { key: "", place: null };

function placeOf(key) {
  const kept = last.key === key ? [...last.place.childNodes] : [element("p", { role: "status" }, "Reading …")];
  last = { key, place: element("div", { class: "picture" }, ...kept) };
  return last.place;
}

// In which schemes are seen to differ, the first that a file has.
const TELLING = [
  ["language-model", "perplexity_ratio"],
  ["length-generalisation", "accuracy"],
  ["distance-profile", "change_equal"],
  ["extrapolation", "equal_drift"],
  ["first-position-bias", "context_share_log_excess"],
  ["relative-shift", "content_error"],
];

export function telling({ experiments }) {
  for (const [name, of] of TELLING) {
    const experiment = experiments.find((one) => one.name === name);
    if (experiment?.measures[of]) return { experiment, measure: experiment.measures[of] };
  }
  const [first] = experiments.filter(({ measures }) => Object.keys(measures).length);
  return first ? { experiment: first, measure: usualMeasure(first) } : null;
}

const usualMeasure = ({ measures }) =>
  Object.values(measures).find(({ dims }) => dims.length > 0) ?? Object.values(measures)[0];

// What stands across, up in a heat map, in panels, and the values of all others.
export function choices(experiment, measure, asked) {
  const variables = variablesOf(experiment, measure),
    numeric = variables.filter((one) => isNumeric(one) && one.values.length > 1);
  const has = (name) => variables.some((one) => one.name === name);
  const across =
    numeric.some(({ name }) => name === asked.get("x")) || asked.get("x") === SCHEMES
      ? asked.get("x")
      : usualAcross(variables);
  const own = numeric.filter(({ isDimension, name }) => isDimension && name !== across).map(({ name }) => name);
  const up = asked.get("as") === "heat" && own.length ? (own.includes(asked.get("y")) ? asked.get("y") : own[0]) : "";
  const panelBy = !up && has(asked.get("by")) && asked.get("by") !== across ? asked.get("by") : "";
  const { fixed, offered } = fixedValues(experiment, variables, asked, [across, up, panelBy], panelBy);
  return {
    variables,
    numeric,
    own,
    across,
    up,
    panelBy,
    fixed,
    offered,
    logX: asked.has("logx"),
    logY: asked.has("logy"),
  };
}

async function draw(reader, experiment, measure, chosen, on, variants, place) {
  try {
    const rows = rowsOf(experiment, on, chosen.fixed, chosen.variables);
    const read = rows.slice(0, MAX_ROWS);
    const curves = await reader.curves(experiment.name, measure.name, read);
    if (last.place !== place) return; // something else is shown by now
    const found = [...points(experiment, measure, chosen.variables, read, curves, chosen.fixed)];
    const looks = new Map(variants.map((variant, i) => [variant, lookOf(i)]));
    place.replaceChildren(
      ...(chosen.up ? heatMaps : chosen.across === SCHEMES ? dots : lines)(
        experiment,
        measure,
        chosen,
        found,
        looks,
        Math.max(300, place.clientWidth || 900),
        read,
      ),
    );
    if (rows.length > read.length)
      place.append(
        element(
          "p",
          { class: "note" },
          `Of ${rows.length} cells the first ${MAX_ROWS} are shown: switch some schemes off to see the others.`,
        ),
      );
  } catch (problem) {
    place.replaceChildren(element("p", { class: "note" }, problem.message));
  }
}
