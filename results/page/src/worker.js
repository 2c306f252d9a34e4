// SPDX-License-Identifier: Apache-2.0
// Reads one results file, apart from the page: a file at which HDF5 goes on for ever can be ended.
import { openHdf5 } from "./hdf5.js";
import { Refused, requireUndamaged } from "./damage.js";
import { requireShallow } from "./depth.js";
import { readCurves, readRun } from "./run_file.js";

let file = null,
  name = "";

const requests = {
  async open({ name: called, bytes }) {
    name = called;
    const content = new Uint8Array(bytes);
    await requireUndamaged(name, content);
    file = await openHdf5(content);
    requireShallow(file, name);
    return readRun(file, name);
  },
  curves: ({ experiment, measure, rows }) => readCurves(file, experiment, measure, rows),
};

self.onmessage = async ({ data: { number, what, asked } }) => {
  try {
    self.postMessage({ number, result: await requests[what](asked) });
  } catch (problem) {
    const sentence =
      problem instanceof Refused
        ? problem.message
        : `${name} is not as poslab writes it (${problem?.message ?? problem})`;
    self.postMessage({ number, sentence });
  }
};
