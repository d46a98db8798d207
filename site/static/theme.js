// Sets the reader's theme before anything is painted. Blocked storage leaves the system's.
try {
  const theme = localStorage.getItem('aihost:v1:theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {}
document.documentElement.dataset.scripts = '';
