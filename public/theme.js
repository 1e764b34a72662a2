// Runs before the first paint, so that the chosen look never flashes; src/app/theme/theme.ts takes over from here.
;(() => {
  const root = document.documentElement
  try {
    const mode = localStorage.getItem('themeMode') || 'auto'
    const dark = mode === 'dark' || (mode === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
    root.dataset.theme = dark ? 'dark' : 'light'
    root.dataset.primary = localStorage.getItem('themePrimary') || 'terakota'
    root.dataset.neutral = localStorage.getItem('themeNeutral') || 'pasir'
    root.lang = localStorage.getItem('language') === 'en' ? 'en' : 'id'
    // The home page's pictures are asked for before the code that shows them.
    if (location.pathname === '/') {
      for (const href of ['/samples/coffee.webp', '/samples/coffee-cutout.webp']) {
        const picture = document.createElement('link')
        document.head.append(Object.assign(picture, { rel: 'preload', as: 'image', href }))
      }
    }
  } catch {
    root.dataset.theme = 'light'
  }
})()
