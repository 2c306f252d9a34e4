// SPDX-License-Identifier: Apache-2.0
// The page's end of a worker that reads one file.
const SECONDS = 120; // that opening a file or reading from it may take

export class Unreadable extends Error {}

// The program of the worker lies in the page, compressed, and is unpacked once.
let program = null;
async function workerAddress() {
  const packed = bytesOf(document.getElementById("worker").textContent);
  const text = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return URL.createObjectURL(await new Response(text).blob());
}

export function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64); // since 2025, several times as fast
  const text = atob(base64.trim()),
    bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export class Reader {
  #worker;
  #waiting = new Map();
  #number = 0;

  static async open(name, bytes) {
    const reader = new Reader();
    reader.#worker = new Worker(await (program ??= workerAddress()));
    reader.#worker.onmessage = ({ data }) => reader.#answer(data);
    reader.#worker.onerror = (problem) =>
      reader.#end(`${name} could not be read: ${problem.message || "this browser ran out of memory"}`);
    try {
      reader.run = await reader.#ask("open", { name, bytes }, [bytes]);
    } catch (problem) {
      reader.close();
      throw problem;
    }
    return reader;
  }

  curves(experiment, measure, rows) {
    return this.#ask("curves", { experiment, measure, rows });
  }
  close() {
    this.#worker.terminate();
  }

  #ask(what, asked, transferred = []) {
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      const ended = setTimeout(
        () => this.#end(`reading took more than ${SECONDS} s and was ended: the file may be damaged`),
        SECONDS * 1000,
      );
      this.#waiting.set(number, { resolve, reject, ended });
      this.#worker.postMessage({ number, what, asked }, transferred);
    });
  }

  #answer({ number, result, sentence }) {
    const { resolve, reject, ended } = this.#waiting.get(number);
    clearTimeout(ended);
    this.#waiting.delete(number);
    sentence === undefined ? resolve(result) : reject(new Unreadable(sentence));
  }

  #end(sentence) {
    this.#worker.terminate();
    for (const { reject, ended } of this.#waiting.values()) (clearTimeout(ended), reject(new Unreadable(sentence)));
    this.#waiting.clear();
  }
}
