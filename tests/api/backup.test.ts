import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { s3Target } from '#server/backup/backup-target.ts'
import { listRestorePoints } from '#server/backup/restore-points.ts'
import { backUp, backUpWhenDue } from '#server/backup/scheduled-backup.ts'
import { findLedgerProblems } from '../support/audit-books.ts'
import { createFakeEngine, gate, succeed } from '../support/fake-engine.ts'
import { emptyHome, openShop, restoreHere, resultOf } from '../support/operator.ts'
import { startS3Double } from '../support/s3-double.ts'
import { createServerHome } from '../support/server-home.ts'
import { reached, refusal, stopOpenGenerations, submit, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { beginUpload, offsetOf, sendBytes } from '../support/upload.ts'

const BACKUP_KEY = 'k'.repeat(32)
const folder = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
const engine = createFakeEngine()
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({
    engine,
    env: { BACKUP_TO: folder, BACKUP_KEY, BACKUP_EVERY_HOURS: '0', WELCOME_CREDITS: '100' },
  })
})
afterAll(() => app.stop())

/** With this file's backups. */
const restore = (args: string[], env: Record<string, string>) =>
  restoreHere(args, { BACKUP_TO: folder, BACKUP_KEY, ...env })

const pieces = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

/** Generations in flight. */
const many = process.env.SOAK ? 50 : 10

test('made with generations in flight and half-sent uploads, it is restored elsewhere: books agree, every result opens, every generation ends; the next copies only new files', async () => {
  const people = await Promise.all(Array.from({ length: many / 5 }, () => app.createUser()))
  const done = await Promise.all(
    people.map(async (person) => {
      const { id } = await submitted(person)
      await reached(person, id, 'succeeded')
      return { person, id, bytes: await resultOf(app, person, id) }
    }),
  )
  const halves = await Promise.all(
    people.map(async (person) => {
      const address = (await beginUpload(person, 5000)).headers.get('location')!
      expect((await sendBytes(person, address, 0, new Uint8Array(2500))).status).toBe(204)
      return { person, address }
    }),
  )
  const held = gate()
  engine.behave(held.behaviour)
  const inFlight = await Promise.all(
    Array.from({ length: many }, async (_, n) => {
      const person = people[n % people.length]!
      return { person, id: (await submitted(person)).id }
    }),
  )
  const sending = Promise.all(people.map((person) => submit(person)))
  const first = await backUp(app.deps)
  expect(first.copiedFiles).toBe(first.files)
  expect(first.files).toBeGreaterThanOrEqual(done.length + inFlight.length)
  await sending
  held.open()
  engine.behave(succeed)
  await stopOpenGenerations(app)
  const second = await backUp(app.deps)
  expect(second.copiedFiles).toBeGreaterThan(0)
  expect(second.copiedFiles).toBeLessThan(second.files)
  expect((await backUp(app.deps)).copiedFiles).toBe(0)

  const home = await emptyHome()
  const dry = await restore([first.id, '--dry-run'], home.env)
  expect(dry).toMatchObject({
    status: 0,
    said: expect.stringContaining('every file is present and matches its checksum'),
  })
  const restored = await restore([first.id], home.env)
  expect(restored).toMatchObject({ status: 0, said: expect.stringContaining('accounts with matching books') })
  expect(await restore(['--latest'], home.env)).toMatchObject({
    status: 1,
    said: expect.stringMatching(/already has accounts/),
  })
  for (const name of readdirSync(join(app.config.dataDir, 'secrets'))) {
    const secret = (dataDir: string) => readFileSync(join(dataDir, 'secrets', name), 'utf8')
    expect(secret(home.dataDir)).toBe(secret(app.config.dataDir))
  }

  // Users continue on the restored server.
  const there = await createTestApp({ engine: createFakeEngine(), home })
  try {
    const asThere = ({ token }: TestUser): Pick<TestUser, 'request'> => ({
      request: (path, init) => there.request(path, { token, ...init }),
    })
    for (const { person, id, bytes } of done) expect(await resultOf(there, person, id)).toEqual(bytes)
    for (const { person, id } of inFlight) {
      await reached(asThere(person), id, 'succeeded')
      await resultOf(there, person, id)
    }
    for (const { person, address } of halves) expect(await offsetOf(asThere(person), address)).toBeNull()
    await stopOpenGenerations(there)
    expect(await findLedgerProblems(there.deps.db)).toEqual([])
  } finally {
    await there.stop()
  }
})

