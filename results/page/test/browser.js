// SPDX-License-Identifier: Apache-2.0
// Debian's Chromium on pages of files, as a person would use it.
import { createRequire } from "node:module";
import { resolve } from "node:path";

export const require = createRequire(resolve(process.env.POSLAB_PAGE_MODULES, "tests.js"));
const puppeteer = require("puppeteer-core");

export const launch = () =>
  puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    protocolTimeout: 300_000,
    timeout: 120_000,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });

// A page that is open and ready; `asked`: every address that it asked of a host.
export async function opened(browser, path, { hash = "", width = 1280, dark = false } = {}) {
  const page = await browser.newPage(),
    asked = [],
    errors = [];
  page.setDefaultTimeout(200_000);
  page.on("request", (request) => {
    if (/^(https?|wss?|ftp):/.test(request.url())) asked.push(request.url());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await page.goto(`file://${path}${hash}`);
  await page.waitForFunction(() => document.body.dataset.ready === "yes");
  return { page, asked, errors };
}
