import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { GenerationView } from '#features/generations/types.ts'
import { makeBackup } from '#server/backup/backup.ts'
import { readPoint, surveyPoints, writePoint } from '#server/backup/restore-points.ts'
import { backUp, backUpWhenDue } from '#server/backup/scheduled-backup.ts'
import { folderTarget, s3Target } from '#server/backup/target.ts'
import { openDatabase } from '#server/db/database.ts'
import { schemaVersion } from '#server/db/migrate.ts'
import { serverOptions } from '../../src/dev/run.mjs'
import { auditBooks } from '../support/audit-books.ts'
import { createFakeEngine, gate, succeed } from '../support/fake-engine.ts'
import { startS3Double } from '../support/s3-double.ts'
import { createServerHome, type ServerHome } from '../support/server-home.ts'
import { leaveNothingOpen, reached, refusal, submit, submitted } from '../support/submit.ts'
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

/** Runs a command as an operator does, who types `input`. */
function command(args: string[], env: Record<string, string>, input = '') {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [...serverOptions, 'src/main/command.ts', ...args], {
    ...{ encoding: 'utf8', input },
    env: { PATH, NODE_COMPILE_CACHE, BACKUP_TO: folder, BACKUP_KEY, ...env },
  })
  return { status, said: `${stdout}${stderr}` }
}

/** An empty place to restore into, of the kind of database that the tests run on. */
async function emptyHome() {
  const home = await createServerHome()
  if (home.databaseUrl) return home
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-restored-'))
  return { ...home, dataDir, env: { DATA_DIR: dataDir } }
}

const pieces = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

/** The bytes of a run's result, by the address that its owner is given. */
async function resultOf(at: TestApp, { token }: Pick<TestUser, 'token'>, id: string) {
  const view = (await (await at.request(`/api/generations/${id}`, { token })).json()) as GenerationView
  const { pathname, search } = new URL(view.outputs[0]!.url, at.config.publicUrl)
  const response = await at.request(pathname + search)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

test('made with 50 runs in flight and half-sent uploads, it is restored elsewhere: books agree, every result opens, every run ends; the next copies only what is new', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => app.createUser()))
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
    Array.from({ length: 50 }, async (_, n) => {
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
  await leaveNothingOpen(app)
  const second = await backUp(app.deps)
  expect(second.copiedFiles).toBeGreaterThan(0)
  expect(second.copiedFiles).toBeLessThan(second.files)
  expect((await backUp(app.deps)).copiedFiles).toBe(0)

  const home = await emptyHome()
  const dry = command(['restore', first.id, '--dry-run'], home.env)
  expect(dry).toMatchObject({ status: 0, said: expect.stringContaining('every piece is there and has its checksum') })
  const restored = command(['restore', first.id], home.env)
  expect(restored).toMatchObject({ status: 0, said: expect.stringContaining('whose books agree') })
  expect(command(['restore', '--latest'], home.env)).toMatchObject({
    ...{ status: 1, said: expect.stringMatching(/holds accounts/) },
  })
  for (const name of readdirSync(join(app.config.dataDir, 'secrets'))) {
    const secret = (dataDir: string) => readFileSync(join(dataDir, 'secrets', name), 'utf8')
    expect(secret(home.dataDir)).toBe(secret(app.config.dataDir))
  }

  // Everybody goes on there.
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
    await leaveNothingOpen(there)
    expect(await auditBooks(there.deps.db)).toEqual([])
  } finally {
    await there.stop()
  }
})

test('tells nothing without its key, and a piece that was exchanged is found', async () => {
  const user = await app.createUser()
  await backUp(app.deps)
  for (const { parentPath, name } of pieces()) {
    expect(readFileSync(join(parentPath, name)).includes(user.email)).toBe(false)
  }
  const home = await emptyHome()
  const other = command(['restore', '--dry-run'], { ...home.env, BACKUP_KEY: 'x'.repeat(32) })
  expect(other).toMatchObject({ status: 1, said: expect.stringMatching(/damaged, or BACKUP_KEY is another one\n$/) })

  const piece = pieces().find(({ parentPath }) => parentPath.includes('files'))!
  const path = join(piece.parentPath, piece.name)
  const whole = readFileSync(path)
  writeFileSync(path, Buffer.from(whole).fill(7, 20, 30))
  expect(command(['restore', '--dry-run'], home.env)).toMatchObject({
    status: 1,
    said: expect.stringMatching(/damaged/),
  })
  writeFileSync(path, whole)
  await home.drop()
})

