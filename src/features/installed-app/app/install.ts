import { atom } from 'jotai'
import { store } from '#client/session.ts'

export const promptAtom = atom<BeforeInstallPromptEvent | null>(null)
/** Whether the install sheet is open, or beside which result. */
export const offeredAtom = atom<string | boolean>(false)
/** The system whose app shows this page in a browser of its own, where nothing can be installed. */
export type InAppSystem = 'android' | 'ios'
export const inAppAtom = atom<InAppSystem | null>(null)

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
