// SPDX-License-Identifier: Apache-2.0
// Two files: what they have in common, which answers differ, and which numbers are further apart than their tolerance.
import { address } from "./address.js";
import { downloads } from "./downloads.js";
import { cellText } from "./signs.js";
import { tableOf } from "./tables.js";
import { allowed, agree, toleranceOf } from "./tolerance.js";
import { element, plural, short } from "./texts.js";

const AT_ONCE = 32; // cells that are read at a time
const MAX_SHOWN = 500;

export function compareView(readers) {
  if (readers.length < 2) return [element("p", { class: "note" }, "Open a second file to compare it with this one.")];
  const [a, b] = readers.map(({ run }) => run),
    inB = new Map(b.cells.id.map((id, i) => [id, i]));
  const joined = a.cells.id.flatMap((id, i) => (inB.has(id) ? [[i, inB.get(id)]] : []));
  const status = element("p", { role: "status" }, "Comparing …"),
    found = element("div", {});
  differences(readers, joined, (text) => {
    status.textContent = text;
  }).then(
    (rows) => found.replaceChildren(...differenceTable(rows)),
    (problem) => {
      status.textContent = problem.message;
    },
  );
  return [
    element(
      "p",
      {},
      `${plural(joined.length, "cell")} in both files; ${a.cells.id.length - joined.length} only in ${a.name}, ` +
        `${b.cells.id.length - joined.length} only in ${b.name}.`,
    ),
    ...answerDifferences(a, b),
    element("h2", {}, "Numbers beyond their tolerance"),
    status,
    found,
  ];
}

function answerDifferences(a, b) {
  const key = (row) => JSON.stringify([row.experiment, row.variant]),
    inB = new Map(b.answers.rows.map((row) => [key(row), row]));
  const pairs = a.answers.rows.flatMap((row) => (inB.has(key(row)) ? [[row, inB.get(key(row))]] : []));
  const text = (row) => (row.point ? `${cellText(row)} (${row.point})` : cellText(row));
  const differ = pairs.filter(([x, y]) => text(x) !== text(y));
  return [
    element("h2", {}, "Answers"),
    element(
      "p",
      {},
      differ.length
        ? `${differ.length} of ${plural(pairs.length, "answer")} differ.`
        : `All ${plural(pairs.length, "answer")} in both files are the same.`,
    ),
    differ.length
      ? tableOf(
          "Answers that differ",
          ["experiment", "scheme", a.name, b.name],
          differ.map(([x, y]) => [x.experiment, x.variant, text(x), text(y)]),
        )
      : null,
  ];
}

async function differences(readers, joined, say) {
  const [a, b] = readers.map(({ run }) => run),
    rows = [];
  let compared = 0;
  for (const experiment of a.experiments) {
    const other = b.experiments.find(({ name }) => name === experiment.name),
      ok = [];
    if (!other) continue;
    for (const [i, j] of joined) {
      if (a.cells.experiment[i] !== experiment.name) continue;
      if (a.cells.status[i] !== b.cells.status[j])
        rows.push({
          experiment: experiment.name,
          variant: a.cells.variant[i],
          repeat: a.cells.repeat[i],
          measure: "",
          what: `is ${a.cells.status[i]} in the first file and ${b.cells.status[j]} in the second`,
        });
      else if (a.cells.status[i] === "ok") ok.push([a.cells.row[i], b.cells.row[j]]);
    }
    if (ok.length === 0) continue;
    for (const [of, to, which] of [
      [experiment, other, "first"],
      [other, experiment, "second"],
    ])
      for (const name of Object.keys(of.measures).filter((one) => !(one in to.measures)))
        rows.push({
          experiment: experiment.name,
          variant: "",
          repeat: "",
          measure: name,
          what: `is in the ${which} file only`,
        });
    for (const measure of Object.values(experiment.measures)) {
      if (!(measure.name in other.measures)) continue;
      say(`Comparing ${experiment.name}: ${measure.name} …`);
      compared += await compareMeasure(readers, experiment, other, measure, ok, rows);
    }
  }
  say(
    rows.length
      ? `${plural(rows.length, "curve or number", "curves or numbers")} of cells differ by more than is allowed; ` +
          `${compared} values were compared.`
      : compared
        ? `All ${compared} values of cells in both files are within their tolerances.`
        : "No number is in both files: nothing was compared.",
  );
  return rows;
}

