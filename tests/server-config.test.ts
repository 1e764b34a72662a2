import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { siteRoutes } from '#features/site/server/routes.ts'
import { ConfigError } from '#server/config-values.ts'
import { clientAddress, isAddressBlock } from '#server/http/client-address.ts'
import { memoryProblem, threadsFor } from '#server/memory.ts'
import { storedSecret } from '#server/secrets.ts'
import { readConfig } from '#server-app/config.ts'
import { retentionKinds, type Site } from '#shared/site.ts'
import { signing } from '#tests/support/content-credentials.ts'

const folder = () => join(mkdtempSync(join(tmpdir(), 'rupa-config-')), 'data')
const shared = {
  DATABASE_URL: 'postgres://db/rupa',
  JWT_SECRET: 'j'.repeat(32),
  FILE_SIGNING_KEY: 'f'.repeat(32),
}

const otherKey = join(mkdtempSync(join(tmpdir(), 'rupa-config-')), 'other.pem')
writeFileSync(
  otherKey,
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)

/** The example of RFC 8291. */
const vapid = {
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
}

describe('without any variable', () => {
  test('everything has its default, and the secrets are made once, for the owner only', () => {
    const dataDir = folder()
    const config = readConfig({ DATA_DIR: dataDir })
    expect(config).toMatchObject({
      role: 'all',
      port: 3000,
      host: '127.0.0.1',
      loopback: true,
      databaseUrl: undefined,
      smtpUrl: undefined,
      supportEmail: 'support@rupa.test',
      welcomeCredits: 25,
      welcomesDisposable: false,
      welcomesPerDomain: 3,
      admin: { email: 'admin@rupa.test', password: undefined },
      trustedProxies: [],
      connections: { all: 4000, perAddress: 400, headersMilliseconds: 10_000, bodyMilliseconds: 15_000 },
      logLevel: 'info',
    })
    expect(config.publicUrl.href).toBe('http://localhost:3000/')
    expect(config.jwtSecret).toHaveLength(32)
    expect(config.jwtSecret).not.toEqual(config.fileSigningKey)
    const secrets = join(dataDir, 'secrets')
    expect(statSync(secrets).mode & 0o777).toBe(0o700)
    const modes = readdirSync(secrets).map((name) => statSync(join(secrets, name)).mode & 0o777)
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600])
    expect(readConfig({ DATA_DIR: dataDir }).jwtSecret).toEqual(config.jwtSecret)
  })

  test('hashing a password costs OWASP’s minimum, and responses wait for a quarter of a second', () => {
    const costs = { passwordHash: { memory: 19_456, passes: 2 }, responseInterval: 250 }
    expect(readConfig({ DATA_DIR: folder() }).signInCosts).toEqual(costs)
  })

  test('an empty variable counts as none', () => {
    expect(readConfig({ DATA_DIR: folder(), PORT: '', SMTP_URL: ' ', ADMIN_PASSWORD: '' }).port).toBe(3000)
  })

  test('a damaged secret stops the start instead of ending all sessions', () => {
    const dataDir = folder()
    mkdirSync(join(dataDir, 'secrets'), { recursive: true })
    writeFileSync(join(dataDir, 'secrets', 'jwt'), '')
    expect(() => storedSecret(dataDir, 'jwt')).toThrow(/damaged/)
    expect(readFileSync(join(dataDir, 'secrets', 'jwt'), 'utf8')).toBe('')
  })
})

