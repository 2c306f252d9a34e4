// SPDX-License-Identifier: Apache-2.0
// Whether two values agree, as results/schema.md says under Comparing and `poslab compare` computes it.
const KINDS = ["absolute", "relative", "per_position", "per_length", "statistical"];

// The tolerance of a cell depends on its `dtype`.
export function toleranceOf(measure, dtype) {
  const of = (prefix) => Object.fromEntries(KINDS.map((kind) => [kind, Number(measure[`${prefix}${kind}`] ?? 0)]));
  return dtype === "float32" && "tolerance_float32_absolute" in measure ? of("tolerance_float32_") : of("tolerance_");
}

export const isUnbounded = (t) => t.statistical && !t.absolute && !t.relative && !t.per_position && !t.per_length;

export const allowed = (t, a, b, position, length, unit) =>
  t.relative * Math.max(Math.abs(a), Math.abs(b)) +
  (t.absolute + t.per_position * position + t.per_length * length) * unit;

export function agree(t, a, b, position, length, unit) {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  const apart = Math.abs(a - b);
  return Number.isFinite(apart) && (isUnbounded(t) || apart <= allowed(t, a, b, position, length, unit));
}
