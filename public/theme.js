// Runs before the first paint, so that the chosen look never flashes; src/client/theme.ts takes over from here.
;(() => {
  const root = document.documentElement
  try {
    const mode = localStorage.getItem('themeMode') || 'auto'
    const dark = mode === 'dark' || (mode === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
    root.dataset.theme = dark ? 'dark' : 'light'
    root.dataset.primary = localStorage.getItem('themePrimary') || 'terakota'
    root.dataset.neutral = localStorage.getItem('themeNeutral') || 'pasir'
    root.lang = localStorage.getItem('language') === 'en' ? 'en' : 'id'
    // The prerendered home page is a visitor's, and Indonesian.
    if (root.lang === 'en' || localStorage.getItem('authToken')) root.dataset.known = ''
  } catch {
    root.dataset.theme = 'light'
  }
})()
