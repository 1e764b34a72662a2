import { store } from '#client/session.ts'
import { localKeys } from '#client/storage.ts'
import { installWayAtom, isInstalled, offeredAtom, promptAtom } from './install.ts'

const askAgainMs = 60 * 24 * 3_600_000

/**
 * Shows the sheet after a result, at most once in 60 days; in-app browsers, which often cannot save
 * files, show it with every result.
 */
export function offerInstall(result?: string): void {
  const way = store.get(installWayAtom)
  if (isInstalled() || way === null) return
  if (way !== 'outside' || !result) {
    const last = Number(localStorage.getItem(localKeys.installOffered) ?? 0)
    if (Date.now() - last < askAgainMs) return
    localStorage.setItem(localKeys.installOffered, String(Date.now()))
  }
  store.set(offeredAtom, result ?? true)
}

export function closeInstallSheet(): void {
  store.set(offeredAtom, false)
}

/** The browser's prompt works only once. */
export async function install(): Promise<void> {
  const prompt = store.get(promptAtom)
  if (!prompt) return
  await prompt.prompt()
  store.set(promptAtom, null)
  store.set(offeredAtom, false)
}
