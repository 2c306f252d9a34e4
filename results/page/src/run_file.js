// SPDX-License-Identifier: Apache-2.0
// A results file as plain values (results/schema.md): what the page needs at once, and curves when they are asked for.
import { NotAsWritten, attributes, column, columnIfAny, dataset, dimensions, flags } from "./hdf5.js";
import { Refused } from "./damage.js";

const SCHEMA_VERSION = 2; // of an earlier one what was measured is shown, and its cells
const NOT_EXPERIMENTS = ["trained", "answers", "expectations", "shard", "provenance"];

export function readRun(file, name) {
  const root = attributes(file);
  if (!("study_hash" in root) || !("schema_version" in root))
    throw new Refused(`${name} is HDF5, but no results file of poslab`);
  if (root.schema_version > SCHEMA_VERSION)
    throw new Refused(
      `${name} has schema version ${root.schema_version}, and this page reads ${SCHEMA_VERSION}: ` +
        "take the page of a newer poslab",
    );
  const isEarlier = root.schema_version < SCHEMA_VERSION;
  const cells = readCells(file);
  const groups = file.keys().filter((key) => !NOT_EXPERIMENTS.includes(key) && file.get(key).keys);
  const provenance = file.keys().includes("provenance") ? readTexts(file.get("provenance")) : {};
  return {
    name,
    title: String(root.title ?? ""),
    complete: Number(root.complete) !== 0,
    plannedCells: Number(root.planned_cells),
    studyHash: String(root.study_hash),
    positions: String(root.positions ?? ""),
    isShard: file.keys().includes("shard"),
    earlierSchema: isEarlier ? `${root.schema_version}.${root.schema_minor ?? 0}` : "",
    cells,
    experiments: [...new Set([...cells.experiment, ...groups])]
      .filter((key) => groups.includes(key))
      .map((key) => readExperiment(file, key)),
    answers: file.keys().includes("answers") && !isEarlier ? readAnswers(file.get("answers")) : noAnswers,
    ...(isEarlier ? { expectations: [], expectationCounts: "" } : readExpectations(file.get("expectations"))),
    provenance,
    doubts: new Map(Object.entries(parsed(provenance.doubts, {}))),
    weightsFrom: parsed(provenance.weights_from, []),
  };
}

// Anybody may have written this text: JSON of another kind counts as none.
function parsed(text, none) {
  try {
    const found = JSON.parse(text ?? "null");
    return found && Array.isArray(found) === Array.isArray(none) && typeof found === "object" ? found : none;
  } catch {
    return none;
  }
}

function readCells(file) {
  const cells = { status: flags(file, "status") };
  for (const name of ["id", "experiment", "scheme", "variant", "message", "seed", "repeat", "row"])
    cells[name] = column(file, name);
  cells.family = columnIfAny(
    file,
    "family",
    cells.id.map(() => ""),
  ); // since schema 1.2
  return cells;
}

function readTexts(group) {
  const texts = {};
  for (const name of group.keys()) {
    const found = group.get(name);
    if (found.shape && found.shape.length === 0) texts[name] = String(found.value);
  }
  return texts;
}

function readExperiment(file, name) {
  const group = file.get(name),
    said = attributes(group);
  const experiment = {
    name,
    title: String(said.title ?? ""),
    question: String(said.comment ?? ""),
    version: String(said.version ?? ""),
    columns: {},
    measures: {},
    dimensions: {},
    axes: [],
  };
  const names = group.keys();
  experiment.axes = names.slice(names.indexOf("scheme"), names.indexOf("repeat") + 1);
  for (const key of names) {
    const found = group.get(key);
    if (!found.shape) continue;
    const is = found.attrs;
    if ("tolerance_absolute" in is) {
      experiment.measures[key] = { ...described(attributes(found)), name: key, dims: dimensions(found) };
    } else if (found.shape.length === 1 && "CLASS" in is) {
      experiment.dimensions[key] = { values: column(group, key) };
    } else if (found.shape.length === 1) {
      experiment.columns[key] = readColumn(group, key, found);
    }
  }
  return experiment;
}

// With the unit and the sentence that the measure was declared with, which older files have in `units` and `long_name`.
function described(is) {
  return { ...is, unit: String(is.unit_name ?? is.units ?? "1"), sentence: String(is.description ?? is.long_name ?? "") };
}

// Over `cell`: an experiment's group has no other columns that are no coordinates.
function readColumn(group, name, found) {
  if (name === "status") return flags(group, name);
  const values = column(group, name),
    isFlag = attributes(found, ["dtype"]).dtype === "bool";
  return isFlag ? Array.from(values, (value) => (value ? "true" : "false")) : values;
}

