// SPDX-License-Identifier: Apache-2.0
// The picture of a measure as one SVG, panel by panel: what is on the screen is what is saved.
import { heatPanel } from "./heat_panel.js";
import { linePanel } from "./line_panel.js";
import { ground } from "./looks.js";
import { clipped } from "./scales.js";
import { drawn, printable } from "./texts.js";

const FONT = "12px system-ui, sans-serif";
// panels: [{ title, lines: [{ name, look, x, y, low, high }], mark, grid }]; described: { title, xLabel, yLabel, logX,
// logY, nullValue, high: pixels of a panel, where that is not left to its width }
export function picture(panels, described, width) {
  const columns = Math.max(1, Math.min(panels.length, Math.floor(width / 340)));
  const wide = Math.floor(width / columns),
    high = described.high ?? (columns === 1 ? Math.min(420, Math.max(260, wide * 0.55)) : 280);
  const names = new Map(panels.flatMap(({ lines }) => lines.map(({ name, look }) => [name, look])));
  const perLine = Math.max(1, Math.floor(width / 230)),
    legend = panels.some(({ grid }) => grid) ? 0 : Math.ceil(names.size / perLine) * 18 + 8;
  const height = Math.ceil(panels.length / columns) * high + legend,
    colours = ground();
  const root = drawn(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      style: `font:${FONT}`,
      "aria-label": printable(described.title),
    },
    drawn("title", {}, described.title),
    drawn("rect", { width, height, fill: colours.paper }),
  );
  const shared = rangesOf(panels, described);
  panels.forEach((panel, i) => {
    const place = { x: (i % columns) * wide, y: Math.floor(i / columns) * high, wide, high };
    root.append(
      panel.grid ? heatPanel(panel, place, described, colours) : linePanel(panel, place, described, colours, shared),
    );
  });
  [...names].forEach(([name, look], i) => {
    if (!legend) return;
    const x = 8 + (i % perLine) * 230,
      y = height - legend + 14 + Math.floor(i / perLine) * 18;
    root.append(
      drawn("line", {
        x1: x,
        x2: x + 26,
        y1: y,
        y2: y,
        stroke: look.colour,
        "stroke-width": 2.5,
        "stroke-dasharray": look.dash,
      }),
      drawn("text", { x: x + 32, y: y + 4, fill: colours.text }, clipped(name, 28)),
    );
  });
  return root;
}

// Panels of one picture have one scale, so that they can be compared.
function rangesOf(panels, { nullValue, logY }) {
  const lines = panels.flatMap((panel) => panel.lines ?? []);
  const y = lines.flatMap(({ y: values, low, high }) => [...values, ...low, ...high]);
  if (Number.isFinite(nullValue) && !(logY && nullValue <= 0)) y.push(nullValue);
  return { x: lines.flatMap(({ x }) => x), y };
}
