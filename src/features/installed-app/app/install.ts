import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { localKeys } from '#client/storage.ts'
import { dayMs } from '#shared/time.ts'

const promptAtom = atom<BeforeInstallPromptEvent | null>(null)
/** True while the sheet is open, or the result beside which it is offered. */
const offeredAtom = atom<string | boolean>(false)
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

const askAgainMs = 60 * dayMs

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

/** User agents of Instagram, TikTok, Facebook and LINE. */
const names = /\bInstagram\b|\bBytedanceWebview\b|\bmusical_ly|\bTikTok\b|\bFBA[NV]\b|\bLine\/\d/i

/** In-app browsers cannot install apps; null for others. */
export function inAppBrowser(userAgent: string): InAppSystem | null {
  if (!names.test(userAgent)) return null
  if (/Android/.test(userAgent)) return 'android'
  return /iPhone|iPad|iPod/.test(userAgent) ? 'ios' : null
}

export const externalBrowserNames: Record<InAppSystem, string> = { android: 'Chrome', ios: 'Safari' }

/** Opens Chrome, or the system's browser if missing; or Safari. */
export function externalBrowserUrl(system: InAppSystem, { protocol, host, pathname, search, href }: URL): string {
  const scheme = protocol.slice(0, -1)
  if (system === 'ios') return `x-safari-${href}`
  const fallback = `S.browser_fallback_url=${encodeURIComponent(href)}`
  return `intent://${host}${pathname}${search}#Intent;scheme=${scheme};package=com.android.chrome;${fallback};end`
}

/** Offers it as rarely as the installation. */
export function offerExternalBrowser(): void {
  const system = inAppBrowser(navigator.userAgent)
  if (!system) return
  store.set(inAppAtom, system)
  offerInstall()
}
