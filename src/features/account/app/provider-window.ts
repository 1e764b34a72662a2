import { atom } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { store } from '#client/session.ts'
import { sessionKeys } from '#client/storage.ts'
import type { CallbackError, Provider } from '../rules.ts'

/** `state` comes from the opener, as in OAuth. */
export type ProviderMessage =
  | { type: 'auth-token'; token: string; state: string }
  | { type: 'auth-confirmation'; confirmation: string; state: string }
  | { type: 'auth-error'; code: string }

/**
 * True once. An attacker who sends a user here with the attacker's own token cannot know the state.
 */
export function consumeProviderState(state: string): boolean {
  if (sessionStorage.getItem(sessionKeys.providerState) !== state) return false
  sessionStorage.removeItem(sessionKeys.providerState)
  return true
}

type Opener = Pick<Window, 'innerHeight' | 'outerWidth' | 'outerHeight' | 'screenX' | 'screenY'>

/** A square of 70 % of the window's height. */
export function popupFeatures({ innerHeight, outerWidth, outerHeight, screenX, screenY }: Opener): string {
  const size = Math.round(innerHeight * 0.7)
  const left = Math.round(screenX + (outerWidth - size) / 2)
  const top = Math.round(screenY + (outerHeight - size) / 2)
  return `popup,width=${size},height=${size},left=${left},top=${top}`
}

/** Session storage also serves a window without opener, which starts with a copy. */
function makeState(): string {
  const state = crypto.randomUUID()
  sessionStorage.setItem(sessionKeys.providerState, state)
  return state
}

/**
 * If popups are blocked this page navigates there, after `onBlocked` stored what is needed later.
 */
export function openProvider(
  provider: Provider,
  query: { remember?: '0' | '1'; purpose?: 'login' | 'confirm' },
  onBlocked: () => void,
): void {
  const address = `/api/login_${provider}?${new URLSearchParams({ ...query, state: makeState() })}`
  const popup = window.open(address, `login_${provider}`, popupFeatures(window))
  if (popup) {
    popup.focus()
    return
  }
  onBlocked()
  window.location.assign(address)
}

/** Returns null for other origins and invalid messages. */
export function readMessage(
  event: Pick<MessageEvent<unknown>, 'origin' | 'data'>,
  own: string,
): ProviderMessage | null {
  if (event.origin !== own || typeof event.data !== 'object' || event.data === null) return null
  const { type, token, confirmation, code, state } = event.data as Record<string, unknown>
  if (type === 'auth-error' && typeof code === 'string') return { type, code }
  if (typeof state !== 'string') return null
  if (type === 'auth-token' && typeof token === 'string') return { type, token, state }
  if (type === 'auth-confirmation' && typeof confirmation === 'string') return { type, confirmation, state }
  return null
}

export function useProviderMessages(onMessage: (message: ProviderMessage) => void): void {
  const receive = useEffectEvent(onMessage)
  useEffect(() => {
    const listener = (event: MessageEvent<unknown>): void => {
      const message = readMessage(event, window.location.origin)
      if (message && (message.type === 'auth-error' || consumeProviderState(message.state))) receive(message)
    }
    window.addEventListener('message', listener)
    return () => window.removeEventListener('message', listener)
  }, [])
}

/** Sign-in screens are always Indonesian, so these match the server's Indonesian texts. */
const problems: Record<CallbackError, string> = {
  'auth.provider_denied': 'Kamu membatalkan masuk. Coba lagi atau pakai email, ya.',
  'auth.provider_failed': 'Belum berhasil masuk lewat akun itu. Coba sekali lagi, ya.',
  'auth.provider_no_email': 'Akun itu tidak memberi alamat email. Silakan daftar dengan email.',
  'auth.confirmation_invalid': 'Konfirmasi ini tidak berlaku. Konfirmasi sekali lagi, ya.',
  'auth.email_unverified': 'Email kamu belum diverifikasi. Cek kotak masuk, atau minta email baru.',
  'auth.disabled': 'Akun ini dinonaktifkan. Hubungi kami kalau ini keliru.',
  'request.rate_limited': 'Terlalu banyak percobaan. Coba lagi sebentar lagi, ya.',
  'server.unavailable': 'Layanan sedang tidak tersedia. Coba lagi sebentar lagi, ya.',
  'server.maintenance':
    'Kami sedang merawat server sebentar. Tidak ada yang hilang: unggahan yang menunggu di perangkatmu terkirim sendiri setelah ini.',
}

/** An attacker may have written the address, so only known codes select a text. */
export function callbackProblem(code: string): string {
  return Object.hasOwn(problems, code) ? problems[code as CallbackError] : 'Terjadi kesalahan'
}

const purposes = ['password', 'email', 'delete', 'security'] as const
export type Purpose = (typeof purposes)[number]

/**
 * Confirmation that returned to this page because popups were blocked; in memory only, used once.
 */
export const confirmationAtom = atom<{ purpose: Purpose; confirmation: string } | null>(null)

export function storeConfirmationPurpose(purpose: Purpose): void {
  sessionStorage.setItem(sessionKeys.confirmationPurpose, purpose)
}

/** Accepts only a confirmation that this tab requested. */
export function acceptConfirmation(confirmation: string): boolean {
  const purpose = takeConfirmationPurpose()
  if (purpose) store.set(confirmationAtom, { purpose, confirmation })
  return purpose !== null
}

/** Works once; null for a sign-in. */
export function takeConfirmationPurpose(): Purpose | null {
  const kept = sessionStorage.getItem(sessionKeys.confirmationPurpose)
  sessionStorage.removeItem(sessionKeys.confirmationPurpose)
  return purposes.find((purpose) => purpose === kept) ?? null
}
