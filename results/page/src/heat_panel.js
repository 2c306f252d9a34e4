// SPDX-License-Identifier: Apache-2.0
// A matrix of numbers as colours, each at its coordinates.
import { axes, frame } from "./frame.js";
import { heat } from "./looks.js";
import { scale, tickText } from "./scales.js";
import { drawn } from "./texts.js";

// Half a step beyond the first coordinate and the last: a coordinate has its colour to both sides.
function edges(of) {
  const first = of.length > 1 ? (of[1] - of[0]) / 2 : 0.5,
    last = of.length > 1 ? (of[of.length - 1] - of[of.length - 2]) / 2 : 0.5;
  return [of[0] - first, of[of.length - 1] + last];
}

function nearest(of, value) {
  let from = 0,
    to = of.length - 1;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (of[middle] <= value) from = middle;
    else to = middle;
  }
  return value - of[from] <= of[to] - value ? from : to;
}

// grid: { x, y, values (row-major, a row for each y), low, high }
export function heatPanel(panel, place, described, colours) {
  const { inner, group } = frame(panel, place, described, colours),
    { x, y, values, low, high } = panel.grid;
  const across = scale(edges(x), false, inner.left, inner.right),
    up = scale(edges(y), false, inner.bottom, inner.top);
  const wide = Math.max(1, Math.round(inner.right - inner.left)),
    tall = Math.max(1, Math.round(inner.bottom - inner.top));
  const columns = Array.from({ length: wide }, (_, i) => nearest(x, across.at(inner.left + i + 0.5)));
  const rows = Array.from({ length: tall }, (_, j) => nearest(y, up.at(inner.top + j + 0.5)));
  const canvas = document.createElement("canvas");
  ((canvas.width = wide), (canvas.height = tall));
  const context = canvas.getContext("2d"),
    pixels = context.createImageData(wide, tall);
  rows.forEach((row, j) =>
    columns.forEach((column, i) => {
      const value = values[row * x.length + column];
      if (!Number.isNaN(value)) pixels.data.set([...heat((value - low) / (high - low || 1)), 255], 4 * (j * wide + i));
    }),
  );
  context.putImageData(pixels, 0, 0);
  group.append(
    drawn("image", {
      href: canvas.toDataURL(),
      x: inner.left,
      y: inner.top,
      width: Math.max(0, inner.right - inner.left),
      height: inner.bottom - inner.top,
      preserveAspectRatio: "none",
      style: "image-rendering:pixelated",
    }),
  );
  axes(group, inner, across, up, { ...colours, faint: "none" });
  group.append(
    drawn(
      "text",
      { x: inner.right, y: 16, "text-anchor": "end", fill: colours.muted, "font-size": "11" },
      `${tickText(low)} dark … ${tickText(high)} bright`,
    ),
  );
  return group;
}
