import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "build/", "dist/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implied-eval": "error",
      "no-shadow": ["error", { builtinGlobals: false, allow: ["_"] }],
    },
  },
  {
    files: ["controller/**/*.js", "package/**/*.js", "sim/**/*.js"],
    languageOptions: { globals: globals.browser },
  },
  { files: ["package/tab/tab.js"], languageOptions: { globals: globals.browser, sourceType: "script" } },
  { files: ["package/tab/worker.js"], languageOptions: { globals: globals.worker } },
  {
    files: ["package/tab/compile.js", "tests/**/*.js", "*.js", "examples/**/*.mjs"],
    languageOptions: { globals: globals.node },
  },
];
