import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sendCommand } from '#server/control/control-socket.ts'
import { damageLog } from '#tests/support/operator.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { serverOptions } from '../../src/scripts/run.mjs'

const json = { 'content-type': 'application/json' }

function post(server: { url: string }, path: string, body: object) {
  return fetch(`${server.url}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
}

/** Only the response decides when to stop. */
async function sendBody(server: { url: string }, bytes: number) {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const errors: string[] = []
  let response = ''
  let open = true
  socket.on('data', (chunk) => {
    response += chunk
  })
  socket.on('error', ({ code }: NodeJS.ErrnoException) => response === '' && errors.push(code ?? 'unknown'))
  const closed = new Promise<void>((resolve) => {
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      open = false
      resolve()
    })
  })
  await once(socket, 'connect')
  socket.write(
    `POST /api/login HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
  )
  const piece = Buffer.alloc(64 * 1024, 32)
  for (let sent = 0; sent < bytes && open && socket.writable; sent += piece.length) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
  }
  await closed
  return { response, errors }
}

async function startFollowed(env: Record<string, string>) {
  const command = JSON.stringify([...serverOptions, 'src/server-app/main.ts'])
  const code = `import('./src/scripts/follow.mjs').then(({ follow }) => follow('node', ${command}))`
  const starter = spawn(process.execPath, ['-e', code], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ENGINE_THREADS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) starter[name].on('data', (chunk) => (said[name] += chunk))
  await vi.waitFor(() => expect(said.stdout).toMatch(/Emails are (sent|written)/), { timeout: 300_000, interval: 50 })
  const url = `http://127.0.0.1:${env.PORT}`
  return { starter, url, stdout: () => said.stdout, stderr: () => said.stderr }
}

