// Before the app's code has loaded: records what the user does on the prerendered page, and retries
// failed scripts; failed styles are retried later, too.
;(() => {
  const ours = (event) => document.getElementById('root')?.dataset.prerendered !== undefined && event.isTrusted
  // The last button pressed; src/app/main.tsx presses it when it works.
  const noteButton = (event) => {
    if (ours(event)) window.earlyButton = event.target.closest('button')
  }
  addEventListener('click', noteButton, true)
  // A form that the browser itself submits would put its values into the address.
  addEventListener('submit', (event) => ours(event) && event.preventDefault(), true)
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
  // The code loads after the first paint, since it would compete with visible content for the
  // connection. A page in the background, or one that shows nothing before its code (theme.js), has no
  // paint.
  const start = () => {
    const code = document.getElementById('code')
    code?.replaceWith(code.content)
  }
  const unseen = () => document.visibilityState === 'hidden' || 'known' in document.documentElement.dataset
  const startPainted = () => {
    if (document.readyState === 'loading') return
    if (unseen() || performance.getEntriesByType('paint').length > 0) start()
    // Not every browser reports paints.
    else if (document.readyState === 'complete') setTimeout(start, 1000)
  }
  for (const event of ['DOMContentLoaded', 'load', 'visibilitychange']) addEventListener(event, startPainted)
  new PerformanceObserver(startPainted).observe({ type: 'paint', buffered: true })
})()
