import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeEngine } from '../support/fake-engine.ts'
import { reached, refusal, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const token = 'm'.repeat(40)
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine(), env: { METRICS_TOKEN: token, TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => app.stop())

const scrape = async (init: Parameters<TestApp['request']>[1] = {}) => {
  const response = await app.request('/metrics', init)
  return response.status === 200 ? await response.text() : await refusal(response)
}
const hidden = [404, 'request.not_found']

test('are read from this machine, or with the token from anywhere', async () => {
  expect(await scrape()).toContain('process_resident_memory_bytes')
  expect(await scrape({ from: '::1' })).toContain('process_resident_memory_bytes')
  expect(await scrape({ from: '203.0.113.7', token })).toContain('process_resident_memory_bytes')
  expect(await scrape({ headers: { 'x-forwarded-for': '203.0.113.7' }, token })).toContain('process_resident')
})

test('do not exist for other clients, nor through a proxy on this machine', async () => {
  expect(await scrape({ headers: { 'x-forwarded-proto': 'https' } })).toEqual(hidden)
  expect(await scrape({ headers: { host: 'rupa.example' } })).toEqual(hidden)
  expect(await scrape({ from: '203.0.113.7' })).toEqual(hidden)
  expect(await scrape({ from: '10.0.0.7' })).toEqual(hidden)
  expect(await scrape({ from: '203.0.113.7', token: `${token}x` })).toEqual(hidden)
  expect(await scrape({ token: 'x' })).toEqual(hidden)
  expect(await scrape({ headers: { 'x-forwarded-for': '127.0.0.1' } })).toEqual(hidden)
  expect(await scrape({ headers: { forwarded: 'for=127.0.0.1' } })).toEqual(hidden)
})

test('require the token on a public server, because a local proxy may add no header', async () => {
  for (const env of [{ PUBLIC_URL: 'https://rupa.example' }, { HOST: '0.0.0.0' }] as Record<string, string>[]) {
    const open = await createTestApp({ env: { ...env, METRICS_TOKEN: token } })
    try {
      expect((await open.request('/metrics')).status).toBe(404)
      expect((await open.request('/metrics', { token })).status).toBe(200)
    } finally {
      await open.stop()
    }
  }
})

test('report requests by route and status, and the state of the checks, without addresses or users', async () => {
  const user = await app.createUser()
  const { id } = await submitted(user)
  await user.request(`/api/generations/${id}`)
  const text = (await scrape()) as string
  expect(text).toMatch(
    /rupa_http_request_seconds_count\{method="GET",route="\/api\/generations\/:id",status="200"\} 1\n/,
  )
  expect(text).toMatch(/rupa_http_request_seconds_count\{method="POST",route="\/api\/generations",status="201"\} 1\n/)
  expect(text).toMatch(/rupa_billing_check\{check="books",state="\w+"\} 1\n/)
  expect(text).toMatch(/rupa_billing_check\{check="gateway",state="\w+"\} 1\n/)
  for (const secret of [id, user.id, user.email, user.token]) expect(text).not.toContain(secret)
})

test('report each step of the engine by tool, lane and outcome, and each job', async () => {
  const user = await app.createUser()
  const { id } = await submitted(user)
  await reached(user, id, 'succeeded')
  const text = (await scrape()) as string
  expect(text).toMatch(
    /rupa_engine_seconds_count\{tool="background-removal",step="generate",lane="pictures",outcome="succeeded",code=""\} [1-9]/,
  )
  expect(text).toMatch(/rupa_job_seconds_count\{queue="run-generation",outcome="succeeded"\} [1-9]/)
  expect(text).toMatch(/^rupa_credits \d+$/m)
})

test('have every metric of the Grafana dashboard', async () => {
  const text = (await scrape()) as string
  const { panels } = JSON.parse(readFileSync('docs/deploy/grafana.json', 'utf8')) as {
    panels: { targets: { expr: string }[] }[]
  }
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/(rupa|process|nodejs)_\w+/g) ?? []),
  )
  expect(asked.length).toBeGreaterThan(15)
  const missing = asked.filter((name) => !text.includes(`# TYPE ${name.replace(/_(count|bucket)$/, '')} `))
  expect(missing).toEqual([])
})