describe('the program', () => {
  let home: ServerHome
  let env: Record<string, string>
  let refused: ServerProcess
  let server: Awaited<ReturnType<typeof startFollowed>>
  beforeAll(async () => {
    home = await createServerHome()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    env = { ...home.env, PORT: String((other.address() as { port: number }).port) }
    refused = await startServerProcess(env)
    other.close()
    await once(other, 'close')
    server = await startFollowed(env)
  })
  afterAll(async () => {
    server.starter.kill('SIGKILL')
    await home.drop()
  })

  test('does not start on a port in use, prints one clear line, and creates the first admin when it does run', async () => {
    expect(await refused.ended).toBe(1)
    expect(refused.stderr()).toMatch(/^[^\n]*127\.0\.0\.1:\d+ is in use by another program; set PORT[^\n]*\n$/)
    expect(refused.stderr()).not.toContain('First admin')
    expect(server.stderr()).toContain('First admin')
  })

  test('prints its address and the outbox in lines that are all JSON, and the first password on standard error alone', async () => {
    const lines = server
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const port = new URL(server.url).port
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining([
        `Rupa is running at http://localhost:${port}`,
        `Emails are written to ${home.dataDir}/outbox`,
      ]),
    )
    const password = /^First admin: admin@rupa\.test, password (\S+) \(shown only this once\)\n$/.exec(
      server.stderr(),
    )?.[1]
    const response = await post(server, '/api/login', { email: 'admin@rupa.test', password })
    expect(response.status).toBe(200)
    const { access_token } = (await response.json()) as { access_token: string }
    const me = await fetch(`${server.url}/api/user/me`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(await me.json()).toMatchObject({ role: 'admin', email: 'admin@rupa.test' })
  })

  test('from registering to credits over HTTP alone, with the mail in the outbox', async () => {
    const person = { name: 'Sari', email: 'sari@contoh.id', password: 'Rahasia123!' }
    expect((await post(server, '/api/register', { ...person, agreeToTerms: true, birthYear: 1990 })).status).toBe(201)
    const mail = await vi.waitFor(
      () => {
        const outbox = join(home.dataDir, 'outbox')
        const file = readdirSync(outbox).find((name) => name.endsWith('sari@contoh.id.eml'))
        return readFileSync(join(outbox, file as string), 'utf8')
      },
      { timeout: 300_000 },
    )
    const path = /\/api\/verify_email\/[A-Za-z0-9_-]{43}/.exec(mail)?.[0]
    const verified = await fetch(`${server.url}${path}`, { redirect: 'manual' })
    expect(verified.headers.get('location')).toBe('/login?verified=1')
    const login = (await (await post(server, '/api/login', person)).json()) as { access_token: string }
    const credit = await fetch(`${server.url}/api/user/myCredit`, {
      headers: { authorization: `Bearer ${login.access_token}` },
    })
    expect(await credit.json()).toMatchObject({ credits: 25 })
    expect(server.stdout()).toContain(path)
    expect(server.stdout()).not.toContain('sari@contoh.id')
  })

  test.each([
    ['/api/forgot_password', 'content-length: 1000', '{"a":'],
    ['/api/login', 'transfer-encoding: chunked', '5\r\n{"a":\r\n'],
  ])('a request of %s aborted by its client is not logged as a server error', async (path, length, start) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect({ host: hostname, port: Number(port) })
    const head = [`POST ${path} HTTP/1.1`, 'host: a', 'content-type: application/json', 'expect: 100-continue', length]
    socket.write(`${head.join('\r\n')}\r\n\r\n${start}`)
    await once(socket, 'data')
    socket.destroy()
    const line = await vi.waitFor(
      () => {
        const found = server.stdout().match(new RegExp(`.*"${path}","status":[45].*`))
        return found?.[0] ?? expect.fail('nothing logged yet')
      },
      { timeout: 300_000 },
    )
    expect(JSON.parse(line)).toMatchObject({ level: 'info', status: 400 })
    expect(server.stdout()).not.toContain('"level":"error"')
  })

  test('refuses an oversized body in such a way that a client still sending it can read the reason', async () => {
    const { response, errors } = await sendBody(server, 64 * 1024 * 1024)
    const [head = '', body = ''] = response.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 413 /)
    expect(JSON.parse(/\{.*\}/.exec(body)?.[0] ?? '')).toMatchObject({ code: 'request.too_large' })
    expect(errors).toEqual([])
  })

  test('lets proxies close idle connections first, which Caddy does after two minutes', async () => {
    const { headers } = await fetch(`${server.url}/healthz`)
    expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(120)
  })

  test.each([
    ['no HTTP', '\x16\x03\x01\x02\0', 400, 'request.malformed'],
    ['headers without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'request.too_large'],
    ['a host that is none', 'GET / HTTP/1.1\r\nhost: a b\r\n\r\n', 400, 'request.malformed'],
    ['a path with a backslash', 'GET /a\\b HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'request.malformed'],
    ['an address that is none', 'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'request.malformed'],
    ['to repeat a request', 'TRACE /api/user/me HTTP/1.1\r\nhost: a\r\n\r\n', 405, 'request.method'],
    [
      'a body with two ends',
      'POST /api/login HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'request.malformed',
    ],
    ['metrics by another name', 'GET http://localhost/metrics HTTP/1.1\r\nhost: a\r\n\r\n', 404, 'request.not_found'],
    ['metrics by two names', 'GET /metrics HTTP/1.1\r\nhost: localhost\r\nhost: a\r\n\r\n', 404, 'request.not_found'],
  ])('refuses %s with the body of every other refusal', async (_, request, status, code) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(request, 'latin1')
    const [head, body] = String((await once(socket, 'data'))[0]).split('\r\n\r\n')
    socket.destroy()
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body ?? '')).toMatchObject({ code, msg: expect.any(String) })
  })

  test('runs commands received by the socket in its data folder', async () => {
    const said: string[] = []
    const send = (...args: string[]) => sendCommand(home.dataDir, args, (line) => void said.push(line))
    expect(await send('status')).toBe(0)
    expect(said.join('\n')).toMatch(/^version \d+\.\d+\.\d+.*\nlast good backup: none yet\n/)
    expect(await send('nonsense')).toBe(1)
    expect(said.at(-1)).toMatch(/^npm run admin/)
    expect(await sendCommand(join(home.dataDir, 'none'), ['status'], () => {})).toBeUndefined()
  })

  test('refuses to run twice on the same data, in one clear line', async () => {
    const second = await startServerProcess(home.env)
    expect(await second.ended).toBe(1)
    expect(second.stderr()).toMatch(/^\S* ?[^\n]*is in use by another Rupa process[^\n]*\n$/)
    expect(second.stdout()).toBe('')
  })

  test('killed together with its parent, it frees port and data for the next one, which keeps the sign-ins and shuts down cleanly', async () => {
    const person = { email: 'sari@contoh.id', password: 'Rahasia123!' }
    const login = (await (await post(server, '/api/login', person)).json()) as { access_token: string }
    const responds = () =>
      fetch(`${server.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    expect(await responds()).toBe(true)
    server.starter.kill('SIGKILL')
    await vi.waitFor(async () => expect(await responds()).toBe(false), { timeout: 300_000, interval: 100 })

    const next = await startServerProcess(env)
    onTestFinished(async () => void (await next.end('SIGKILL')))
    expect(next.stdout()).toContain('Rupa is running')
    expect(next.stderr()).not.toContain('First admin')
    const me = await fetch(`${next.url}/api/user/me`, { headers: { authorization: `Bearer ${login.access_token}` } })
    expect(me.status).toBe(200)
    expect(await next.end('SIGTERM')).toBe(0)
    expect(next.stderr()).toBe('')
  })
})

test('killed while its first start prepares the database, the next start completes it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-first-'))
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()) }
  const first = spawn(process.execPath, [...serverOptions, 'src/server-app/main.ts'], {
    env: { ...env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await Promise.race([once(first.stdout, 'data'), once(first, 'exit')])
  first.kill('SIGKILL')
  // The parent, which shares its output, must end too.
  await once(first, 'close')
  const next = await startServerProcess(env)
  expect(next.stderr()).toContain('First admin')
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200)
  expect(await next.end()).toBe(0)
  rmSync(dataDir, { recursive: true })
})

describe('a startup error is one clear line', () => {
  test('a wrong variable', async () => {
    const server = await startServerProcess({ DATA_DIR: '/nonexistent/rupa', PORT: 'http' })
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toBe('PORT must be a whole number from 1 to 65535\n')
    expect(server.stdout()).toBe('')
  })

  test('a database that cannot be reached', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'rupa-process-'))
    const server = await startServerProcess({
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://rupa:geheim@127.0.0.1:1/rupa',
    })
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toMatch(/^DATABASE_URL: [^\n]*127\.0\.0\.1:1[^\n]*\n$/)
    expect(server.stderr()).not.toContain('geheim')
  })

  test.skipIf(process.env.TEST_DATABASE_URL)('a damaged embedded database', async () => {
    const home = await createServerHome()
    damageLog(home.dataDir)
    const server = await startServerProcess(home.env)
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toMatch(/^DATA_DIR\/database [^\n]*damaged[^\n]*npm run restore[^\n]*\n$/)
    expect(server.stdout()).toBe('')
    await home.drop()
  })

  test('a folder that cannot be made', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'rupa-process-')), 'file')
    writeFileSync(file, '')
    const server = await startServerProcess({ DATA_DIR: join(file, 'data') })
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toMatch(/^DATA_DIR [^\n]*data cannot be used: [^\n]*\n$/)
  })
})
