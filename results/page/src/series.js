// SPDX-License-Identifier: Apache-2.0
// What a picture of a measure shows: which coordinates stand across, in panels, or are fixed; means over repeats.
const NOT_AXES = ["scheme", "variant", "repeat"];
export const SCHEMES = "scheme";

// Everything by which a measure's numbers differ, but the variant and the repeat.
export function variablesOf(experiment, measure) {
  const own = measure.dims.map((name) => ({
    name,
    isDimension: true,
    values: Array.from(experiment.dimensions[name]?.values ?? []),
  }));
  const outer = experiment.axes
    .filter((name) => !NOT_AXES.includes(name) && !(name in experiment.dimensions) && experiment.columns[name])
    .map((name) => ({ name, isDimension: false, values: inOrder(new Set(experiment.columns[name])) }))
    .filter(({ values }) => values.length > 1);
  return [...own, ...outer];
}

const inOrder = (values) =>
  [...values]
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => (typeof a === "number" ? a - b : String(a).localeCompare(String(b))));

export const isNumeric = ({ values }) => values.every((value) => typeof value === "number");

// What stands across unless somebody chooses: the measure's longest dimension, else the axis that varies most, else the
// schemes.
export function usualAcross(variables) {
  const numeric = variables.filter((one) => isNumeric(one) && one.values.length > 1);
  const own = numeric.filter(({ isDimension }) => isDimension);
  const [first] = (own.length ? own : numeric).sort((a, b) => b.values.length - a.values.length);
  return first?.name ?? SCHEMES;
}

// An axis begins at its last value, where lengths are greatest; a dimension of the measure begins at its first.
export const usualValue = ({ isDimension, values }) => (isDimension ? values[0] : values[values.length - 1]);

// What neither stands across, up nor in panels is at one value each. Outer axes are fixed one after another, at values that
// cells with numbers have beside those before: what belongs to one task is not looked for in another. `offered`: these
// values, by name. `asked`: a Map or the like, of what somebody chose. What is one value in each panel is not fixed: it is
// the panel's.
export function fixedValues(experiment, variables, asked, drawn, panelBy) {
  const fixed = {},
    offered = {};
  let left = experiment.columns.status.flatMap((status, row) => (status === "ok" ? [row] : []));
  for (const one of variables.filter(({ name }) => !drawn.includes(name))) {
    const column = one.isDimension ? null : experiment.columns[one.name];
    const here = column && new Set(left.map((row) => column[row]));
    if (column && isOfThePanel(column, experiment.columns[panelBy], left)) continue;
    const values = here && left.length ? one.values.filter((value) => here.has(value)) : one.values;
    const usual = usualValue({ ...one, values: values.length ? values : one.values });
    fixed[one.name] = values.find((value) => String(value) === asked.get(`at.${one.name}`)) ?? usual;
    offered[one.name] = values;
    if (here && values.length) left = left.filter((row) => same(column[row], fixed[one.name]));
    else if (here) delete fixed[one.name]; // unset in all that are left
  }
  return { fixed, offered };
}

function isOfThePanel(column, panels, rows) {
  if (!panels) return false;
  const valueOf = new Map(rows.map((row) => [panels[row], column[row]]));
  return rows.every((row) => same(column[row], valueOf.get(panels[row])));
}

// Rows that are ok, of these variants, at the fixed values of outer axes.
export function rowsOf(experiment, variants, fixed, variables) {
  const wanted = new Set(variants),
    outer = variables.filter(({ isDimension, name }) => !isDimension && name in fixed);
  return experiment.columns.variant.flatMap((variant, row) =>
    wanted.has(variant) &&
    experiment.columns.status[row] === "ok" &&
    outer.every(({ name }) => same(experiment.columns[name][row], fixed[name]))
      ? [row]
      : [],
  );
}

const same = (a, b) => a === b || String(a) === String(b);

// The numbers of some rows, one by one: { variant, repeat, value, at: { name: coordinate } }, at the fixed values.
export function* points(experiment, measure, variables, rows, curves, fixed) {
  const outer = variables.filter(({ isDimension }) => !isDimension);
  for (let i = 0; i < rows.length; ++i) {
    const row = rows[i],
      { indices, values } = curves[i],
      variant = experiment.columns.variant[row];
    const base = Object.fromEntries(outer.map(({ name }) => [name, experiment.columns[name][row]]));
    const coordinates = indices.map((of, axis) =>
      of.map((index) => experiment.dimensions[measure.dims[axis]].values[index]),
    );
    for (let flat = 0; flat < values.length; ++flat) {
      const at = { ...base };
      let rest = flat,
        fits = true;
      for (let axis = indices.length; axis-- > 0;) {
        const name = measure.dims[axis],
          of = coordinates[axis],
          coordinate = of[rest % of.length];
        rest = Math.floor(rest / of.length);
        if (name in fixed && !same(coordinate, fixed[name])) {
          fits = false;
          break;
        }
        at[name] = coordinate;
      }
      if (fits) yield { variant, value: values[flat], at };
    }
  }
}

// Lines by panel and variant: mean over repeats; the band goes from the least repeat to the greatest along a measure's
// own dimension, and is a standard error to both sides along an axis of cells, as Python's plot draws them.
export function linesOf(found, across, panelBy, isDimension) {
  const panels = new Map();
  for (const { variant, value, at } of found) {
    if (Number.isNaN(value)) continue;
    const panel = panelBy ? String(at[panelBy]) : "",
      x = across === SCHEMES ? 0 : at[across];
    if (!panels.has(panel)) panels.set(panel, new Map());
    const lines = panels.get(panel);
    if (!lines.has(variant)) lines.set(variant, new Map());
    const line = lines.get(variant);
    if (!line.has(x)) line.set(x, []);
    line.get(x).push(value);
  }
  return new Map(
    [...panels].map(([panel, lines]) => [
      panel,
      new Map([...lines].map(([variant, line]) => [variant, lineOf(line, isDimension)])),
    ]),
  );
}

function lineOf(line, isDimension) {
  const x = [...line.keys()].sort((a, b) => a - b),
    made = { x, y: [], low: [], high: [], repeats: [] };
  for (const at of x) {
    const values = line.get(at),
      mean = values.reduce((a, b) => a + b, 0) / values.length;
    const error =
      values.length > 1
        ? Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) / values.length)
        : 0;
    made.y.push(mean);
    made.low.push(isDimension ? Math.min(...values) : mean - error);
    made.high.push(isDimension ? Math.max(...values) : mean + error);
    made.repeats.push(values.length);
  }
  return made;
}

// The null value where it is a number: others say it in words.
export const nullNumber = ({ null_value: text }) =>
  text !== undefined && /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(String(text)) ? Number(text) : NaN;

// Where the training of these rows ended, along what stands across.
export function trainedAt(experiment, across, rows) {
  const of = (name) => {
    const column = experiment.columns[name];
    const values = new Set(column ? rows.map((row) => column[row]) : []);
    return values.size === 1 ? [...values][0] : NaN;
  };
  if (rows.length === 0) return NaN;
  if (across === "multiple") return "train_length" in experiment.columns ? 1 : NaN;
  if (["position", "length", "distance"].includes(across)) return of("train_length");
  return across === "size" ? of("largest") : NaN;
}
