// SPDX-License-Identifier: Apache-2.0
// Axes: from values to places, and where their lines stand.
export function scale(values, logarithmic, from, to) {
  const usable = values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
  let low = usable.reduce((a, b) => Math.min(a, b), Infinity),
    high = usable.reduce((a, b) => Math.max(a, b), -Infinity);
  if (low > high) [low, high] = logarithmic ? [1, 10] : [0, 1];
  if (low === high)
    [low, high] = logarithmic
      ? [low / 2, high * 2]
      : [low - (Math.abs(low) || 1) * 0.05, high + (Math.abs(high) || 1) * 0.05];
  const of = logarithmic ? Math.log : (value) => value;
  const place = (value) => from + ((of(value) - of(low)) / (of(high) - of(low))) * (to - from);
  const at = (pixel) => {
    const share = of(low) + ((pixel - from) / (to - from)) * (of(high) - of(low));
    return logarithmic ? Math.exp(share) : share;
  };
  return {
    low,
    high,
    place,
    at,
    shows: (value) => Number.isFinite(value) && (!logarithmic || value > 0),
    ticks: (count) => (logarithmic ? decades : steps)(low, high, count),
  };
}

function steps(low, high, count) {
  const rough = (high - low) / count,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

function decades(low, high, count) {
  const first = Math.floor(Math.log10(low)),
    last = Math.ceil(Math.log10(high)),
    every = Math.max(1, Math.ceil((last - first) / count));
  const factors = last - first <= 1 ? [1, 2, 3, 5] : last - first <= 3 ? [1, 3] : [1],
    ticks = [];
  for (let power = first; power <= last; power += every)
    for (const factor of factors) {
      const value = Number((factor * 10 ** power).toPrecision(12));
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push(value);
    }
  return ticks.length > 1 ? ticks : steps(low, high, count).filter((tick) => tick > 0);
}

export function tickText(value) {
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e6))
    return value.toExponential(Number.isInteger(Math.log10(size)) ? 0 : 1).replace("e+", "e");
  return String(Number(value.toPrecision(6)));
}

export const clipped = (text, length) => (text.length > length ? `${text.slice(0, Math.max(1, length - 1))}…` : text);