test('keeps as many restore points as wanted, and the files of those alone', async () => {
  const place = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const small = await createTestApp({
    engine: createFakeEngine(),
    env: { BACKUP_TO: place, BACKUP_KEEP: '2', BACKUP_EVERY_HOURS: '0' },
  })
  try {
    for (let n = 0; n < 3; n += 1) {
      small.clock.advance({ minutes: 1 })
      await backUp(small.deps)
    }
    const points = readdirSync(join(place, 'points'))
    expect(points).toHaveLength(2)
    expect(points.every((id) => existsSync(join(place, 'points', id, 'manifest')))).toBe(true)
  } finally {
    await small.stop()
  }
})

test('is made by itself when the last is older than wanted, and is told when it is late', async () => {
  const place = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const env = { BACKUP_TO: place, BACKUP_EVERY_HOURS: '24' }
  const home = await createServerHome()
  await openShop(home)
  const daily = await createTestApp({ engine: createFakeEngine(), env, home })
  const points = () => readdirSync(join(place, 'points')).length
  const details = async () =>
    ((await (await daily.request('/readyz')).json()) as { details: { backup: string } }).details
  try {
    await vi.waitFor(() => expect(points()).toBe(1), { timeout: 300_000 })
    await backUpWhenDue(daily.deps)
    expect(points()).toBe(1)
    expect((await details()).backup).toBe('in time')
    daily.clock.advance({ hours: 27 })
    expect((await details()).backup).toMatch(/^overdue for \d+ s: look at it$/)
    await backUpWhenDue(daily.deps)
    expect(points()).toBe(2)
    expect((await details()).backup).toBe('in time')
  } finally {
    await daily.stop()
  }
})

/** Lets a server run in the home until it has an account and a picture; the home stays. */
async function openShop(home: ServerHome, env: Record<string, string> = {}) {
  const shop = await createTestApp({
    engine: createFakeEngine(),
    home: { ...home, drop: async () => {} },
    env: { WELCOME_CREDITS: '100', BACKUP_EVERY_HOURS: '0', ...env },
  })
  const user = await shop.createUser()
  const { id } = await submitted(user)
  await reached(user, id, 'succeeded')
  const bytes = await resultOf(shop, user, id)
  if (env.BACKUP_TO) await backUp(shop.deps)
  await shop.stop()
  return { user, id, bytes }
}

/** Names, sizes and times of everything below a folder. */
function treeOf(root: string) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => {
      const { size, mtimeMs, ctimeMs } = statSync(path)
      return { path, size, mtimeMs, ctimeMs }
    })
}

test('after a lost disk the restarted service backs nothing up and says so; npm run restore brings the last good point back', async () => {
  const place = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const env = { BACKUP_TO: place, BACKUP_KEEP: '1' }
  const lost = await createServerHome()
  const { user, id, bytes } = await openShop(lost, env)
  await lost.drop()
  const made = treeOf(place)

  const home = await createServerHome()
  const kept = { ...home, drop: async () => {} }
  const restarted = await createTestApp({
    ...{ engine: createFakeEngine(), home: kept },
    env: { ...env, BACKUP_EVERY_HOURS: '0' },
  })
  restarted.expectErrors(/automatic backups are refused/)
  restarted.config.backup.everyHours = 24
  await backUpWhenDue(restarted.deps)
  await restarted.composition.ensureFirstAdmin()
  restarted.clock.advance({ hours: 2 })
  await backUpWhenDue(restarted.deps)
  const said: string[] = []
  expect(await restarted.composition.runCommand(['backup'], (line) => said.push(line))).toBe(1)
  expect(said.at(-1)).toMatch(
    /^no backup was made: this database holds 1 accounts and 0 files, .* 1 accounts and \d+ files/,
  )
  expect(treeOf(place)).toEqual(made)
  const { details } = (await (await restarted.request('/readyz')).json()) as { details: Record<string, string> }
  expect(details.backup_refused).toMatch(/holds much less than the last good restore point: look at it/)
  await restarted.stop()

  const unplaced = command(['restore'], { ...home.env, ...env, BACKUP_KEY: '' })
  expect(unplaced).toMatchObject({ status: 1, said: expect.stringMatching(/say which point: its name, or --latest/) })
  const restored = command(['restore'], { ...home.env, ...env, BACKUP_KEY: '' }, '\n')
  expect(restored).toMatchObject({ status: 0, said: expect.stringMatching(/1 accounts, whose books agree/) })
  const there = await createTestApp({ engine: createFakeEngine(), home, env: { ...env, BACKUP_EVERY_HOURS: '0' } })
  try {
    expect(await resultOf(there, user, id)).toEqual(bytes)
    expect((await backUp(there.deps)).copiedFiles).toBe(0)
  } finally {
    await there.stop()
  }
})

