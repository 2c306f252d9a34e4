// SPDX-License-Identifier: Apache-2.0
// What of HDF5 the page uses: one file in memory, its texts and numbers as plain values.
import h5wasm from "h5wasm";

const MAX_VALUES = 1 << 26; // that one reading may take: 512 MB of reals

export class NotAsWritten extends Error {}

export async function openHdf5(bytes) {
  const { FS } = await h5wasm.ready;
  // The file system's own buffer: no copy of the file is made.
  FS.createDataFile("/", "results.h5", bytes, true, false, true);
  return new h5wasm.File("/results.h5", "r");
}

const HIDDEN = ["CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_FillValue", "coordinates"];

// Those of an object, or those of these names that it has: each is a call into HDF5.
export function attributes(object, names = Object.keys(object.attrs)) {
  const there = object.attrs,
    found = {};
  for (const name of names)
    if (name in there && !HIDDEN.includes(name)) found[name] = plain(object.get_attribute(name, false));
  return found;
}

// 64-bit integers as numbers where these are exact, else as texts: a seed may have any bits.
export function plain(value) {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return Array.from(value, plain);
  return ArrayBuffer.isView(value) && !(value instanceof Float64Array) ? Array.from(value) : value;
}

export function dataset(group, name) {
  const found = group.get(name);
  if (!found || !found.shape) throw new NotAsWritten(`there is no ${name}`);
  if (found.shape.reduce((product, extent) => product * extent, 1) > MAX_VALUES)
    throw new NotAsWritten(`${name} has ${found.shape.join(" × ")} values, more than a page can hold`);
  return found;
}

// All of a dataset, as an array of numbers or texts.
export function column(group, name) {
  const found = dataset(group, name);
  if (found.shape.length !== 1) throw new NotAsWritten(`${name} has ${found.shape.length} dimensions instead of one`);
  if (found.shape[0] === 0) return [];
  const values = plain(found.value);
  if (!values || values.length !== found.shape[0]) throw new NotAsWritten(`${name} cannot be read`);
  return values;
}

export function columnIfAny(group, name, otherwise) {
  return group.keys().includes(name) ? column(group, name) : otherwise;
}

// The texts that the numbers of a column of flags stand for.
export function flags(group, name) {
  const meanings = String(attributes(dataset(group, name), ["flag_meanings"]).flag_meanings ?? "").split(" ");
  return Array.from(column(group, name), (value) => {
    if (!(value in meanings) || !meanings[0])
      throw new NotAsWritten(`${name} has the value ${value}, which means nothing`);
    return meanings[value];
  });
}

// The names of a measure's dimensions behind `cell`. HDF5 searches the file for each name: ask once.
export function dimensions(found) {
  return found.shape.slice(1).map((_, axis) => {
    const scales = found.get_attached_scales(axis + 1);
    if (!scales || scales.length !== 1) throw new NotAsWritten(`${found.path} has a dimension without a name`);
    return scales[0].split("/").pop();
  });
}
