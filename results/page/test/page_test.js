// SPDX-License-Identifier: Apache-2.0
// The page in a browser, on the files that tests/system/page_test.py makes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, opened, require } from "./browser.js";

const folder = process.env.POSLAB_PAGES,
  at = (name) => join(folder, name);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const textOf = (page, selector) => page.$$eval(selector, (found) => found.map((one) => one.textContent));
const drawn = (page) => page.waitForSelector(".picture svg");
const go = (page, hash) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

async function chosen(page, ...names) {
  const input = await page.$("#file");
  await page.evaluate(() => {
    delete document.body.dataset.ready;
    document.getElementById("problems").textContent = "";
  });
  await input.uploadFile(...names.map(at));
  await page.waitForFunction(() => document.body.dataset.ready === "yes");
  return (await textOf(page, "#problems")).join("");
}

test("every answer is that of the table in Python", async () => {
  const { page } = await opened(browser, at("study.html"));
  await page.$$eval(".aloud", (found) => found.forEach((one) => one.remove()));
  const rows = await page.$$eval("tbody tr", (found) =>
    found.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent.replaceAll(" ", ""))),
  );
  assert.deepEqual(rows, JSON.parse(process.env.POSLAB_ANSWERS));
});

test("answers, filtered and sorted, lead to their cells", async () => {
  const { page, asked, errors } = await opened(browser, at("study.html"));
  assert.deepEqual(await textOf(page, "tbody th"), ["none", "sinusoidal", "rope", "t5 *"]);
  const rope = "tbody tr:nth-child(3) td:nth-child(2)";
  assert.equal((await textOf(page, `${rope} .answer`)).join(""), `✓yes ${process.env.POSLAB_KNOWN}`);
  await page.type("#filter-text", "rop");
  assert.deepEqual(await textOf(page, "tbody th"), ["rope"]);
  assert.match(page.url(), /text=rop/);
  await page.hover("tbody .answer");
  assert.match((await textOf(page, "#tip")).join(""), /codes are different/);
  await page.click("tbody .answer");
  await page.waitForSelector(".detail table");
  assert.match((await textOf(page, ".detail")).join(""), /distinct.*Null value/s);
  await go(page, "family=bias");
  await page.waitForFunction(() => document.querySelector("tbody th").textContent === "t5 *");
  assert.deepEqual(
    await page.$$eval("#filter-family option", (found) => found.map((one) => one.value)),
    ["", "none", "additive", "rotary", "bias"],
  );
  await go(page, "sort=uniqueness");
  await page.waitForFunction(() => document.querySelector("tbody th").textContent === "none");
  assert.deepEqual([asked, errors], [[], []]);
});

test("a file opens with a picture in which schemes differ", async () => {
  const { page, errors } = await opened(browser, at("study.html"));
  await page.waitForSelector(".opening svg");
  const lines = await page.$$eval(".opening path.line", (found) => found.map((one) => one.getAttribute("d")));
  assert.ok(new Set(lines).size >= 2, "all lines are one");
  assert.match((await textOf(page, ".opening figcaption")).join(""), /^change_equal: .* All measures: Curves$/);
  const above = await page.$eval(".opening svg", (svg) => svg.getBoundingClientRect().bottom);
  assert.ok(above < 900 && above < (await page.$eval("table", (table) => table.getBoundingClientRect().top)));
  await page.evaluate(() => document.querySelector(".opening svg").setAttribute("data-kept", "yes"));
  await page.type("#filter-text", "rop"); // it is not drawn anew for each letter
  assert.equal(await page.$$eval(".opening svg[data-kept]", (found) => found.length), 1);
  await page.click(".opening figcaption a");
  await page.waitForFunction(() => /distance-profile: change_equal/.test(document.querySelector(".picture").textContent));
  assert.deepEqual(errors, []);
});

