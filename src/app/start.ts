import { watchConnection } from '#client/connection.ts'
import { patiently } from '#client/patiently.ts'
import { keepQueries } from '#client/persist.ts'
import { queryClient } from '#client/query.ts'
import { lastUserId, store, tokenAtom } from '#client/session.ts'
import { keepInstallPrompt } from '#features/installed-app/app/install.ts'
import { reloadOnMissingChunk } from '#features/installed-app/app/missing-chunk.ts'
import { watchBrokenPictures } from '#ui/broken-pictures.ts'

/** The queue of uploads comes when there is somebody whose it can be. */
function followUploads(): void {
  const load = () =>
    void patiently(() => import('#features/uploads/app/queue.ts')).then(({ startUploads }) => startUploads())
  if (lastUserId() !== null) {
    load()
    return
  }
  const stop = store.sub(tokenAtom, () => {
    stop()
    load()
  })
}

/**
 * Follows what the app is opened with; the browser keeps it until then. Files go to the page that
 * asks for a tool.
 */
async function startLaunches(): Promise<void> {
  const { followLaunches } = await import('#features/installed-app/app/launch.ts')
  followLaunches(async (files) => {
    const { deliverDraft, draftFiles, openWith } = await import('#features/generations/app/draft.ts')
    await deliverDraft({ tool: openWith, files: draftFiles(files) })
  })
}

/**
 * Starts everything that works behind the screens. Called once, after the session is restored and
 * before the first screen.
 */
export function startOffline(): void {
  keepInstallPrompt()
  if ('launchQueue' in window) void startLaunches().catch(() => undefined)
  reloadOnMissingChunk()
  keepQueries()
  watchConnection(queryClient)
  watchBrokenPictures()
  followUploads()
}

/** Once the first screen is there, with whose files these would compete. */
export function startLater(): void {
  void import('#features/installed-app/app/service-worker.ts')
    .then(({ offerWayOut, registerServiceWorker }) => {
      offerWayOut()
      return registerServiceWorker()
    })
    .catch(() => undefined)
  void import('#client/note-visit.ts').then(({ noteVisit }) => noteVisit()).catch(() => undefined)
}
