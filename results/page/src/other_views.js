// SPDX-License-Identifier: Apache-2.0
// Expectations, cells without numbers, and where a file comes from.
import { downloads } from "./downloads.js";
import { tableOf } from "./tables.js";
import { element, enumerated, plural, printableLines, tally } from "./texts.js";

const forEachFile = (readers, view) =>
  readers
    .flatMap(({ run }, i) => [readers.length > 1 ? element("h2", {}, run.name) : null, ...view(run, i)])
    .filter(Boolean);

export const expectationsView = (readers) =>
  forEachFile(readers, (run, i) => {
    const none = run.earlierSchema ? "Expectations are shown of an upgraded file." : "The study expects nothing.";
    if (run.expectations.length === 0) return [element("p", { class: "note" }, none)];
    const rows = run.expectations.map((one) => [
      element("span", { class: `mark ${one.verdict}` }, `${one.sign} ${one.verdict.replace("_", " ")}`),
      one.experiment,
      one.subject,
      one.expected,
      one.measured_text,
      one.source,
      one.message,
    ]);
    return [
      element("p", {}, `${run.expectationCounts}.`),
      tableOf(
        `Expectations, file ${i + 1}`,
        ["verdict", "experiment", "measure", "expected", "measured", "source", "message"],
        rows,
      ),
    ];
  });

export const countsText = (run) => {
  const counts = tally(run.cells.status),
    words = ["ok", "skipped", "failed", "crashed", "timeout"].filter((status) => counts.has(status));
  const missing = run.plannedCells - run.cells.id.length;
  const all = enumerated(words.map((status) => `${counts.get(status)} ${status}`));
  const open = missing > 0 ? `; ${missing} of ${run.plannedCells} not run` : "";
  return `${plural(run.cells.id.length, "cell")}: ${all || "none"}${open}`;
};

const MAX_ROWS = 1000;

export const cellsView = (readers) =>
  forEachFile(readers, (run, i) => {
    const { cells } = run,
      without = cells.status.flatMap((status, cell) => (status === "ok" ? [] : [cell]));
    const all = () => [
      ["id", "experiment", "variant", "repeat", "status", "message"],
      ...cells.id.map((id, i) => [
        id,
        cells.experiment[i],
        cells.variant[i],
        cells.repeat[i],
        cells.status[i],
        cells.message[i],
      ]),
    ];
    const reasons = tally(
      without.map((i) => JSON.stringify([cells.experiment[i], cells.variant[i], cells.status[i], cells.message[i]])),
    );
    const rows = [...reasons].map(([key, count]) => [...JSON.parse(key), String(count)]);
    return [
      element("p", {}, `${countsText(run)}.`),
      without.length === 0 ? null : element("h3", {}, "Cells without numbers, and why"),
      without.length === 0
        ? null
        : tableOf(
            `Cells without numbers, file ${i + 1}`,
            ["experiment", "scheme", "status", "reason", "cells"],
            rows.slice(0, MAX_ROWS),
          ),
      rows.length > MAX_ROWS
        ? element("p", { class: "note" }, `The first ${MAX_ROWS} of ${rows.length}: the CSV has all cells.`)
        : null,
      ...downloads(i ? "cells-of-the-second" : "cells", { csv: all }),
    ];
  });

export const provenanceView = (readers) =>
  forEachFile(readers, (run, i) => {
    const facts = [
      ["study", run.title],
      ["study_hash", run.studyHash],
      ...(run.positions ? [["positions", run.positions]] : []),
      ...Object.entries(run.provenance),
    ];
    const isLong = ([, text]) => text.includes("\n") || text.length > 300;
    return [
      element(
        "dl",
        { class: "facts" },
        facts
          .filter((fact) => !isLong(fact))
          .map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))),
      ),
      ...facts
        .filter(isLong)
        .map(([name, text]) =>
          element("details", {}, element("summary", {}, name), lines(`${name}, file ${i + 1}`, text)),
        ),
    ];
  });

function lines(name, text) {
  const made = element("pre", { tabindex: "0", role: "region", "aria-label": name });
  made.textContent = printableLines(text);
  return made;
}
