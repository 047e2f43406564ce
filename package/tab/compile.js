// Opens a board as the tab does, with the tab's own Python, and puts what was compiled then beside the sources in an
// archive, which is named first. A browser would take some seconds to compile all that.

import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
import tweetnacl from "tweetnacl";

const COMPILE = `
import io, py_compile, sys, zipfile
from pathlib import Path

sys.path.insert(0, "packages")
import browser
from boardumpire_tab import Tab

tab = Tab(Path("board"), lambda *told: None)
await tab.start("stratego-quick-duel", {"blue": "1"})
await tab.stop()
root = Path("packages").absolute()
used = {Path(module.__file__) for module in sys.modules.values() if getattr(module, "__file__", None)}
for path in sorted(each for each in used if each.is_relative_to(root)):
    name = str(path.relative_to(root))
    py_compile.compile(
        str(path), dfile=name, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
made = io.BytesIO()
with zipfile.ZipFile(made, "w") as zipped:
    for path in sorted(each for each in root.rglob("*") if each.is_file()):
        zipped.writestr(zipfile.ZipInfo(str(path.relative_to(root))), path.read_bytes())
made.getvalue()
`;

const archive = process.argv[2];
const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1" } });
pyodide.registerJsModule("tweetnacl", tweetnacl);
pyodide.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "packages" });
writeFileSync(archive, (await pyodide.runPythonAsync(COMPILE)).toJs());
process.exit(); // the simulated board's clock would go on