describe('a wrong value stops the start with one line that names it', () => {
  test.each<[string, Record<string, string>]>([
    ['ROLE', { ROLE: 'server' }],
    ['PORT', { PORT: '0' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '80a' }],
    ['PORT', { PORT: '-1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'rupa.id' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://rupa.id' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://rupa.id/app' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://db/rupa' }],
    ['SMTP_URL', { SMTP_URL: 'mail.rupa.id:25' }],
    ['MAIL_FROM', { MAIL_FROM: 'Rupa' }],
    ['MAIL_FROM', { MAIL_FROM: 'Rupa <no-reply>' }],
    ['SUPPORT_EMAIL', { SUPPORT_EMAIL: 'help desk' }],
    ['JWT_SECRET', { JWT_SECRET: 'short' }],
    ['FILE_SIGNING_KEY', { FILE_SIGNING_KEY: 'short' }],
    ['ADMIN_EMAIL', { ADMIN_EMAIL: 'admin' }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'weak' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null' }],
    ['DATA_DIR', { DATA_DIR: '/proc/self/fd/rupa' }],
    ['WELCOME_CREDITS', { WELCOME_CREDITS: '-5' }],
    ['WELCOME_CREDITS', { WELCOME_CREDITS: '2.5' }],
    ['DISPOSABLE_EMAIL', { DISPOSABLE_EMAIL: 'yes' }],
    ['ENGINE_THREADS', { ENGINE_THREADS: '0' }],
    ['QUEUE_LIMIT', { QUEUE_LIMIT: 'many' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'proxy.local' }],
    ['FETCH_PRIVATE_HOSTS', { FETCH_PRIVATE_HOSTS: 'hooks.internal' }],
    ['FETCH_PRIVATE_HOSTS', { FETCH_PRIVATE_HOSTS: 'http://hooks.internal:80' }],
    ['FETCH_PRIVATE_HOSTS', { FETCH_PRIVATE_HOSTS: 'hooks.internal:80/path' }],
    ['CONNECTIONS', { CONNECTIONS: '0' }],
    ['CONNECTIONS_EACH', { CONNECTIONS_EACH: 'all' }],
    ['HEADERS_SECONDS', { HEADERS_SECONDS: '0.5' }],
    ['BODY_SECONDS', { BODY_SECONDS: '601' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['COMFYUI_SERVERS', { COMFYUI_SERVERS: 'gpu:8188' }],
    ['FAL_BASE_URL', { FAL_BASE_URL: 'queue.fal.run' }],
    ['REPLICATE_WEBHOOK_SECRET', { REPLICATE_WEBHOOK_SECRET: 'secret' }],
    ['COMFYUI_SERVERS', { COMFYUI_SERVERS: '[{"url":"https://gpu","headers":{"x":1}}]' }],
    ['STORAGE', { STORAGE: 'https://s3.test/bucket' }],
    ['STORAGE', { STORAGE: 'ftp://key:secret@s3.test/bucket' }],
    ['STORAGE', { STORAGE: 'https://key:secret@s3.test/bucket?public=files.test' }],
    ['PREVIOUS_STORAGE', { PREVIOUS_STORAGE: 'https://key:secret@s3.test' }],
    ['DATABASE_URL', { ROLE: 'web', JWT_SECRET: shared.JWT_SECRET, FILE_SIGNING_KEY: shared.FILE_SIGNING_KEY }],
    ['JWT_SECRET', { ROLE: 'worker', ...shared, JWT_SECRET: '' }],
    ['FILE_SIGNING_KEY', { ROLE: 'web', ...shared, FILE_SIGNING_KEY: '' }],
    ['PUBLIC_URL', { ROLE: 'worker', ...shared }],
    ['MAILBOX_KEY', { ROLE: 'web', ...shared, STORAGE: 'https://key:secret@s3.test/bucket' }],
    ['VAPID_PRIVATE_KEY', { VAPID_PRIVATE_KEY: 'A'.repeat(43) }],
    ['VAPID_PRIVATE_KEY', { VAPID_PUBLIC_KEY: vapid.publicKey }],
    ['VAPID_PUBLIC_KEY', { VAPID_PRIVATE_KEY: 'B'.repeat(43), VAPID_PUBLIC_KEY: vapid.publicKey }],
    ['PUSH_SERVICES', { PUSH_SERVICES: 'https://fcm.googleapis.com' }],
    ['HSTS_SUBDOMAINS', { HSTS_SUBDOMAINS: 'yes' }],
    ['C2PA_KEY', { C2PA_CERTIFICATES: signing.C2PA_CERTIFICATES }],
    ['C2PA_CERTIFICATES', { ...signing, C2PA_CERTIFICATES: '/nowhere.pem' }],
    ['C2PA_KEY', { ...signing, C2PA_KEY: otherKey }],
  ])('%s in %o', (name, environment) => {
    const dataDir = folder()
    const load = () => readConfig({ DATA_DIR: dataDir, ...environment })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*$`))
    expect(load).not.toThrow(/weak|short/)
    if (name !== 'FILE_SIGNING_KEY') expect(existsSync(dataDir)).toBe(false)
  })
})

test('several processes share the configured secrets', () => {
  const config = readConfig({ DATA_DIR: folder(), ROLE: 'web', ...shared, PUBLIC_URL: 'https://www.rupa.id' })
  expect(new TextDecoder().decode(config.jwtSecret)).toBe(shared.JWT_SECRET)
  expect(config).toMatchObject({ role: 'web', loopback: false, mailFrom: 'Rupa <no-reply@rupa.id>' })
  expect(config.supportEmail).toBe('support@rupa.id')
})

test('processes without a shared folder or a key send no push messages', () => {
  const apart = { ROLE: 'web', ...shared, PUBLIC_URL: 'https://rupa.id', MAILBOX_KEY: 'm'.repeat(32) }
  const STORAGE = 'https://key:secret@s3.test/bucket'
  expect(readConfig({ DATA_DIR: folder(), ...apart, STORAGE }).vapidKey).toBeUndefined()
  const given = { STORAGE, VAPID_PRIVATE_KEY: vapid.privateKey, VAPID_PUBLIC_KEY: vapid.publicKey }
  expect(readConfig({ DATA_DIR: folder(), ...apart, ...given }).vapidKey).toHaveLength(32)
  expect(readConfig({ DATA_DIR: folder(), ...apart }).vapidKey).toHaveLength(32)
})

test.each([
  ['http://localhost:3000', true],
  ['http://127.8.0.1', true],
  ['http://[::1]:3000', true],
  ['http://app.localhost', true],
  ['http://localhost.rupa.id', false],
  ['http://127.0.0.1.rupa.id', false],
  ['http://192.168.1.2', false],
])('%s is a loopback address: %s', (url, loopback) => {
  expect(readConfig({ DATA_DIR: folder(), PUBLIC_URL: url }).loopback).toBe(loopback)
})

test('a server that listens on every address is not local unless PUBLIC_URL is', () => {
  const read = (env: Record<string, string>) => readConfig({ DATA_DIR: folder(), ...env })
  const open = read({ HOST: '0.0.0.0' })
  expect([open.loopback, open.payment.drivers, open.staffSecondFactor]).toEqual([false, [], 'required'])
  expect(read({ HOST: '::' }).loopback).toBe(false)
  expect(read({ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }).loopback).toBe(true)
  expect(read({ HOST: '::1' }).loopback).toBe(true)
})

test('address blocks are parsed strictly', () => {
  expect(isAddressBlock('10.0.0.0/8')).toBe(true)
  expect(isAddressBlock('::1')).toBe(true)
  for (const text of ['', '/8', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '1.2.3', 'x'])
    expect(isAddressBlock(text)).toBe(false)
  expect(clientAddress([])('unknown', '1.2.3.4')).toBe('unknown')
})

test('engine threads depend on the available memory, one at least and one a core at most', () => {
  const threads = (megabytes: number, cores: number) => threadsFor(megabytes * 1024 * 1024, cores)
  expect([threads(512, 4), threads(1024, 4), threads(2048, 4), threads(4096, 4), threads(64_000, 4)]).toEqual([
    1, 1, 3, 4, 4,
  ])
})

test('a machine with too little memory logs a single line, and others none', () => {
  const problem = (megabytes: number) => memoryProblem(megabytes * 1024 * 1024)
  expect(problem(512)).toMatch(/^there are only 512 MB of memory; [^\n]+$/)
  expect([problem(1024), problem(16_000)]).toEqual([undefined, undefined])
})

describe('the public pages', () => {
  const site = (environment: Record<string, string>) =>
    siteRoutes({ config: readConfig({ DATA_DIR: folder(), ...environment }) })
  const answerOf = (routes: ReturnType<typeof site>) => (routes[0] as unknown as { handler: () => Site }).handler()

  test('name the support address until others are set, and the retention that is in effect', () => {
    const usual = answerOf(site({ SESSION_IDLE_DAYS: '12' }))
    expect(usual).toMatchObject({
      dataOfficer: { name: null, email: 'support@rupa.test' },
      complaints: { email: 'support@rupa.test', phone: null },
      pseNumber: null,
    })
    const days = Object.fromEntries(usual.retention.map(({ kind, days }) => [kind, days]))
    expect(days).toMatchObject({ inputs: 7, results: 30, idle_sessions: 12 })
    expect(Object.keys(days).sort()).toEqual([...retentionKinds].sort())
    const set = answerOf(
      site({ DATA_OFFICER_EMAIL: 'dpo@contoh.id', PSE_NUMBER: '01/DJAI.PSE', COMPLAINTS_PHONE: '+62 812-3456-7890' }),
    )
    expect(set.dataOfficer.email).toBe('dpo@contoh.id')
    expect([set.pseNumber, set.complaints.phone]).toEqual(['01/DJAI.PSE', '+62 812-3456-7890'])
  })

  test('refuse wrong contacts, and PPN without the seller’s data', () => {
    for (const [name, value] of [
      ['DATA_OFFICER_EMAIL', 'dpo'],
      ['COMPLAINTS_EMAIL', 'a@'],
      ['COMPLAINTS_PHONE', 'call us'],
      ['PSE_NUMBER', '9'.repeat(61)],
      ['SELLER_PPN', 'exclusive'],
    ] as const)
      expect(() => readConfig({ DATA_DIR: folder(), [name]: value })).toThrow(name)
    const seller = { SELLER_PPN: 'inclusive', SELLER_NAME: 'PT', SELLER_ADDRESS: 'Bandung' }
    expect(() => readConfig({ DATA_DIR: folder(), ...seller })).toThrow(/SELLER_NPWP are required/)
    const npwp = '01.234.567.8-901.000'
    expect(readConfig({ DATA_DIR: folder(), ...seller, SELLER_NPWP: npwp }).payment.ppnPercent).toBe(11)
  })
})
