import { atom } from 'jotai'
import { store } from '#client/session.ts'

export const promptAtom = atom<BeforeInstallPromptEvent | null>(null)
/** True while the sheet is open, or the result beside which it is offered. */
export const offeredAtom = atom<string | boolean>(false)
export type InAppSystem = 'android' | 'ios'
export const inAppAtom = atom<InAppSystem | null>(null)

/** iOS has no prompt, only manual steps. */
type InstallWay = 'outside' | 'prompt' | 'ios' | null
export const installWayAtom = atom<InstallWay>((get) =>
  get(inAppAtom) ? 'outside' : get(promptAtom) ? 'prompt' : isIosBrowser() ? 'ios' : null,
)
export const installSheetAtom = atom((get) => get(installWayAtom) !== null && get(offeredAtom))

export function isInstalled(): boolean {
  const standalone = (navigator as { standalone?: boolean }).standalone === true
  return standalone || matchMedia('(display-mode: standalone)').matches
}

function isIosBrowser(): boolean {
  // iPads identify as Macs, but no Mac has a touch screen.
  const ios =
    /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  return ios && !isInstalled()
}

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
