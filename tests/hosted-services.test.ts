import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFal } from '#providers/fal/fal.ts'
import type { HostedService } from '#providers/hosted/hosted-service.ts'
import { createReplicate } from '#providers/replicate/replicate.ts'
import { type FakeHosted, type HostedFault, startFakeHosted, webhookSecret } from './support/hosted.ts'

let now = new Date()
const clock = () => now
const { signal } = new AbortController()
const names = ['fal', 'replicate'] as const
const fakes = {} as Record<(typeof names)[number], FakeHosted>
const services = {} as Record<(typeof names)[number], HostedService>

beforeAll(async () => {
  for (const name of names) fakes[name] = await startFakeHosted(name, 'the-key')
  const { fal, replicate } = fakes
  services.fal = createFal({ key: 'the-key', baseUrl: fal.url, keysUrl: `${fal.url}/keys`, now: clock })
  services.replicate = createReplicate({ token: 'the-key', baseUrl: replicate.url, webhookSecret, now: clock })
})
afterAll(() => Promise.all(names.map((name) => fakes[name].close())))

test.each(names)('%s starts a job, reports its state, and cancels it', async (name) => {
  const [service, fake] = [services[name], fakes[name]]
  await service.check()
  fake.faults = ['held']
  const id = await service.create('owner/eraser', { a: 1 }, 'https://rupa.test/hook', signal)
  expect(fake.created).toMatchObject([{ id, input: { a: 1 }, webhook: 'https://rupa.test/hook' }])
  expect(await service.readState('owner/eraser', id, signal)).toMatchObject({ state: 'running' })
  await service.cancel('owner/eraser', id)
  expect(fake.cancelled).toEqual([id])
  fake.release()
  expect(await service.readState('owner/eraser', id, signal)).toMatchObject({ state: 'done' })
  fake.faults = ['failed']
  const broken = await service.create('owner/eraser', {}, undefined, signal)
  expect(await service.readState('owner/eraser', broken, signal)).toMatchObject({
    state: 'failed',
    reason: 'the model broke',
  })
  fake.faults = ['throttled']
  await expect(service.create('owner/eraser', {}, undefined, signal)).rejects.toMatchObject({ status: 429, after: 7 })
})

test('a failed result of fal is distinguished from a temporary failure of its gateway', async () => {
  const look = async (fault: HostedFault) => {
    fakes.fal.faults = [fault]
    return services.fal.readState(
      'owner/eraser',
      await services.fal.create('owner/eraser', {}, undefined, signal),
      signal,
    )
  }
  expect(await look('no output')).toMatchObject({ state: 'unavailable', cause: { status: 502 } })
  expect(await look('out of memory')).toMatchObject({ state: 'failed', charged: false })
  expect(await look('refused at its end')).toMatchObject({ state: 'refused', charged: false })
})

test.each(names)('%s accepts webhooks that it signed within five minutes, and no other', async (name) => {
  const read = ({ headers, body }: ReturnType<FakeHosted['webhook']>) =>
    services[name].readWebhook({ headers: new Headers(headers), body: new TextEncoder().encode(body) })
  const sent = fakes[name].webhook('run-1', now)
  expect(await read(sent)).toEqual({ externalId: 'run-1' })
  expect(await read({ ...sent, body: sent.body.replace('run-1', 'run-2') })).toBeUndefined()
  expect(await read({ ...sent, headers: {} })).toBeUndefined()
  now = new Date(now.getTime() + 301_000)
  expect(await read(sent)).toBeUndefined()
})

test('Replicate’s signature is that of Standard Webhooks', async () => {
  now = new Date(1_700_000_000_000)
  const headers = new Headers({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': 'v1,AAAA v1,Fx3EI75U65WpS+0JAX2ydwBlGOHVb0wh85dovyn6vXo=',
  })
  const body = new TextEncoder().encode('{"id":"p1","status":"succeeded"}')
  expect(await services.replicate.readWebhook({ headers, body })).toEqual({ externalId: 'p1' })
})

test.each([
  ['fal', 'https://v3.fal.media/files/x.png', true],
  ['fal', 'http://v3.fal.media/files/x.png', false],
  ['fal', 'https://fal.media.example/x.png', false],
  ['replicate', 'https://pbxt.replicate.delivery/x.png', true],
  ['replicate', 'https://notreplicate.delivery/x.png', false],
  ['replicate', 'http://169.254.169.254/latest', false],
] as const)('%s’s results at %s are fetched: %s', (name, address, isFetched) => {
  expect(services[name].isResult(new URL(address))).toBe(isFetched)
})
