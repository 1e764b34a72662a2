import { holdBusy } from '#client/busy.ts'
import { store } from '#client/session.ts'
import { goesWithPage } from './memory-note.ts'
import { uploadsAtom } from './use-job.ts'

const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

/**
 * While something unsent is in this page's memory alone, nothing reloads the page, and the browser
 * asks before it is left.
 */
export function warnBeforeLeaving(): void {
  let release: (() => void) | undefined
  store.sub(uploadsAtom, () => {
    if (store.get(uploadsAtom).some(goesWithPage)) {
      release ??= holdBusy()
      window.addEventListener('beforeunload', ask)
    } else {
      release?.()
      release = undefined
      window.removeEventListener('beforeunload', ask)
    }
  })
}
