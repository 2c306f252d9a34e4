// SPDX-License-Identifier: Apache-2.0
// The page: opens files, shows the view that the address names.
import { changed, state, whenChanged } from "./address.js";
import { answersView } from "./answers_view.js";
import { compareView } from "./compare_view.js";
import { curvesView } from "./curves_view.js";
import { cellsView, countsText, expectationsView, provenanceView } from "./other_views.js";
import { bytesOf, Reader } from "./reader.js";
import { element, enumerated, printable } from "./texts.js";
import { hideTip } from "./tip.js";

window.poslabStarted = true; // this browser understands the program

const MAX_BYTES = 1 << 30;
const VIEWS = {
  answers: ["Answers", answersView],
  curves: ["Curves", curvesView],
  expectations: ["Expectations", expectationsView],
  cells: ["Cells", cellsView],
  provenance: ["Provenance", provenanceView],
  compare: ["Compare", compareView],
};
const main = document.querySelector("main"),
  header = document.getElementById("of-the-file"),
  problems = document.getElementById("problems");
let readers = [];

const viewOf = () => (readers.length && state().get("view") in VIEWS ? state().get("view") : "answers");

function say(sentence) {
  problems.replaceChildren(element("p", {}, sentence));
}

function tabs() {
  const link = ([id, [name]]) =>
    element(
      "a",
      {
        href:
          id === "answers"
            ? changed({ view: null, of: null, variant: null })
            : changed({ view: id, of: null, variant: null }),
        "aria-current": id === viewOf() ? "page" : null,
      },
      name,
    );
  return element(
    "nav",
    { "aria-label": "Views" },
    Object.entries(VIEWS)
      .filter(([id]) => id !== "compare" || readers.length > 1)
      .map(link),
  );
}

function show() {
  hideTip();
  if (readers.length === 0) return;
  const focused = document.activeElement?.id,
    from = document.activeElement?.selectionStart,
    opened = state().get("of");
  const [first] = readers,
    titles = enumerated([...new Set(readers.map(({ run }) => run.title))]);
  document.title = `${printable(titles)}: poslab`;
  header.replaceChildren(
    element("h1", {}, titles),
    ...readers.map(({ run }) =>
      element(
        "p",
        {},
        readers.length > 1 ? `${run.name}: ` : "",
        countsText(run),
        run.complete ? "" : ". The run was interrupted",
        run.earlierSchema ? `. The file is of schema ${run.earlierSchema}: poslab upgrade ${run.name} rewrites it` : "",
      ),
    ),
    tabs(),
  );
  try {
    main.replaceChildren(...VIEWS[viewOf()][1](readers).filter(Boolean));
  } catch (problem) {
    main.replaceChildren(
      element("p", { class: "note" }, `${first.run.name} is not as poslab writes it (${problem.message})`),
    );
  }
  const again = focused && document.getElementById(focused);
  if (again) (again.focus({ preventScroll: true }), typeof from === "number" && again.setSelectionRange?.(from, from));
  else if (opened && document.getElementById("detail")) document.getElementById("detail").focus();
}

async function open(files) {
  problems.replaceChildren();
  for (const { name, bytes, size } of files) {
    try {
      if (size > MAX_BYTES)
        throw new Error(
          `${name} has ${Math.round(size / 1e6)} MB, more than this page takes: open it in Python, with poslab.open`,
        );
      say(`Opening ${name} …`);
      const reader = await Reader.open(name, await bytes());
      if (readers.length === 2) (readers.forEach((one) => one.close()), (readers = []));
      readers.push(reader);
      problems.replaceChildren();
      document.body.classList.add("has-file");
    } catch (problem) {
      say(problem.message);
      break;
    }
  }
  show();
  document.body.dataset.ready = "yes";
}

const picked = (list) =>
  [...list].slice(0, 2).map((file) => ({ name: file.name, size: file.size, bytes: () => file.arrayBuffer() }));

function acceptFiles() {
  const input = document.getElementById("file");
  input.addEventListener("change", () => {
    open(picked(input.files));
    input.value = "";
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragged");
  });
  addEventListener("dragleave", () => document.body.classList.remove("dragged"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragged");
    if (event.dataTransfer.files.length) open(picked(event.dataTransfer.files));
  });
}

acceptFiles();
whenChanged(show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
let width = innerWidth;
addEventListener("resize", () => {
  if (Math.abs(innerWidth - width) > 40 && ["answers", "curves"].includes(viewOf())) ((width = innerWidth), show());
});
const inside = [...document.querySelectorAll("script[type='application/x-hdf5']")];
open(inside.map((found) => ({ name: found.dataset.name, size: 0, bytes: () => bytesOf(found.textContent).buffer })));
