// Runs before the first paint, so that the wrong theme never flashes; src/client/theme.ts continues.
;(() => {
  const root = document.documentElement
  try {
    const mode = localStorage.getItem('themeMode') || 'auto'
    const dark = mode === 'dark' || (mode === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
    root.dataset.theme = dark ? 'dark' : 'light'
    root.dataset.primary = localStorage.getItem('themePrimary') || 'terakota'
    root.dataset.neutral = localStorage.getItem('themeNeutral') || 'pasir'
    // A link's language (`?lang=en`) applies if the user has not chosen one.
    const drawn = root.lang
    const linked = /[?&]lang=(id|en)\b/.exec(location.search)
    if (linked && !localStorage.getItem('language')) localStorage.setItem('language', linked[1])
    root.lang = localStorage.getItem('language') === 'en' ? 'en' : 'id'
    // The prerendered page is that of a visitor, in one language, at its own address; campaign
    // parameters change nothing.
    const changed = /[?&](?!(lang|utm_\w+|fbclid|gclid|igsh)=)[^&]/.test(location.search)
    if (root.lang !== drawn || changed || localStorage.getItem('authToken')) root.dataset.known = ''
  } catch {
    root.dataset.theme = 'light'
  }
})()
