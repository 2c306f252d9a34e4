// SPDX-License-Identifier: Apache-2.0
// What answers and names of variants are shown as, here as on the terminal.
export const SIGNS = { yes: "✓", no: "✗", partly: "~", cannot_tell: "?", none: "" };
export const MEANINGS = { yes: "yes", no: "no", partly: "in part", cannot_tell: "cannot tell", none: "no mark" };
const UNTRAINED = "untrained weights, as drawn at initialisation: an answer about the start of training";
const DOUBTFUL = ["failed", "never checked in this build"];

export const saysNothing = (answer) => answer.mark === "none" && answer.number === "";

// What stands behind the mark; `usual`: the point at which the numbers of its column were measured.
export function numberText(answer, usual) {
  if (answer.state === "not_run") return "not run";
  if (saysNothing(answer)) return "–";
  return answer.point && answer.point !== usual && answer.number
    ? `${answer.number} at ${answer.point}`
    : answer.number;
}

// The point of most of a column's answers.
export function usualPoint(answers) {
  const rows = new Map();
  let usual = "";
  for (const { point } of answers) {
    if (!point) continue;
    rows.set(point, (rows.get(point) ?? 0) + 1);
    if (rows.get(point) > (rows.get(usual) ?? 0)) usual = point;
  }
  return usual;
}

// The signs behind the name of each variant, with what they mean.
export function signsOf(run) {
  const signs = new Map(),
    meanings = new Map();
  const add = (variant, sign, meaning) => {
    signs.set(variant, new Set(signs.get(variant)).add(sign));
    meanings.set(sign, new Set(meanings.get(sign)).add(meaning));
  };
  const doubts = doubtsOf(run),
    asked = new Set(run.answers.rows.map((row) => row.experiment));
  run.cells.variant.forEach((variant, i) => {
    const doubt = doubts[run.cells.scheme[i]];
    if (doubt) add(variant, "!", doubt);
    if (
      run.cells.status[i] === "ok" &&
      asked.has(run.cells.experiment[i]) &&
      ["trained", "given"].includes(run.cells.weights[i])
    )
      add(variant, "†", run.cells.message[i]);
  });
  for (const row of run.answers.rows) if (row.untrained) add(row.variant, "*", UNTRAINED);
  const order = ["!", "*", "†"];
  return {
    of: (variant) => order.filter((sign) => signs.get(variant)?.has(sign)).join(" "),
    meanings: order.filter((sign) => meanings.has(sign)).map((sign) => [sign, [...meanings.get(sign)].join("; ")]),
  };
}

function doubtsOf(run) {
  let checks;
  try {
    checks = JSON.parse(run.provenance.plugin_checks ?? "{}");
  } catch {
    return {};
  }
  return Object.fromEntries(
    Object.entries(checks ?? {})
      .filter(([, check]) => DOUBTFUL.includes(check?.result) && Array.isArray(check.failed))
      .map(([scheme, check]) => [scheme, `poslab check of ${scheme}: ${[check.result, ...check.failed].join(", ")}`]),
  );
}