test('reveals nothing without its key, and a replaced piece is detected', async () => {
  const user = await app.createUser()
  await backUp(app.deps)
  for (const { parentPath, name } of pieces()) {
    expect(readFileSync(join(parentPath, name)).includes(user.email)).toBe(false)
  }
  const home = await emptyHome()
  const other = await restore(['--dry-run'], { ...home.env, BACKUP_KEY: 'x'.repeat(32) })
  expect(other).toMatchObject({ status: 1, said: expect.stringMatching(/damaged, or BACKUP_KEY is another one\n$/) })

  const piece = pieces().find(({ parentPath }) => parentPath.includes('files'))!
  const path = join(piece.parentPath, piece.name)
  const whole = readFileSync(path)
  writeFileSync(path, Buffer.from(whole).fill(7, 20, 30))
  expect(await restore(['--dry-run'], home.env)).toMatchObject({
    status: 1,
    said: expect.stringMatching(/damaged/),
  })
  writeFileSync(path, whole)
  await home.drop()
})

test('keeps the configured number of restore points, and only their files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const small = await createTestApp({
    engine: createFakeEngine(),
    env: { BACKUP_TO: folder, BACKUP_KEEP: '2', BACKUP_EVERY_HOURS: '0' },
  })
  try {
    for (let n = 0; n < 3; n += 1) {
      small.clock.advance({ minutes: 1 })
      await backUp(small.deps)
    }
    const points = readdirSync(join(folder, 'points'))
    expect(points).toHaveLength(2)
    expect(points.every((id) => existsSync(join(folder, 'points', id, 'manifest')))).toBe(true)
  } finally {
    await small.stop()
  }
})

test('is made automatically when the last is older than configured, and reported when it is late', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const env = { BACKUP_TO: folder, BACKUP_EVERY_HOURS: '24' }
  const home = await createServerHome()
  await openShop(home)
  const daily = await createTestApp({ engine: createFakeEngine(), env, home })
  const points = () => readdirSync(join(folder, 'points')).length
  const details = async () =>
    ((await (await daily.request('/readyz')).json()) as { details: { backup: string } }).details
  try {
    await vi.waitFor(() => expect(points()).toBe(1), { timeout: 300_000 })
    await backUpWhenDue(daily.deps)
    expect(points()).toBe(1)
    expect((await details()).backup).toBe('on time')
    daily.clock.advance({ hours: 27 })
    expect((await details()).backup).toMatch(/^overdue for \d+ s: look at it$/)
    await backUpWhenDue(daily.deps)
    expect(points()).toBe(2)
    expect((await details()).backup).toBe('on time')
  } finally {
    await daily.stop()
  }
})

test('backups are stored in S3-compatible storage, whose bucket is created when missing', async () => {
  const double = await startS3Double({ bucketExists: false })
  const target = s3Target(double.address)
  await target.put('points/a/manifest', Buffer.from('one'))
  await target.put('files/b.0', Buffer.from('two'))
  expect(await target.list('points/')).toEqual(['points/a/manifest'])
  expect(Buffer.from((await target.get('files/b.0'))!).toString()).toBe('two')
  expect(await listRestorePoints(target)).toMatchObject([{ id: 'a', problem: expect.stringMatching(/damaged/) }])
  await target.delete('files/b.0')
  expect(await target.get('files/b.0')).toBeUndefined()
  await double.close()
})

test('a password set by the operator signs in once it was changed; sessions and factors are removed', async () => {
  const said: string[] = []
  const run = (...args: string[]) => app.composition.runCommand(args, (line) => void said.push(line))
  const user = await app.createUser()
  expect(await run('reset-password', user.email.toUpperCase())).toBe(0)
  const password = /new password: (\S+);/.exec(said.join('\n'))?.[1] ?? ''
  expect((await user.request('/api/user/me')).status).toBe(401)
  const token = await app.signIn(user.email, password)
  expect(await refusal(await app.request('/api/user/myCredit', { token }))).toEqual([403, 'auth.password_change_due'])
  expect(await run('reset-second-factor', user.email)).toBe(0)
  expect((await app.request('/api/user/me', { token })).status).toBe(401)
  expect(await run('reset-password', 'unknown@contoh.id')).toBe(1)
  expect(said.at(-1)).toBe('no account has this address')
  expect(await run('test-mail', 'operator@contoh.id')).toBe(0)
  expect(app.mails.at(-1)).toMatchObject({ to: 'operator@contoh.id', subject: 'Test' })
})

test('in maintenance nothing is changed or lost: reading continues, staff can sign in, and a message explains it', async () => {
  const user = await app.createUser()
  const run = (...args: string[]) => app.composition.runCommand(args, () => {})
  await run('maintenance', 'on')
  // The server asks the database every two seconds.
  await expect.poll(async () => (await beginUpload(user, 50)).status).toBe(503)
  const refused = await beginUpload(user, 50)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await refusal(refused)).toEqual([503, 'server.maintenance'])
  expect((await user.request('/api/user/myCredit')).status).toBe(200)
  expect(await app.signIn(user.email, user.password)).toEqual(expect.any(String))
  await run('maintenance', 'off')
  await expect.poll(async () => (await beginUpload(user, 50)).status).toBe(201)
})
