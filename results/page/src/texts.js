// SPDX-License-Identifier: Apache-2.0
// Texts of files, which anybody may have written, become text nodes, with escapes for what would hide or turn them.
const HIDDEN = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/g;
const LINES = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

export const printable = (text) =>
  String(text).replace(/[\ud800-\udbff][\udc00-\udfff]|[^]/g, (sign) =>
    sign.length === 2 ? sign : sign.replace(HIDDEN, escaped),
  );

// The same of a text of several lines.
export const printableLines = (text) => String(text).replace(LINES, escaped);

// An element. `given`: attributes, and listeners where the value is a function; children that are no nodes become text.
export function element(tag, given = {}, ...children) {
  return filled(document.createElement(tag), given, children);
}

export function drawn(tag, given = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), given, children);
}

function filled(made, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, value);
  }
  made.append(
    ...children
      .flat()
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : printable(child))),
  );
  return made;
}

// A number as people read it: as short as tells it apart, with 6 digits at most.
export function short(value) {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  return String(Number(value.toPrecision(6)));
}

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export const enumerated = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;

export function tally(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
