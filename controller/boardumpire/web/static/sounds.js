// Short sounds, made by the browser itself: nothing is fetched. Each device chooses whether it sounds.

const STORE = "boardumpire sounds";
const LOUD = 0.15,
  EDGE = 0.012; // how loud, and how many seconds a tone takes to swell and to fade

export class Sounds {
  #tunes;
  #audio = null;
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
    if (!this.on || !tones || this.#audio?.state !== "running") return;
    this.#playing?.disconnect();
    const out = (this.#playing = this.#audio.createGain());
    out.connect(this.#audio.destination);
    let at = this.#audio.currentTime + 0.02;
    for (const [hz, ms, gap] of tones) {
      this.#tone(out, hz, at, at + ms / 1000);
      at += (ms + gap) / 1000;
    }
  }

  #tone(out, hz, from, to) {
    const tone = new OscillatorNode(this.#audio, { type: "triangle", frequency: hz });
    const level = new GainNode(this.#audio, { gain: 0 });
    level.gain.setValueAtTime(0, from);
    level.gain.linearRampToValueAtTime(LOUD, from + EDGE);
    level.gain.setValueAtTime(LOUD, to - EDGE);
    level.gain.linearRampToValueAtTime(0, to);
    tone.connect(level).connect(out);
    tone.start(from);
    tone.stop(to);
  }

  #wake() {
    if (!this.on) return;
    this.#audio ??= new AudioContext();
    if (this.#audio.state === "suspended") this.#audio.resume();
  }
}

function read() {
  try {
    return localStorage.getItem(STORE) === "yes";
  } catch {
    return false;
  }
}
