// A seat's turn reaches its person also where nobody looks at the screen: by the title and the icon of the tab, by a
// tune and by a short vibration. While a game goes on, the screen stays awake.

import { byId } from "/dom.js";
import { _ } from "/words.js";

const BUZZ_MS = 120;

/**
 * The icon of the tab, in the page itself: a browser would ask for a file again at every change of turn.
 * @param {string} light  the circle that shows whose turn it is
 */
const icon = (light) =>
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d2b2a"/>' +
      '<rect x="5" y="5" width="10" height="10" rx="2" fill="#c8443a"/>' +
      `<rect x="17" y="17" width="10" height="10" rx="2" fill="#3d74c4"/>${light}` +
      '<circle cx="10" cy="22" r="4.2" fill="#f0ede2"/></svg>',
  );
const ICON = icon('<circle cx="22" cy="10" r="4.2" fill="#5ee08a"/>'); // as icon.svg
const TURN_ICON = icon('<circle cx="22" cy="10" r="9" fill="#5ee08a" stroke="#1d2b2a" stroke-width="2"/>');

export class Attention {
  #turn = false;
  #play;
  #awake = false;
  /** @type {WakeLockSentinel | null} */
  #lock = null;

  /** @param {() => void} play  the tune of the own turn */
  constructor(play) {
    this.#play = play;
    document.addEventListener("visibilitychange", () => this.#keep());
  }

  /**
   * Show how it stands.
   * @param {string} title  of the screen
   * @param {boolean} turn  whether this seat is waited for
   * @param {boolean} goes  whether a game goes on
   */
  show(title, turn, goes) {
    const shown = turn ? `● ${_("Your turn")} · ${title}` : title;
    if (document.title !== shown) document.title = shown;
    if (turn !== this.#turn) byId("icon").setAttribute("href", turn ? TURN_ICON : ICON);
    // A browser lets a page vibrate only once somebody has touched it, and complains before.
    if (turn && !this.#turn) this.#play();
    if (turn && !this.#turn && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ_MS);
    this.#turn = turn;
    if (goes === this.#awake) return;
    this.#awake = goes;
    this.#keep();
  }

  /** Keep the screen awake, or no longer. A hidden page loses its lock; one without encryption gets none. */
  async #keep() {
    if (!this.#awake) {
      await this.#lock?.release();
      this.#lock = null;
    } else if (document.visibilityState === "visible" && (this.#lock?.released ?? true))
      this.#lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }
}
