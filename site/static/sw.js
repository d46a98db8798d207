// Keeps a copy of the course for reading offline. Registered only when a reader asks for it.
const VERSION = '__VERSION__';
const FILES = ["__FILES__"];
const PREFIX = 'aihost-v1-';
const CACHE = PREFIX + VERSION;
const here = new URL('./', self.location);

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((file) => new URL(file, here)))));
});

// Older copies go once no page uses them any more.
self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== here.origin || !url.pathname.startsWith(here.pathname)) return;
  event.respondWith(answer(event.request, url));
});

async function answer(request, url) {
  const cache = await caches.open(CACHE);
  const page = url.pathname.endsWith('/index.html') ? url.pathname.slice(0, -10) : url.pathname;
  const kept = await cache.match(new URL(page, url), { ignoreSearch: true });
  if (kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (request.mode !== 'navigate') throw error;
    return (await cache.match(new URL('404.html', here))) ?? Response.error();
  }
}
