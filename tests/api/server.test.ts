import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { DrizzleQueryError } from 'drizzle-orm'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { appError } from '#server/http/app-error.ts'
import { handleError } from '#server/http/error-response.ts'
import { listen } from '#server/http/listen.ts'
import { hasMessage, translate } from '#server/i18n.ts'
import { createLog } from '#server/log.ts'
import { publicUrlPlaceholder } from '#shared/brand.ts'
import { type ErrorCode, errorStatus } from '#shared/errors.ts'
import { languages } from '#shared/language.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { warningCodes } from '#tools/contract/tool.ts'

const script = 'console.warn("rupa")\n'.repeat(50)
let app: TestApp

beforeAll(async () => {
  const distDir = mkdtempSync(join(tmpdir(), 'rupa-dist-'))
  mkdirSync(join(distDir, 'assets'))
  mkdirSync(join(distDir, 'prerendered', 'en'), { recursive: true })
  for (const [name, content] of Object.entries({
    'pricing.html': `<html lang="id"><link rel="canonical" href="${publicUrlPlaceholder}/pricing">`,
    'how-to-use.html': `<style>main{color:red}</style>`,
    'en/pricing.html': `<html lang="en"><link rel="canonical" href="${publicUrlPlaceholder}/pricing?lang=en">`,
    'robots.txt': `Sitemap: ${publicUrlPlaceholder}/sitemap.xml\n`,
    'sitemap.xml': `<urlset><url><loc>${publicUrlPlaceholder}/</loc></url></urlset>`,
  })) {
    writeFileSync(join(distDir, 'prerendered', name), content)
  }
  const files = { 'index.html': '<!doctype html><title>Rupa</title>', 'sw.js': script, 'assets/main-Ab12.js': script }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(distDir, name), content)
    writeFileSync(join(distDir, `${name}.br`), brotliCompressSync(content))
  }
  writeFileSync(join(distDir, 'vite-manifest.json'), '{}')
  writeFileSync(join(distDir, '.built'), 'stamp')
  app = await createTestApp({ distDir })
})
afterAll(() => app.stop())

test('the sign-out page learns if the user navigated there directly, each time anew', async () => {
  const told = async (site?: string) => {
    const headers: Record<string, string> = { accept: 'text/html', ...(site && { 'sec-fetch-site': site }) }
    const response = await app.request('/logout', { headers })
    expect(response.headers.get('cache-control')).toBe('no-store')
    return response.headers.get('server-timing')
  }
  expect([await told('none'), await told('same-origin')]).toEqual(['own-navigation', 'own-navigation'])
  expect([await told('cross-site'), await told('same-site'), await told()]).toEqual([null, null, null])
})

describe('errors', () => {
  test.each(languages)('have a sentence for every code in %s', (language) => {
    for (const code of Object.keys(errorStatus) as ErrorCode[]) {
      expect(hasMessage(language, `error.${code}`), code).toBe(true)
      expect(translate(language, `error.${code}`)).not.toContain('error.')
    }
    for (const code of warningCodes) expect(hasMessage(language, `warning.${code}`), code).toBe(true)
  })

  test('carry code and sentence in the language of Accept-Language, Indonesian by default', async () => {
    const response = await app.request('/api/user/me')
    expect(response.status).toBe(401)
    expect(response.headers.get('content-language')).toBe('id')
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toEqual({ code: 'auth.required', msg: 'Silakan masuk dulu.' })
    const english = await app.request('/api/user/me', { headers: { 'accept-language': 'fr, en-GB;q=0.8, id;q=0.2' } })
    expect(english.headers.get('vary')).toContain('Accept-Language')
    expect(await english.json()).toEqual({ code: 'auth.required', msg: 'Please sign in first.' })
  })

  test('that are unexpected reveal no internals, and log no values', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    const broken = new Hono().onError(handleError(log))
    const cause = Object.assign(new Error('invalid input syntax for type uuid: "budi@rahasia.id"'), {
      code: '22P02',
      detail: 'Key (email)=(budi@rahasia.id)',
    })
    broken.get('/query', () => {
      throw new DrizzleQueryError('select $1', ['budi@rahasia.id'], cause)
    })
    broken.get('/down', () => {
      throw new Error('outer', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
    })
    broken.get('/full', () => {
      throw Object.assign(new Error('could not extend file'), { code: '53100' })
    })
    const response = await broken.request('/query')
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ code: 'server.error', msg: 'Terjadi kesalahan' })
    const down = await broken.request('/down')
    expect([down.status, down.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await (await broken.request('/full')).json()).toMatchObject({ code: 'storage.full' })
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain('select $1')
    expect(lines.join()).not.toContain('rahasia')
  })

  test('have their status and a time to retry', () => {
    const error = appError('queue.full', { retryAfter: 7 })
    expect([error.status, error.retryAfter]).toEqual([503, 7])
  })
})

