// SPDX-License-Identifier: Apache-2.0
// What is drawn is chosen by fields, and which schemes by buttons; all of it stands in the address.
import { change, state } from "./address.js";
import { lookOf } from "./looks.js";
import { SCHEMES } from "./series.js";
import { drawn, element, enumerated, short } from "./texts.js";

const MAX_LINES = 12; // that are on before anybody has chosen
export const isOn = (asked, variants, variant) =>
  asked.has("on")
    ? asked.getAll("on").some((one) => one === "*" || one === variant)
    : variants.indexOf(variant) < MAX_LINES;

export function controls(
  readers,
  file,
  experiments,
  experiment,
  measure,
  { variables, numeric, own, across, up, panelBy, fixed, offered, logX, logY },
) {
  const select = (id, label, name, values, chosen, also = {}) =>
    element(
      "label",
      {},
      label,
      element(
        "select",
        { id, change: (event) => change({ ...also, [name]: event.target.value }) },
        values.map(([value, text]) => element("option", { value, selected: String(value) === String(chosen) }, text)),
      ),
    );
  const check = (id, label, name, is) =>
    element(
      "label",
      { class: "check" },
      element("input", {
        id,
        type: "checkbox",
        checked: is,
        change: (event) => change({ [name]: event.target.checked ? "1" : null }),
      }),
      label,
    );
  const forget = Object.fromEntries(
    [...state().keys()]
      .filter((name) => name.startsWith("at.") || ["x", "y", "by", "as"].includes(name))
      .map((name) => [name, null]),
  );
  const named = (name) => [name, name];
  return element(
    "form",
    { class: "controls", "aria-label": "What is drawn", submit: (event) => event.preventDefault() },
    readers.length > 1
      ? select(
          "curve-file",
          "File",
          "file",
          readers.map(({ run }, i) => [i, run.name]),
          file,
        )
      : null,
    select(
      "curve-experiment",
      "Experiment",
      "e",
      experiments.map(({ name }) => named(name)),
      experiment.name,
      { ...forget, m: null, on: null },
    ),
    select(
      "curve-measure",
      "Measure",
      "m",
      Object.values(experiment.measures).map(({ name, dims }) => [
        name,
        dims.length ? `${name} by ${enumerated(dims)}` : name,
      ]),
      measure.name,
      { ...forget, e: experiment.name },
    ),
    select("curve-across", "Across", "x", [...numeric.map(({ name }) => named(name)), [SCHEMES, "schemes"]], across),
    own.length && across !== SCHEMES
      ? select(
          "curve-as",
          "As",
          "as",
          [
            ["", "lines"],
            ["heat", "heat maps"],
          ],
          up ? "heat" : "",
        )
      : null,
    up ? select("curve-up", "Up", "y", own.map(named), up) : null,
    !up && across !== SCHEMES
      ? select(
          "curve-panels",
          "Panels by",
          "by",
          [
            ["", "nothing"],
            ...variables
              .filter(({ name, values }) => name !== across && values.length > 1)
              .map(({ name }) => named(name)),
          ],
          panelBy,
        )
      : null,
    variables
      .filter(({ name }) => name in fixed && offered[name].length > 1)
      .map(({ name }) =>
        select(
          `curve-at-${name}`,
          `at ${name}`,
          `at.${name}`,
          offered[name].slice(0, 2000).map((value) => [value, typeof value === "number" ? short(value) : value]),
          fixed[name],
        ),
      ),
    up || across === SCHEMES ? null : check("curve-logx", "logarithmic across", "logx", logX),
    up || across === SCHEMES ? null : check("curve-logy", "logarithmic up", "logy", logY),
  );
}

// Buttons that switch lines on and off.
export function legend(asked, variants) {
  const on = variants.filter((variant) => isOn(asked, variants, variant));
  const toggle = (variant) =>
    change({
      on: on.includes(variant) ? (on.length > 1 ? on.filter((one) => one !== variant) : [""]) : [...on, variant],
    });
  const button = (variant, i) => {
    const look = lookOf(i);
    return element(
      "button",
      { type: "button", id: `on-${i}`, "aria-pressed": String(on.includes(variant)), click: () => toggle(variant) },
      drawn(
        "svg",
        { width: 26, height: 10, "aria-hidden": "true" },
        drawn("line", {
          x1: 0,
          x2: 26,
          y1: 5,
          y2: 5,
          stroke: look.colour,
          "stroke-width": 3,
          "stroke-dasharray": look.dash,
        }),
      ),
      variant,
    );
  };
  return element(
    "fieldset",
    { class: "lines" },
    element("legend", {}, `Schemes: ${on.length} of ${variants.length} shown`),
    element(
      "div",
      {},
      variants.map(button),
      element("button", { type: "button", id: "on-all", click: () => change({ on: ["*"] }) }, "all"),
      element("button", { type: "button", id: "on-none", click: () => change({ on: [""] }) }, "none"),
    ),
  );
}
