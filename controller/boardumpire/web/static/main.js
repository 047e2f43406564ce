// The first script of every page: it opens the line and the screen, or the replay of games that are over.

import { Line } from "/line.js";
import { about, replaying, seat, socket } from "/place.js";
import { sceneOf } from "/scene.js";
import { Screen } from "/screen.js";

if (replaying) {
  const { start } = await import("/replay.js");
  await start(about);
} else {
  // The line is opened first: what comes while scripts are loaded waits in it.
  const line = new Line(socket, seat ? location.pathname : null);
  const bench = about.hands ? import("/hands.js") : null;
  await new Screen(line, await sceneOf(about.printed)).open(bench);
}
