// The first script of every page: it opens the line and the screen, or the replay of games that are over.

import { Line } from "/line.js";
import { dress } from "/looks.js";
import { about, replaying, seat, socket, unroll } from "/place.js";
import { sceneOf } from "/scene.js";
import { Screen } from "/screen.js";

dress();
if (replaying) {
  const [{ start }] = await Promise.all([import("/replay.js"), unroll()]);
  await start(about);
} else {
  // The line is opened first: what comes while scripts are loaded waits in it.
  const line = new Line(socket, seat ? location.pathname : null);
  const bench = about.hands ? import("/hands.js") : null;
  const several = seat && about.mine.length > 1 ? import("/curtain.js") : { Curtain: null };
  const [Scene, { Curtain }] = await Promise.all([sceneOf(about.printed), several, unroll()]);
  await new Screen(line, Scene && new Scene(about.printed), Curtain).open(bench);
}

// Only where a browser trusts the way to the board: by https, or on its own machine
if (isSecureContext && location.protocol.startsWith("http"))
  navigator.serviceWorker?.register("/away.js").catch(() => {});
