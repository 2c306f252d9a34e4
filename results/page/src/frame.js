// SPDX-License-Identifier: Apache-2.0
// What panels share: title, axes and their names.
import { clipped, tickText } from "./scales.js";
import { drawn } from "./texts.js";

const LEFT = 62;
const RIGHT = 12;
const TOP = 26;
const BOTTOM = 40;

export function frame({ title }, { x, y, wide, high }, { xLabel, yLabel }, colours) {
  const inner = { left: LEFT, right: wide - RIGHT, top: TOP, bottom: high - BOTTOM };
  const group = drawn(
    "g",
    { transform: `translate(${x} ${y})` },
    drawn(
      "text",
      { x: inner.left, y: 16, fill: colours.text, "font-weight": "600" },
      clipped(title, Math.floor((wide - LEFT) / 7)),
    ),
    drawn(
      "text",
      { x: (inner.left + inner.right) / 2, y: high - 8, fill: colours.muted, "text-anchor": "middle" },
      xLabel,
    ),
    drawn(
      "text",
      {
        transform: `translate(13 ${(inner.top + inner.bottom) / 2}) rotate(-90)`,
        fill: colours.muted,
        "text-anchor": "middle",
      },
      clipped(yLabel, Math.floor(high / 7)),
    ),
  );
  return { inner, group };
}

export function axes(group, inner, across, up, colours) {
  for (const tick of up.ticks(5)) {
    const y = up.place(tick);
    group.append(
      drawn("line", { x1: inner.left, x2: inner.right, y1: y, y2: y, stroke: colours.faint }),
      drawn(
        "text",
        { x: inner.left - 6, y: y + 4, fill: colours.muted, "text-anchor": "end", "font-size": "11" },
        tickText(tick),
      ),
    );
  }
  for (const tick of across.ticks(Math.max(3, Math.floor((inner.right - inner.left) / 70)))) {
    const x = across.place(tick);
    group.append(
      drawn("line", { x1: x, x2: x, y1: inner.bottom, y2: inner.bottom + 4, stroke: colours.muted }),
      drawn(
        "text",
        { x, y: inner.bottom + 17, fill: colours.muted, "text-anchor": "middle", "font-size": "11" },
        tickText(tick),
      ),
    );
  }
  group.append(
    drawn("line", { x1: inner.left, x2: inner.right, y1: inner.bottom, y2: inner.bottom, stroke: colours.muted }),
  );
}
