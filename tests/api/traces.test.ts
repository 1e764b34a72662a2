import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startTracing } from '#server/tracing.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { reached, submitted } from '../support/submit.ts'
import { createTestApp } from '../support/test-app.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string } }[]
}

test('a run is one trace from the request over the job to the engine, with nothing of people in it', async () => {
  const spans: Span[] = []
  const bodies: string[] = []
  const collector = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => collector.once('listening', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const sendLast = await startTracing(endpoint, 'all')
  const app = await createTestApp({ engine: createFakeEngine() })
  let user: Awaited<ReturnType<typeof app.createUser>>
  try {
    user = await app.createUser()
    const { id } = await submitted(user)
    await reached(user, id, 'succeeded')
  } finally {
    await app.stop()
    await sendLast()
    collector.close()
  }
  const request = spans.find(({ name }) => name === 'POST /api/generations')
  const job = spans.find(({ name }) => name === 'job run-generation')
  const engine = spans.find(({ name }) => name === 'engine generate')
  expect(request).toBeDefined()
  expect([job?.traceId, engine?.traceId]).toEqual([request?.traceId, request?.traceId])
  expect([job?.parentSpanId, engine?.parentSpanId]).toEqual([request?.spanId, job?.spanId])
  expect(engine?.attributes).toContainEqual({ key: 'provider', value: { stringValue: 'local' } })
  for (const secret of [user.id, user.email, user.token]) expect(bodies.join('')).not.toContain(secret)
})