describe('routing', () => {
  test.each(['/api', '/api/', '/api/nothing', '/api/user', '/api/login/x'])(
    'responds 404 as JSON for %s',
    async (path) => {
      const response = await app.request(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'request.not_found' })
    },
  )

  test.each([
    ['GET', '/api/login', 'POST'],
    ['DELETE', '/api/register', 'POST'],
    ['PUT', '/api/user/me', 'GET, HEAD, PATCH'],
    ['POST', '/api/verify_email/x', 'GET, HEAD'],
  ])('refuses %s %s and names the allowed methods', async (method, path, allow) => {
    const response = await app.request(path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await response.json()).toMatchObject({ code: 'request.method' })
  })

  test('redirects a share that arrived before the service worker to the tool, which requests the picture again', async () => {
    const body = new FormData()
    body.append('photos', new File([new Uint8Array(2_000_000)], 'kucing.jpg', { type: 'image/jpeg' }))
    const response = await app.request('/share', { method: 'POST', body })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/open-with?shared=0'])
  })

  test('refuses a share that a foreign site sends', async () => {
    const send = async (headers: Record<string, string>, method: 'GET' | 'POST') => {
      const response = await app.request('/share', { method, headers, redirect: 'manual' })
      return response.status === 403 ? ((await response.json()) as { code: string }).code : response.status
    }
    for (const method of ['GET', 'POST'] as const) {
      for (const site of ['cross-site', 'same-site', 'something-new'])
        expect(await send({ 'sec-fetch-site': site }, method)).toBe('request.foreign_site')
      for (const site of ['none', 'same-origin']) expect(await send({ 'sec-fetch-site': site }, method)).toBe(303)
      const host = 'localhost:3000'
      expect(await send({ host, origin: 'https://foreign.example' }, method)).toBe('request.foreign_site')
      expect(await send({ host, origin: 'http://localhost:3000' }, method)).toBe(303)
    }
  })

  test('lets a foreign site link to the API, and neither call it nor load from it', async () => {
    const send = async (path: string, method: string, headers: Record<string, string>) => {
      const response = await app.request(path, { method, headers, redirect: 'manual' })
      const body = (await response.json().catch(() => ({}))) as { code?: string }
      return body.code === 'request.foreign_site'
    }
    const foreign = { 'sec-fetch-site': 'cross-site' }
    const navigation = { ...foreign, 'sec-fetch-mode': 'navigate' }
    const resend = '/api/resend_confirmation_email?email=korban@contoh.id'
    expect(await send('/api/tools/background-removal/preview', 'POST', foreign)).toBe(true)
    expect(await send('/api/tools/background-removal/preview', 'POST', navigation)).toBe(true)
    expect(await send('/api/login', 'POST', { ...navigation, 'sec-fetch-site': 'same-site' })).toBe(true)
    expect(await send(resend, 'GET', { ...foreign, 'sec-fetch-mode': 'no-cors' })).toBe(true)
    expect(await send(resend, 'GET', navigation)).toBe(true)
    expect(await send(`/api/verify_email/${'x'.repeat(43)}`, 'GET', navigation)).toBe(false)
    for (const site of ['same-origin', 'none'])
      expect(await send('/api/login', 'POST', { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' })).toBe(false)
    expect(await send('/api/login', 'POST', { origin: 'https://script.example' })).toBe(false)
  })

  test('describes every route and the shape of errors', async () => {
    const response = await app.request('/api/openapi.json')
    const document = (await response.json()) as {
      paths: Record<string, Record<string, { responses: object }>>
      components: { schemas: { Error: { required: string[] } } }
    }
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/login', '/api/register', '/api/reset_password/{token}', '/api/user/me']),
    )
    expect(JSON.stringify(document.paths['/api/register']?.post)).toContain('agreeToTerms')
    expect(document.paths['/api/login']?.post?.responses).toMatchObject({
      default: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    })
    expect(document.components.schemas.Error.required).toEqual(['code', 'msg'])
  })

  test('sends each public page in the language of its address, under the own address, compressed or not', async () => {
    const { origin } = app.config.publicUrl
    const head = async (path: string) => (await app.request(path)).text()
    for (const path of ['/pricing', '/pricing?fbclid=x', '/pricing?lang=fr'])
      expect(await head(path)).toBe(`<html lang="id"><link rel="canonical" href="${origin}/pricing">`)
    const english = `<html lang="en"><link rel="canonical" href="${origin}/pricing?lang=en">`
    expect(await head('/pricing?lang=en')).toBe(english)
    const compressed = await app.request('/pricing?lang=en', { headers: { 'accept-encoding': 'gzip, br' } })
    expect([compressed.headers.get('content-encoding'), compressed.headers.get('vary')]).toEqual([
      'br',
      'Accept-Encoding',
    ])
    expect(brotliDecompressSync(await compressed.arrayBuffer()).toString()).toBe(english)
    const slashed = await app.request('/pricing/?lang=en')
    expect([slashed.status, slashed.headers.get('location')]).toEqual([301, '/pricing?lang=en'])
    expect((await app.request('//pricing/')).status).toBe(404)
    expect(await head('/robots.txt')).toBe(`Sitemap: ${origin}/sitemap.xml\n`)
    const map = await app.request('/sitemap.xml')
    expect([map.headers.get('content-type'), await map.text()]).toEqual([
      'application/xml; charset=utf-8',
      `<urlset><url><loc>${origin}/</loc></url></urlset>`,
    ])
  })

  test('excludes private pages from search engines, and lets them list public ones', async () => {
    const listed = async (path: string) => (await app.request(path)).headers.get('x-robots-tag')
    expect([await listed('/history'), await listed('/nothing'), await listed('/pricing')]).toEqual([
      'noindex',
      'noindex',
      null,
    ])
  })

  test('ends a slow JSON body with 408, not with a server error', async () => {
    const connections = { ...app.config.connections, bodyMilliseconds: 50 }
    const server = await listen({ ...app.config, connections, port: 0 }, app.deps.log, app.composition.app.fetch)
    const { port } = server.address() as { port: number }
    const client = connect(port, '127.0.0.1')
    const lines = ['POST /api/login HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 50']
    client.write([...lines, '', '{"email":'].join('\r\n'))
    const answer = await text(client)
    expect(answer).toMatch(/^HTTP\/1\.1 408[\s\S]*"code":"request\.timeout"/)
    client.destroy()
    server.close()
    await once(server, 'close')
    await vi.waitFor(() => expect(app.logged.at(-1)).toMatchObject({ route: '/api/login', status: 400 }), 300_000)
  })

  test('reports that it is alive and ready', async () => {
    expect(await (await app.request('/healthz')).json()).toEqual({ status: 'ok' })
    expect(await (await app.request('/readyz')).json()).toMatchObject({ status: 'ok' })
  })
})

describe('every response', () => {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"

  test.each(['/', '/api/nothing', '/api/user/me', '/healthz', '/assets/main-Ab12.js', '/assets/gone.js'])(
    'carries the security headers: %s',
    async (path) => {
      const { headers } = await app.request(path)
      expect(headers.get('content-security-policy')).toBe(policy)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
      expect(headers.get('strict-transport-security')).toBeNull()
    },
  )

  test('allows a page its own style element, and no other', async () => {
    const { headers } = await app.request('/how-to-use')
    const hash = createHash('sha256').update('main{color:red}').digest('base64')
    expect(headers.get('content-security-policy')).toBe(
      policy.replace("style-src 'self'", `style-src 'self' 'sha256-${hash}'`),
    )
  })

  test('lets the worker of the engine, and no page, compile WebAssembly', async () => {
    const { headers } = await app.request('/assets/engine/engine-worker-Ab12.js')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    )
  })

  test('is not stored when it comes from the API', async () => {
    expect((await app.request('/api/user/me')).headers.get('cache-control')).toBe('no-store')
    expect((await app.request('/api/openapi.json')).headers.get('cache-control')).toBe('no-store')
  })
})

