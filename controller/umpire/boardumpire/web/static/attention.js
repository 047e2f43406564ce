// A seat's turn reaches its person also where nobody looks at the screen: by the title and the icon of the tab, and by
// a short vibration. While a game goes on, the screen stays awake.

import { byId } from "/dom.js";
import { _ } from "/words.js";

const BUZZ_MS = 120;

export class Attention {
  #turn = false;
  #awake = false;
  /** @type {WakeLockSentinel | null} */
  #lock = null;

  constructor() {
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
    if (turn !== this.#turn) byId("icon").setAttribute("href", turn ? "/icon-turn.svg" : "/icon.svg");
    // A browser lets a page vibrate only once somebody has touched it, and complains before.
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
