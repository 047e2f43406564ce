// The worker in which Python runs. It is given every file that Python needs, and asks for nothing else.

const PLACE = "https://tab.invalid/"; // Python's files seem to be there; nothing is asked of it
const FOLDER = "/home/pyodide/board";

self.onmessage = async ({ data }) => {
  try {
    self.onmessage = serve(await start(data));
    self.postMessage({ told: "ready" });
  } catch (error) {
    self.postMessage({ told: "failed", text: String(error) });
    throw error;
  }
};

/** Load Python, and open a board; the service. */
async function start({ files, game, machines }) {
  const script = (name) => import(URL.createObjectURL(new Blob([files[name]], { type: "text/javascript" })));
  self.fetch = async (asked) => {
    const name = (asked instanceof Request ? asked.url : String(asked)).replace(PLACE, "");
    if (!(name in files)) throw new TypeError(`${name}: a tab asks nobody`);
    return new Response(files[name], {
      headers: { "content-type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" },
    });
  };
  await script("nacl-fast.min.js");
  const { loadPyodide } = await script("pyodide.mjs");
  const { default: createPyodideModule } = await script("pyodide.asm.mjs");
  const lockFileContents = JSON.parse(new TextDecoder().decode(files["pyodide-lock.json"]));
  const pyodide = await loadPyodide({ indexURL: PLACE, createPyodideModule, lockFileContents });
  pyodide.unpackArchive(files["packages.zip"], "zip", { extractDir: pyodide.FS.cwd() + "/packages" });
  pyodide.registerJsModule("tweetnacl", globalThis.nacl);
  pyodide.runPython("import sys; sys.path.insert(0, 'packages')");
  self.postMessage({ told: "loaded" });
  pyodide.pyimport("browser");
  const post = (socket, told, text, code) => self.postMessage({ socket, told, text, code });
  const path = pyodide.pyimport("pathlib").Path(FOLDER);
  const tab = pyodide.pyimport("boardumpire_tab").Tab(path, post);
  const link = await tab.start(game, pyodide.toPy(machines));
  self.postMessage({ told: "link", text: link });
  return { tab, toPy: (value) => pyodide.toPy(value) };
}

/** What the page may ask. */
function serve({ tab, toPy }) {
  return async ({ data: { ask, id, method, path, headers, text } }) => {
    switch (ask) {
      case "request": {
        const answer = await tab.request(method, path, toPy(headers), text);
        const [status, found, body] = answer.toJs();
        answer.destroy();
        self.postMessage({ told: "answer", id, status, headers: found, body });
        break;
      }
      case "open":
        tab.open_socket(id, path, toPy(headers));
        break;
      case "say":
        tab.say(id, text);
        break;
      case "close":
        tab.close_socket(id);
        break;
      case "cut":
        tab.cut_power();
    }
  };
}
