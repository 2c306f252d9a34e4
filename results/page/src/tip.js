// SPDX-License-Identifier: Apache-2.0
// A sentence beside what the pointer is over, or what has the focus; Escape takes it away.
import { element, printable } from "./texts.js";

let tip = null;

function shown() {
  if (!tip) {
    tip = element("div", { id: "tip", role: "tooltip", hidden: true });
    document.body.append(tip);
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") tip.hidden = true;
    });
    addEventListener(
      "scroll",
      () => {
        tip.hidden = true;
      },
      { capture: true, passive: true },
    );
  }
  return tip;
}

export function showTip(sentence, { left, bottom, top }) {
  const box = shown();
  box.textContent = printable(sentence);
  box.hidden = false;
  const width = Math.min(420, innerWidth - 16);
  box.style.maxWidth = `${width}px`;
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - 8 - box.offsetWidth))}px`;
  const below = bottom + 6 + box.offsetHeight < innerHeight;
  box.style.top = `${below ? bottom + 6 : Math.max(8, top - 6 - box.offsetHeight)}px`;
}

export const hideTip = () => {
  shown().hidden = true;
};

export function withTip(target, sentence) {
  if (!sentence) return target;
  const show = () => {
    shown();
    target.setAttribute("aria-describedby", "tip");
    showTip(sentence, target.getBoundingClientRect());
  };
  const hide = () => {
    hideTip();
    target.removeAttribute("aria-describedby");
  };
  for (const begin of ["pointerenter", "focus"]) target.addEventListener(begin, show);
  for (const end of ["pointerleave", "blur"]) target.addEventListener(end, hide);
  return target;
}
