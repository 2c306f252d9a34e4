// SPDX-License-Identifier: Apache-2.0
// What is behind one answer: its sentence, the cells, and every measure with definition and null value.
import { address, changed } from "./address.js";
import { cellText } from "./signs.js";
import { tableOf } from "./tables.js";
import { element, enumerated, plural, short } from "./texts.js";
import { withTip } from "./tip.js";

export function answerDetail(readers, asked) {
  const file = Number(asked.get("file") ?? 0),
    reader = readers[file],
    [id, variant] = [asked.get("of"), asked.get("variant")];
  const answer = reader?.run.answers.rows.find((row) => row.experiment === id && row.variant === variant);
  const experiment = reader?.run.experiments.find(({ name }) => name === id);
  if (!answer || !experiment)
    return element("p", { class: "note" }, `This file has no answer of ${id} about ${variant}.`);
  const column = reader.run.answers.columns.find(({ asked: of }) => of === id);
  const cells = element("div", {}, "Reading the cells …");
  cellsBehind(reader, experiment, variant, file).then(
    (made) => cells.replaceChildren(...made),
    (problem) => cells.replaceChildren(problem.message),
  );
  return element(
    "section",
    { class: "detail", id: "detail", tabindex: "-1", "aria-labelledby": "detail-title" },
    element("h2", { id: "detail-title" }, `${variant}: ${column?.heading ?? id}`),
    element(
      "p",
      { class: "sentence" },
      element("strong", {}, cellText(answer)),
      ` ${answer.sentence}`,
    ),
    element(
      "p",
      {},
      element("a", { href: changed({ of: null, variant: null, file: null }) }, "close"),
      ` · by ${id} ${experiment.version}: ${experiment.question}`,
    ),
    element("h3", {}, "The cells behind it"),
    cells,
    element("h3", {}, "What was measured"),
    measures(experiment, file),
  );
}

async function cellsBehind(reader, experiment, variant, file) {
  const rows = experiment.columns.variant.flatMap((name, row) => (name === variant ? [row] : []));
  const varies = experiment.axes.filter(
    (name) =>
      !["scheme", "variant"].includes(name) && new Set(rows.map((row) => experiment.columns[name]?.[row])).size > 1,
  );
  const scalars = Object.values(experiment.measures).filter(({ dims }) => dims.length === 0);
  const values = await Promise.all(scalars.map(({ name }) => reader.curves(experiment.name, name, rows)));
  const has = scalars.map((_, i) => values[i].some(({ values: [value] }) => !Number.isNaN(value)));
  const shown = scalars.map((measure, i) => ({ measure, values: values[i] })).filter((_, i) => has[i]);
  const linked = ({ measure }) =>
    withTip(
      element(
        "a",
        { href: address({ view: "curves", e: experiment.name, m: measure.name, file: file || null }) },
        measure.name,
      ),
      measure.sentence,
    );
  const body = rows.map((row, i) => [
    ...varies.map((name) => shortIfNumber(experiment.columns[name][row])),
    [experiment.columns.status[row], experiment.columns.message[row]].filter(Boolean).join(": "),
    ...shown.map(({ values: of }) => of[i].values[0]),
  ]);
  const same = experiment.axes.filter(
    (name) => !varies.includes(name) && !["scheme", "variant"].includes(name) && experiment.columns[name] !== undefined,
  );
  const facts = same.map((name) => `${name} = ${shortIfNumber(experiment.columns[name][rows[0]])}`);
  return [
    element("p", {}, `${plural(rows.length, "cell")}, with ${enumerated(facts) || "nothing in common"}.`),
    tableOf("Cells", [...varies, "status", ...shown.map(linked)], body),
  ];
}

const shortIfNumber = (value) => (typeof value === "number" ? short(value) : value);

function measures(experiment, file) {
  return element(
    "dl",
    { class: "measures" },
    Object.values(experiment.measures).map((measure) =>
      element(
        "div",
        {},
        element(
          "dt",
          {},
          element(
            "a",
            { href: address({ view: "curves", e: experiment.name, m: measure.name, file: file || null }) },
            measure.name,
          ),
          measure.unit !== "1" ? ` (${measure.unit})` : "",
          measure.dims.length ? ` by ${enumerated(measure.dims)}` : "",
        ),
        element(
          "dd",
          {},
          `${measure.sentence}. `,
          element("code", {}, measure.comment ?? ""),
          `. Null value: ${measure.null_value ?? "none"}.`,
        ),
      ),
    ),
  );
}
