// SPDX-License-Identifier: Apache-2.0
// node build.js MODULES OUTPUT: makes one page of src that asks no host; MODULES is the folder with node_modules. The same sources give
// the same bytes, but for the compression, which is that of node's zlib.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [, , modules, output] = process.argv;
const { build } = createRequire(resolve(modules, "build.js"))("esbuild");
const source = (name) => join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "src", name);

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [source(entry)],
    nodePaths: [resolve(modules, "node_modules")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
    logLevel: "warning",
    external: ["module", "fs", "path", "url", "crypto", "worker_threads"],
  });
  return outputFiles[0].text;
}

const licence = readFileSync(join(modules, "node_modules/h5wasm/LICENSE.txt"), "utf8").replace(/--+/g, (line) =>
  "=".repeat(line.length),
);
const parts = {
  notices: `SPDX-License-Identifier: Apache-2.0\nMade by ./dev page of results/page. It holds h5wasm, whose notice is:\n\n${licence}`,
  style: readFileSync(source("style.css"), "utf8"),
  worker: gzipSync(await bundle("worker.js"), { level: 9 }).toString("base64"),
  main: await bundle("main.js"),
};
const page = readFileSync(source("page.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name].trim());
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1e6).toFixed(2)} MB`);
