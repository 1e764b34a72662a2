import { toolContracts } from '#tools/contracts.ts'
import type { HostileCall } from './hostile-calls.ts'

// Calls that abuse the protocols: uploads, forms, references, passkeys, streams, ranges, addresses,
// methods.

const json = { 'content-type': 'application/json' }
const uuid = '00000000-0000-4000-8000-000000000000'
const base64 = (text: string) => Buffer.from(text).toString('base64')

const tools = [...Object.keys(toolContracts), 'none', '%00']
const lengths = ['0', '1', '-1', '1e9', '0x10', ' 5', '9007199254740993', 'NaN', '26214401', '104857601', '5, 6', '']
const metadata = [
  ...['filename', 'filename !!!', 'filename ,,,', ` ${base64('a')}`, `a ${base64('b')},a ${base64('c')}`],
  `filename ${base64('../../\0/etc/passwd')},filetype ${base64('video/mp4')}`,
  `filename ${base64('😀'.repeat(2000))}`,
  Array.from({ length: 600 }, (_, index) => `k${index} ${base64('v')}`).join(','),
]
const pathNames = [
  ...[
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5cpackage.json',
    '/..;/api/admin/users',
    '/api/%6cogin',
    '/API/LOGIN',
  ],
  ...[
    '/api/login/',
    '/api/./login',
    '/api/login%00',
    '/api/login%0d%0aset-cookie:a=b',
    '/%E0%80%AF',
    '/%C0%AE%C0%AE/',
    '/index.html/',
  ],
  ...['/prerendered/home.html', '/vite-manifest.json', '/sw.js.br', '/assets/', '/.git/HEAD', '/~', '*', '/?', '/#'],
  ...[
    `/${'a/'.repeat(3000)}`,
    `/${'%2e%2e%2f'.repeat(500)}`,
    '/api/files//',
    `/api/files/${uuid}/%F0%9F%98%80`,
    '/\\evil.example',
  ],
  ...[
    'http://evil.example/api/user/me',
    '//evil.example/%2f..',
    '/api/generations/%ff%fe',
    '/reset-password/%00',
    '/metrics',
    '/readyz',
  ],
]
const texts = [
  ...[
    '{"a":1,"a":2,"a":3}',
    '[1e400,-1e400]',
    `{"amount":${'9'.repeat(50_000)}}`,
    '{"amount":-0}',
    '{"amount":1E+308}',
  ],
  ...[
    '{"email":"\\u0000"}',
    '{"email":"\\ud800"}',
    '{"":"","\\u0000":1}',
    '\ufeff{}',
    '{"a":NaN}',
    "{'a':1}",
    '{"a":1,}',
    '// x\n{}',
  ],
  ...[`${'{"a":['.repeat(20)}${']}'.repeat(20)}`, `{"a":"${'\\u0041'.repeat(9000)}"}`, `[${'[],'.repeat(6000)}[]]`],
]
const dates = [
  '-271821-04-20T00:00:00Z',
  '0000-01-01',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '2026-W01',
  '1',
]
const queries = [
  ...dates.flatMap((date) => [`from=${encodeURIComponent(date)}`, `to=${encodeURIComponent(date)}&from=2026-01-01`]),
  ...[
    'limit=1&limit=2',
    'limit=1e1',
    'limit=0x5',
    'limit=-1',
    'limit=5.5',
    'limit=%EF%BC%95',
    'cursor=999999999999999',
    'cursor=-1',
  ],
  ...[
    'search=%5C',
    'search=%25%5C',
    `search=${'%25'.repeat(90)}`,
    'search=%F0%9F',
    'search=%ED%A0%80',
    'search=(((((((((((',
    'search=%00',
  ],
  ...[
    'sort=email',
    'status=',
    'a[b][c]=1',
    '&&&&',
    '%',
    '%zz',
    '=',
    `${'a=1&'.repeat(1500)}`,
    `cursor=${uuid}`,
    `user=${uuid}`,
  ],
]
const ranges = [
  'bytes=0-0,1-1',
  'bytes=-',
  'bytes=9-1',
  `bytes=${'9'.repeat(50)}-`,
  'bytes=-0',
  'items=0-5',
  `bytes=${'0-,'.repeat(900)}`,
]
const methods = ['TRACE', 'PROPFIND', 'MKCOL', 'LOCK', 'PURGE', 'SEARCH', 'OPTIONS', 'HEAD', 'DELETE', 'PUT']
const oddHeaders: Record<string, string>[] = [
  { 'content-encoding': 'gzip' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json, text/plain' },
  { 'content-type': 'application/json\t;;;' },
  { 'x-http-method-override': 'DELETE', 'x-original-url': '/api/admin/users', 'x-rewrite-url': '/metrics' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript', forwarded: 'for="[::1]";host=evil' },
  { 'x-forwarded-for': Array(500).fill('127.0.0.1').join(',') },
  { cookie: Array.from({ length: 700 }, (_, index) => `c${index}=%FF`).join('; ') },
  { cookie: 'device=%; visitor=%00; registered=e30.e30.e30; verified=....; __Host-device="x"' },
  { 'if-none-match': `"${'a'.repeat(4000)}"`, 'if-modified-since': 'Thu, 99 Foo 0000 99:99:99 GMT' },
  { 'last-event-id': 'generation:999999999999999,order:999999999999999,credits:999999999999999' },
  { accept: 'text/csv', 'accept-encoding': 'br;q=1e999, gzip;q=-1, *;q=NaN' },
  { 'accept-language': '*;q=0.0001, en-US-x-twain;q=1.1' },
  { upgrade: 'websocket', 'sec-websocket-key': 'x', 'sec-websocket-version': '13' },
  { host: 'evil.example:99999' },
  { host: 'a b' },
  { expect: '100-continue' },
  { authorization: 'Bearer  ' },
  { 'user-agent': `Mozilla/5.0 (${'Linux; '.repeat(900)}) ${'a/'.repeat(900)}` },
]
/** Values that no screen sends. */
const params = [
  { strokes: Array.from({ length: 900 }, () => ({ points: [1e308, -1e308] })) },
  { mask: { strokes: [{ width: 1e308, points: Array(4000).fill(0) }] } },
  { box: { x: -1e9, y: 1e-320, width: 1e308, height: -1 }, face: 1e9, faces: [-1, 2 ** 31] },
  { background: { type: 'color', color: `#${'f'.repeat(9000)}` }, format: { toString: 1 } },
  { background: { type: 'scene', scene: '__proto__' }, prompt: '\u202e'.repeat(4000), seed: 2 ** 53 },
  { crop: { angle: 1e308 }, size: 'Infinity', count: 1e9, copies: -1, template: '../..' },
  { points: Array(4900).fill(0), colours: Array(90).fill({ x: 0, y: 0, colour: 'red' }) },
]

export function* hostileProtocols(tokens: readonly string[], random: () => number): Generator<HostileCall, never> {
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item
  const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => Math.floor(random() * 256)))
  const bearer = (): Record<string, string> =>
    random() < 0.85 && tokens.length > 0 ? { authorization: `Bearer ${pick(tokens)}` } : {}
  const key = () => ({ 'idempotency-key': `aimed-${Math.floor(random() * 1e9)}` })

  const tus = (): HostileCall => {
    const begins = random() < 0.6
    const headers = {
      'tus-resumable': pick(['1.0.0', '1.0.0', '1.0.0', '0.2.2', '']),
      ...(begins ? { 'upload-length': pick(lengths) } : { 'upload-offset': pick(lengths) }),
      ...(random() < 0.7 && { 'upload-metadata': pick(metadata) }),
      ...(random() < 0.1 && { 'upload-defer-length': pick(['1', '2']) }),
      ...(random() < 0.1 && { 'upload-concat': pick(['partial', `final;/api/uploads/${uuid}`]) }),
      ...(random() < 0.1 && { 'upload-checksum': 'sha1 AAAA' }),
      ...(random() < 0.7 && { 'content-type': pick(['application/offset+octet-stream', 'text/plain']) }),
      ...bearer(),
    }
    const path = begins ? '/api/uploads' : `/api/uploads/${pick([uuid, 'x', '..%2f..', `${uuid}/../${uuid}`])}`
    const method = begins ? 'POST' : pick(['PATCH', 'HEAD', 'DELETE', 'GET', 'POST'])
    return {
      method,
      path,
      headers,
      ...(['POST', 'PATCH'].includes(method) && random() < 0.5 && { body: noise(Math.floor(random() * 300)) }),
    }
  }

  const form = (): HostileCall => {
    const boundary = pick(['x', 'x', 'a'.repeat(200), '"', ''])
    const disposition = pick([
      ...[
        'form-data; name="params"',
        'form-data; name=picture; filename="a.png"',
        'form-data',
        'form-data; name="__proto__"',
      ],
      ...[
        "form-data; name*=utf-8''p%00; filename*=utf-8''%ff",
        `form-data; name="${'n'.repeat(3000)}"`,
        'attachment; name="params"',
      ],
    ])
    const part = `--${boundary}\r\ncontent-disposition: ${disposition}\r\n${pick(['', 'content-transfer-encoding: base64\r\n', 'a: b\r\n'.repeat(300)])}\r\n${pick(['', '{}', '{"a":'.repeat(99), 'x'.repeat(17_000)])}\r\n`
    const end = pick([`--${boundary}--\r\n`, `--${boundary}`, '', `--${boundary}--${'\r\n'.repeat(5000)}`])
    const times = pick([1, 2, 30, 300, 20_000])
    const where = pick(['preview', 'preview', 'check', 'generations'])
    return {
      method: 'POST',
      path: where === 'generations' ? '/api/generations' : `/api/tools/${pick(tools)}/${where}`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...key(), ...bearer() },
      body: part.repeat(Math.min(times, Math.floor(2_900_000 / part.length) + 1)) + end,
    }
  }

  const run = (): HostileCall => {
    const ref = () =>
      pick<unknown>([{ upload: uuid }, { file: uuid }, { upload: 'x' }, { upload: uuid, file: uuid }, null, []])
    const input = pick(['picture', 'image', 'mask', 'face', 'target', 'video', '__proto__', 'constructor'])
    const body = {
      tool: pick(tools),
      params: pick(params),
      inputs: { [input]: Array.from({ length: pick([0, 1, 2, 101]) }, ref) },
    }
    const path = pick([
      '/api/generations',
      ...[`/api/tools/${pick(tools)}/check`, `/api/generations/${uuid}/render`, `/api/generations/${uuid}/claim`],
    ])
    return { method: 'POST', path, headers: { ...json, ...key(), ...bearer() }, body: JSON.stringify(body) }
  }

  const request = (): HostileCall => {
    const attachments = Array.from({ length: pick([0, 1, 5, 50]) }, () =>
      pick([{ upload: uuid }, { file: uuid }, { upload: '' }]),
    )
    const body = {
      title: pick(['a', '', 'x'.repeat(9000)]),
      description: pick(['b', '\u0000', '😀'.repeat(2500)]),
      whatsapp: pick(['+628123456789', '9'.repeat(5000), '+', '08\u0000']),
      email: 'a@contoh.id',
      attachments,
    }
    return {
      method: 'POST',
      path: '/api/custom_edits',
      headers: { ...json, ...key(), ...bearer() },
      body: JSON.stringify(body),
    }
  }

  const passkey = (): HostileCall => {
    const client = base64(
      pick([JSON.stringify({ type: 'webauthn.get', challenge: 'x', origin: 'null' }), '{', '[]', 'null', '']),
    )
    // CBOR: nested arrays, a map of an impossible length, noise.
    const cbor = pick([
      Buffer.alloc(7000, 0x81),
      Buffer.from('bbffffffffffffffff', 'hex'),
      Buffer.from('5bffffffffffffffff', 'hex'),
      noise(200),
    ])
    const response = {
      clientDataJSON: client,
      attestationObject: cbor.toString('base64url'),
      authenticatorData: cbor.toString('base64url'),
      signature: noise(70).toString('base64url'),
      userHandle: 'x',
    }
    const credential = {
      id: pick(['AA', 'x\u0000', '😀', '=']),
      rawId: 'AA',
      type: 'public-key',
      clientExtensionResults: {},
      response,
    }
    const [path, body] = pick<[string, unknown]>([
      ['/api/login_passkey', { response: credential }],
      ['/api/user/passkeys', { response: credential }],
      ['/api/user/passkeys/options', { password: 'x' }],
      ['/api/passkey_options', {}],
      [
        '/api/login_code',
        { challenge: pick(['x', 'e30.e30.e30', '']), code: pick(['000000', '０００００', '1e5', 'AAAA-AAAA']) },
      ],
      ['/api/user/totp', { password: 'x'.repeat(200) }],
      ['/api/user/totp/confirm', { code: pick(['000000', ' 12 34 56 ', '12345\n', '-00001']) }],
      ['/api/user/recovery_codes', { code: '😀' }],
      [`/api/user/passkeys/${pick(['%00', 'x', '..'])}/remove`, { password: 'x' }],
      ['/api/login_token', { token: pick(['', 'x'.repeat(5000)]) }],
      ['/api/login_verified', {}],
    ])
    return { method: 'POST', path, headers: { ...json, ...bearer() }, body: JSON.stringify(body) }
  }

  const text = (): HostileCall => {
    const path = pick([
      '/api/login',
      '/api/register',
      '/api/orders',
      '/api/user/me',
      '/api/admin/vouchers',
      '/api/webhooks/xendit',
      '/api/generations',
    ])
    const content = pick(texts)
    const body = pick([content, Buffer.from(content, 'utf16le'), Buffer.concat([Buffer.from(content), noise(20)])])
    return { method: path.endsWith('/me') ? 'PATCH' : 'POST', path, headers: { ...json, ...key(), ...bearer() }, body }
  }

  const list = (): HostileCall => {
    const path = pick([
      ...['generations', 'orders', 'user/ledger', 'user/consents', 'custom_edits', 'tools', 'packages', 'events'].map(
        (name) => `/api/${name}`,
      ),
      ...[
        'audit',
        'security_events',
        'users',
        'orders',
        'vouchers',
        'custom_edits',
        'claims',
        'ledger',
        'jobs',
        'tools',
      ].map((name) => `/api/admin/${name}`),
      `/api/files/${uuid}/a.png?expires=${pick(['Infinity', '-1', '1e3', '000000000001', '9'.repeat(12)])}&signature=${'A'.repeat(43)}`,
      ...[
        `/api/custom_edit_results/${uuid}/${'9'.repeat(400)}-x`,
        `/api/custom_edit_files/${uuid}/a?expires=1&signature=`,
      ],
    ])
    return {
      method: 'GET',
      path: path.includes('?') ? path : `${path}?${pick(queries)}`,
      headers: { ...pick(oddHeaders), ...bearer() },
    }
  }

  const pathCall = (): HostileCall => ({
    method: random() < 0.3 ? pick(methods) : 'GET',
    path:
      random() < 0.7 ? pick(pathNames) : pick(['/', '/login', '/api/user/me', '/api/login', '/sw.js', '/assets/x.js']),
    headers: {
      ...(random() < 0.5 && { range: pick(ranges), 'if-range': pick(['"x"', 'W/"x"', 'Thu']) }),
      ...pick(oddHeaders),
      ...bearer(),
    },
  })

  const kinds = [tus, form, run, request, passkey, text, list, pathCall]
  for (;;) yield pick(kinds)()
}
