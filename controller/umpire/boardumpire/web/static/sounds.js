// Short sounds, made by the browser itself: nothing is fetched. Each device chooses whether it sounds: by a tune when
// its seat's turn comes, unless somebody wants none; by all sounds of the board, if somebody wants them.

const STORE = "boardumpire sounds",
  TUNE_STORE = "boardumpire tune";
/** Tones of the own turn: Hz, ms, ms until the next. */
const TUNE = [
  [784, 110, 30],
  [988, 110, 30],
  [1175, 260, 0],
];
const LOUD = 0.15,
  EDGE = 0.012; // how loud, and how many seconds a tone takes to swell and to fade

export class Sounds {
  #tunes;
  /** @type {AudioContext | null} */
  #audio = null;
  /** What sounds now. @type {GainNode | null} */
  #playing = null;
  /** When that ends, by the clock of the audio. */
  #ends = 0;

  constructor(tunes) {
    this.#tunes = tunes;
    /** Whether all sounds of the board are played. */
    this.on = read(STORE) === "yes";
    /** Whether the own turn is, too. */
    this.tune = read(TUNE_STORE) !== "no";
    /** Whether this device's person has not said yet if it shall be. */
    this.unasked = read(TUNE_STORE) === null;
    // Browsers let a page sound only after somebody touched it.
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.#wake());
  }

  set(on) {
    this.on = on;
    keep(STORE, on);
    this.#wake();
    this.play("accepted");
  }

  /** Whether the own turn is played from now on. It is, so that everybody hears what was chosen. @param {boolean} on */
  setTune(on) {
    this.tune = on;
    this.unasked = false;
    keep(TUNE_STORE, on);
    this.#wake();
    this.turn();
  }

  /** Play a sound of the board by its name, instead of what sounds still. */
  play(name) {
    if (!this.on || !this.#tunes[name] || this.#audio?.state !== "running") return;
    this.#playing?.disconnect();
    this.#ends = 0;
    this.#sound(this.#audio, this.#tunes[name]);
  }

  /** Play that this seat's turn has come, after what sounds still. */
  turn() {
    if (this.tune && this.#audio?.state === "running") this.#sound(this.#audio, TUNE);
  }

  /** @param {AudioContext} audio */
  #sound(audio, tones) {
    const out = (this.#playing = audio.createGain());
    out.connect(audio.destination);
    let at = Math.max(audio.currentTime + 0.02, this.#ends);
    for (const [hz, ms, gap] of tones) {
      tone(out, hz, at, at + ms / 1000);
      at += (ms + gap) / 1000;
    }
    this.#ends = at;
  }

  #wake() {
    if (!this.on && !this.tune) return;
    this.#audio ??= new AudioContext();
    if (this.#audio.state === "suspended") this.#audio.resume();
  }
}

/** One tone into `out`, by the clock of its audio in seconds. @param {GainNode} out */
function tone(out, hz, from, to) {
  const made = new OscillatorNode(out.context, { type: "triangle", frequency: hz });
  const level = new GainNode(out.context, { gain: 0 });
  level.gain.setValueAtTime(0, from);
  level.gain.linearRampToValueAtTime(LOUD, from + EDGE);
  level.gain.setValueAtTime(LOUD, to - EDGE);
  level.gain.linearRampToValueAtTime(0, to);
  made.connect(level).connect(out);
  made.start(from);
  made.stop(to);
}

/** What this device keeps under a name: yes, no or nothing. @param {string} store */
function read(store) {
  try {
    return localStorage.getItem(store);
  } catch {
    return null;
  }
}

/** @param {string} store @param {boolean} on */
function keep(store, on) {
  try {
    localStorage.setItem(store, on ? "yes" : "no");
  } catch {
    /* a device that keeps nothing */
  }
}