test("curves have lines, and switches that the address holds", async () => {
  const { page, errors } = await opened(browser, at("study.html"), {
    hash: "#view=curves&e=distance-profile&m=change_random&on=rope&on=none",
  });
  await drawn(page);
  assert.equal((await page.$$(".picture path.line")).length, 2);
  await page.click("#on-0");
  await page.waitForFunction(() => document.querySelectorAll(".picture path.line").length === 1);
  assert.ok(!page.url().includes("on=none"));
  const box = await (await page.$(".watched")).boundingBox();
  await page.mouse.move(box.x + 1, box.y + 20);
  assert.match((await textOf(page, "#tip")).join(""), /^0: rope 0/);
  await page.evaluate(() => {
    globalThis.saved = [];
    URL.createObjectURL = (blob) => {
      globalThis.saved.push(blob);
      return "data:,";
    };
  });
  await page.click("#svg-change_random");
  await page.click("#csv-change_random");
  const [svg, csv] = await page.evaluate(() => Promise.all(globalThis.saved.map((blob) => blob.text())));
  const lines = (text) =>
    new DOMParser().parseFromString(text, "image/svg+xml").documentElement.querySelectorAll("path.line").length;
  assert.equal(await page.evaluate(lines, svg), 1);
  assert.match(csv, /^variant,distance,mean,low,high,repeats\r\nrope,0,0,0,0,2\r\n/);
  await page.click(".numbers summary");
  await page.waitForSelector(".numbers tbody tr");
  assert.equal((await page.$$(".numbers tbody tr")).length, 16);
  await go(page, "view=curves&e=distance-profile&m=head_mean_ones&as=heat");
  await page.waitForSelector(".picture image");
  await go(page, "view=curves&e=norm-preservation&m=isometry_error");
  await page.waitForFunction(() => document.querySelectorAll(".picture circle").length === 2);
  assert.deepEqual(errors, []);
});

test("axes are at values that cells have together", async () => {
  const { page, errors } = await opened(browser, at("parts.html"), {
    hash: "#view=curves&e=relative-shift&m=content_error",
  });
  await drawn(page);
  assert.equal((await page.$$(".picture path.line")).length, 2);
  const lengths = () => page.$$eval("#curve-at-length option", (found) => found.map((one) => one.value));
  assert.deepEqual(await lengths(), ["16", "32"]);
  assert.equal((await page.$$("#curve-at-shift_list")).length, 0);
  await page.select("#curve-at-length", "16");
  await page.waitForFunction(() => /length = 16/.test(document.querySelector(".picture").textContent));
  assert.equal((await page.$$(".picture path.line")).length, 2);
  assert.deepEqual(errors, []);
});

test("what goes with a panel is not fixed", async () => {
  const { page, errors } = await opened(browser, at("parts.html"), {
    hash: "#view=curves&e=relative-shift&m=content_error&by=length",
  });
  await drawn(page);
  assert.match((await textOf(page, ".picture")).join(""), /length = 16.*length = 32/s);
  assert.equal((await page.$$(".picture path.line")).length, 4);
  assert.deepEqual(errors, []);
});

test("expectations, cells and provenance", async () => {
  const { page } = await opened(browser, at("study.html"), { hash: "#view=expectations" });
  assert.match((await textOf(page, "main")).join(""), /2 of 2 hold.*holds.*distinct scheme=rope/s);
  assert.match(
    (await textOf(page, "main")).join(""),
    /mean isometry_error scheme=rope less that of scheme=sinusoidalat most 0.1/,
  );
  await go(page, "view=cells");
  await page.waitForFunction(() => /Cells without numbers/.test(document.querySelector("main").textContent));
  await go(page, "view=provenance");
  await page.waitForFunction(() => /study_hash/.test(document.querySelector("main").textContent));
});

test("two files side by side", async () => {
  const { page } = await opened(browser, at("both.html"), { hash: "#view=compare" });
  await page.waitForFunction(() => /differ by more|are within/.test(document.querySelector("main").textContent));
  const said = new RegExp(`${process.env.POSLAB_DIFFERENCES} curves or numbers of cells differ.*isometry_error`, "s");
  assert.match((await textOf(page, "main")).join(""), said);
  assert.match((await textOf(page, "main")).join(""), /ratio_min.*is in the first file only/s);
  await go(page, "");
  await page.waitForFunction(() => document.querySelectorAll("tbody tr.second").length === 4);
  assert.match((await textOf(page, ".legend")).join(""), /numbers at [^;‡]*; ‡ at length = 8/);
});

