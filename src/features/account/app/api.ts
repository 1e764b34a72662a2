import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { atom } from 'jotai'
import { ApiError, apiFetch, apiJson } from '#client/api.ts'
import { chosenLanguage, hasChosenLanguage, setLanguage } from '#client/i18n.ts'
import { apiQuery, queryClient } from '#client/query.ts'
import { signIn, store, tokenAtom } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { localKeys } from '#client/storage.ts'
import { setTheme } from '#client/theme.ts'
import type { Factor } from '#shared/session.ts'
import { themeModes } from '#shared/theme.ts'
import { hourMs } from '#shared/time.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { LoginForm, RegisterForm } from '../rules.ts'
import type { Profile, ResetFactors, SignInMethods, TokenView, Verification } from '../schemas.ts'
import { neutrals, primaries } from './palette.ts'

/** Ignores values unknown to this version of the app. */
const known = <Id extends string>(choices: readonly { id: Id }[], wanted: string): Id | undefined =>
  choices.find(({ id }) => id === wanted)?.id

/** Keeps a language chosen on this device. */
async function applySavedAppearance(): Promise<void> {
  try {
    const { theme, language } = await apiJson<Profile>('/api/user/me')
    if (theme) {
      const primary = known(primaries, theme.primary)
      const neutral = known(neutrals, theme.neutral)
      const mode = themeModes.find((candidate) => candidate === theme.mode)
      setTheme({ ...(mode && { mode }), ...(primary && { primary }), ...(neutral && { neutral }) })
    }
    if (!hasChosenLanguage()) await setLanguage(language)
  } catch {
    // The appearance chosen on this device stays.
  }
}

/** Indonesian in every language, like the sign-in screens (docs/decisions/0002). */
const texts = {
  loggedIn: 'Berhasil login',
  registered: 'Berhasil mendaftar, silahkan cek email untuk verifikasi',
  resetSent: 'Berhasil mengirim email reset password',
  failed: 'Terjadi kesalahan',
}

async function attempt<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  setAuthStatus('auth-loading')
  try {
    return await call()
  } catch (error) {
    setAuthStatus('error')
    // Dismissing the browser's prompt is not an error.
    if (!(error instanceof Error && error.name === 'NotAllowedError'))
      showSnackbar('error', (error instanceof ApiError && error.msg) || texts.failed)
    throw error
  }
}

export const providersQuery = apiQuery<SignInMethods>(['auth', 'providers'], '/api/auth/providers', {
  staleTime: hourMs,
})

/** Waits no longer than users notice. */
export async function loadProviders(): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, 800))
  await Promise.race([queryClient.prefetchQuery(providersQuery), timeout])
}

async function enter(token: string): Promise<void> {
  await signIn(token)
  setAuthStatus('success')
  localStorage.removeItem(localKeys.registeredEmail)
  void applySavedAppearance()
  showSnackbar('success', texts.loggedIn)
}

export function showFailure(sentence: string): void {
  setAuthStatus('error')
  showSnackbar('error', sentence)
}

export const login = ({ email, password, remember }: LoginForm): Promise<void> =>
  attempt(() => signInAt('/api/login', { email: email.trim(), password, remember }, remember))

/** Accepts a code of the authenticator app or a recovery code. */
export const loginWithCode = (challenge: string, code: string): Promise<void> =>
  attempt(() => signInAt('/api/login_code', { challenge, code: code.trim() }))

export const loginWithToken = (token: string, remember: boolean): Promise<void> =>
  attempt(() => signInAt('/api/login_token', { token }, remember))

export const loginWithPasskey = (remember: boolean): Promise<void> =>
  attempt(async () => signInAt('/api/login_passkey', { response: await promptForPasskey(), remember }))

/** Resolves to false if the link was opened on another device than the registration's. */
export const loginVerified = (): Promise<boolean> =>
  signInAt('/api/login_verified', {}).then(
    () => true,
    () => false,
  )

/**
 * Signs in on the device of a registration: by the mailed code, or without it once the link was
 * opened anywhere. Returns a token to choose a password if the account has none.
 */
