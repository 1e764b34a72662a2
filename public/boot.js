// Loads the app once the first screen, which is in the page, has been painted. It comes at once to whom that screen is not for
// (theme.js knows), and to who does something already; and it waits for no picture that does not come.
;(() => {
  const [entry, ...needed] = document.currentScript.dataset.scripts.split(' ')
  const longest = 2000
  let begun = false
  const begin = () => {
    if (begun) return
    begun = true
    for (const href of needed) {
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
      )
    }
    import(entry).catch(again)
  }
  // A browser does not try a script twice on the same page; what fails again is not the network's fault alone.
  const again = () => {
    const tried = performance.getEntriesByType('navigation')[0]?.type === 'reload'
    if (navigator.onLine) setTimeout(() => location.reload(), tried ? 60000 : 5000)
    else addEventListener('online', () => location.reload())
  }
  if (document.documentElement.dataset.known !== undefined) {
    document.getElementById('root').replaceChildren()
    return begin()
  }
  for (const event of ['pointerdown', 'keydown', 'scroll'])
    addEventListener(event, begin, { once: true, passive: true })
  setTimeout(begin, longest)
  const pictures = [...document.querySelectorAll('.prerendered img:not([loading])')].map((picture) => picture.decode())
  Promise.allSettled(pictures).then(() => requestAnimationFrame(() => setTimeout(begin)))
})()
