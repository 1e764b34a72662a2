// Before the app's code has loaded: records what the user does on the prerendered page, and retries
// failed scripts; failed styles are retried later, too.
;(() => {
  const isPrerendered = () => document.getElementById('root')?.dataset.prerendered !== undefined
  const ours = (event) => isPrerendered() && event.isTrusted
  // The last button pressed; src/app/main.tsx presses it when it works. Until then it shows that it
  // was touched.
  const markEarlyButton = (busy) => {
    const button = window.earlyButton
    if (!button) return
    button.style.opacity = busy ? '0.6' : ''
    button.ariaBusy = busy ? 'true' : null
  }
  // A copied photo goes into the file input, as if it had been chosen. Otherwise the app presses the
  // button, and says what is wrong.
  const chooseCopied = async () => {
    const button = window.earlyButton
    const copied = new DataTransfer()
    for (const item of await navigator.clipboard.read()) {
      const type = item.types.find((name) => name.startsWith('image/'))
      if (type) copied.items.add(new File([await item.getType(type)], `tempel.${type.slice(6)}`, { type }))
    }
    if (copied.files.length === 0 || window.earlyButton !== button || !isPrerendered()) return
    markEarlyButton(false)
    window.earlyButton = null
    const input = document.querySelector('#root [type=file][data-instant-stage]')
    input.files = copied.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const noteButton = (event) => {
    if (!ours(event)) return
    markEarlyButton(false)
    // A menu opens without code.
    window.earlyButton = event.target.closest('button:not([popovertarget], [popover] *)')
    markEarlyButton(true)
    // An example of a tool's page: its small picture is on the page already.
    const { instantStage, paste } = window.earlyButton?.dataset ?? {}
    if (instantStage) showInstantStage(window.earlyButton.querySelector('img').src, instantStage)
    if (paste) chooseCopied().catch(() => undefined)
  }
  window.releaseEarlyButton = () => {
    markEarlyButton(false)
    return window.earlyButton
  }
  addEventListener('click', noteButton, true)
  // The linked page is in the other language; theme.js prefers the user's earlier choice.
  const chooseLanguage = (event) => {
    const link = ours(event) && event.target.closest('a[hreflang]')
    if (link) localStorage.setItem('language', link.hreflang)
  }
  addEventListener('click', chooseLanguage, true)
  // The dividing line of a comparison follows the finger; src/app/main.tsx passes its position on.
  const moveLine = (event) => {
    const compare = ours(event) && event.buttons === 1 && event.target.closest('.compare')
    if (!compare) return
    const { left, width } = compare.getBoundingClientRect()
    const line = compare.querySelector('[type=range]')
    // Rounds, and stays within its limits.
    line.value = (100 * (event.clientX - left)) / width
    compare.dataset.style = compare.style.cssText = `--split:${line.value}%`
  }
  for (const type of ['pointerdown', 'pointermove']) addEventListener(type, moveLine, true)
  // A form that the browser itself submits would put its values into the address.
  addEventListener('submit', (event) => ours(event) && event.preventDefault(), true)
  // A chosen photo is on the stage at once, like src/ui/skeleton.tsx, and stays until the studio has
  // loaded (src/ui/instant-stage.ts). Outside of #root, which React takes over.
  const box = (className, ...children) => {
    const made = document.createElement('div')
    made.className = className
    made.append(...children)
    return made
  }
  const showInstantStage = (file, title) => {
    const address = typeof file === 'string' && file
    const kind = address ? 'image' : /^(image|video)\//.exec(file?.type ?? '')?.[1]
    if (!kind || document.querySelector('#instant-stage, .studio-layout')) return
    const picture = document.createElement(kind === 'image' ? 'img' : 'video')
    picture.className = 'absolute inset-0 size-full rounded-lg object-contain'
    picture.src = address || URL.createObjectURL(file)
    const stage = box(
      'fixed inset-0 z-30 grid grid-cols-1 grid-rows-[auto_minmax(0,1fr)_max(35%,min(15.5rem,50%))] bg-base-200 pt-[env(safe-area-inset-top)] beside:grid-cols-[minmax(0,1fr)_clamp(min(17rem,50%),39%,25rem)] beside:grid-rows-[auto_minmax(0,1fr)]',
      box('col-start-1 flex h-12 items-center gap-2 pr-2 pl-14 font-bold lg:h-16 lg:pl-18 lg:text-2xl', title),
      box('relative col-start-1 min-h-0 bg-base-300/60', picture),
      box(
        'z-1 grid min-h-0 content-between gap-3 rounded-t-box bg-base-100 p-5 beside:col-start-2 beside:row-span-2 beside:row-start-1 beside:rounded-none',
        box('skeleton h-16'),
        box('skeleton h-12'),
      ),
    )
    stage.id = 'instant-stage'
    // The dock has the same level and comes earlier in the page.
    stage.style.zIndex = 41
    stage.role = 'status'
    stage.ariaLabel = root.lang === 'en' ? 'Opening the photo' : 'Membuka foto'
    picture.addEventListener('error', () => stage.remove())
    document.body.append(stage)
  }
  window.showInstantStage = showInstantStage
  const root = document.documentElement
  addEventListener(
    'change',
    ({ target }) =>
      'instantStage' in target.dataset && showInstantStage(target.files?.[0], target.dataset.instantStage),
    true,
  )
  addEventListener('popstate', () => document.getElementById('instant-stage')?.remove())
  // A first visit loads the font after the code, which needs the connection; meanwhile a font of the
  // device has its widths (src/app/styles.css). Later visits have it on the device.
  window.loadFont = () => {
    delete window.loadFont
    const { href } = document.getElementById('font')
    const font = new FontFace('Plus Jakarta Sans', `url(${href})`, { weight: '200 800', display: 'swap' })
    document.fonts.add(font)
    font.load().catch(() => undefined)
  }
  const loadKnownFont = () => navigator.serviceWorker?.controller && window.loadFont?.()
  addEventListener('DOMContentLoaded', loadKnownFont)
  const styleAgain = (link) => {
    const tries = Number(link.dataset.tries ?? 0)
    const next = link.cloneNode()
    next.dataset.tries = tries + 1
    setTimeout(() => link.replaceWith(next), Math.min(5000, 1000 * 2 ** tries))
  }
  // A browser does not load a failed script again on the same page. A second failure has another cause
  // than the network.
  const again = ({ target }) => {
    if (target.rel === 'stylesheet') styleAgain(target)
    if (target.tagName !== 'SCRIPT') return
    const tried = performance.getEntriesByType('navigation')[0]?.type === 'reload'
    if (navigator.onLine) setTimeout(() => location.reload(), tried ? 60000 : 5000)
    else addEventListener('online', () => location.reload())
  }
  addEventListener('error', again, true)
  // The code loads after the first paint and its pictures, with which it would compete for the
  // connection. A distant phone requests it at once: the pictures were requested a round trip before.
  // A page in the background, or one that shows nothing before its code (theme.js), has no paint.
  const start = () => {
    const code = document.getElementById('code')
    code?.remove()
    // Each in a task of its own: together they keep a slow phone from reacting for 50 to 100 ms.
    for (const part of code?.content.children ?? []) setTimeout(() => document.head.append(part))
  }
  // The script before this one is small: its time is the round trip's.
  const isFar = performance
    .getEntriesByType('resource')
    .some(({ name, duration }) => /theme\.js$/.test(name) && duration > 200)
  const unseen = () => document.visibilityState === 'hidden' || 'known' in document.documentElement.dataset
  const startPainted = () => {
    if (document.readyState === 'loading') return
    const isPainted = () =>
      performance.getEntriesByType('paint').length > 0 &&
      [...document.querySelectorAll('img[fetchpriority=high]')].every((picture) => picture.complete)
    if (isFar || unseen() || isPainted()) start()
    // Not every browser reports paints.
    else if (document.readyState === 'complete') setTimeout(start, 1000)
  }
  for (const event of ['DOMContentLoaded', 'visibilitychange']) addEventListener(event, startPainted)
  // Of the page, and of each picture.
  addEventListener('load', startPainted)
  document.addEventListener('load', startPainted, true)
  new PerformanceObserver(startPainted).observe({ type: 'paint', buffered: true })
})()
