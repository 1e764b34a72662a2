import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { unzip } from 'unzipit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { generations } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import { rows } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { createMailer, type Mailer } from '#server/mail/mailer.ts'
import { auditedBooks, balanceOf, order } from '#tests/support/checkout.ts'
import { createFakeEngine, hang, succeed } from '#tests/support/fake-engine.ts'
import { makePicture, reached, refusal, submit, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { toolContracts } from '#tools/contracts.ts'

let app: TestApp
const engine = createFakeEngine()
let outbox: Mailer | undefined
beforeEach(async () => {
  engine.behave(succeed)
  // Also sends every mail to the real outbox, where it must not stay.
  const mailer: Mailer = {
    async send(mail) {
      await outbox?.send(mail)
      app.mails.push(mail)
    },
    forget: async (account) => outbox?.forget?.(account),
  }
  app = await createTestApp({
    engine,
    mailer,
    env: { PAYMENTS: 'manual', MANUAL_ACCOUNTS: 'bca:1234567890:PT Contoh' },
  })
  outbox = createMailer(app.config, createLog('silent'), app.clock.now)
})
afterEach(() => app.stop())

const outboxFiles = () => globSync(join(app.config.dataDir, 'outbox', '*.eml'))
const storedFiles = () =>
  globSync(join(app.config.dataDir, 'files', '**', '*'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

async function dump(): Promise<string> {
  const tables = await rows<{ schema: string; name: string }>(
    app.deps.db,
    sql`select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(25)
  const parts = []
  for (const { schema, name } of tables) {
    const found = await rows<{ row: unknown }>(
      app.deps.db,
      sql`select to_jsonb(t) as row from ${sql.identifier(schema)}.${sql.identifier(name)} t`,
    )
    parts.push(`${name}: ${JSON.stringify(found)}`)
  }
  return parts.join('\n')
}

async function createBusyUser(): Promise<TestUser> {
  const person = await app.registerAndVerify({ name: 'Nama Rahasia', email: 'rahasia@contoh.id' })
  const { id } = await submitted(person, { name: 'liburan-rahasia.png' })
  await reached(person, id, 'succeeded')
  await person.request(`/api/generations/${id}/claim`, { json: { reason: 'wajah rahasia hilang' } })
  const placed = await order(person, { packageId: 'starter', method: 'bca' })
  expect(placed.status).toBe(201)
  const form = new FormData()
  form.set('proof', new Blob([await makePicture('#ffffff')]), 'bukti.png')
  const reported = await person.request(`/api/orders/${placed.body.id}/report_transfer`, { method: 'POST', body: form })
  expect(reported.status).toBe(200)
  await order(person, { packageId: 'basic', method: 'bca' })
  await person.request('/api/user/consents', { json: { kind: 'biometric', version: await versionFor(person) } })
  return person
}

const versionFor = async (person: TestUser) =>
  ((await (await person.request('/api/user/consents')).json()) as { current: { biometric: string } }).current.biometric

describe('the archive of the account’s data', () => {
  test('is a ZIP with profile, sessions, consents, ledger, orders, and generations with their pictures', async () => {
    const person = await createBusyUser()
    const { id: kept } = await submitted(person)
    await reached(person, kept, 'succeeded')
    const response = await person.request('/api/user/export', { method: 'POST' })
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="rupa-\d{4}-\d\d-\d\d\.zip"$/)
    const { entries } = await unzip(await response.blob())
    const read = (name: string) => entries[name]?.json()
    expect(await read('profile.json')).toMatchObject({
      name: 'Nama Rahasia',
      email: 'rahasia@contoh.id',
      hasPassword: true,
    })
    expect(await read('sessions.json')).toHaveLength(1)
    expect(await read('consents.json')).toMatchObject([{ kind: 'biometric', withdrawnAt: null }])
    expect((await read('ledger.json')).entries.map(({ kind }: { kind: string }) => kind)).toEqual([
      'welcome',
      'generation',
      'refund',
      'generation',
    ])
    expect(await read('orders.json')).toHaveLength(2)
    const names = Object.keys(entries)
    const records = await Promise.all(names.filter((name) => name.endsWith('/generation.json')).map(read))
    expect(records).toHaveLength(2)
    expect(records).toContainEqual(
      expect.objectContaining({
        tool: 'background-removal',
        refundRequest: expect.objectContaining({ reason: 'wajah rahasia hilang' }),
      }),
    )
    expect(names.filter((name) => /\/input-(\w+-)?0-liburan-rahasia\.png$/.test(name))).toHaveLength(1)
    // The failed result was refunded and deleted.
    expect(names.filter((name) => /\/output-0-/.test(name))).toHaveLength(1)
    expect(names.filter((name) => /^orders\/.*-proof\.png$/.test(name))).toHaveLength(1)
    expect(await entries['README.txt']?.text()).toContain('profil')
    const picture = names.find((name) => /\/output-0-/.test(name)) as string
    expect(await entries[picture]?.text()).toMatch(/^output of/)
    const documents = await Promise.all(names.filter((name) => name.endsWith('.json')).map(read))
    expect(JSON.stringify(documents)).not.toMatch(/argon2|passwordHash/)
  })

  test('contains nothing of other users', async () => {
    await createBusyUser()
    const other = await app.createUser()
    const { entries } = await unzip(await (await other.request('/api/user/export', { method: 'POST' })).blob())
    expect(Object.keys(entries).filter((name) => name.startsWith('generations/'))).toEqual([])
    const all = (await Promise.all(Object.values(entries).map((entry) => entry.text()))).join()
    expect(all).not.toContain('ahasia')
  })
})

describe('deleting the account', () => {
  test('leaves no file, no name and no address behind, and sends a mail about it', async () => {
    const person = await createBusyUser()
    const other = await app.createUser()
    const kept = await submitted(other)
    await reached(other, kept.id, 'succeeded')
    const filesOfOther = storedFiles().filter((file) => file.includes(kept.id))
    expect(storedFiles().length).toBeGreaterThan(filesOfOther.length)
    const mailsBefore = outboxFiles()
    expect(mailsBefore.some((file) => readFileSync(file, 'latin1').includes('rahasia@contoh.id'))).toBe(true)
    for (const trace of ['rahasia@contoh.id', 'Nama Rahasia', 'liburan-rahasia']) expect(await dump()).toContain(trace)

    expect((await person.request('/api/user/delete', { json: { password: person.password } })).status).toBe(204)
    expect((await person.request('/api/user/me')).status).toBe(401)
    const notice = await vi.waitFor(() => {
      const mail = app.mails.findLast(({ to }) => to === person.email)
      expect(mail?.subject).toBe('Akunmu sudah dihapus - Rupa')
      return mail
    }, 120_000)
    await vi.waitFor(async () => {
      const [owed] = await rows<{ n: number }>(app.deps.db, sql`select count(*)::int as n from mail_outbox`)
      expect(owed?.n).toBe(0)
    }, 120_000)
    expect(notice?.text).not.toContain('Nama')

    const everything = await dump()
    for (const trace of ['rahasia@contoh.id', 'Nama Rahasia', 'rahasia', 'wajah'])
      expect(everything.toLowerCase(), trace).not.toContain(trace.toLowerCase())
    expect(storedFiles().sort()).toEqual(filesOfOther.sort())
    const mine = outboxFiles().filter((file) => readFileSync(file, 'latin1').includes('rahasia@contoh.id'))
    expect(mine).toHaveLength(1)
    expect(mailsBefore).not.toContain(mine[0])
    for (const file of mailsBefore.filter((name) => existsSync(name)))
      expect(readFileSync(file, 'latin1')).not.toContain('rahasia')
    expect(JSON.stringify(app.logged).toLowerCase()).not.toMatch(/rahasia/)
  })

  test('keeps the ledger, which still adds up, without the user', async () => {
    const person = await createBusyUser()
    const before = await rows(app.deps.db, sql`select amount, kind from ledger_entries order by id`)
    await person.request('/api/user/delete', { json: { password: person.password } })
    expect(await rows(app.deps.db, sql`select amount, kind from ledger_entries order by id`)).toEqual(before)
    const [user] = await app.deps.db.select().from(users).where(eq(users.id, person.id))
    expect(user).toMatchObject({ name: '', passwordHash: null, theme: null, role: 'user' })
    const found = await rows<{ status: number }>(app.deps.db, sql`select status from orders order by status`)
    expect(found.map(({ status }) => status)).toEqual([0, 3])
    expect(await auditedBooks(app)).toEqual([])
  })

  test('cancels running generations, leaves no job behind, and frees the address', async () => {
    const person = await app.createUser()
    const { id: made } = await submitted(person)
    await reached(person, made, 'succeeded')
    const json = { params: { format: 'webp' } }
    expect((await person.request(`/api/generations/${made}/render`, { json })).status).toBe(200)
    const renderings = () => rows(app.deps.db, sql`select data from pgboss.job where name = 'render-generation'`)
    expect(JSON.stringify(await renderings())).toContain(made)
    engine.behave(hang)
    const { id } = await submitted(person)
    await reached(person, id, 'detecting').catch(() => {})
    expect((await person.request('/api/user/delete', { json: { password: person.password } })).status).toBe(204)
    const [row] = await app.deps.db.select().from(generations).where(eq(generations.id, id))
    expect(row).toMatchObject({ status: 'cancelled', params: {}, contentHash: '' })
    expect(row?.deletedAt).not.toBeNull()
    expect(storedFiles()).toEqual([])
    expect(JSON.stringify(await renderings())).not.toContain(made)
    await expect(app.signIn(person.email, person.password)).rejects.toThrow('auth.invalid_credentials')
    await app.register({ email: person.email })
    await app.mailTo(person.email, /Verifikasi email kamu/)
  })

  test('needs the password; a wrong one deletes nothing', async () => {
    const person = await app.createUser()
    const tries: [unknown, number, string][] = [
      [{}, 422, 'form.invalid'],
      [{ password: 'Salah123!' }, 422, 'auth.wrong_password'],
      [{ confirmation: 'x'.repeat(43) }, 422, 'auth.confirmation_invalid'],
    ]
    for (const [json, status, code] of tries)
      expect(await refusal(await person.request('/api/user/delete', { json }))).toEqual([status, code])
    expect((await balanceOf(person)).credits).toBe(25)
  })

  test('is refused to the only admin', async () => {
    const admin = await app.createUser({ role: 'admin' })
    const json = { password: admin.password }
    expect(await refusal(await admin.request('/api/user/delete', { json }))).toEqual([409, 'account.last_admin'])
    await app.createUser({ role: 'admin' })
    expect((await admin.request('/api/user/delete', { json })).status).toBe(204)
  })
})

describe('a consent to face processing', () => {
  const tool = toolContracts['background-removal'] as { needsConsent?: 'biometric' }
  afterEach(() => {
    delete tool.needsConsent
  })

  test('is required by tools that do, is recorded with version and time, and can be withdrawn', async () => {
    const person = await app.createUser()
    tool.needsConsent = 'biometric'
    expect(await refusal(await submit(person))).toEqual([403, 'consent.required'])
    expect((await balanceOf(person)).credits).toBe(25)
    expect(storedFiles()).toEqual([])

    const version = await versionFor(person)
    const given = await person.request('/api/user/consents', { json: { kind: 'biometric', version } })
    expect(given.status).toBe(201)
    await person.request('/api/user/consents', { json: { kind: 'biometric', version } })
    const list = (await (await person.request('/api/user/consents')).json()) as { items: Record<string, unknown>[] }
    expect(list.items).toHaveLength(1)
    expect(list.items[0]).toMatchObject({ kind: 'biometric', version, withdrawnAt: null })
    expect(Date.parse(String(list.items[0]?.givenAt))).toBeGreaterThan(0)
    const { id } = await submitted(person)
    await reached(person, id, 'succeeded')

    const taken = await person.request('/api/user/consents?kind=biometric', { method: 'DELETE' })
    expect(((await taken.json()) as typeof list).items[0]?.withdrawnAt).toEqual(expect.any(String))
    expect(await refusal(await submit(person))).toEqual([403, 'consent.required'])
    // Earlier results are not rendered again either.
    const again = person.request(`/api/generations/${id}/render`, { json: { params: { format: 'webp' } } })
    expect(await refusal(await again)).toEqual([403, 'consent.required'])
  })

  test('applies to the current text, and to a kind that exists', async () => {
    const person = await app.createUser()
    const post = (json: unknown) => person.request('/api/user/consents', { json })
    expect(await refusal(await post({ kind: 'biometric', version: '1999-01' }))).toEqual([409, 'consent.outdated'])
    expect(await refusal(await post({ kind: 'soul', version: '1' }))).toEqual([422, 'form.invalid'])
    expect((await person.request('/api/user/consents', { method: 'DELETE' })).status).toBe(422)
  })

  test('is not needed by a tool that works on no faces', async () => {
    expect((await submit(await app.createUser())).status).toBe(201)
  })
})
