// SPDX-License-Identifier: Apache-2.0
// Colours that are told apart with any eyes (after Okabe and Ito 2008), and dashes for more of them.
const LIGHT = ["#0072b2", "#d55e00", "#007a5a", "#b0478c", "#8a6d00", "#3a3a3a", "#2f8fc4", "#8c4a2f"];
const DARK = ["#56b4e9", "#ff9d5c", "#2fd0a5", "#f0a3d0", "#f0e442", "#dddddd", "#9cc9ff", "#d9a58c"];
const DASHES = ["", "7 4", "2 3", "10 3 2 3"];

export const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

// Colour and dash of the i-th line of a picture.
export function lookOf(i) {
  const colours = isDark() ? DARK : LIGHT;
  return { colour: colours[i % colours.length], dash: DASHES[Math.floor(i / colours.length) % DASHES.length] };
}

export function ground() {
  return isDark()
    ? { paper: "#16191d", text: "#e8eaed", faint: "#3a4048", muted: "#a9b0b8" }
    : { paper: "#ffffff", text: "#1b1f23", faint: "#e2e5e9", muted: "#57606a" };
}

// Viridis (van der Walt and Smith 2015) at ninths; `share` from 0 to 1.
const VIRIDIS = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];
export function heat(share) {
  const at = Math.min(1, Math.max(0, share)) * (VIRIDIS.length - 1),
    i = Math.min(VIRIDIS.length - 2, Math.floor(at));
  return VIRIDIS[i].map((from, channel) => Math.round(from + (VIRIDIS[i + 1][channel] - from) * (at - i)));
}
