// SPDX-License-Identifier: Apache-2.0
// Bytes of a file before HDF5 sees them, as results/python/poslab/damage.py looks at them.
const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const SEAL = "\nposlab sha256 "; // then 64 hex digits and a line break
const SEAL_BYTES = 80;

export class Refused extends Error {}

export async function requireUndamaged(name, bytes) {
  if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) throw new Refused(`${name} is no HDF5 file${instead(name)}`);
  const sealed = bytes.length - SEAL_BYTES;
  const end = new TextDecoder("latin1").decode(bytes.subarray(Math.max(0, sealed)));
  if (end.startsWith(SEAL)) {
    if (!globalThis.crypto?.subtle) return; // some browsers have it from https alone
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.subarray(0, sealed)));
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (end === `${SEAL}${hex}\n`) return;
  } else if (bytes.length <= endOfHdf5(bytes)) {
    if (bytes.length < endOfHdf5(bytes) && Number.isFinite(endOfHdf5(bytes)))
      throw new Refused(
        `${name} is cut: it says that it has ${endOfHdf5(bytes)} bytes, and ${bytes.length} are there; copy it again`,
      );
    return;
  }
  throw new Refused(`${name} is damaged: its checksum is not that of its bytes; copy it again, or run its study again`);
}

function instead(name) {
  if (name.endsWith(".toml"))
    return "; it looks like a study, and poslab run writes its results beside it, with .h5 at the end";
  if (name.endsWith(".journal"))
    return "; it looks like the journal of a run: take the file beside it whose name has no .journal";
  return "; take a results file, which poslab run writes, with .h5 at the end";
}

// Where HDF5's own part ends, by its superblock; without end where that does not say so.
function endOfHdf5(bytes) {
  const version = bytes[8];
  if (bytes.length < 64 || version > 3 || bytes[version < 2 ? 13 : 9] !== 8) return Infinity;
  const at = version === 0 ? 40 : version === 1 ? 44 : 28;
  return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(at, true));
}
