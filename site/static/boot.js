// Loads the WebAssembly when an island comes near, is focused or is linked to. Until then this is
// all the script a page runs: the current section, copy buttons, keys, theme, offline copy.
const KEY = 'aihost:v1:';
const root = new URL('./', import.meta.url);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const store = {
  get(name) { try { return localStorage.getItem(KEY + name); } catch { return null; } },
  set(name, value) {
    try { value === null ? localStorage.removeItem(KEY + name) : localStorage.setItem(KEY + name, value); return true; } catch { return false; }
  },
};
const status = one('#site-status');
let hush;
function say(text) {
  status.textContent = text;
  clearTimeout(hush);
  hush = setTimeout(() => { status.textContent = ''; }, 8000);
}
window.addEventListener('site-say', (event) => say(String(event.detail)));

// --- sections off the screen are laid out one by one, when there is time
const idle = window.requestIdleCallback ?? ((act) => setTimeout(act, 50));
const anchors = CSS.supports('overflow-anchor', 'auto');
const unlaid = () => all('.prose > section:not(.laid)');
function layOutNext() {
  const [section] = unlaid();
  if (!section) return;
  const { bottom, height } = section.getBoundingClientRect();
  section.classList.add('laid');
  // What is being read stays where it is: most browsers see to that themselves.
  if (!anchors && bottom < 0) scrollBy({ top: section.getBoundingClientRect().height - height, behavior: 'instant' });
  idle(layOutNext);
}
// A jump needs true heights above its aim.
function layOutAll() { unlaid().forEach((section) => section.classList.add('laid')); }
document.addEventListener('click', ({ target }) => {
  if (!target.closest?.('a')) return;
  layOutAll();
  document.documentElement.classList.add('jumps');
}, true);
if (location.hash) layOutAll();
addEventListener('load', () => idle(layOutNext));

// --- islands
let starting;
function start() { return starting ??= load(); }
async function load() {
  if (!'__GLUE__') throw new Error('built without WebAssembly');
  const glueUrl = new URL('__GLUE__', root);
  await new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), {
      rel: 'modulepreload', href: glueUrl.href, integrity: '__GLUE_INTEGRITY__', onload: resolve, onerror: reject,
    });
    document.head.append(link);
  });
  const glue = await import(glueUrl);
  const wasm = fetch(new URL('__WASM__', root), { integrity: '__WASM_INTEGRITY__' });
  await glue.default({ module_or_path: wasm });
  return glue;
}

let failed = false;
function mount(island) {
  if (island.dataset.asked !== undefined) return Promise.resolve();
  island.dataset.asked = '';
  return start().then((glue) => glue.mount(island)).catch((error) => {
    // A figure that stopped has said so itself, and the others go on.
    if (failed || error instanceof WebAssembly.RuntimeError) return;
    failed = true;
    console.warn('interactive parts are off:', error);
    say('Figures stay still pictures: this browser could not start their program.');
  });
}

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    mount(target);
  }
}, { rootMargin: '500px 0px' });

// Islands that only fill in what was kept have nothing to do where nothing was.
const wanted = {
  measured: () => store.get('machine') !== null,
  progress: () => store.get('read') !== null || store.get('answered') !== null,
};
// The samples stand side by side without it; a hand that comes near may hold a file.
const HANDS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'dragenter', 'change'];
function atHand(island) {
  const wake = () => {
    HANDS.forEach((hand) => removeEventListener(hand, wake));
    mount(island);
  };
  HANDS.forEach((hand) => addEventListener(hand, wake, { passive: true }));
  all('input[type=file]', island).forEach((input) => { input.disabled = false; });
}
// A file that comes before the program waits in its input. One dropped beside its place leads nowhere.
function keepFiles(island) {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    const [input] = all('input[type=file]', island);
    if (input && island.dataset.alive === undefined && event.dataTransfer) input.files = event.dataTransfer.files;
  });
}
for (const island of all('[data-island]')) {
  const name = island.dataset.island;
  if (name === 'results') keepFiles(island);
  if (name === 'results' && store.get('machine') === null) atHand(island);
  else if (wanted[name]?.() ?? true) near.observe(island);
}
document.addEventListener('focusin', ({ target }) => {
  const island = target.closest?.('[data-island]:not([data-asked])');
  if (island && (wanted[island.dataset.island]?.() ?? true)) mount(island);
});
function toHash() {
  const id = decodeURIComponent(location.hash.slice(1).split('?')[0]);
  const island = id && document.getElementById(id)?.closest('[data-island="figure"]');
  if (!island) return;
  mount(island);
  layOutAll();
  island.scrollIntoView();
}
addEventListener('hashchange', toHash);
toHash();

async function search() {
  const dialog = one('#site-search');
  if (!dialog.open) dialog.showModal();
  try { (await start()).open_search(dialog); } catch { dialog.querySelector('.count').textContent = 'Search could not start in this browser.'; }
}
all('[data-search]').forEach((button) => button.addEventListener('click', search));

