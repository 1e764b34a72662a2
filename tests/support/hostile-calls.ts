/** Mulberry32: the same seed gives the same calls. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface HostileCall {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer<ArrayBuffer>
}

export interface ApiDocument {
  paths: Record<string, Record<string, unknown>>
}

const long = 'a'.repeat(20_000)
const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, -1e308, 2 ** 53, 0.1, '', ' ', [], {}, [null], [[[]]], { a: { b: { c: [] } } }],
  ...['\u0000', '\ud800', '😀'.repeat(500), long, 'NaN', '1e999', '-0', '9'.repeat(400), '2026-02-30', '0000-00-00'],
  ...["' or 1=1 --", '"; drop table users; --', '%', '_', '../../etc/passwd', '..%2f..%2fetc', 'file:///etc/passwd'],
  ...['http://169.254.169.254/', 'javascript:alert(1)', '<script>alert(1)</script>', '{{7*7}}', '$where'],
  ...[{ __proto__: null, toString: 1 }, { constructor: { prototype: { admin: true } } }, { length: 1e9 }],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'undefined', 'null'],
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
]
const names = [
  ...['email', 'password', 'name', 'token', 'tool', 'params', 'inputs', 'code', 'amount', 'credits', 'role', 'reason'],
  ...['packageId', 'voucher', 'method', 'currency', 'id', 'ids', 'status', 'cursor', 'limit', 'enabled', 'message'],
  ...['agreeToTerms', 'kind', 'version', 'language', 'validFrom', 'validUntil', 'expected_credits', '__proto__'],
]
const bodies: readonly string[] = [
  ...['', '{', '[]', 'null', '"', '0', '{"a":1', '\u0000', '{"a":1}{"a":1}', `"${long}"`, 'a=b&c=d', '<xml/>'],
  `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":0`).join(',')}}`,
  `{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}`,
]
const contentTypes = [
  ...['application/json', 'text/plain', 'multipart/form-data', 'multipart/form-data; boundary=', 'application/xml'],
  ...['application/x-www-form-urlencoded', 'application/offset+octet-stream', 'image/png', `a/${'b'.repeat(500)}`],
]
const headers: readonly Record<string, string>[] = [
  {},
  {},
  { authorization: 'Bearer' },
  { authorization: `Bearer ${long.slice(0, 4000)}` },
  { authorization: 'Bearer e30.e30.e30' },
  { authorization: 'Basic YWRtaW46YWRtaW4=' },
  { cookie: `device=${long.slice(0, 3000)}; __Host-device=x; session=; ;;=` },
  { 'x-forwarded-for': "127.0.0.1, ::1, ' or 1=1", 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
  { 'accept-language': `id;q=9,${'en,'.repeat(500)}` },
  { range: 'bytes=0-,0-,0-,0-,0-,0-', 'if-range': '"x"' },
  { 'idempotency-key': '../../x', 'if-none-match': '*'.repeat(2000) },
  { 'tus-resumable': '9.9.9', 'upload-length': '-1', 'upload-metadata': '=,=,,filename' },
  { 'tus-resumable': '1.0.0', 'upload-length': '9'.repeat(30), 'upload-offset': '-1' },
  { origin: 'https://evil.example', referer: 'https://evil.example/', 'sec-fetch-site': 'cross-site' },
]
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']
const strangePaths = [
  ...['/..%2f..%2fetc/passwd', '/assets/../../package.json', '/.built', '/.env', '/api', '/api//login', '/%00', '/%ff'],
  ...[
    '/api/files/x/y?expires=1&signature=x',
    '/share',
    '//evil.example',
    '/api/openapi.json/..',
    `/${long.slice(0, 6000)}`,
  ],
]

/** Endless, with each of the tokens and with none. */
export function* hostileCalls(
  document: ApiDocument,
  tokens: readonly string[],
  random: () => number,
): Generator<HostileCall, never> {
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
  )
  const scalar = () => {
    const value = pick(values)
    return encodeURIComponent(typeof value === 'string' ? value.slice(0, 2000).toWellFormed() : JSON.stringify(value))
  }
  const object = () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 1 + random() * 6 }, () => [pick(names), pick(values)])))
  for (;;) {
    const route = pick(routes)
    const strange = random() < 0.06
    const query =
      random() < 0.4 ? `?${Array.from({ length: 1 + random() * 4 }, () => `${pick(names)}=${scalar()}`).join('&')}` : ''
    const method = random() < 0.15 ? pick(methods) : route.method
    const path = strange ? pick(strangePaths) : route.path.replace(/\{[^}]+\}|:\w+/g, scalar) + query
    const token: Record<string, string> =
      random() < 0.7 && tokens.length > 0 ? { authorization: `Bearer ${pick(tokens)}` } : {}
    const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method)
    yield {
      method,
      path: path.startsWith('/') ? path : `/${path}`,
      headers: {
        ...(hasBody && { 'content-type': random() < 0.8 ? 'application/json' : pick(contentTypes) }),
        ...token,
        ...pick(headers),
      },
      ...(hasBody && { body: random() < 0.6 ? object() : pick(bodies) }),
    }
  }
}
