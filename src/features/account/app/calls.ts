import { queryOptions } from '@tanstack/react-query'
import { ApiError, apiFetch, apiJson } from '#app/api.ts'
import { signIn, statusAtom, store, tempEmailAtom, tokenAtom } from '#app/session.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import type { AuthUser, LoginAnswer, Providers } from '../contract.ts'
import { takeLook } from './kept-look.ts'

/** Texts of the auth screens are Indonesian in every language (specification §1, §8). */
const texts = {
  loggedIn: 'Berhasil login',
  registered: 'Berhasil mendaftar, silahkan cek email untuk verifikasi',
  resetSent: 'Berhasil mengirim email reset password',
  failed: 'Terjadi kesalahan',
}

/** Runs an auth call through the specification's states: auth-loading, then error with a notice when it fails. */
async function attempt<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  store.set(statusAtom, 'auth-loading')
  try {
    return await call()
  } catch (error) {
    store.set(statusAtom, 'error')
    showSnackbar('error', (error instanceof ApiError && error.msg) || texts.failed)
    throw error
  }
}

/** Which ways of signing in beside the password the operator configured. */
export const providersQuery = queryOptions({
  queryKey: ['auth', 'providers'],
  queryFn: ({ signal }) => apiJson<Providers>('/api/auth/providers', { signal }),
  staleTime: 3_600_000,
})

/** Takes a token that the server handed out, by whichever way of signing in. */
export async function enter(token: string): Promise<AuthUser> {
  const user = await signIn(token)
  void takeLook()
  showSnackbar('success', texts.loggedIn)
  return user
}

/** Says why another way of signing in did not work. */
export function refuse(sentence: string): void {
  store.set(statusAtom, 'error')
  showSnackbar('error', sentence)
}

export interface LoginForm {
  email: string
  password: string
  remember: boolean
}

export function login(form: LoginForm): Promise<AuthUser> {
  return attempt(async () => {
    const { access_token } = await apiJson<LoginAnswer>('/api/login', { json: { ...form, email: form.email.trim() } })
    return enter(access_token)
  })
}

export interface RegisterForm {
  name: string
  email: string
  password: string
  confirmPassword: string
  agreeToTerms: boolean
}

export function register({ name, email, password, agreeToTerms }: RegisterForm): Promise<void> {
  return attempt(async () => {
    await apiFetch('/api/register', { json: { name: name.trim(), email: email.trim(), password, agreeToTerms } })
    store.set(tempEmailAtom, email.trim())
    store.set(statusAtom, 'verify-email')
    showSnackbar('success', texts.registered)
  })
}

export function forgotPassword(email: string): Promise<void> {
  return attempt(async () => {
    await apiFetch('/api/forgot_password', { json: { email: email.trim() } })
    store.set(tempEmailAtom, email.trim())
    store.set(statusAtom, 'reset-password')
    showSnackbar('success', texts.resetSent)
  })
}

export function resetPassword(token: string, password: string): Promise<void> {
  return attempt(async () => {
    await apiFetch(`/api/reset_password/${encodeURIComponent(token)}`, { json: { password } })
    // Whoever was still signed in here has been signed out with every other session; somebody else stays.
    if (store.get(tokenAtom) !== null) await apiFetch('/api/user/me').catch(() => undefined)
    store.set(statusAtom, 'idle')
    showSnackbar('success', 'Kata sandi berhasil diubah')
  })
}

/** Sends the verification mail again. */
export async function resendVerification(email: string): Promise<void> {
  await apiFetch(`/api/resend_confirmation_email?${new URLSearchParams({ email })}`)
}

/** Tells the server that this session is over; without a connection the token simply runs out. */
export async function endServerSession(): Promise<void> {
  await apiFetch('/api/logout', { method: 'POST', keepalive: true }).catch(() => undefined)
}
