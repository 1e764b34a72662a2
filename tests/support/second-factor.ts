import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { TotpConfirmed, TotpView } from '#features/account/schemas.ts'
import { sessions } from '#server/auth/table.ts'
import { createPasskeyDevice } from './passkey-device.ts'
import type { TestApp, TestUser } from './test-app.ts'

type PasskeyDevice = ReturnType<typeof createPasskeyDevice>

export const passkeyOrigin = 'http://localhost:3000'

/** As the mailed link does. */
export async function openFirstFactorLink({ deps }: TestApp, { id }: Pick<TestUser, 'id'>): Promise<void> {
  const mayEnrolUntil = new Date(deps.clock().getTime() + 30 * 60_000)
  await deps.db.update(sessions).set({ mayEnrolUntil }).where(eq(sessions.userId, id))
}

/** Each code is of an unused period. */
export function authenticator(app: TestApp, { secret }: TotpView): () => string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: 30 })
  return () => {
    app.clock.advance({ seconds: 31 })
    return totp.generate({ timestamp: app.clock.now().getTime() })
  }
}

/** As the first factor, or beside `shown`. */
export async function turnTotpOn(app: TestApp, person: TestUser, shown: object = {}) {
  await openFirstFactorLink(app, person)
  const json = { password: person.password, ...shown }
  const started = (await (await person.request('/api/user/totp', { json })).json()) as TotpView
  const nextCode = authenticator(app, started)
  const response = await person.request('/api/user/totp/confirm', { json: { code: nextCode() } })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  const { access_token: token, recoveryCodes: codes } = (await response.json()) as TotpConfirmed
  const request: TestUser['request'] = (path, init) => app.request(path, { token, ...init })
  return { ...person, token, request, nextCode, codes, ...started }
}

export async function usePasskey(app: TestApp, device: PasskeyDevice) {
  const options = await app.request('/api/passkey_options', { method: 'POST' })
  return device.use((await options.json()) as { challenge: string })
}

export async function addPasskey(
  app: TestApp,
  person: TestUser,
  { device = createPasskeyDevice(passkeyOrigin), shown = {} }: { device?: PasskeyDevice; shown?: object } = {},
) {
  await openFirstFactorLink(app, person)
  const json = { password: person.password, ...shown }
  const response = await person.request('/api/user/passkeys/options', { json })
  const options = (await response.json()) as { challenge: string }
  const made = await person.request('/api/user/passkeys', { json: { response: device.make(options) } })
  return { device, options, response: made }
}
