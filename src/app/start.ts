import { onlineAtom, watchConnection } from '#client/connection.ts'
import { reloadOnMissingChunk, retryUntilLoaded } from '#client/load-code.ts'
import { persistQueries, queryClient } from '#client/query.ts'
import { lastUserId, store, tokenAtom } from '#client/session.ts'
import { keepInstallPrompt } from '#features/installed-app/app/install.ts'
import { afterInstantStage } from '#ui/instant-stage.ts'

declare global {
  interface Window {
    /** Of public/early.js; absent once it was called. */
    loadFont?: () => void
  }
}

function followUploads(): void {
  const load = () =>
    void retryUntilLoaded(() =>
      Promise.all([import('#features/uploads/app/queue.ts'), import('#features/credits/app/credits.tsx')]),
    ).then(([{ startUploads }, { followCredits }]) =>
      startUploads(followCredits, async (...file) =>
        (await import('#features/generations/app/input-file.ts')).fileToReplace(...file),
      ),
    )
  if (lastUserId() !== null) {
    load()
    return
  }
  const stop = store.sub(tokenAtom, () => {
    stop()
    load()
  })
}

/** The browser keeps launch parameters until they are read. */
async function startLaunches(): Promise<void> {
  const { followLaunches } = await import('#features/installed-app/app/launch.ts')
  followLaunches(async (files) => {
    const { deliverDraft, draftFiles, openWithTool } = await import('#features/generations/app/draft.ts')
    await deliverDraft({ tool: openWithTool, files: draftFiles(files) })
  })
}

/** Called once, after the session is restored and before the first screen. */
export function startOffline(): void {
  keepInstallPrompt()
  if ('launchQueue' in window) void startLaunches().catch(() => undefined)
  reloadOnMissingChunk()
  persistQueries()
  watchConnection(queryClient)
  watchBrokenPictures()
  followUploads()
}

/** Runs after the first screen, so that these files do not compete with it. */
export function startLater(): void {
  void afterInstantStage().then(() => window.loadFont?.())
  void import('#features/installed-app/app/service-worker.ts')
    .then(({ offerExternalBrowser, registerServiceWorker }) => {
      offerExternalBrowser()
      return registerServiceWorker()
    })
    .catch(() => undefined)
  void import('#client/foreign-changes.ts')
    .then(({ tolerateForeignChanges }) => tolerateForeignChanges(document.body))
    .catch(() => undefined)
  void import('#client/report-visit.ts').then(({ reportVisit }) => reportVisit()).catch(() => undefined)
}

/**
 * Hides pictures that failed to load instead of showing the browser's broken icon; retries them
 * online.
 */
function watchBrokenPictures(): void {
  const note = ({ target, type }: Event) => {
    if (target instanceof HTMLImageElement) target.toggleAttribute('data-broken', type === 'error')
  }
  document.addEventListener('error', note, true)
  document.addEventListener('load', note, true)
  store.sub(onlineAtom, () => {
    if (!store.get(onlineAtom)) return
    for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-broken]')) {
      const { src } = picture
      picture.src = src
    }
  })
}