test('a dry run and a list write nothing at all, not even DATA_DIR', async () => {
  const root = mkdtempSync(join(tmpdir(), 'rupa-dry-'))
  const home = await emptyHome()
  const env = { ...home.env, DATA_DIR: join(root, 'data') }
  const before = [treeOf(root), treeOf(folder)]
  for (const args of [['--dry-run'], ['--list'], ['--dry-run', '--latest']])
    expect(command(['restore', ...args], env).status).toBe(0)
  expect([treeOf(root), treeOf(folder)]).toEqual(before)
  await home.drop()
})

test('damaged points are shown as damaged and never taken by themselves; the next backup copies what is missing', async () => {
  const place = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const home = await createServerHome()
  const env = { BACKUP_TO: place, BACKUP_EVERY_HOURS: '0' }
  await openShop(home, env)
  const shop = await createTestApp({ engine: createFakeEngine(), home, env })
  const list = () => command(['restore', '--list'], { ...home.env, BACKUP_TO: place, BACKUP_KEY: '' }).said
  try {
    const second = await backUp(shop.deps)
    const { files } = await readPoint(folderTarget(place), second.id)
    rmSync(join(place, 'files', `${files[0]!.key}.0`))
    expect(list().match(/damaged: 1 pieces are missing/g)).toHaveLength(2)
    const healed = await backUp(shop.deps)
    expect(healed.copiedFiles).toBe(1)
    expect(list()).not.toMatch(/damaged/)

    writeFileSync(join(place, 'points', healed.id, 'manifest'), 'torn')
    expect(list()).toMatch(new RegExp(`${healed.id}: damaged \\(`))
    const dry = command(['restore', '--dry-run'], { ...home.env, BACKUP_TO: place, BACKUP_KEY: '' })
    expect(dry).toMatchObject({ status: 0, said: expect.stringContaining(second.id) })
    // A damaged manifest keeps no later backup from being made.
    await backUp(shop.deps)
  } finally {
    await shop.stop()
  }
})

test('a point of an older schema takes the place of what a first start has made', async () => {
  const place = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const olderDir = mkdtempSync(join(tmpdir(), 'rupa-older-'))
  const schema = schemaVersion - 1
  const older = await openDatabase(
    { dataDir: olderDir, databaseUrl: undefined },
    pino({ level: 'silent' }),
    undefined,
    schema,
  )
  const config = { ...app.config, dataDir: olderDir }
  const { id } = await makeBackup({ ...app.deps, db: older.db, config }, folderTarget(place), 1)
  await older.close()
  const point = await readPoint(folderTarget(place), id)
  await writePoint(folderTarget(place), { ...point, schema, migrations: point.migrations!.slice(0, schema) })

  const home = await createServerHome()
  const started = await createTestApp({ engine: createFakeEngine(), home: { ...home, drop: async () => {} } })
  await started.composition.ensureFirstAdmin()
  await started.stop()
  const { status, said } = command(['restore', id], { ...home.env, BACKUP_TO: place, BACKUP_KEY: '' })
  if (home.databaseUrl) expect([status, said]).toEqual([1, expect.stringMatching(/drop the database, create it empty/)])
  else {
    expect([status, said]).toEqual([
      0,
      expect.stringMatching(/moved to DATA_DIR\/database\.before-[^\n]*\nrestored: 0 accounts/),
    ])
    expect(existsSync(join(home.dataDir, `database.before-${id}`))).toBe(true)
  }
  await home.drop()
})

