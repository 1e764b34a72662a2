import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import type { ConnectionsConfig } from '#server-app/config.ts'
import { listen } from './listen.ts'

const log = pino({ level: 'silent' })
const soon = { timeout: 300_000, interval: 5 }
const highLimits = { all: 1000, perAddress: 1000, headersMilliseconds: 600_000, bodyMilliseconds: 600_000 }
const open: (Server | Socket)[] = []
afterEach(() => {
  for (const one of open.splice(0).reverse()) {
    if ('destroy' in one) one.destroy()
    else one.close().closeAllConnections()
  }
})

/** Echoes bodies; `/events` streams a `tick` on command. */
async function start(limits: Partial<ConnectionsConfig>, trustedProxies: string[] = []) {
  const config = { host: '127.0.0.1', port: 0, trustedProxies, connections: { ...highLimits, ...limits } }
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const server = await listen(config, log, async (request) => {
    if (!request.url.endsWith('/events')) return new Response(`[${await request.text()}]`)
    return new Response(new ReadableStream({ start: (stream) => void streams.add(stream) }))
  })
  open.push(server)
  const { port } = server.address() as { port: number }
  const socket = () => {
    const client = connect(port, '127.0.0.1')
    open.push(client)
    let text = ''
    client.on('data', (chunk) => {
      text += chunk
    })
    const ended = Promise.race([once(client, 'end'), once(client, 'close'), once(client, 'error')])
    const said = (pattern: RegExp) => vi.waitFor(() => expect(text).toMatch(pattern), soon)
    const send = (...lines: string[]) => client.write(`${lines.join('\r\n')}`)
    /** Everything received until the server ends the connection. */
    const answer = async () => {
      await ended
      return text
    }
    return { send, said, answer, connected: once(client, 'connect'), end: () => client.destroy() }
  }
  const tick = () => {
    for (const stream of streams) stream.enqueue(new TextEncoder().encode('tick'))
  }
  return { socket, tick }
}

const get = (path: string, ...headers: string[]) => [`GET ${path} HTTP/1.1`, 'host: a', ...headers, '', '']
const post = (type: string, length: number, body: string) => [
  ...['POST / HTTP/1.1', 'host: a', `content-type: ${type}`, `content-length: ${length}`, '', body],
]

test('an idle connection is closed without a response, slow headers get 408', async () => {
  const { socket } = await start({ headersMilliseconds: 100 })
  const [silent, dripping] = [socket(), socket()]
  await dripping.connected
  dripping.send('GET / HTTP/1.1', 'host: a', 'x-slow: ')
  expect(await silent.answer()).toBe('')
  expect(await dripping.answer()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*"code":"request\.timeout"/)
})

test('the headers of a later request have the same limit, and an idle or streaming connection has none', async () => {
  const { socket, tick } = await start({ headersMilliseconds: 100 })
  const [resting, streaming, dripping] = [socket(), socket(), socket()]
  resting.send(...get('/'))
  streaming.send(...get('/events'))
  dripping.send(...get('/'))
  await Promise.all([resting, streaming, dripping].map(({ said }) => said(/200 OK/)))
  dripping.send('GET / HTTP/1.1', 'x-slow: ')
  expect(await dripping.answer()).toMatch(/408 Request Timeout/)
  // By then any limit on the other sockets would have expired.
  expect(await socket().answer()).toBe('')
  resting.send(...get('/again'))
  await resting.said(/200 OK[\s\S]*200 OK/)
  tick()
  await streaming.said(/tick/)
})

test('a slow body gets 408; a complete one, and that of an upload, does not', async () => {
  const { socket } = await start({ bodyMilliseconds: 100 })
  const [whole, upload, part, dripping] = [socket(), socket(), socket(), socket()]
  whole.send(...post('application/json', 2, '{}'))
  upload.send(...post('application/offset+octet-stream', 4, 'ab'))
  part.send(...post('multipart/form-data; boundary=x', 4, 'ab'))
  dripping.send(...post('application/json', 4, '{'))
  expect(await dripping.answer()).toMatch(/^HTTP\/1\.1 408[\s\S]*"code":"request\.timeout"/)
  const chunked = socket()
  chunked.send('POST / HTTP/1.1', 'host: a', 'transfer-encoding: chunked', '', '1', '{', '')
  expect(await chunked.answer()).toMatch(/408/)
  await whole.said(/\[\{\}\]/)
  for (const one of [upload, part]) {
    one.send('cd')
    await one.said(/\[abcd\]/)
  }
})

test('the connections of a client are limited, and the response says when to retry', async () => {
  const { socket } = await start({ perAddress: 2 })
  const [first, second] = [socket(), socket()]
  await Promise.all([first.connected, second.connected])
  const third = socket()
  third.send(...get('/'))
  expect(await third.answer()).toMatch(/^HTTP\/1\.1 429[\s\S]*retry-after: 10[\s\S]*"code":"request\.rate_limited"/)
  first.end()
  await vi.waitFor(async () => {
    const next = socket()
    next.send(...get('/', 'connection: close'))
    expect(await next.answer()).toMatch(/^HTTP\/1\.1 200/)
  }, soon)
})

test('the connections of the server are limited in all, including those of a proxy', async () => {
  for (const proxies of [[], ['127.0.0.1']]) {
    const { socket } = await start({ all: 2 }, proxies)
    await Promise.all([socket().connected, socket().connected])
    const third = socket()
    third.send(...get('/'))
    expect(await third.answer()).toMatch(/^HTTP\/1\.1 503[\s\S]*retry-after: 10[\s\S]*"code":"server\.unavailable"/)
  }
})

test('a trusted proxy keeps connections in reserve, and its clients are limited one by one', async () => {
  const { socket } = await start({ perAddress: 2, headersMilliseconds: 100 }, ['127.0.0.1'])
  const strict = await start({ headersMilliseconds: 100 })
  const reserve = socket()
  await reserve.connected
  const from = (address: string) => {
    const one = socket()
    one.send(...get('/events', `x-forwarded-for: ${address}`))
    return one
  }
  await Promise.all([from('198.18.0.1'), from('198.18.0.1'), from('198.18.0.2')].map(({ said }) => said(/200 OK/)))
  expect(await from('198.18.0.1').answer()).toMatch(/^HTTP\/1\.1 429[\s\S]*"code":"request\.rate_limited"/)
  await from('198.18.0.2').said(/200 OK/)
  // The proxy's own requests, such as health checks.
  for (let own = 0; own < 4; own += 1) {
    const one = socket()
    one.send(...get('/events'))
    await one.said(/200 OK/)
  }
  expect(await strict.socket().answer()).toBe('')
  expect(await strict.socket().answer()).toBe('')
  reserve.send(...get('/'))
  await reserve.said(/200 OK/)
})
