// SPDX-License-Identifier: Apache-2.0
// What is shown as a file: CSV of the numbers, SVG of the picture.
import { element } from "./texts.js";

// A text with which a spreadsheet would begin a formula is kept a text.
function field(value) {
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
  const text = /^[=+@\t\r-]/.test(value) ? `'${value}` : String(value ?? "");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvText = (rows) => rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");

function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function svgText(picture) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`;
}

// `csv` gives rows, `svg` a picture; either may be absent.
export function downloads(name, { csv, svg }) {
  const button = (text, id, act) => element("button", { type: "button", id: `${id}-${name}`, click: act }, text);
  return [
    element(
      "p",
      { class: "downloads" },
      svg ? button("Save as SVG", "svg", () => save(`${name}.svg`, "image/svg+xml", svgText(svg()))) : null,
      csv ? button("Save as CSV", "csv", () => save(`${name}.csv`, "text/csv", csvText(csv()))) : null,
    ),
  ];
}
