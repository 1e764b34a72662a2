import { store } from '#client/session.ts'
import { type InAppSystem, inAppAtom } from './install.ts'
import { offerInstall } from './offer-install.ts'

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
