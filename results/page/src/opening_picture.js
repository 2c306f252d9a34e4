// SPDX-License-Identifier: Apache-2.0
// With what a file opens: a measure in which its schemes are seen to differ, above the table of answers.
import { address } from "./address.js";
import { choices, telling } from "./curves_view.js";
import { isOn } from "./curve_controls.js";
import { lines } from "./drawings.js";
import { lookOf } from "./looks.js";
import { points, rowsOf, SCHEMES } from "./series.js";
import { element, enumerated } from "./texts.js";

const MAX_ROWS = 1000, // cells that it reads
  HIGH = 250, // pixels
  FLATTENS = 8; // times the next range

let kept = { key: "", reader: null, figure: null }; // while somebody filters the table below

export function openingPicture([reader]) {
  const found = telling(reader.run),
    nothing = new URLSearchParams();
  if (!found) return null;
  const { experiment, measure } = found,
    chosen = { ...choices(experiment, measure, nothing), high: HIGH };
  if (chosen.across === SCHEMES || chosen.up) return null;
  const width = Math.max(300, Math.min(1248, document.documentElement.clientWidth - 32));
  const key = `${width} ${matchMedia("(prefers-color-scheme: dark)").matches}`;
  if (kept.key === key && kept.reader === reader) return kept.figure;
  const figure = element("figure", { class: "picture opening", style: `min-height:${HIGH}px` });
  kept = { key, reader, figure };
  draw(reader, experiment, measure, chosen, width, figure);
  return figure;
}

async function draw(reader, experiment, measure, chosen, width, figure) {
  const variants = [...new Set(experiment.columns.variant)],
    on = variants.filter((variant) => isOn(new URLSearchParams(), variants, variant));
  try {
    const rows = rowsOf(experiment, on, chosen.fixed, chosen.variables).slice(0, MAX_ROWS);
    const curves = await reader.curves(experiment.name, measure.name, rows);
    const found = [...points(experiment, measure, chosen.variables, rows, curves, chosen.fixed)];
    const leftOut = thatFlatten(found),
      shown = found.filter(({ variant }) => !leftOut.includes(variant));
    if (shown.length === 0) return figure.remove();
    const looks = new Map(variants.map((variant, i) => [variant, lookOf(i)]));
    const [svg] = lines(experiment, measure, chosen, shown, looks, width, rows);
    const few = on.length < variants.length ? ` The first ${on.length} of ${variants.length} schemes.` : "";
    const without = leftOut.length ? ` Without ${enumerated(leftOut)}, whose range would flatten the others.` : "";
    figure.replaceChildren(
      svg,
      element(
        "figcaption",
        { class: "caption" },
        element("strong", {}, measure.name),
        `: ${measure.sentence}.${few}${without} `,
        element("a", { href: address({ view: "curves", e: experiment.name, m: measure.name }) }, "All measures: Curves"),
      ),
    );
  } catch (problem) {
    figure.replaceChildren(element("p", { class: "note" }, problem.message));
  }
}

// The one with the largest range, while that is many times the next; at most every third.
function thatFlatten(found) {
  const ranges = new Map();
  for (const { variant, value } of found) {
    if (!Number.isFinite(value)) continue;
    const [low, high] = ranges.get(variant) ?? [value, value];
    ranges.set(variant, [Math.min(low, value), Math.max(high, value)]);
  }
  const sizes = [...ranges].map(([variant, [low, high]]) => [variant, high - low]).sort((a, b) => b[1] - a[1]);
  let large = 0;
  while (large < Math.floor(sizes.length / 3) && sizes[large][1] > FLATTENS * sizes[large + 1][1]) large += 1;
  return sizes.slice(0, large).map(([variant]) => variant);
}
