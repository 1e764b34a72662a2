import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { announceProcess } from '#server/health/presence.ts'
import { processes } from '#server/health/table.ts'
import { mailOutbox } from '#server/mail/table.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { refusal, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { beginUpload } from '../support/upload.ts'

const megabyte = 1024 * 1024
const token = 'm'.repeat(40)
let app: TestApp
let free = 10_000 * megabyte
beforeAll(async () => {
  app = await createTestApp({
    engine: createFakeEngine(),
    freeBytes: async () => free,
    env: { METRICS_TOKEN: token },
  })
})
afterAll(() => app.stop())

const ready = async () => (await (await app.request('/readyz')).json()) as { status: string; details: object }
const needs = async () => {
  const admin = await app.createUser({ role: 'admin' })
  const { items } = (await (await admin.request('/api/admin/health')).json()) as {
    items: { name: string; problem: boolean }[]
  }
  return items.filter(({ problem }) => problem).map(({ name }) => name)
}

test('reports the state of disk, queue, mails, workers and jobs, and that no action is needed', async () => {
  expect(await ready()).toMatchObject({
    status: 'ok',
    details: {
      disk: '10000 MB free',
      queue: 'nothing waits',
      mails: 'none unsent',
      workers: '1 seen within a minute',
      jobs: 'none failing',
    },
  })
  expect(await needs()).toEqual([])
})

test('a filling disk is reported before anything is refused; then staff can still sign in', async () => {
  const user = await app.createUser()
  const admin = await app.createUser({ role: 'admin' })
  // On a busy machine the reserve is checked while the disk is full.
  app.expectErrors(/the disk is full/)
  free = 400 * megabyte
  // The server remembers for a second how much is free.
  await expect.poll(ready).toMatchObject({ status: 'needs attention', details: { disk: '400 MB free: look at it' } })
  expect(await needs()).toEqual(['disk'])
  expect((await beginUpload(user, 50)).status).toBe(201)

  free = 30 * megabyte
  await expect.poll(ready).toMatchObject({ details: { disk: expect.stringMatching(/^30 MB free/) } })
  // An external database has its own disk, so only bytes are refused.
  if (!process.env.TEST_DATABASE_URL) {
    await expect.poll(async () => refusal(await beginUpload(user, 50))).toEqual([503, 'storage.full'])
  }
  expect(await app.signIn(admin.email, admin.password)).toEqual(expect.any(String))
  free = 10_000 * megabyte
  await expect.poll(needs).toEqual([])
})

test('a missing worker, and a generation and a mail that wait too long, are reported, also to Prometheus', async () => {
  const user = await app.createUser()
  await submitted(user)
  await app.deps.db.insert(mailOutbox).values({
    id: uuid(),
    template: 'password_changed' as const,
    userId: user.id,
    createdAt: app.clock.now(),
  })
  await app.deps.db.delete(processes)
  expect(await ready()).toMatchObject({
    status: 'needs attention',
    details: { workers: '0 seen within a minute: look at it' },
  })
  expect(await needs()).toContain('workers')
  const metrics = await (await app.request('/metrics')).text()
  expect(metrics).toMatch(/^rupa_workers 0$/m)
  for (const name of ['rupa_disk_free_bytes', 'rupa_queued_run_oldest_seconds', 'rupa_owed_mail_oldest_seconds']) {
    expect(metrics).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
})

test('/readyz reveals to other clients only if the server is ready', async () => {
  for (const init of [{ from: '203.0.113.7' }, { headers: { 'x-forwarded-for': '203.0.113.7' } }, { token: 'x' }]) {
    expect(await (await app.request('/readyz', init)).json()).toEqual({ status: 'ok' })
  }
  const told = (await (await app.request('/readyz', { from: '203.0.113.7', token })).json()) as object
  expect(told).toMatchObject({ details: { disk: '10000 MB free' } })

  app.expectErrors(/not ready|server.unavailable/)
  vi.spyOn(app.deps.store, 'check').mockRejectedValue(new Error('the disk is gone'))
  const refused = await app.request('/readyz', { from: '203.0.113.7' })
  expect(refused.headers.get('retry-after')).toBe('5')
  expect([refused.status, Object.keys((await refused.json()) as object)]).toEqual([503, ['code', 'msg']])
  const own = await app.request('/readyz')
  expect([own.status, await own.json()]).toMatchObject([503, { details: { storage: 'down' } }])
})

test('only admins see it', async () => {
  const user = await app.createUser()
  expect(await refusal(await user.request('/api/admin/health'))).toEqual([403, 'auth.forbidden'])
})

test('a process with another PUBLIC_URL than a running one is refused in one line', async () => {
  const { db, clock, log } = app.deps
  const announce = (role: 'web' | 'worker', url: string) =>
    announceProcess({ db, clock, log, config: { role, publicUrl: new URL(url), engineThreads: 1 } })
  const web = await announce('web', app.config.publicUrl.origin)
  await expect(announce('worker', 'http://localhost:3001')).rejects.toThrow(
    /^PUBLIC_URL is http:\/\/localhost:3001 here and http:\/\/localhost:3000 at the \w+ that runs; [^\n]+$/,
  )
  await web.stop()
})

test('every response has the request id of the log, errors too', async () => {
  const found = await app.request('/api/nothing')
  const id = found.headers.get('x-request-id')
  expect(id).toMatch(/^[0-9a-f]{12}$/)
  expect(app.logged).toContainEqual(expect.objectContaining({ msg: 'request', status: 404, request: id }))
})

test('X-Forwarded-For from an untrusted proxy is warned of once', async () => {
  const warnings = () => app.logged.filter(({ msg }) => /TRUSTED_PROXIES/.test(String(msg))).length
  for (let n = 0; n < 3; n += 1) await app.request('/healthz', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(warnings()).toBe(1)
})

test('X-Forwarded-For from a trusted proxy is not warned of, whatever address it has', async () => {
  const behind = await createTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  try {
    await behind.request('/healthz', { headers: { 'x-forwarded-for': '127.0.0.1' } })
    expect(behind.logged.filter(({ msg }) => /TRUSTED_PROXIES/.test(String(msg)))).toEqual([])
  } finally {
    await behind.stop()
  }
})
