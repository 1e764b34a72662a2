import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resealTotpSecrets } from '#features/account/server/second-factor/totp.ts'
import { issueAccessToken, readAccessToken } from '#server/auth/sessions.ts'
import { totpSecrets } from '#server/auth/table.ts'
import { sealSecret, unsealSecret } from '#server/sealed-secret.ts'
import { deletePreviousSecret, rotateSecret } from '#server/secrets.ts'
import { fileAddressSeconds, signFileAddress, signingKeys } from '#server/storage/signed-address.ts'
import { readConfig } from '#server-app/config.ts'
import { createTestApp } from '../support/test-app.ts'

test('during a key rotation both keys are accepted, and afterwards only the new one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-keys-'))
  const now = new Date()
  const before = readConfig({ DATA_DIR: dataDir })
  const session = {
    id: crypto.randomUUID(),
    user: { id: crypto.randomUUID(), name: 'Sari', email: 'sari@contoh.id', role: 'user' as const },
    due: undefined,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
  }
  const token = await issueAccessToken(before, session as never)
  const address = new URL(
    signFileAddress({ id: 'a', name: 'b', session: 'c' }, before.fileSigningKey, now),
    'http://rupa.test',
  ).searchParams
  const link = {
    id: 'a',
    session: 'c',
    expires: address.get('expires') ?? undefined,
    signature: address.get('signature') ?? undefined,
  }

  for (const name of ['jwt', 'file-signing']) rotateSecret(dataDir, name)
  const during = readConfig({ DATA_DIR: dataDir })
  expect(during.jwtSecret).not.toEqual(before.jwtSecret)
  expect(await readAccessToken(during, token, now)).toBe(session.id)
  expect(fileAddressSeconds(link, signingKeys(during), now)).toBeGreaterThan(0)
  const next = await issueAccessToken(during, session as never)
  await expect(readAccessToken(before, next, now)).rejects.toMatchObject({ code: 'auth.required' })

  for (const name of ['jwt', 'file-signing']) deletePreviousSecret(dataDir, name)
  const after = readConfig({ DATA_DIR: dataDir })
  await expect(readAccessToken(after, token, now)).rejects.toMatchObject({ code: 'auth.required' })
  expect(await readAccessToken(after, next, now)).toBe(session.id)
  expect(fileAddressSeconds(link, signingKeys(after), now)).toBe(0)
})

test('second factors are sealed with the new key, so that the old one can be removed', async () => {
  const old = 'o'.repeat(32)
  const app = await createTestApp({ env: { JWT_SECRET: 'n'.repeat(32), PREVIOUS_JWT_SECRET: old } })
  try {
    const user = await app.createUser()
    const sealed = await sealSecret({ jwtSecret: new TextEncoder().encode(old) }, 'second factor', 'JBSWY3DPEHPK3PXP')
    await app.deps.db.insert(totpSecrets).values({ userId: user.id, secret: sealed, createdAt: app.clock.now() })
    await resealTotpSecrets(app.deps)
    const [row] = await app.deps.db.select().from(totpSecrets)
    const { jwtSecret } = app.config
    expect(await unsealSecret({ jwtSecret }, 'second factor', row!.secret)).toBe('JBSWY3DPEHPK3PXP')
  } finally {
    await app.stop()
  }
})

test('the operator rotates generated keys by a command, and cannot do so twice before it is finished', async () => {
  const app = await createTestApp()
  try {
    const said: string[] = []
    const run = (...args: string[]) => app.composition.runCommand(args, (line) => void said.push(line))
    const secrets = () => readdirSync(join(app.config.dataDir, 'secrets')).sort()
    const jwt = readFileSync(join(app.config.dataDir, 'secrets', 'jwt'), 'utf8')
    expect(await run('rotate-keys')).toBe(0)
    expect(secrets()).toEqual(['file-signing.previous', 'jwt.previous', 'mailboxes', 'vapid'])
    expect(readFileSync(join(app.config.dataDir, 'secrets', 'jwt.previous'), 'utf8')).toBe(jwt)
    expect(await run('rotate-keys')).toBe(1)
    expect(said.at(-1)).toMatch(/finish first/)
    expect(await run('rotate-keys', 'finish')).toBe(0)
    expect(secrets()).toEqual(['mailboxes', 'vapid'])
  } finally {
    await app.stop()
  }
})

test('prints the running version', async () => {
  const app = await createTestApp()
  try {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(await (await app.request('/api/version')).json()).toEqual({ version })
  } finally {
    await app.stop()
  }
})
