// SPDX-License-Identifier: Apache-2.0
// A table that scrolls by itself, of texts and elements; a number is shown short, in a column of numbers.
import { element, short } from "./texts.js";

export function tableOf(label, head, rows) {
  const cell = (value) =>
    typeof value === "number" ? element("td", { class: "number" }, short(value)) : element("td", {}, value);
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          head.map((name) => element("th", { scope: "col" }, name)),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map((row) => element("tr", {}, row.map(cell))),
      ),
    ),
  );
}
