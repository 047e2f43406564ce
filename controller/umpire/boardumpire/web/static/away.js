// A service worker: where the board can't be reached a device shows a page that says so. It keeps that page alone, in
// which nothing of any game stands.

const worker = /** @type {any} */ (globalThis);
const KEPT = "boardumpire away",
  PAGE = "/away";

worker.addEventListener("install", (event) =>
  event.waitUntil(
    (async () => {
      await (await worker.caches.open(KEPT)).addAll([PAGE, "/style.css", "/icon.svg"]);
      await worker.skipWaiting();
    })(),
  ),
);

worker.addEventListener("fetch", (event) => {
  const { mode, url } = event.request;
  const kept = async () => (await worker.caches.open(KEPT)).match(mode === "navigate" ? PAGE : url);
  const { pathname } = new URL(url);
  if (mode === "navigate" || pathname === "/style.css" || pathname === "/icon.svg")
    event.respondWith(fetch(event.request).catch(async () => (await kept()) ?? Response.error()));
});
