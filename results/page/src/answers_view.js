// SPDX-License-Identifier: Apache-2.0
// The table of answers: schemes down, questions across; each answer leads to its measures and to the cells behind it.
import { change, changed, state } from "./address.js";
import { answerDetail } from "./answer_detail.js";
import { linesOf } from "./answer_lines.js";
import { downloads } from "./downloads.js";
import { openingPicture } from "./opening_picture.js";
import { legendOf, markMeanings } from "./signs.js";
import { element, plural } from "./texts.js";
import { withTip } from "./tip.js";

export function answersView(readers) {
  const [{ run }] = readers,
    asked = state();
  if (run.answers.rows.length === 0) return [noAnswers(run)];
  const columns = run.answers.columns.filter(({ asked: id }) => !asked.get("question") || id === asked.get("question"));
  const lines = linesOf(readers, asked);
  const detail = asked.get("of") && asked.get("variant") ? answerDetail(readers, asked) : null;
  return [
    openingPicture(readers),
    controls(run, asked),
    element(
      "p",
      { class: "count", role: "status" },
      `${plural(lines.length, "row")} of ${linesOf(readers, new URLSearchParams()).length}`,
    ),
    table(columns, lines, asked, new Map(readers.flatMap((reader) => [...markMeanings(reader.run)]))),
    legend(readers, columns),
    ...downloads("answers", { csv: () => asCsv(columns, lines) }),
    detail,
  ];
}

function noAnswers(run) {
  const why = run.isShard
    ? "it is the file of a shard, which poslab merge joins to the others"
    : run.cells.id.length === 0
      ? "it has no cells"
      : "nothing was asked that experiments answer";
  const first = run.earlierSchema
    ? "Answers are shown of an upgraded file"
    : `This file answers no question: ${why}`;
  return element(
    "p",
    { class: "note" },
    `${first}. What it measured is under Curves, its cells are under Cells.`,
  );
}

// Pairs of a mark and its sign with what it means.
const marksOf = (run) =>
  [...markMeanings(run)].map(([sign, meaning]) => [
    run.answers.rows.find((row) => row.sign === sign)?.mark ?? sign,
    `${sign} ${meaning}`,
  ]);

function controls(run, asked) {
  const choose = (name) => (event) => change({ [name]: event.target.value });
  const labelled = (label, control) => element("label", {}, label, control);
  // `options`: pairs of a value and its text, after that for all.
  const select = (label, name, all, options) =>
    labelled(
      label,
      element(
        "select",
        { id: `filter-${name}`, change: choose(name) },
        [["", all], ...options].map(([value, text]) =>
          element("option", { value, selected: value === (asked.get(name) ?? "") }, text),
        ),
      ),
    );
  const families = [...new Set(run.cells.family)].filter(Boolean);
  return element(
    "form",
    {
      class: "controls",
      role: "search",
      "aria-label": "Filter of the answers",
      submit: (event) => event.preventDefault(),
    },
    labelled(
      "Scheme or text",
      element("input", { id: "filter-text", type: "search", value: asked.get("text") ?? "", input: choose("text") }),
    ),
    families.length > 1 ? select("Family", "family", "all", families.map((family) => [family, family])) : null,
    select(
      "Question",
      "question",
      "all",
      run.answers.columns.map(({ asked: id, heading }) => [id, `${heading} (${id})`]),
    ),
    select(
      "Answer",
      "mark",
      "any",
      [...marksOf(run), ["none", "no mark"]],
    ),
  );
}

function table(columns, lines, asked, meanings) {
  const head = (id, heading, unit, explained) => {
    const is = asked.get("sort") === id,
      down = asked.get("order") === "down";
    const next = !is ? { sort: id, order: null } : down ? { sort: null, order: null } : { sort: id, order: "down" };
    const button = element(
      "button",
      { type: "button", id: `sort-${id}`, class: "sort", click: () => change(next) },
      heading,
      unit ? element("small", {}, unit) : null,
      is ? element("span", { "aria-hidden": "true" }, down ? " ▼" : " ▲") : null,
    );
    return element(
      "th",
      { scope: "col", "aria-sort": is ? (down ? "descending" : "ascending") : "none" },
      explained ? withTip(button, explained) : button,
    );
  };
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of answers" },
    element(
      "table",
      { class: "answers" },
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          head("name", "scheme", ""),
          columns.map(({ asked: id, heading, unit, legend: text }) => head(id, heading, unit, text)),
        ),
      ),
      element(
        "tbody",
        {},
        lines.map((line) => row(columns, line, meanings)),
      ),
    ),
  );
}

function row(columns, { file, variant, answers, signs }, meanings) {
  return element(
    "tr",
    { class: file ? "second" : null },
    element(
      "th",
      { scope: "row" },
      `${variant}${signs ? ` ${signs}` : ""}`,
      file ? element("abbr", { title: "of the second file" }, " ‡") : null,
    ),
    columns.map(({ asked: id, describes }) =>
      element("td", {}, answers.has(id) ? answerLink(answers.get(id), describes, file, meanings) : null),
    ),
  );
}

function answerLink(answer, describes, file, meanings) {
  const link = element(
    "a",
    {
      class: `answer ${answer.needsReason ? "silent" : describes ? "" : answer.mark}`.trim(),
      href: changed({ of: answer.experiment, variant: answer.variant, file: file || null }),
    },
    answer.sign ? element("span", { class: "mark", "aria-hidden": "true" }, answer.sign) : null,
    answer.sign ? element("span", { class: "aloud" }, `${meanings.get(answer.sign) ?? ""} `) : null,
    answer.text,
  );
  return withTip(link, answer.sentence);
}

function legend(readers, columns) {
  const pointOf = ({ run }, id) => run.answers.columns.find(({ asked }) => asked === id)?.point;
  const signs = [
    ...legendOf(readers),
    ...(readers[1] ? [["‡", `of the second file, ${readers[1].run.name}`]] : []),
  ];
  return element(
    "details",
    { class: "legend", open: true },
    element("summary", {}, "What signs and columns mean"),
    element(
      "dl",
      {},
      signs.map(([sign, meaning]) => element("div", {}, element("dt", {}, sign), element("dd", {}, meaning))),
    ),
    element(
      "dl",
      { class: "columns" },
      columns.map(({ asked: id, heading, legend: text }) => {
        const [here, beside] = readers.map((reader) => pointOf(reader, id));
        const other = beside && beside !== here ? `; ‡ at ${beside}` : "";
        return element("div", {}, element("dt", {}, heading), element("dd", {}, `${text}${other}`));
      }),
    ),
  );
}

function asCsv(columns, lines) {
  const head = ["file", "variant", "experiment", "mark", "number", "value", "error", "low", "high", "sentence"];
  return [
    head,
    ...lines.flatMap(({ file, variant, answers }) =>
      columns
        .filter(({ asked: id }) => answers.has(id))
        .map(({ asked: id }) => {
          const one = answers.get(id);
          return [file + 1, variant, id, one.mark, one.number, one.value, one.error, one.low, one.high, one.sentence];
        }),
    ),
  ];
}
