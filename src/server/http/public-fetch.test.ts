import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import {
  checkPublicUrl,
  dnsLookup,
  type FetchFailure,
  fetchPublic,
  isPublicAddress,
  type PublicFetchOptions,
  publicLookup,
  redirectTarget,
} from './public-fetch.ts'

const servers: { close(): unknown; closeAllConnections?(): void }[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.()
    server.close()
  }
})

async function listen(answer: RequestListener, host = '127.0.0.1'): Promise<{ port: number; server: Server }> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return { port: (server.address() as AddressInfo).port, server }
}

/** Resolves each name to the next of its addresses; the last one stays. */
function resolver(names: Record<string, string[]>): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = []
  const left = structuredClone(names)
  const lookup: LookupFunction = (host, options, done) => {
    asked.push(host)
    const known = left[host] ?? []
    const address = known.length > 1 ? known.shift() : known[0]
    if (address === undefined) return done(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), '')
    const found = address.split(' ').map((text) => ({ address: text, family: text.includes(':') ? 6 : 4 }))
    if (options.all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
  return { lookup, asked }
}

const closed = { config: { fetchPrivateHosts: [] } }
const limits = { maxBytes: 1000, seconds: 60 }

const reasonOf = (call: Promise<unknown>): Promise<FetchFailure | 'answered'> =>
  call.then(
    () => 'answered' as const,
    (error) => error.reason ?? Promise.reject(error),
  )

/** Addresses of the special-purpose registries: first, last and one within each block. */
const special4 =
  '0.0.0.0 0.1.2.3 0.255.255.255 10.0.0.0 10.0.0.1 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.0 127.0.0.1 127.1.2.3 127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.17.0.1 172.31.255.255 192.0.0.0 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0 192.168.1.1 192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.0 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255'.split(
    ' ',
  )
const special6 =
  ':: ::1 ::2 1::1 100::1 64:ff9b::8.8.8.8 64:ff9b:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1 2001:1ff::1 2001:db8::1 2002:7f00:1::1 2002:c0a8:101::1 2620:4f:8000::1 3fff::1 3fff:fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1'.split(
    ' ',
  )
const public4 =
  '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 203.0.114.0 223.255.255.255'.split(
    ' ',
  )
const public6 = '2001:200::1 2001:4860:4860::8888 2003::1 2400:cb00::1 2606:4700:4700::1111 2a00:1450::1 3ffe::1'.split(
  ' ',
)

