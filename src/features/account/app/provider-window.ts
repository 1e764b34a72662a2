import { useEffect, useEffectEvent } from 'react'
import type { Provider } from '../rules.ts'

/** What the callback page tells the page that opened it; `mark` is the one that page made up. */
export type ProviderMessage =
  | { type: 'auth-token'; token: string; mark: string }
  | { type: 'auth-confirmation'; confirmation: string; mark: string }
  | { type: 'auth-error'; code: string }

const markKey = 'providerMark'

/**
 * Whether this tab asked for what came back with that mark; once. Somebody who sends a person here
 * with a token of their own cannot know it.
 */
export function takeMark(mark: string): boolean {
  if (sessionStorage.getItem(markKey) !== mark) return false
  sessionStorage.removeItem(markKey)
  return true
}

type Opener = Pick<Window, 'innerHeight' | 'outerWidth' | 'outerHeight' | 'screenX' | 'screenY'>

/** A square of 70 % of the window's height, centred on the window. */
export function popupFeatures({ innerHeight, outerWidth, outerHeight, screenX, screenY }: Opener): string {
  const size = Math.round(innerHeight * 0.7)
  const left = Math.round(screenX + (outerWidth - size) / 2)
  const top = Math.round(screenY + (outerHeight - size) / 2)
  return `popup,width=${size},height=${size},left=${left},top=${top}`
}

/**
 * Also for a window that loses the page that opened it: it starts with a copy of that page's
 * session storage.
 */
function makeMark(): string {
  const mark = crypto.randomUUID()
  sessionStorage.setItem(markKey, mark)
  return mark
}

/**
 * Opens the provider's page; where popups are blocked this very page goes there, after `onBlocked`
 * kept what it needs afterwards.
 */
export function openProvider(
  provider: Provider,
  query: { remember?: '0' | '1'; purpose?: 'login' | 'confirm' },
  onBlocked: () => void,
): void {
  const address = `/api/login_${provider}?${new URLSearchParams({ ...query, mark: makeMark() })}`
  const popup = window.open(address, `login_${provider}`, popupFeatures(window))
  if (popup) {
    popup.focus()
    return
  }
  onBlocked()
  window.location.assign(address)
}

/** The message of the callback page; null for anything from another origin and for what is none. */
export function readMessage(
  event: Pick<MessageEvent<unknown>, 'origin' | 'data'>,
  own: string,
): ProviderMessage | null {
  if (event.origin !== own || typeof event.data !== 'object' || event.data === null) return null
  const { type, token, confirmation, code, mark } = event.data as Record<string, unknown>
  if (type === 'auth-error' && typeof code === 'string') return { type, code }
  if (typeof mark !== 'string') return null
  if (type === 'auth-token' && typeof token === 'string') return { type, token, mark }
  if (type === 'auth-confirmation' && typeof confirmation === 'string') return { type, confirmation, mark }
  return null
}

/** Hears what a provider's window ended with, as long as the component is shown. */
export function useProviderMessages(onMessage: (message: ProviderMessage) => void): void {
  const hear = useEffectEvent(onMessage)
  useEffect(() => {
    const listener = (event: MessageEvent<unknown>): void => {
      const message = readMessage(event, window.location.origin)
      if (message && (message.type === 'auth-error' || takeMark(message.mark))) hear(message)
    }
    window.addEventListener('message', listener)
    return () => window.removeEventListener('message', listener)
  }, [])
}