export async function continueVerified(code?: string): Promise<{ resetToken?: string | undefined }> {
  let resetToken: string | undefined
  await signInWith(async () => {
    const answer = await apiJson<Verification>('/api/verify_email', { json: code === undefined ? {} : { code } })
    resetToken = answer.resetToken
    return answer.access_token
  })
  return { resetToken }
}

export type ShownFactor = { code?: string; passkey?: AuthenticationResponseJSON }

/** Rejects with NotAllowedError when the user closes the prompt. */
export async function promptForPasskey(): Promise<AuthenticationResponseJSON> {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([
    import('@simplewebauthn/browser'),
    apiJson<PublicKeyCredentialRequestOptionsJSON>('/api/passkey_options', { method: 'POST' }),
  ])
  return await startAuthentication({ optionsJSON })
}

const signInAt = (path: string, json: object, remember = false): Promise<void> =>
  signInWith(async () => (await apiJson<TokenView>(path, { json })).access_token, remember)

async function signInWith(ask: () => Promise<string | undefined>, remember = false): Promise<void> {
  try {
    const token = await ask()
    if (token === undefined) return
    await enter(token)
    store.set(challengeAtom, null)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'second_factor.required') throw error
    const { challenge = '', factors = '' } = error.details
    setAuthStatus('idle')
    store.set(challengeAtom, { token: challenge, factors: factors.split(' ') as Factor[], remember })
  }
}

/** Without a birth year where the operator has no rules for ages. */
export function register({ name, email, password, birthYear, agreeToTerms }: RegisterForm): Promise<void> {
  return attempt(async () => {
    await apiFetch('/api/register', {
      json: {
        name: name.trim(),
        email: email.trim(),
        password,
        agreeToTerms,
        ...(birthYear !== '' && { birthYear: Number(birthYear) }),
      },
      // Language of the account's mails, although this screen is Indonesian.
      headers: { 'accept-language': chosenLanguage() },
    })
    setAuthStatus('verify-email', email.trim())
    showSnackbar('success', texts.registered)
  })
}

export function forgotPassword(email: string): Promise<void> {
  return attempt(async () => {
    await apiFetch('/api/forgot_password', { json: { email: email.trim() } })
    setAuthStatus('reset-password', email.trim())
    showSnackbar('success', texts.resetSent)
  })
}

const resetPath = (token: string) => `/api/reset_password/${encodeURIComponent(token)}`

export const resetFactorsQuery = (token: string) =>
  apiQuery<ResetFactors>(['auth', 'reset-factors', token], resetPath(token), { retry: false })

export function resetPassword(token: string, password: string, removeFactors: string[]): Promise<void> {
  return attempt(async () => {
    await apiFetch(resetPath(token), { json: { password, removeFactors } })
    // The reset ended every session of the account, including this device's; another user's session
    // stays.
    if (store.get(tokenAtom) !== null) await apiFetch('/api/user/me').catch(() => undefined)
    setAuthStatus('idle')
    showSnackbar('success', 'Kata sandi berhasil diubah')
  })
}

type AuthStatus = 'idle' | 'auth-loading' | 'verify-email' | 'reset-password' | 'success' | 'error'

/** `tempEmail` is the recipient of the verification or reset mail, '' before. */
export const authStatusAtom = atom<{ status: AuthStatus; tempEmail: string }>({ status: 'idle', tempEmail: '' })

function setAuthStatus(status: AuthStatus, tempEmail = store.get(authStatusAtom).tempEmail): void {
  store.set(authStatusAtom, { status, tempEmail })
}

/** Second factor requested after the first step of a sign-in. */
export const challengeAtom = atom<{ token: string; factors: Factor[]; remember: boolean } | null>(null)

export function leaveAuthForm(): void {
  if (store.get(authStatusAtom).status !== 'success') setAuthStatus('idle')
  store.set(challengeAtom, null)
}

onSignOut('auth form', (reason) => {
  if (reason === 'ended') setAuthStatus('idle')
  else if (reason === 'signed-out') setAuthStatus('idle', '')
})