describe('the built app', () => {
  test.each(['/', '/history', '/ai-background-removal', '/reset-password/abc.def'])(
    'serves its start page at %s, revalidated each time',
    async (path) => {
      const response = await app.request(path, { headers: { accept: 'text/html' } })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(await response.text()).toContain('<title>Rupa</title>')
    },
  )

  test.each(['/nowhere/at/all', '/history/x', '/reset-password/'])(
    'responds to %s, which is not a page, with 404 and the app’s page for it',
    async (path) => {
      const response = await app.request(path, { headers: { accept: 'text/html' } })
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-cache'])
      expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      expect(await response.text()).toContain('<title>Rupa</title>')
    },
  )

  test('sends hashed files compressed and cached for ever, the service worker uncached', async () => {
    const asset = await app.request('/assets/main-Ab12.js', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(asset.headers.get('content-encoding')).toBe('br')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await asset.arrayBuffer()).byteLength).toBe(brotliCompressSync(script).byteLength)
    const plain = await app.request('/assets/main-Ab12.js')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(script)
    expect((await app.request('/sw.js')).headers.get('cache-control')).toBe('no-cache')
  })

  test.each([
    '/assets/gone-Cd34.js',
    '/vite-manifest.json',
    '/.built',
    '/assets/.hidden',
    '/assets/main-Ab12.js.br',
    '/../package.json',
    '/%2e%2e/package.json',
  ])('has nothing at %s', async (path) => {
    const response = await app.request(path)
    expect(response.status).toBe(404)
    expect(await response.text()).not.toMatch(/"dependencies"|stamp/)
  })

  test('refuses a range beyond the end of a file with the usual error body', async () => {
    const response = await app.request('/sw.js', { headers: { range: 'bytes=999999-' } })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe(`bytes */${script.length}`)
    expect(await response.json()).toMatchObject({ code: 'request.range' })
  })

  test('refuses all other methods', async () => {
    const response = await app.request('/', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })
})

