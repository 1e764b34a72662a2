// A full or forbidden storage must not end the page: values then live as long as the page does.
// src/client/storage.ts forgets them at sign-out.
;(() => {
  const { getItem, setItem, removeItem } = Storage.prototype
  window.heldValues = new Map()
  const heldIn = (storage) => {
    if (!window.heldValues.has(storage)) window.heldValues.set(storage, new Map())
    return window.heldValues.get(storage)
  }
  const attempt = (work, instead) => {
    try {
      return work()
    } catch {
      return instead?.()
    }
  }
  Object.assign(Storage.prototype, {
    getItem(key) {
      return heldIn(this).get(key) ?? attempt(() => getItem.call(this, key)) ?? null
    },
    setItem(key, value) {
      heldIn(this).delete(key)
      attempt(
        () => setItem.call(this, key, value),
        () => heldIn(this).set(key, String(value)),
      )
    },
    removeItem(key) {
      heldIn(this).delete(key)
      attempt(() => removeItem.call(this, key))
    },
  })
  for (const name of ['localStorage', 'sessionStorage']) {
    const replace = () => Object.defineProperty(window, name, { value: Object.create(Storage.prototype) })
    attempt(() => window[name].getItem(''), replace)
  }
})()

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
