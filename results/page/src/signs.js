// SPDX-License-Identifier: Apache-2.0
// The signs of the table of answers, with what files say that they mean.

// Behind the name of a variant.
export const signsBehind = ({ answers, doubts }, variant) =>
  [...(doubts.has(variant) ? "!" : ""), ...(answers.signsOfNames.get(variant) ?? "").replaceAll(" ", "")].join(" ");

// What stands in a cell of the table.
export const cellText = ({ sign, text }) => `${sign} ${text}`.trim();

// The name of a mark by its sign: yes by a tick.
export const markMeanings = (run) => new Map(ofKind(run, "mark").map(({ sign, meaning }) => [sign, meaning]));

const ofKind = ({ answers }, kind) => answers.signs.filter((one) => one.kind === kind);

// Pairs of a sign and what it means, of all files; what it means in two of them is said of both. Cells of what was not
// asked are empty.
export function legendOf(readers) {
  const found = new Map();
  const add = (sign, meaning) => found.set(sign, new Set(found.get(sign)).add(meaning));
  for (const { run } of readers) {
    const texts = new Set(run.answers.rows.map(({ text }) => text));
    for (const { sign, meaning } of ofKind(run, "mark")) add(sign, meaning);
    for (const { sign, meaning } of ofKind(run, "cell")) if (texts.has(sign)) add(sign, meaning);
    for (const { sign, meaning } of ofKind(run, "number")) add(sign, meaning);
  }
  for (const { run } of readers) {
    for (const doubt of run.doubts.values()) add("!", doubt);
    for (const { sign, sentence } of ofKind(run, "name")) add(sign, sentence);
    for (const file of run.weightsFrom) add("†", file);
  }
  return [...found].map(([sign, meanings]) => [sign, [...meanings].join("; ")]);
}
