// Runs before the first paint, so that the chosen look never flashes; src/client/theme.ts takes over from here.
;(() => {
  const root = document.documentElement
  try {
    const mode = localStorage.getItem('themeMode') || 'auto'
    const dark = mode === 'dark' || (mode === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
    root.dataset.theme = dark ? 'dark' : 'light'
    root.dataset.primary = localStorage.getItem('themePrimary') || 'terakota'
    root.dataset.neutral = localStorage.getItem('themeNeutral') || 'pasir'
    // The language of a link (`?lang=en`) is a choice where none was made.
    const drawn = root.lang
    const linked = /[?&]lang=(id|en)\b/.exec(location.search)
    if (linked && !localStorage.getItem('language')) localStorage.setItem('language', linked[1])
    root.lang = localStorage.getItem('language') === 'en' ? 'en' : 'id'
    // What was drawn into the page is a visitor's, in one language, at the address as it is; marks of campaigns change nothing.
    const changed = /[?&](?!(lang|utm_\w+|fbclid|gclid|igsh)=)[^&]/.test(location.search)
    if (root.lang !== drawn || changed || localStorage.getItem('authToken')) root.dataset.known = ''
  } catch {
    root.dataset.theme = 'light'
  }
})()
