import { store } from '#client/session.ts'
import { type InAppSystem, inAppAtom } from './install.ts'
import { offerInstall } from './offer-install.ts'

/** What browsers within other apps call themselves: Instagram, TikTok, Facebook, LINE. */
const names = /\bInstagram\b|\bBytedanceWebview\b|\bmusical_ly|\bTikTok\b|\bFBA[NV]\b|\bLine\/\d/i

/** Which system's browser within an app this is, where nothing can be installed; null for none. */
export function inAppBrowser(userAgent: string): InAppSystem | null {
  if (!names.test(userAgent)) return null
  if (/Android/.test(userAgent)) return 'android'
  return /iPhone|iPad|iPod/.test(userAgent) ? 'ios' : null
}

/** Where the way out leads. */
export const outsideBrowsers: Record<InAppSystem, string> = { android: 'Chrome', ios: 'Safari' }

/** The same page in Chrome, or where that is missing in the system's browser; or in Safari. */
export function addressOutside(system: InAppSystem, { protocol, host, pathname, search, href }: URL): string {
  const scheme = protocol.slice(0, -1)
  if (system === 'ios') return `x-safari-${href}`
  const fallback = `S.browser_fallback_url=${encodeURIComponent(href)}`
  return `intent://${host}${pathname}${search}#Intent;scheme=${scheme};package=com.android.chrome;${fallback};end`
}

/** Asks, as seldom as to install, whoever came by a link within another app. */
export function offerWayOut(): void {
  const system = inAppBrowser(navigator.userAgent)
  if (!system) return
  store.set(inAppAtom, system)
  offerInstall()
}
