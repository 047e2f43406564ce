// Short sounds, made by the browser itself: nothing is fetched. Each device chooses whether it sounds.

const STORE = "boardumpire sounds";
const LOUD = 0.15,
  EDGE = 0.012; // how loud, and how many seconds a tone takes to swell and to fade

export class Sounds {
  #tunes;
  /** @type {AudioContext | null} */
  #audio = null;
  /** What sounds now. @type {GainNode | null} */
  #playing = null;

  constructor(tunes) {
    this.#tunes = tunes;
    this.on = read();
    // Browsers let a page sound only after somebody touched it.
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.#wake());
  }

  set(on) {
    this.on = on;
    try {
      localStorage.setItem(STORE, on ? "yes" : "no");
    } catch {
      /* a device that keeps nothing */
    }
    this.#wake();
    this.play("accepted");
  }

  /** Play a tune by its name, instead of what sounds still. */
  play(name) {
    const tones = this.#tunes[name];
    const audio = this.#audio;
    if (!this.on || !tones || audio?.state !== "running") return;
    this.#playing?.disconnect();
    const out = (this.#playing = audio.createGain());
    out.connect(audio.destination);
    let at = audio.currentTime + 0.02;
    for (const [hz, ms, gap] of tones) {
      tone(out, hz, at, at + ms / 1000);
      at += (ms + gap) / 1000;
    }
  }

  #wake() {
    if (!this.on) return;
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

function read() {
  try {
    return localStorage.getItem(STORE) === "yes";
  } catch {
    return false;
  }
}