/** Other spellings of an IPv4 address that parsers of addresses accept. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number) => `0x${value.toString(16)}`
  const octal = (value: number) => `0${value.toString(8)}`
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  return [
    String(whole),
    hex(whole),
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${hex(a)}.${b}.${octal(c * 256 + d)}`,
    `${address}.`,
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '。'),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    `[::ffff:${address}]`,
    `[::ffff:${groups}]`,
    `[::${groups}]`,
    `[::ffff:0:${groups}]`,
    `[64:ff9b::${groups}]`,
    `[2002:${groups}::1]`,
  ]
}

const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'app.localhost',
  'a.b.LocalHost.',
  'ｌｏｃａｌｈｏｓｔ',
]
const hosts = [
  ...special4,
  ...special6.map((address) => `[${address}]`),
  ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '0.0.0.0', '100.100.100.200'].flatMap(spellings),
  ...names,
]
const urls = hosts.flatMap((host) => [`http://${host}/`, `https://${host}/latest/meta-data`])

describe('addresses', () => {
  test.each([...public4, ...public6])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
    expect(checkPublicUrl(closed, `https://${address.includes(':') ? `[${address}]` : address}/`).protocol).toBe(
      'https:',
    )
  })

  test.each([...special4, ...special6, '', '8.8.8', '8.8.8.8.', '2001:4860::1%eth0', '08.8.8.8'])(
    '%o is not public',
    (address) => {
      expect(isPublicAddress(address)).toBe(false)
    },
  )
})

test('none of 300 hostile addresses is reached', async () => {
  const reached: string[] = []
  const { lookup, asked } = resolver({})
  expect(urls.length).toBeGreaterThan(300)
  for (const url of urls) {
    const reason = await reasonOf(fetchPublic({ ...closed, lookup }, url, limits))
    if (reason !== 'address_forbidden' && reason !== 'url_invalid') reached.push(`${url}: ${reason}`)
  }
  expect(reached).toEqual([])
  // Resolvers must not even learn these names.
  expect(asked).toEqual([])
})

test('no spelling of a loopback address reaches a server that listens there', async () => {
  let calls = 0
  const count: RequestListener = (_request, response) => {
    calls++
    response.end()
  }
  const { port } = await listen(count, '0.0.0.0')
  const spelled = ['127.0.0.1', '127.9.9.9', '0.0.0.0'].flatMap(spellings)
  for (const host of [...spelled, ...names, '[::1]', '[::]', 'own.test', 'mapped.test', 'mixed.test']) {
    const { lookup } = resolver({
      'own.test': ['127.0.0.1'],
      'mapped.test': ['::ffff:127.0.0.1'],
      'mixed.test': ['203.0.113.5 127.0.0.1'],
    })
    const call = fetchPublic({ ...closed, lookup }, `http://${host}:${port}/`, { ...limits, ports: [port] })
    expect([host, await reasonOf(call)]).toEqual([host, expect.stringMatching(/^(address_forbidden|url_invalid)$/)])
  }
  expect(calls).toBe(0)
})

test.each<[string, FetchFailure]>([
  ['', 'url_invalid'],
  ['files.test', 'url_invalid'],
  ['//files.test/', 'url_invalid'],
  ['http://', 'url_invalid'],
  ['http:///', 'url_invalid'],
  ['ftp://files.test/', 'url_invalid'],
  ['file:///etc/passwd', 'url_invalid'],
  ['gopher://files.test:70/', 'url_invalid'],
  ['data:text/plain,hello', 'url_invalid'],
  ['javascript:alert(1)', 'url_invalid'],
  ['ws://files.test/', 'url_invalid'],
  ['unix:/var/run/docker.sock', 'url_invalid'],
  ['http://user@files.test/', 'url_invalid'],
  ['http://user:secret@files.test/', 'url_invalid'],
  ['http://:secret@files.test/', 'url_invalid'],
  ['http://files.test@127.0.0.1/', 'url_invalid'],
  ['http://127.0.0.1#@files.test/', 'address_forbidden'],
  ['http://127.0.0.1\\@files.test/', 'address_forbidden'],
  ['http://files.test:22/', 'port_forbidden'],
  ['http://files.test:25/', 'port_forbidden'],
  ['http://files.test:5432/', 'port_forbidden'],
  ['http://files.test:6379/', 'port_forbidden'],
  ['https://files.test:8443/', 'port_forbidden'],
  ['http://files.test:0/', 'port_forbidden'],
  ['http://files.test:65536/', 'url_invalid'],
  ['http://[fe80::1%25eth0]/', 'url_invalid'],
  ['http://256.1.1.1/', 'url_invalid'],
  ['http://1.2.3.4.5/', 'url_invalid'],
  ['http://127.0.0.1:80.files.test/', 'url_invalid'],
  ['http://a b.test/', 'url_invalid'],
])('%o is refused as %s without resolving a name', async (url, reason) => {
  const { lookup, asked } = resolver({ 'files.test': ['127.0.0.1'] })
  expect(await reasonOf(fetchPublic({ ...closed, lookup }, url, limits))).toBe(reason)
  expect(asked).toEqual([])
})

test('the connection gets the public addresses of a name alone, and none of a name without', async () => {
  const { lookup } = resolver({ 'mixed.test': ['10.0.0.1 8.8.8.8 ::1 2a00:1450::1'], 'own.test': ['10.0.0.1'] })
  const found = (host: string, all: boolean) =>
    new Promise((resolve) => publicLookup(lookup)(host, { all }, (...answer) => resolve(answer)))
  const addresses = [
    { address: '8.8.8.8', family: 4 },
    { address: '2a00:1450::1', family: 6 },
  ]
  expect(await found('mixed.test', true)).toEqual([null, addresses])
  expect(await found('mixed.test', false)).toEqual([null, '8.8.8.8', 4])
  expect(await found('own.test', true)).toEqual([expect.objectContaining({ reason: 'address_forbidden' }), ''])
})

test('names are resolved by DNS: both families, one of them, none, and a name server that lies', async () => {
  const records: Record<string, { A?: string; AAAA?: string }> = {
    'both.test': { A: '8.8.8.8', AAAA: '2a00:1450:0000:0000:0000:0000:0000:0001' },
    'six.test': { AAAA: '2a00:1450:0000:0000:0000:0000:0000:0001' },
    'own.test': { A: '127.0.0.1' },
  }
  const server = createSocket('udp4')
  servers.push(server)
  server.on('message', (query, { port, address }) => server.send(dnsAnswer(query, records), port, address))
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  const dns = new Resolver({ timeout: 60_000 })
  dns.setServers([`127.0.0.1:${server.address().port}`])
  const lookup = dnsLookup(dns)
  const found = (host: string) =>
    new Promise((resolve) => lookup(host, { all: true }, (error, list) => resolve(error?.code ?? list)))
  expect(await found('both.test')).toMatchObject([{ address: '8.8.8.8', family: 4 }, { family: 6 }])
  expect(await found('six.test')).toEqual([{ address: '2a00:1450::1', family: 6 }])
  expect(await found('gone.test')).toBe('ENOTFOUND')
  // The hosts file is not read.
  expect(await found('localhost')).toBe('ENOTFOUND')
  expect(await reasonOf(fetchPublic({ ...closed, lookup }, 'https://own.test/', limits))).toBe('address_forbidden')
})

/** The record of a query's first question, or that there is no such name. */
function dnsAnswer(query: Buffer, records: Record<string, { A?: string; AAAA?: string }>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const known = records[labels.join('.')]
  const text = known?.[query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A']
  const address = !text
    ? Buffer.alloc(0)
    : text.includes(':')
      ? Buffer.from(text.replaceAll(':', ''), 'hex')
      : Buffer.from(text.split('.').map(Number))
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(text ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const question = query.subarray(12, at + 5)
  // A pointer to the question's name, its type and class, a minute of life, and the length.
  const record = Buffer.concat([
    Buffer.from([0xc0, 12]),
    query.subarray(at + 1, at + 5),
    Buffer.from([0, 0, 0, 60, 0, address.length]),
    address,
  ])
  return Buffer.concat([head, question, ...(text ? [record] : [])])
}

test('a name without an address is unreachable', async () => {
  const { lookup } = resolver({})
  expect(await reasonOf(fetchPublic({ ...closed, lookup }, 'https://gone.test/', limits))).toBe('unreachable')
})

/** The receiver is `files.test`, opened by the operator; other names are not. */
async function opened(answer: RequestListener, more: Record<string, string[]> = {}) {
  const { port, server } = await listen(answer)
  const { lookup, asked } = resolver({ 'files.test': ['127.0.0.1', '10.0.0.1'], 'two.test': ['127.0.0.1'], ...more })
  const config = { fetchPrivateHosts: [`files.test:${port}`, `two.test:${port}`] }
  const get = (path = '/', options: Partial<PublicFetchOptions> = {}) =>
    fetchPublic({ config, lookup }, `http://files.test:${port}${path}`, { ...limits, ...options })
  return { get, asked, port, server }
}

test('sends method, body and headers, asks for no compression, and resolves the name once', async () => {
  const { get, asked, port } = await opened(async (request, response) => {
    const { method, headers, url } = request
    response.setHeader('x-two', ['1', '2'])
    response.end(JSON.stringify({ method, url, headers, body: String(await buffer(request)) }))
  })
  const sent = await get('/a?b=1', { method: 'POST', body: 'é', headers: { 'x-key': 'k', 'Accept-Encoding': 'gzip' } })
  expect(sent.status).toBe(200)
  expect(sent.finalUrl).toBe(`http://files.test:${port}/a?b=1`)
  expect(sent.headers.get('x-two')).toBe('1, 2')
  const { headers, ...seen } = JSON.parse(String(await buffer(sent.body)))
  expect(seen).toEqual({ method: 'POST', url: '/a?b=1', body: 'é' })
  expect(headers).toEqual({
    host: `files.test:${port}`,
    'accept-encoding': 'identity',
    'content-length': '2',
    'user-agent': 'Rupa',
    'x-key': 'k',
    connection: 'close',
  })
  expect(asked).toEqual(['files.test'])
})

describe('redirects', () => {
  const to = (location: string): RequestListener => {
    return (request, response) => {
      if (request.url === '/') response.writeHead(302, location ? { location } : {}).end()
      else response.end(JSON.stringify(request.headers))
    }
  }

  test('are followed to another path with the headers', async () => {
    const { get } = await opened(to('/there'), { 'files.test': ['127.0.0.1'] })
    const { status, body, finalUrl } = await get('/', { headers: { authorization: 'Bearer key' } })
    expect([status, new URL(finalUrl).pathname]).toEqual([200, '/there'])
    expect(JSON.parse(String(await buffer(body))).authorization).toBe('Bearer key')
  })

  test('take no headers to another origin', async () => {
    let port = 0
    const receiver = await opened((request, response) => to(`http://two.test:${port}/there`)(request, response))
    port = receiver.port
    const { body } = await receiver.get('/', { headers: { authorization: 'Bearer key', cookie: 'a=1' } })
    const headers = JSON.parse(String(await buffer(body)))
    expect(headers.host).toBe(`two.test:${port}`)
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('referer')
  })

  test.each<[string, FetchFailure]>([
    ['http://127.0.0.1/', 'address_forbidden'],
    ['http://169.254.169.254/latest/meta-data', 'address_forbidden'],
    ['//[::1]/', 'address_forbidden'],
    ['http://2130706433/', 'address_forbidden'],
    ['http://localhost/', 'address_forbidden'],
    ['http://own.test/', 'address_forbidden'],
    ['https://own.test/', 'address_forbidden'],
    ['http://own.test:6379/', 'port_forbidden'],
    ['http://user:secret@own.test/', 'url_invalid'],
    ['file:///etc/passwd', 'url_invalid'],
    ['gopher://own.test/', 'url_invalid'],
    ['http://', 'redirect_refused'],
    ['', 'redirect_refused'],
    ['/', 'redirect_refused'],
  ])('to %o are refused as %s', async (location, reason) => {
    const { get } = await opened(to(location), { 'files.test': ['127.0.0.1'], 'own.test': ['127.0.0.1'] })
    expect(await reasonOf(get())).toBe(reason)
  })

  test('to a port of this machine never connect', async () => {
    let connections = 0
    const trap = createTcpServer((socket) => {
      connections++
      socket.destroy()
    })
    servers.push(trap)
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
    const { port } = trap.address() as AddressInfo
    const { get } = await opened(to(`http://trap.test:${port}/`), {
      'trap.test': ['64:ff9b::7f00:1 127.0.0.1', '127.0.0.1'],
    })
    expect(await reasonOf(get('/', { ports: [80, port] }))).toBe('address_forbidden')
    expect(connections).toBe(0)
  })

  test('end after three', async () => {
    let hops = 0
    const { get } = await opened((_request, response) => response.writeHead(307, { location: `/${++hops}` }).end(), {
      'files.test': ['127.0.0.1'],
    })
    expect(await reasonOf(get())).toBe('redirect_refused')
    expect(hops).toBe(4)
  })

  test('are returned to callers that follow none, and for requests with a body', async () => {
    const { get } = await opened(to('/there'), { 'files.test': ['127.0.0.1'] })
    expect((await get('/', { maxRedirects: 0 })).status).toBe(302)
    expect((await get('/', { method: 'POST', body: '{}' })).status).toBe(302)
  })

  test('never leave https', () => {
    const from = new URL('https://files.test/a')
    expect(redirectTarget(closed, from, 'b').href).toBe('https://files.test/b')
    expect(redirectTarget(closed, new URL('http://files.test/'), 'https://files.test/').protocol).toBe('https:')
    expect(() => redirectTarget(closed, from, 'http://files.test/b')).toThrow('redirect_refused')
  })
})

describe('a response', () => {
  test('with a length beyond the limit is refused before its body', async () => {
    const { get } = await opened((_request, response) => response.writeHead(200, { 'content-length': 1001 }).write('a'))
    expect(await reasonOf(get())).toBe('too_large')
  })

  test('of exactly the limit passes, and one without a length ends beyond it', async () => {
    const { get } = await opened(
      (request, response) => response.write('a'.repeat(1000), () => response.end(request.url?.slice(1))),
      {
        'files.test': ['127.0.0.1'],
      },
    )
    expect(await buffer((await get('/')).body)).toHaveLength(1000)
    expect(await reasonOf(buffer((await get('/b')).body))).toBe('too_large')
  })

  test('without an end stops at the limit and closes the connection', async () => {
    const { get, server } = await opened((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(1000)));
      }
      response.on('drain', more)
      more()
    })
    const ended = new Promise((resolve) => server.on('connection', (socket) => socket.on('close', resolve)))
    expect(await reasonOf(buffer((await get('/')).body))).toBe('too_large')
    await ended
  })

  test('that never comes ends in time', async () => {
    const { get } = await opened(() => undefined)
    expect(await reasonOf(get('/', { seconds: 0.05 }))).toBe('timeout')
  })

  test('with headers that drip ends in time', async () => {
    const { get, server } = await opened(() => undefined)
    server.removeAllListeners('request')
    server.on('connection', (socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = () => socket.write('X-A: b\r\n', () => !socket.destroyed && setTimeout(drip, 5))
      drip()
    })
    expect(await reasonOf(get('/', { seconds: 0.1 }))).toBe('timeout')
  })

  test('with a body that drips ends in time', async () => {
    const { get } = await opened((_request, response) => {
      const drip = () => response.write('a', () => !response.destroyed && setTimeout(drip, 5))
      drip()
    })
    const call = get('/', { seconds: 0.2, maxBytes: 1e9 }).then(({ body }) => buffer(body))
    expect(await reasonOf(call)).toBe('timeout')
  })

  test('cut off in its body is unreachable, also for a caller that does not read it', async () => {
    const { get } = await opened(
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('a', () => response.destroy())
      },
      { 'files.test': ['127.0.0.1'] },
    )
    const { body } = await get()
    expect(await reasonOf(buffer(body))).toBe('unreachable')
    const unread = await get()
    await new Promise((resolve) => unread.body.on('close', resolve))
  })

  test.each([
    '',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    'SSH-2.0-x\r\n',
    '\0\0',
  ])('%o is no answer', async (bytes) => {
    const { get, server } = await opened(() => undefined)
    server.removeAllListeners('request')
    server.on('connection', (socket) => socket.on('error', () => undefined).end(bytes))
    expect(await reasonOf(get())).toBe('unreachable')
  })

  test('compressed although no compression was asked for is not expanded', async () => {
    const { get } = await opened((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([0x1f, 0x8b, 8, 0]))
    })
    expect(await buffer((await get()).body)).toEqual(Buffer.from([0x1f, 0x8b, 8, 0]))
  })
})

test('a caller can cancel before the answer and in the body', async () => {
  const { get } = await opened(
    (request, response) => {
      if (request.url === '/body') response.write('a')
    },
    { 'files.test': ['127.0.0.1'] },
  )
  const first = new AbortController()
  const waiting = get('/', { signal: first.signal })
  first.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  await expect(get('/', { signal: first.signal })).rejects.toThrow('stopped')
  const second = new AbortController()
  const { body } = await get('/body', { signal: second.signal })
  second.abort(new Error('stopped'))
  await expect(buffer(body)).rejects.toThrow('stopped')
})