test('a restore point of a newer version, or of another schema, is refused in one line', async () => {
  const home = await emptyHome()
  const place = mkdtempSync(join(tmpdir(), 'rupa-backup-'))
  const { target } = app.config.backup
  const point = await readPoint(target!, (await backUp(app.deps)).id)
  await writePoint(folderTarget(place), { ...point, schema: 999, version: '9.0.0' })
  const said = command(['restore', point.id], { ...home.env, BACKUP_TO: place, BACKUP_KEY: '' })
  expect(said).toMatchObject({ status: 1, said: expect.stringMatching(/made by version 9\.0\.0, which is newer/) })
  // Joined migrations made another schema of the same number.
  await writePoint(folderTarget(place), { ...point, migrations: ['joined', ...point.migrations!.slice(1)] })
  expect(command(['restore', point.id], { ...home.env, BACKUP_TO: place, BACKUP_KEY: '' })).toMatchObject({
    ...{ status: 1, said: expect.stringMatching(/with a schema that this version does not know; [^\n]*\n$/) },
  })
  await home.drop()
})

test('backups lie in S3-compatible storage, whose bucket is made where it is missing', async () => {
  const double = await startS3Double({ bucketExists: false })
  const target = s3Target(double.address)
  await target.put('points/a/manifest', Buffer.from('one'))
  await target.put('files/b.0', Buffer.from('two'))
  expect(await target.list('points/')).toEqual(['points/a/manifest'])
  expect(Buffer.from((await target.get('files/b.0'))!).toString()).toBe('two')
  expect(await surveyPoints(target)).toMatchObject([{ id: 'a', problem: expect.stringMatching(/damaged/) }])
  await target.delete('files/b.0')
  expect(await target.get('files/b.0')).toBeUndefined()
  await double.close()
})

test('a password that was made up by the operator signs in once it was changed; sessions and factors go', async () => {
  const said: string[] = []
  const run = (...args: string[]) => app.composition.runCommand(args, (line) => void said.push(line))
  const user = await app.createUser()
  expect(await run('reset-password', user.email.toUpperCase())).toBe(0)
  const password = /the new password is (\S+);/.exec(said.join('\n'))?.[1] ?? ''
  expect((await user.request('/api/user/me')).status).toBe(401)
  const token = await app.signIn(user.email, password)
  expect(await refusal(await app.request('/api/user/myCredit', { token }))).toEqual([403, 'auth.password_change_due'])
  expect(await run('reset-second-factor', user.email)).toBe(0)
  expect((await app.request('/api/user/me', { token })).status).toBe(401)
  expect(await run('reset-password', 'nobody@contoh.id')).toBe(1)
  expect(said.at(-1)).toBe('nobody has this address')
  expect(await run('test-mail', 'operator@contoh.id')).toBe(0)
  expect(app.mails.at(-1)).toMatchObject({ to: 'operator@contoh.id', subject: 'Test' })
})

test('in maintenance nothing is changed and nothing lost: reading goes on, staff can sign in, and a sentence says so', async () => {
  const user = await app.createUser()
  const run = (...args: string[]) => app.composition.runCommand(args, () => {})
  const expired = () => new Promise((resolve) => setTimeout(resolve, 2100))
  await run('maintenance', 'on')
  await expired()
  const refused = await beginUpload(user, 50)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await refusal(refused)).toEqual([503, 'server.maintenance'])
  expect((await user.request('/api/user/myCredit')).status).toBe(200)
  expect(await app.signIn(user.email, user.password)).toEqual(expect.any(String))
  await run('maintenance', 'off')
  await expired()
  expect((await beginUpload(user, 50)).status).toBe(201)
})