async function compareMeasure([first, second], experiment, other, measure, pairs, differences) {
  let compared = 0;
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    const some = pairs.slice(from, from + AT_ONCE),
      rows = some.map(([row]) => row);
    const unitRows = measure.tolerance_unit ? await first.curves(experiment.name, measure.tolerance_unit, rows) : null;
    const [inA, inB] = await Promise.all([
      first.curves(experiment.name, measure.name, rows),
      second.curves(
        other.name,
        measure.name,
        some.map(([, row]) => row),
      ),
    ]);
    const ranges = await coordinates(first, experiment, rows);
    some.forEach(([row], i) => {
      const found = {
        experiment: experiment.name,
        variant: experiment.columns.variant[row],
        repeat: experiment.columns.repeat[row],
        measure: measure.name,
      };
      const own = (run, of, dims) =>
        JSON.stringify(of.map((indices, axis) => indices.map((index) => run.dimensions[dims[axis]].values[index])));
      if (
        own(experiment, inA[i].indices, measure.dims) !== own(other, inB[i].indices, other.measures[measure.name].dims)
      )
        return differences.push({ ...found, what: "has other coordinates" });
      const unit = unitRows ? (Number.isNaN(unitRows[i].values[0]) ? 0 : unitRows[i].values[0]) : 1;
      const problem = worst(measure, experiment, row, inA[i].values, inB[i].values, ranges[i], unit);
      compared += inA[i].values.length;
      if (problem) differences.push({ ...found, ...problem });
    });
  }
  return compared;
}

const lengthOf = (experiment, row) =>
  [experiment.columns.length?.[row], experiment.columns.train_length?.[row]].find(
    (value) => value !== undefined && !Number.isNaN(value),
  ) ?? 0;

// The largest position of each cell, which tolerances may grow with.
async function coordinates(reader, experiment, rows) {
  const largest = async (name) => {
    const measure = Object.values(experiment.measures).find(({ dims }) => dims.includes(name));
    if (!measure) return rows.map(() => 0);
    const axis = measure.dims.indexOf(name);
    return (await reader.curves(experiment.name, measure.name, rows)).map(({ indices }) =>
      indices[axis].length ? experiment.dimensions[name].values[indices[axis][indices[axis].length - 1]] : 0,
    );
  };
  const [shift, position] = await Promise.all([largest("shift"), largest("position")]);
  return rows.map((row, i) => Math.max(Math.max(0, lengthOf(experiment, row) - 1) + shift[i], position[i]));
}

function worst(measure, experiment, row, a, b, position, unit) {
  const tolerance = toleranceOf(measure, experiment.columns.dtype?.[row]),
    length = lengthOf(experiment, row);
  let at = -1,
    most = -1,
    outside = 0;
  for (let i = 0; i < a.length; ++i) {
    if (agree(tolerance, a[i], b[i], position, length, unit)) continue;
    const apart = Number.isNaN(a[i] - b[i]) ? Infinity : Math.abs(a[i] - b[i]);
    ++outside;
    if (apart > most) ((most = apart), (at = i));
  }
  if (at < 0) return null;
  return {
    what: `${short(a[at])} and ${short(b[at])}`,
    apart: most,
    allowed: allowed(tolerance, a[at], b[at], position, length, unit),
    outside,
    of: a.length,
  };
}

function differenceTable(rows) {
  if (rows.length === 0) return [];
  const text = ({ what, apart, allowed: may, outside, of }) =>
    apart === undefined
      ? what
      : `${what}: ${short(apart)} apart, ${short(may)} allowed${of > 1 ? ` (${outside} of ${of} values)` : ""}`;
  const link = (row) =>
    row.measure
      ? element("a", { href: address({ view: "curves", e: row.experiment, m: row.measure }) }, row.measure)
      : "state";
  return [
    tableOf(
      "Numbers beyond their tolerance",
      ["experiment", "scheme", "repeat", "measure", "difference"],
      rows.slice(0, MAX_SHOWN).map((row) => [row.experiment, row.variant, String(row.repeat), link(row), text(row)]),
    ),
    rows.length > MAX_SHOWN
      ? element("p", { class: "note" }, `The first ${MAX_SHOWN} of ${rows.length}: the CSV has all.`)
      : null,
    ...downloads("differences", {
      csv: () => [
        ["experiment", "variant", "repeat", "measure", "difference"],
        ...rows.map((row) => [row.experiment, row.variant, row.repeat, row.measure, text(row)]),
      ],
    }),
  ].filter(Boolean);
}
