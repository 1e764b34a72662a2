import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { localKeys } from '#client/storage.ts'

const promptAtom = atom<BeforeInstallPromptEvent | null>(null)
/** Beside which result; true: beside none. */
const offeredAtom = atom<string | boolean>(false)
/** The system whose app shows this page in a browser of its own, where nothing can be installed. */
export const inAppAtom = atom<'android' | 'ios' | null>(null)
const askAgainMs = 60 * 24 * 3_600_000

/**
 * How the app gets onto the home screen here: in another browser, by the browser's own question, by
 * steps by hand (iOS has no question), or not at all.
 */
export type InstallWay = 'outside' | 'prompt' | 'ios' | null
export const installWayAtom = atom<InstallWay>((get) =>
  get(inAppAtom) ? 'outside' : get(promptAtom) ? 'prompt' : isIosBrowser() ? 'ios' : null,
)
export const installSheetAtom = atom((get) => get(installWayAtom) !== null && get(offeredAtom))

export function isInstalled(): boolean {
  const standalone = (navigator as { standalone?: boolean }).standalone === true
  return standalone || matchMedia('(display-mode: standalone)').matches
}

function isIosBrowser(): boolean {
  // iPads call themselves Macs, but no Mac has a touch screen.
  const ios =
    /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  return ios && !isInstalled()
}

/** Keeps the browser's question for a moment at which it makes sense. */
export function keepInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    store.set(promptAtom, event)
  })
  window.addEventListener('appinstalled', () => {
    store.set(promptAtom, null)
    store.set(offeredAtom, false)
  })
}

/**
 * Shows the install sheet, unless it was shown in the last 60 days; called after a result, when
 * people know what they would install. Within another app, where files often cannot be saved, it is
 * shown with every result.
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

/** Puts the browser's question; it can be asked once only. */
export async function install(): Promise<void> {
  const prompt = store.get(promptAtom)
  if (!prompt) return
  await prompt.prompt()
  store.set(promptAtom, null)
  store.set(offeredAtom, false)
}
