// The page offline: the first visit caches all its files under the version in the first line. An open
// page keeps the version it started with. Only these files are fetched, and only from this site.
const NAME = `bganalyze-${SITE.version}`;

self.addEventListener("install", (event) => {
  // Bypass the browser's own cache, which may have files of an older version.
  const files = SITE.files.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("bganalyze-") && name !== NAME).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

const fromCache = async (request) => {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
};

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const isOurs = method === "GET" && url.startsWith(self.registration.scope);
  event.respondWith(isOurs ? fromCache(event.request) : Promise.resolve(Response.error()));
});