describe('with only the reserve left on the disk', () => {
  test('no new data is accepted and nothing is lost; reading continues, and everything works once there is space', async () => {
    let free = 10_000_000_000
    const full = await createTestApp({ freeBytes: async () => free })
    try {
      const person = await full.createUser()
      free = 1_000_000
      await vi.waitFor(
        () => expect(full.deps.store.put('room/x', new Uint8Array(1))).rejects.toThrow('storage.full'),
        120_000,
      )
      expect((await person.request('/api/user/me')).status).toBe(200)
      if (!process.env.TEST_DATABASE_URL) {
        const json = { email: person.email, password: person.password }
        const refused = await full.request('/api/login', { json })
        expect(refused.status).toBe(503)
        expect(refused.headers.get('retry-after')).toBe('60')
        expect(await refused.json()).toMatchObject({ code: 'storage.full' })
      }
      free = 10_000_000_000
      await vi.waitFor(() => full.signIn(person.email, person.password), { timeout: 300_000, interval: 200 })
    } finally {
      await full.stop()
    }
  })
})

describe('on https', () => {
  test.each([
    ['0', 'max-age=31536000'],
    ['1', 'max-age=31536000; includeSubDomains'],
  ])('HSTS is sent, with subdomains only if the operator enables it (%s)', async (choice, expected) => {
    const env = { PUBLIC_URL: 'https://rupa.contoh.id', HSTS_SUBDOMAINS: choice }
    const secure = await createTestApp({ env })
    try {
      const { headers } = await secure.request('/healthz')
      expect(headers.get('strict-transport-security')).toBe(expected)
    } finally {
      await secure.stop()
    }
  })
})

describe('the log', () => {
  test('names the route, never the address, token or user', async () => {
    const user = await app.registerAndVerify()
    await user.request('/api/user/me')
    const text = JSON.stringify(app.logged)
    expect(text).toContain('/api/verify_email/:token')
    expect(text).toContain('/api/user/me')
    for (const secret of [user.email, user.token, user.password]) expect(text).not.toContain(secret)
    const [mail] = app.mails.filter(({ to }) => to === user.email)
    expect(text).not.toContain(mail?.link?.split('/').at(-1))
  })
})
