// Until the app's code has come: keeps what somebody does on the painted page for it, and tries again where it does not come.
;(() => {
  const ours = (event) => document.getElementById('root')?.dataset.prerendered !== undefined && event.isTrusted
  // The last button pressed; src/app/early-input.ts presses it when it works.
  const noteButton = (event) => {
    if (ours(event)) window.earlyButton = event.target.closest('button')
  }
  addEventListener('click', noteButton, true)
  // A form sent by the browser itself would carry what is in it in the address.
  addEventListener('submit', (event) => ours(event) && event.preventDefault(), true)
  // A browser does not try a script twice on the same page; what fails again is not the network's fault alone.
  const again = ({ target }) => {
    if (target.tagName !== 'SCRIPT') return
    const tried = performance.getEntriesByType('navigation')[0]?.type === 'reload'
    if (navigator.onLine) setTimeout(() => location.reload(), tried ? 60000 : 5000)
    else addEventListener('online', () => location.reload())
  }
  addEventListener('error', again, true)
  // The code comes once the page is painted, for it would share the connection with what is seen.
  const start = () => {
    const hidden = 'known' in document.documentElement.dataset
    const painted = hidden || performance.getEntriesByType('paint').length > 0
    if (document.readyState === 'complete' || (document.readyState === 'interactive' && painted)) {
      const code = document.getElementById('code')
      code?.replaceWith(code.content)
    }
  }
  addEventListener('DOMContentLoaded', start)
  addEventListener('load', start)
  new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
})()
