// Only `cargo xtask serve` adds this: reloads the page when the site has been built again.
const events = new EventSource("/.xtask/events");
let first = null;
events.onmessage = async ({ data }) => {
  first ??= data;
  if (data === first) return;
  events.close();
  // An offline copy would answer with the old page.
  for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
  location.reload();
};
