// SPDX-License-Identifier: Apache-2.0
// Lines with their bands, the null value, the trained length, and the values under the pointer.
import { axes, frame } from "./frame.js";
import { scale } from "./scales.js";
import { drawn, short } from "./texts.js";
import { hideTip, showTip } from "./tip.js";

export function linePanel(panel, place, described, colours, ranges) {
  const { inner, group } = frame(panel, place, described, colours);
  const across = scale(ranges.x, described.logX, inner.left, inner.right),
    up = scale(ranges.y, described.logY, inner.bottom, inner.top);
  axes(group, inner, across, up, colours);
  const { nullValue } = described;
  if (up.shows(nullValue) && nullValue >= up.low && nullValue <= up.high)
    group.append(
      drawn("line", {
        class: "null",
        x1: inner.left,
        x2: inner.right,
        y1: up.place(nullValue),
        y2: up.place(nullValue),
        stroke: colours.text,
        "stroke-dasharray": "3 4",
        "stroke-opacity": "0.7",
      }),
    );
  if (across.shows(panel.mark) && panel.mark > across.low && panel.mark < across.high)
    group.append(
      drawn("line", {
        class: "trained",
        x1: across.place(panel.mark),
        x2: across.place(panel.mark),
        y1: inner.top,
        y2: inner.bottom,
        stroke: colours.muted,
        "stroke-dasharray": "1 3",
        "stroke-width": 2,
      }),
      drawn(
        "text",
        { x: across.place(panel.mark) + 4, y: inner.top + 10, fill: colours.muted, "font-size": "11" },
        "trained",
      ),
    );
  for (const line of panel.lines) group.append(...lineOf(line, across, up));
  watch(group, panel, inner, across, place);
  return group;
}

// At most two points for every pixel across: more cannot be seen. A gap where a value is missing, or has no place on a
// logarithmic axis.
function lineOf({ look, x, y, low, high }, across, up) {
  const runs = [],
    alone = [];
  let run = [];
  const end = () => {
    if (run.length > 1) runs.push(run);
    else alone.push(...run);
    run = [];
  };
  for (let i = 0; i < x.length; ++i) {
    if (!across.shows(x[i]) || !up.shows(y[i])) {
      end();
      continue;
    }
    run.push({
      at: across.place(x[i]),
      to: up.place(y[i]),
      from: up.shows(low[i]) ? up.place(low[i]) : up.place(up.low), // below all that a logarithmic axis has
      until: up.shows(high[i]) ? up.place(high[i]) : up.place(y[i]),
    });
  }
  end();
  const number = (value) => value.toFixed(1);
  const parts = runs.map(thinned);
  const path = parts
    .map((points) => `M${points.map(({ at, to }) => `${number(at)} ${number(to)}`).join("L")}`)
    .join("");
  const band = parts
    .map(
      (points) =>
        `M${[...points.map(({ at, from }) => [at, from]), ...[...points].reverse().map(({ at, until }) => [at, until])]
          .map(([x, y]) => `${number(x)} ${number(y)}`)
          .join("L")}Z`,
    )
    .join("");
  const wide = parts.some((points) => points.some(({ from, until }) => Math.abs(from - until) > 0.5));
  const dots = x.length <= 40 ? parts.flat() : [];
  return [
    wide ? drawn("path", { d: band, fill: look.colour, "fill-opacity": "0.16" }) : null,
    path
      ? drawn("path", {
          class: "line",
          d: path,
          fill: "none",
          stroke: look.colour,
          "stroke-width": 2,
          "stroke-dasharray": look.dash,
          "stroke-linejoin": "round",
        })
      : null,
    ...[...dots, ...alone].flatMap(({ at, to, from, until }) => [
      drawn("line", { x1: at, x2: at, y1: from, y2: until, stroke: look.colour }),
      drawn("circle", { cx: number(at), cy: number(to), r: 2.5, fill: look.colour }),
    ]),
  ].filter(Boolean);
}

function thinned(points) {
  const kept = [];
  for (let i = 0; i < points.length;) {
    const pixel = Math.floor(points[i].at);
    let least = i,
      greatest = i,
      next = i;
    for (; next < points.length && Math.floor(points[next].at) === pixel; ++next) {
      if (points[next].to < points[least].to) least = next;
      if (points[next].to > points[greatest].to) greatest = next;
    }
    const all = points.slice(i, next); // the band has the least and the greatest of all that share the pixel
    const from = Math.max(...all.map((point) => point.from)),
      until = Math.min(...all.map((point) => point.until));
    for (const one of new Set([Math.min(least, greatest), Math.max(least, greatest)]))
      kept.push({ ...points[one], from, until });
    i = next;
  }
  return kept;
}

// Values under the pointer: those at the coordinate that is nearest to it.
function watch(group, panel, inner, across) {
  const area = drawn("rect", {
    class: "watched",
    x: inner.left,
    y: inner.top,
    width: Math.max(0, inner.right - inner.left),
    height: inner.bottom - inner.top,
    fill: "transparent",
  });
  const cursor = drawn("line", {
    y1: inner.top,
    y2: inner.bottom,
    stroke: "currentColor",
    "stroke-opacity": "0.5",
    visibility: "hidden",
  });
  const coordinates = [...new Set(panel.lines.flatMap(({ x }) => x))].filter(across.shows).sort((a, b) => a - b);
  area.addEventListener("pointermove", (event) => {
    const box = area.getBoundingClientRect(),
      at = across.at(inner.left + ((event.clientX - box.left) / box.width) * (inner.right - inner.left));
    const nearest = coordinates.reduce(
      (best, x) =>
        Math.abs(across.place(x) - across.place(at)) < Math.abs(across.place(best) - across.place(at)) ? x : best,
      coordinates[0],
    );
    if (nearest === undefined) return;
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, across.place(nearest));
    cursor.setAttribute("visibility", "visible");
    const values = panel.lines
      .map(({ name, x, y }) => ({ name, y: y[x.indexOf(nearest)] }))
      .filter(({ y }) => y !== undefined && !Number.isNaN(y))
      .sort((a, b) => b.y - a.y);
    const most = 14,
      more = values.length > most ? `; ${values.length - most} more` : "";
    showTip(
      `${short(nearest)}: ${values
        .slice(0, most)
        .map(({ name, y }) => `${name} ${short(y)}`)
        .join("; ")}${more}`,
      { left: event.clientX + 12, top: event.clientY, bottom: event.clientY },
    );
  });
  area.addEventListener("pointerleave", () => {
    hideTip();
    cursor.setAttribute("visibility", "hidden");
  });
  group.append(cursor, area);
}
