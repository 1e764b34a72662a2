// Before the app's code has loaded: records what the user does on the prerendered page, and retries
// failed scripts; failed styles are retried later, too.
;(() => {
  const ours = (event) => document.getElementById('root')?.dataset.prerendered !== undefined && event.isTrusted
  // The last button pressed; src/app/main.tsx presses it when it works.
  const noteButton = (event) => {
    if (ours(event)) window.earlyButton = event.target.closest('button')
  }
  addEventListener('click', noteButton, true)
  // A form sent by the browser itself would carry what is in it in the address.
  addEventListener('submit', (event) => ours(event) && event.preventDefault(), true)
  const styleAgain = (link) => {
    const tries = Number(link.dataset.tries ?? 0)
    const next = link.cloneNode()
    next.dataset.tries = tries + 1
    setTimeout(() => link.replaceWith(next), Math.min(5000, 1000 * 2 ** tries))
  }
  // A browser does not try a script twice on the same page; what fails again is not the network's fault alone.
  const again = ({ target }) => {
    if (target.rel === 'stylesheet') styleAgain(target)
    if (target.tagName !== 'SCRIPT') return
    const tried = performance.getEntriesByType('navigation')[0]?.type === 'reload'
    if (navigator.onLine) setTimeout(() => location.reload(), tried ? 60000 : 5000)
    else addEventListener('online', () => location.reload())
  }
  addEventListener('error', again, true)
  // The code comes once the page is painted, for it would share the connection with what is seen. A page in the background, or
  // one that shows nothing before its code (theme.js), is not painted.
  const start = () => {
    const code = document.getElementById('code')
    code?.replaceWith(code.content)
  }
  const unseen = () => document.visibilityState === 'hidden' || 'known' in document.documentElement.dataset
  const startPainted = () => {
    if (document.readyState === 'loading') return
    if (unseen() || performance.getEntriesByType('paint').length > 0) start()
    // Not every browser tells of painting.
    else if (document.readyState === 'complete') setTimeout(start, 1000)
  }
  for (const event of ['DOMContentLoaded', 'load', 'visibilitychange']) addEventListener(event, startPainted)
  new PerformanceObserver(startPainted).observe({ type: 'paint', buffered: true })
})()
