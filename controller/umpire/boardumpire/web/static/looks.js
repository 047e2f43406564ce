// How this device's person likes to look at every screen: it is kept on the device, and nobody else learns it.

import { _ } from "/words.js";

/** By name, which is a class of the page's body, what a look is called. */
export const LOOKS = {
  dim: _("Dim"),
  contrast: _("High contrast"),
  large: _("Large type"),
  left: _("Left-handed: the panels on the left"),
};
/** What boards may look like: by name, which is a class of the page's body, what it is called. */
export const BOARDS = { cloth: _("Green cloth"), walnut: _("Walnut"), slate: _("Slate") };
const key = (look) => `boardumpire ${look}`;

/** Whether this device wears a look. @param {string} look */
export function worn(look) {
  try {
    return localStorage.getItem(key(look)) === "yes";
  } catch {
    return false; // a device that keeps nothing
  }
}

/** Put a look on or off. @param {string} look @param {boolean} on */
export function wear(look, on) {
  try {
    localStorage.setItem(key(look), on ? "yes" : "no");
  } catch {
    /* a device that keeps nothing */
  }
  document.body.classList.toggle(look, on);
}

/** The look of the board on this device. */
export function boardLook() {
  return Object.keys(BOARDS).find(worn) ?? "cloth";
}

/** Give the board one look. @param {string} chosen */
export function wearBoard(chosen) {
  for (const look of Object.keys(BOARDS)) wear(look, look === chosen);
}

/** Put on what this device wears, before anything is drawn. */
export function dress() {
  for (const look of Object.keys({ ...LOOKS, ...BOARDS })) document.body.classList.toggle(look, worn(look));
}
