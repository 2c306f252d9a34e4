// SPDX-License-Identifier: Apache-2.0
// The rows of the table of answers, filtered and in order.
import { markMeanings, signsBehind } from "./signs.js";

// A line for each variant of each file; those of the second stand below the first's of the same name.
export function linesOf(readers, asked) {
  const wanted = (asked.get("text") ?? "").toLowerCase(),
    mark = asked.get("mark"),
    family = asked.get("family"),
    question = asked.get("question");
  const lines = [];
  readers.forEach(({ run }, file) => {
    const cellOf = new Map(run.cells.variant.map((variant, i) => [variant, i]));
    const byVariant = new Map();
    for (const answer of run.answers.rows) {
      if (!byVariant.has(answer.variant)) byVariant.set(answer.variant, new Map());
      byVariant.get(answer.variant).set(answer.experiment, answer);
    }
    for (const [variant, answers] of byVariant) {
      const cell = cellOf.get(variant),
        scheme = run.cells.scheme[cell] ?? "",
        belongs = run.cells.family[cell] ?? "";
      lines.push({ file, variant, scheme, family: belongs, answers, signs: signsBehind(run, variant) });
    }
  });
  const fits = ({ variant, scheme, family: belongs, answers }) => {
    if (family && belongs !== family) return false;
    const among = [...answers.values()].filter((answer) => !question || answer.experiment === question);
    const says = (answer) => !mark || answer.mark === mark;
    const has = (text) => text.toLowerCase().includes(wanted);
    return among.some((answer) => says(answer) && (!wanted || has(variant) || has(scheme) || has(answer.sentence)));
  };
  return ordered(lines.filter(fits), asked, [...markMeanings(readers[0].run).keys()]);
}

function ordered(lines, asked, marks) {
  const by = asked.get("sort"),
    sign = asked.get("order") === "down" ? -1 : 1;
  const first = [...new Set(lines.map(({ variant }) => variant))];
  const place = new Map(first.map((variant, i) => [variant, i]));
  const inOrder = (a, b) => place.get(a.variant) - place.get(b.variant) || a.file - b.file;
  if (!by) return lines.sort(inOrder);
  if (by === "name") return lines.sort((a, b) => sign * a.variant.localeCompare(b.variant) || a.file - b.file);
  const value = ({ answers }) => answers.get(by)?.value ?? NaN;
  const rank = ({ answers }) => [...marks, ""].indexOf(answers.get(by)?.sign ?? "");
  return lines.sort((a, b) => {
    // those without a number last, by their marks
    const [x, y] = [value(a), value(b)];
    if (Number.isNaN(x) || Number.isNaN(y))
      return Number.isNaN(x) - Number.isNaN(y) || rank(a) - rank(b) || inOrder(a, b);
    return sign * (x - y) || inOrder(a, b);
  });
}