// --- the current section and what was read
const links = new Map(all('[data-section]').map((link) => [link.dataset.section, link]));
const sections = all('[data-reads]');
let current = null, since = 0;
const READ_AFTER_MS = 4000;
function reads() {
  try {
    const list = JSON.parse(store.get('read') ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch { return []; }
}
function mark(section) {
  const key = section?.dataset.reads;
  if (!key || Date.now() - since < READ_AFTER_MS) return;
  const list = reads();
  if (list.includes(key)) return;
  store.set('read', JSON.stringify([...list, key].slice(-500)));
  links.get(key)?.classList.add('read');
}
for (const key of reads()) links.get(key)?.classList.add('read');
const line = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target, boundingClientRect } of entries) {
    if (isIntersecting) {
      links.get(current?.dataset.reads)?.removeAttribute('aria-current');
      current = target;
      since = Date.now();
      links.get(target.dataset.reads)?.setAttribute('aria-current', 'true');
    } else if (target === current && boundingClientRect.bottom < innerHeight * 0.4) mark(target);
  }
}, { rootMargin: '-30% 0px -69% 0px' });
sections.forEach((section) => line.observe(section));

// --- keys: never with a modifier, never while typing, and they can be turned off
let shortcuts = store.get('shortcuts') !== 'off';
const toggle = one('[data-shortcuts]');
function showToggle() { if (toggle) toggle.textContent = shortcuts ? 'Turn off' : 'Turn on'; }
toggle?.addEventListener('click', () => {
  shortcuts = !shortcuts;
  store.set('shortcuts', shortcuts ? null : 'off');
  showToggle();
});
showToggle();
function step(by) {
  const stops = all('main h2[id]');
  const at = stops.findLastIndex((stop) => stop.getBoundingClientRect().top < innerHeight * 0.3);
  const stop = stops[Math.max(0, at + by)];
  // At once: the next key would count from wherever a slow scroll has got to.
  stop?.scrollIntoView({ behavior: 'instant' });
  stop?.focus({ preventScroll: true });
}
document.addEventListener('keydown', (event) => {
  if (!shortcuts || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (event.target.closest?.('input, textarea, select, [contenteditable], dialog, .figure')) return;
  if (event.key === '/') { event.preventDefault(); search(); }
  if (event.key === 'j') step(1);
  if (event.key === 'k') step(-1);
});

// --- copying: commands only, no prompts and no output
document.addEventListener('click', async ({ target }) => {
  const button = target.closest?.('[data-copy]');
  if (!button) return;
  const code = button.closest('.code');
  const commands = all('.cmd', code).map((command) => command.textContent);
  const text = commands.length ? commands.join('\n') : code.querySelector('pre').textContent;
  try {
    await navigator.clipboard.writeText(text + '\n');
    button.textContent = 'Copied';
  } catch { button.textContent = 'Select it by hand'; }
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
});

// --- theme: what is not shown now
const dark = matchMedia('(prefers-color-scheme: dark)');
all('[data-theme-switch]').forEach((button) => {
  const html = document.documentElement;
  const isDark = () => (html.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark';
    // What the system says needs no memory.
    if (next === (dark.matches ? 'dark' : 'light')) { delete html.dataset.theme; store.set('theme', null); }
    else { html.dataset.theme = next; store.set('theme', next); }
  });
});

// --- regions that scroll can be reached by keyboard, the others need not be
// Told by an observer: asking for widths while the page loads would lay out all of it at once.
const sizes = new ResizeObserver((changes) => {
  for (const region of new Set(changes.map(({ target }) => target.closest('.scroll')))) {
    const scrolls = region.scrollWidth > region.clientWidth + 1;
    scrolls ? region.setAttribute('tabindex', '0') : region.removeAttribute('tabindex');
    scrolls ? region.setAttribute('role', 'group') : region.removeAttribute('role');
    scrolls ? region.setAttribute('aria-label', region.dataset.label) : region.removeAttribute('aria-label');
  }
});
all('.scroll[data-label], .scroll[data-label] > *').forEach((part) => sizes.observe(part));

// --- contents beside the text are open, whatever the browser does with what is shown of a closed element
const wide = matchMedia('(min-width: 64rem)');
function openContents() { if (wide.matches) all('.contents details').forEach((details) => { details.open = true; }); }
wide.addEventListener('change', openContents);
openContents();

// --- print with everything open
let opened = [];
addEventListener('beforeprint', () => {
  opened = all('main details:not([open])');
  opened.forEach((details) => { details.open = true; });
});
addEventListener('afterprint', () => opened.forEach((details) => { details.open = false; }));

// --- offline copy, only when asked
one('[data-offline]')?.addEventListener('click', async ({ target }) => {
  const said = one('[data-offline-said]');
  target.disabled = true;
  said.textContent = 'Fetching the course …';
  try {
    const kept = await navigator.serviceWorker.register(new URL('sw.js', root));
    const worker = kept.installing ?? kept.waiting ?? kept.active;
    await new Promise((resolve, reject) => {
      const check = () => {
        if (worker.state === 'installed' || worker.state === 'activated') resolve();
        if (worker.state === 'redundant') reject(new Error('not kept'));
      };
      worker.addEventListener('statechange', check);
      check();
    });
    said.textContent = 'The course is kept in this browser. Reload without a network to see it.';
  } catch {
    said.textContent = 'This browser did not keep it. Private windows and full disks refuse copies.';
  }
  target.disabled = false;
});