test("texts of strangers stay text", async () => {
  const { page, errors } = await opened(browser, at("evil.html"));
  assert.match(await page.title(), /^<\/script>.*\\u202E.*: poslab$/);
  assert.equal((await page.$$("main img, header img, main script, header script")).length, 0);
  await page.hover("tbody .answer");
  assert.match((await textOf(page, "#tip")).join(""), /^<\/script>/);
  assert.deepEqual(errors, []);
});

test("each bad input is a sentence", async () => {
  const { page } = await opened(browser, at("viewer.html"));
  for (const [name, said] of [
    ["text.h5", /text.h5 is no HDF5 file/],
    ["study.toml", /looks like a study/],
    ["cut.h5", /cut.h5 is cut/],
    ["corrupt.h5", /corrupt.h5 is damaged/],
    ["foreign.h5", /no results file of poslab/],
    ["newer.h5", /schema version 3/],
    ["deep.h5", /deep.h5: \/uniqueness(\/g)+ lies in more than 4 groups/],
    ["crowded.h5", /crowded.h5: it has more than 100000 objects/],
    ["broken.h5", /broken.h5 is not as poslab writes it \(there is no variant\)/],
  ])
    assert.match(await chosen(page, name), said);
  assert.equal(await chosen(page, "unanswered.h5"), "");
  assert.match((await textOf(page, "main")).join(""), /answers no question/);
});

test("a file of an earlier schema shows what it has, and the command", async () => {
  const { page, errors } = await opened(browser, at("viewer.html"));
  assert.equal(await chosen(page, "earlier.h5"), "");
  assert.match((await textOf(page, "header")).join(""), /of schema 1\.0: poslab upgrade earlier\.h5 rewrites it/);
  assert.match((await textOf(page, "main")).join(""), /Answers are shown of an upgraded file/);
  await go(page, "view=curves");
  await drawn(page);
  assert.deepEqual(errors, []);
});

test("10,000 cells of 200 variants, and none", async () => {
  const { page, errors } = await opened(browser, at("viewer.html"));
  assert.equal(await chosen(page, "many.h5"), "");
  assert.match((await textOf(page, "header")).join(""), /10000 cells: 10000 ok/);
  assert.equal((await page.$$("tbody tr")).length, 200);
  await page.type("#filter-text", "base=2980.0");
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
  for (const [view, said] of [
    ["curves&e=uniqueness&m=min_distance", /rope\(base=1000\.0\)/],
    ["cells", /10000 cells: 10000 ok/],
  ]) {
    await go(page, `view=${view}`);
    await page.waitForFunction((text) => new RegExp(text).test(document.body.textContent), {}, said.source);
  }
  assert.deepEqual(errors, []);
  const { page: other } = await opened(browser, at("viewer.html"));
  assert.equal(await chosen(other, "nothing.1-of-1000.h5"), "");
  assert.match((await textOf(other, "main")).join(""), /answers no question: .*(shard|no cells)/);
});

test("a file that is chosen, and axe finds nothing in any view", async () => {
  const { page } = await opened(browser, at("viewer.html"), { width: 360 });
  const look = async (view) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${view}: ${id}: ${nodes[0].html}`),
      [],
    );
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      `${view} is wider than the window`,
    );
  };
  await look("empty");
  assert.equal(await chosen(page, "study.h5", "other.h5"), "");
  for (const view of ["answers", "curves", "expectations", "cells", "provenance", "compare"])
    for (const value of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
      await go(page, `view=${view}${view === "answers" ? "&of=uniqueness&variant=rope" : ""}`);
      await page.waitForFunction(() => !/Reading …|Comparing …/.test(document.querySelector("main").textContent));
      await look(`${view}, ${value}`);
    }
});

test("a browser without what the page needs is told so", async () => {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(() => {
    delete globalThis.DecompressionStream;
  });
  await page.goto(`file://${at("viewer.html")}`);
  assert.match((await textOf(page, "#problems")).join(""), /too old for this page: it has no DecompressionStream\./);
});
