// SPDX-License-Identifier: Apache-2.0
// What is shown stands in the address, behind the #: a view can be sent, and the browser's own Back leads back.
let listener = () => {};

export const state = () => new URLSearchParams(location.hash.slice(1));

// The address of this view with some of its words changed: null takes one away, a list sets it several times.
export function changed(changes, from = state()) {
  for (const [name, value] of Object.entries(changes)) {
    from.delete(name);
    if (Array.isArray(value)) value.forEach((one) => from.append(name, one));
    else if (value !== null && value !== "") from.set(name, value);
  }
  return `#${from}`;
}

export const address = (words) => changed(words, new URLSearchParams());

// In place of the address that is there, as typing in a field should not fill the history.
export function change(changes) {
  history.replaceState(null, "", changed(changes));
  listener();
}

export function whenChanged(call) {
  listener = call;
  addEventListener("hashchange", call);
}
