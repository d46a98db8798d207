// Takes notes from before the page's first script on.
(() => {
  const notes = { shifts: [], reports: [], events: [], storage: [] };
  Object.defineProperty(window, "__witness", { value: notes });
  addEventListener("securitypolicyviolation", (e) => notes.reports.push(`${e.violatedDirective}: ${e.blockedURI} ${e.sample}`));
  const name = (node) => node && (node.id ? `#${node.id}` : `${node.nodeName}.${node.className}`);
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      if (shift.hadRecentInput) continue;
      const moved = shift.sources.map((s) => `${name(s.node)} ${s.previousRect.y}→${s.currentRect.y}`).join(", ");
      notes.shifts.push(`${shift.value.toFixed(5)} ${moved}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
})();
