// SPDX-License-Identifier: Apache-2.0
// One number for each scheme: a row with its point and its standard error.
import { ground } from "./looks.js";
import { clipped, scale, tickText } from "./scales.js";
import { drawn, printable, short } from "./texts.js";

const ROW = 22,
  TOP = 28,
  BOTTOM = 42;

export function dotPicture(rows, { title, label, nullValue }, width) {
  const colours = ground(),
    names = Math.min(Math.floor(width * 0.42), 14 + 7.2 * Math.max(...rows.map(({ name }) => name.length)));
  const height = TOP + rows.length * ROW + BOTTOM,
    bottom = height - BOTTOM;
  const across = scale(
    [...rows.flatMap(({ low, high }) => [low, high]), ...(Number.isFinite(nullValue) ? [nullValue] : [])],
    false,
    names + 8,
    width - 78,
  );
  const root = drawn(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      style: "font:12px system-ui, sans-serif",
      "aria-label": printable(title),
    },
    drawn("title", {}, title),
    drawn("rect", { width, height, fill: colours.paper }),
    drawn("text", { x: 8, y: 17, fill: colours.text, "font-weight": "600" }, clipped(title, Math.floor(width / 7.2))),
  );
  for (const tick of across.ticks(Math.max(3, Math.floor((width - names) / 90)))) {
    const x = across.place(tick);
    root.append(
      drawn("line", { x1: x, x2: x, y1: TOP, y2: bottom, stroke: colours.faint }),
      drawn(
        "text",
        { x, y: bottom + 16, "text-anchor": "middle", "font-size": "11", fill: colours.muted },
        tickText(tick),
      ),
    );
  }
  if (Number.isFinite(nullValue))
    root.append(
      drawn("line", {
        class: "null",
        x1: across.place(nullValue),
        x2: across.place(nullValue),
        y1: TOP,
        y2: bottom,
        stroke: colours.text,
        "stroke-dasharray": "3 4",
      }),
    );
  rows.forEach(({ name, look, y, low, high }, i) => {
    const at = TOP + (i + 0.5) * ROW,
      most = Math.floor((names - 8) / 7.4);
    root.append(drawn("text", { x: names, y: at + 4, "text-anchor": "end", fill: colours.text }, clipped(name, most)));
    if (!Number.isFinite(y)) return;
    root.append(
      drawn("line", {
        x1: across.place(low),
        x2: across.place(high),
        y1: at,
        y2: at,
        stroke: look.colour,
        "stroke-width": 2,
      }),
      drawn("circle", { cx: across.place(y), cy: at, r: 4.5, fill: look.colour }),
      drawn(
        "text",
        { x: width - 70, y: at + 4, fill: colours.muted, "font-size": "11" },
        short(Number(y.toPrecision(4))),
      ),
    );
  });
  root.append(
    drawn("text", { x: (names + width) / 2, y: height - 8, "text-anchor": "middle", fill: colours.muted }, label),
  );
  return root;
}
