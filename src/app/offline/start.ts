import { queryClient } from '../query.ts'
import { store, tokenAtom, wasSignedIn } from '../session.ts'
import { watchBrokenPictures } from './broken-pictures.ts'
import { clearUserDataAtSignOut } from './clear-user-data.ts'
import { watchConnection } from './connection.ts'
import { keepInstallPrompt } from './install.ts'
import { followLaunches } from './launch.ts'
import { reloadOnMissingPart } from './missing-part.ts'
import { keepQueries } from './persist.ts'

/** The queue of uploads comes when there is somebody whose it can be. */
function followUploads(): void {
  const load = () => void import('./uploads.ts').then(({ startUploads }) => startUploads()).catch(() => undefined)
  if (wasSignedIn()) {
    load()
    return
  }
  const stop = store.sub(tokenAtom, () => {
    stop()
    load()
  })
}

/**
 * Starts everything that works behind the screens. Called once, after the session is restored and
 * before the first screen.
 */
export function startOffline(): void {
  keepInstallPrompt()
  followLaunches()
  reloadOnMissingPart()
  clearUserDataAtSignOut()
  keepQueries()
  watchConnection(queryClient)
  watchBrokenPictures()
  followUploads()
  // The worker's files would compete with the first screen's.
  const register = (): void =>
    void import('./service-worker.ts')
      .then(({ registerServiceWorker }) => registerServiceWorker())
      .catch(() => undefined)
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
