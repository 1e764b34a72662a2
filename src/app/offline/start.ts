import { queryClient } from '../query.ts'
import { store } from '../session.ts'
import { watchBrokenPictures } from './broken-pictures.ts'
import { clearUserDataAtSignOut } from './clear-user-data.ts'
import { noteSilence, onlineAtom, watchConnection } from './connection.ts'
import { keepInstallPrompt } from './install.ts'
import { followLaunches } from './launch.ts'
import { keepQueries } from './persist.ts'
import { registerServiceWorker, reloadOnMissingPart } from './service-worker.ts'
import { sendUploads, startUploads, uploadsAtom } from './uploads.ts'

/** Starts everything that works behind the screens. Called once, after the session is restored and before the first screen. */
export function startOffline(): void {
  keepInstallPrompt()
  followLaunches()
  reloadOnMissingPart()
  clearUserDataAtSignOut()
  keepQueries()
  watchConnection(queryClient)
  watchBrokenPictures()
  startUploads()
  // The connection is back: what waits for it goes at once. And an upload that met silence is the first to know that it is gone.
  store.sub(onlineAtom, () => store.get(onlineAtom) && void sendUploads({ eager: true }))
  store.sub(uploadsAtom, () => {
    if (
      store.get(onlineAtom) &&
      store.get(uploadsAtom).some((item) => item.state === 'waiting' && item.lastStatus === 0)
    ) {
      noteSilence()
    }
  })
  // The worker's files would compete with the first screen's.
  const register = (): void => void registerServiceWorker().catch(() => undefined)
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
