// The page without a network: all its files are kept at the first visit, under the version that the
// first line names. A page that is open goes on with the version that it began with. Nothing but these files is ever fetched, and nothing from anywhere else.
const NAME = `bganalyze-${SITE.version}`;

self.addEventListener("install", (event) => {
  // What the browser kept of an older version must not get among these.
  const files = SITE.files.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("bganalyze-") && name !== NAME).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

const answered = async (request) => {
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
  event.respondWith(isOurs ? answered(event.request) : Promise.resolve(Response.error()));
});
