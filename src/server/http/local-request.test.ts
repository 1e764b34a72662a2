import { describe, expect, test } from 'vitest'
import { createLocality } from './local-request.ts'

const ask = (headers: Record<string, string> = {}, given: { url?: string; peer?: string } = {}) => ({
  headers: new Headers(headers),
  url: given.url ?? 'http://localhost:3000/metrics',
  peer: given.peer ?? '127.0.0.1',
})

describe('a request is local', () => {
  test.each([
    [{}, {}],
    [{ host: 'localhost:3000' }, {}],
    [{ host: '127.0.0.1:3000' }, {}],
    [{ host: '[::1]:3000' }, { peer: '::1' }],
    [{ host: 'app.localhost' }, { peer: '::ffff:127.0.0.1' }],
    [{ host: 'localhost:3000', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, {}],
    [{ origin: 'null' }, {}],
    [{ 'x-requested-with': 'fetch', 'x-credits-charged': '0', 'idempotency-key': 'a', 'user-agent': 'curl/8' }, {}],
  ])('with %o and %o', (headers: Record<string, string>, given) => {
    expect(createLocality()(ask(headers, given))).toBe(true)
  })
})

describe('a request is not local', () => {
  test.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['X-Forwarded-Proto', 'https'],
    ['x-forwarded-host', 'localhost'],
    ['x-forwarded', 'for=127.0.0.1'],
    ['forwarded', 'for=127.0.0.1'],
    ['via', '1.1 proxy'],
    ['x-real-ip', '127.0.0.1'],
    ['x-client-ip', '127.0.0.1'],
    ['true-client-ip', '127.0.0.1'],
    ['client-ip', '127.0.0.1'],
    ['x-cluster-client-ip', '127.0.0.1'],
    ['x-proxyuser-ip', '127.0.0.1'],
    ['x-remote-addr', '127.0.0.1'],
    ['x-amzn-trace-id', 'Root=1'],
    ['x-envoy-external-address', '127.0.0.1'],
    ['x-host', 'localhost'],
    ['x-scheme', 'https'],
    ['proxy-connection', 'close'],
    ['cf-connecting-ip', '127.0.0.1'],
    ['cdn-loop', 'cdn.example'],
    ['x-original-host', 'localhost'],
    ['host', 'rupa.example'],
    ['host', '192.168.1.2:3000'],
    ['host', 'localhost.rupa.example'],
    ['host', '127.0.0.1.rupa.example'],
    ['host', 'localhost.'],
    ['host', 'not a host'],
  ])('with %s: %s', (name, value) => {
    expect(createLocality()(ask({ [name]: value }))).toBe(false)
  })

  test.each(['192.168.1.2', '203.0.113.7', '::ffff:192.168.1.2', 'fe80::1', 'unknown'])('from %s', (peer) => {
    expect(createLocality()(ask({}, { peer }))).toBe(false)
  })

  test('with another address in the request line than in the header', () => {
    expect(createLocality()(ask({ host: 'localhost' }, { url: 'http://rupa.example/metrics' }))).toBe(false)
  })
})

test('behind a proxy that adds nothing, no request is local once a page has called from a public address', () => {
  const isLocal = createLocality()
  expect(isLocal(ask())).toBe(true)
  expect(isLocal(ask({ origin: 'https://rupa.example', 'sec-fetch-site': 'same-origin' }))).toBe(false)
  expect(isLocal(ask())).toBe(false)
  const withoutTls = createLocality()
  expect(withoutTls(ask({ origin: 'http://rupa.example' }))).toBe(false)
  expect(withoutTls(ask())).toBe(false)
})

test('a foreign page that calls a server on this machine does not make it public', () => {
  const isLocal = createLocality()
  isLocal(ask({ origin: 'https://foreign.example', 'sec-fetch-site': 'cross-site' }))
  expect(isLocal(ask())).toBe(true)
})