const noAnswers = { columns: [], rows: [], signs: [], signsOfNames: new Map() };

// Rows of an object for each entry of the columns of a group: { name of the member: [name in the file, how it is read] }.
function records(group, members) {
  const columns = Object.entries(members).map(([member, [name, read]]) => [member, read(group, name)]);
  return Array.from(columns[0][1], (_, i) => Object.fromEntries(columns.map(([member, of]) => [member, of[i]])));
}

const isSet = (group, name) => Array.from(column(group, name), Boolean);

function readAnswers(group) {
  const rows = records(group, {
    experiment: ["experiment", column],
    variant: ["variant", column],
    mark: ["mark", flags],
    sign: ["sign", column],
    text: ["text", column],
    number: ["number", column],
    sentence: ["sentence", column],
    needsReason: ["needs_reason", isSet],
    point: ["point", column],
  }).map((row) => ({ ...row, value: NaN, error: NaN, low: NaN, high: NaN }));
  addFirstNumbers(group, rows);
  const names = records(group.get("rows"), { variant: ["variant", column], signs: ["signs", column] });
  return {
    columns: records(group, {
      asked: ["asked", column],
      heading: ["heading", column],
      unit: ["unit", column],
      legend: ["legend", column],
      point: ["column_point", column],
      describes: ["describes", isSet],
    }),
    rows,
    signs: records(group.get("signs"), {
      sign: ["sign", column],
      kind: ["kind", flags],
      form: ["form", flags],
      meaning: ["meaning", column],
      sentence: ["sentence", column],
    }).filter(({ form }) => form !== "compact"),
    signsOfNames: new Map(names.map(({ variant, signs }) => [variant, signs])),
  };
}

function addFirstNumbers(group, rows) {
  const of = column(group, "answer_index"),
    seen = new Set();
  const numbers = ["value", "error", "low", "high"].map((name) => [name, column(group, name)]);
  of.forEach((answer, i) => {
    if (!rows[answer]) throw new NotAsWritten(`answer_index has ${answer}`);
    if (!seen.has(answer)) for (const [name, values] of numbers) rows[answer][name] = values[i];
    seen.add(answer);
  });
}

function readExpectations(group) {
  const names = ["experiment", "sign", "subject", "expected", "measured_text", "source", "message"],
    columns = names.map((name) => column(group, name));
  const expectations = flags(group, "verdict").map((verdict, i) => ({
    verdict,
    ...Object.fromEntries(names.map((name, at) => [name, columns[at][i]])),
  }));
  return { expectations, expectationCounts: String(attributes(group).counts ?? "") };
}

// The values of one measure in some rows of its group: for each row the indices of its coordinates, and the values,
// row-major.
export function readCurves(file, experiment, measure, rows) {
  const group = file.get(experiment),
    found = dataset(group, measure),
    names = dimensions(found);
  if (names.length === 0) {
    const all = column(group, measure);
    return rows.map((row) => ({ indices: [], values: [all[row]] }));
  }
  return rows.map((row) => {
    const indices = names.map((name) => indicesOf(group, name, row));
    if (indices.some((of) => of.length === 0)) return { indices, values: [] };
    const boxes = indices.map((of) => [of[0], of[of.length - 1] + 1]);
    const block = found.slice([[row, row + 1], ...boxes]);
    return { indices, values: gathered(block, boxes, indices) };
  });
}

function indicesOf(group, dimension, row) {
  if (group.keys().includes(`${dimension}_count`)) {
    const count = Number(plainAt(group, `${dimension}_count`, row));
    return Array.from({ length: count }, (_, i) => i);
  }
  const used = dataset(group, `${dimension}_used`);
  const [line] = [
    used.slice([
      [row, row + 1],
      [0, used.shape[1]],
    ]),
  ];
  return Array.from(line).flatMap((value, i) => (Number(value) ? [i] : []));
}

function plainAt(group, name, row) {
  const [value] = dataset(group, name).slice([[row, row + 1]]);
  return value;
}

// Those of a box whose indices are asked for.
function gathered(block, boxes, indices) {
  const extents = boxes.map(([from, to]) => to - from);
  const whole = indices.every((of, axis) => of.length === extents[axis]);
  if (whole) return Float64Array.from(block, Number);
  const values = [];
  const walk = (axis, offset) => {
    if (axis === indices.length) return values.push(Number(block[offset]));
    for (const index of indices[axis]) walk(axis + 1, offset * extents[axis] + index - boxes[axis][0]);
  };
  walk(0, 0);
  return Float64Array.from(values);
}
