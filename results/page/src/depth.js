// SPDX-License-Identifier: Apache-2.0
// A file is looked at to a fixed depth, that of results/read/vetting.hpp: groups in groups without end, and more objects than poslab
// writes, are refused before anything is read.
import { Refused } from "./damage.js";

const DEEPEST_GROUP = 4;
const MOST_OBJECTS = 100_000;
const GROUP = 0; // as HDF5 numbers kinds of objects

export function requireShallow(file, name) {
  const groups = [{ path: "", depth: 0 }];
  let objects = 0;
  while (groups.length > 0) {
    const { path, depth } = groups.pop();
    if (depth > DEEPEST_GROUP) refuse(name, `${path} lies in more than ${DEEPEST_GROUP} groups`);
    const members = path === "" ? file.keys() : file.get(path).keys();
    objects += members.length;
    if (objects > MOST_OBJECTS) refuse(name, `it has more than ${MOST_OBJECTS} objects`);
    for (const member of members)
      if (file.get_type(`${path}/${member}`) === GROUP) groups.push({ path: `${path}/${member}`, depth: depth + 1 });
  }
}

function refuse(name, what) {
  throw new Refused(`${name}: ${what}; poslab writes no such thing, and nothing of this file is read`);
}
