import { expect, test, vi } from 'vitest'
import { createServerHome } from '#tests/support/server-home.ts'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { creditsOf, makePicture, reached, submitted } from '../support/submit.ts'
import type { TestUser } from '../support/test-app.ts'
import { startTraceCollector } from '../support/trace-collector.ts'

const post = (server: ServerProcess, path: string, body: object) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test.runIf(process.env.TEST_DATABASE_URL)(
  'separate web and worker processes do the same as a single one, and a generation is a single trace',
  async () => {
    const home = await createServerHome()
    const collector = await startTraceCollector()
    const env = {
      ...home.env,
      JWT_SECRET: 'j'.repeat(32),
      FILE_SIGNING_KEY: 'f'.repeat(32),
      PUBLIC_URL: 'http://localhost:3000',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    }
    const [web, worker] = await Promise.all([
      startServerProcess({ ...env, ROLE: 'web' }),
      startServerProcess({ ...env, ROLE: 'worker' }),
    ])
    expect(worker.stdout()).toContain('Rupa worker is running')
    const ready = (await (await fetch(`${worker.url}/readyz`)).json()) as { details: object }
    expect(ready.details).toMatchObject({ workers: '1 seen within a minute' })
    expect((await fetch(`${worker.url}/api/login`, { method: 'POST' })).status).toBe(404)
    const other = await startServerProcess({ ...env, ROLE: 'worker', PUBLIC_URL: 'http://localhost:3001' })
    expect(await other.ended).toBe(1)
    expect(other.stderr()).toMatch(
      /^PUBLIC_URL is http:\/\/localhost:3001 here and http:\/\/localhost:3000 at the (web|worker) that runs; [^\n]*\n$/,
    )

    const person = { name: 'Sari', email: 'sari@contoh.id', password: 'Rahasia123!' }
    expect((await post(web, '/api/register', { ...person, agreeToTerms: true, birthYear: 1990 })).status).toBe(201)
    const link = await vi.waitFor(
      () => /\/api\/verify_email\/[\w-]+/.exec(worker.stdout())?.[0] ?? expect.fail('no mail yet'),
      { timeout: 300_000 },
    )
    await fetch(`${web.url}${link}`, { redirect: 'manual' })
    const { access_token: token } = (await (await post(web, '/api/login', person)).json()) as { access_token: string }
    const user: Pick<TestUser, 'request'> = {
      request: (path, init) =>
        fetch(`${web.url}${path}`, {
          ...(init as RequestInit),
          headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${token}` },
        }),
    }
    const before = await creditsOf(user)
    const { id } = await submitted(user, { tool: 'photo-layout', image: Array(4).fill(await makePicture()) })
    await reached(user, id, 'succeeded')
    expect(await creditsOf(user)).toBeLessThan(before)

    const admins = `${web.stderr()}${worker.stderr()}`.match(/First admin/g)
    expect(admins).toHaveLength(1)
    expect(await Promise.all([web.end(), worker.end()])).toEqual([0, 0])
    collector.stop()
    const span = (wanted: string) => collector.spans.find(({ name }) => name === wanted)
    const [request, job, engine] = ['POST /api/generations', 'job run-generation', 'engine generate'].map(span)
    expect([request?.service, job?.service, engine?.service]).toEqual(['rupa-web', 'rupa-worker', 'rupa-worker'])
    expect([job?.traceId, engine?.traceId]).toEqual([request?.traceId, request?.traceId])
    expect([job?.parentSpanId, engine?.parentSpanId]).toEqual([request?.spanId, job?.spanId])
    expect(engine?.attributes).toContainEqual({ key: 'tool', value: { stringValue: 'photo-layout' } })
    for (const secret of [id, person.email, token]) expect(collector.bodies.join('')).not.toContain(secret)
    await home.drop()
  },
)
