// Loads the app once the first screen, which is in the page, has been painted. It comes at once to who does not see that screen
// (theme.js knows), or does something already; and it waits for no picture that does not come.
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
    import(entry)
  }
  if (document.documentElement.dataset.known !== undefined) return begin()
  for (const event of ['pointerdown', 'keydown', 'scroll'])
    addEventListener(event, begin, { once: true, passive: true })
  setTimeout(begin, longest)
  const pictures = [...document.querySelectorAll('.prerendered img')].map((picture) => picture.decode())
  Promise.allSettled(pictures).then(() => requestAnimationFrame(() => setTimeout(begin)))
})()
