import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { HostileCall } from './hostile-calls.ts'
import type { HostileOutcome } from './hostile-uploads.ts'

const kept = 40_000
const json = { 'content-type': 'application/json' }
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Poses as a trusted proxy, with many client addresses. */
export function hostileClient(port: number, random: () => number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const sockets: Socket[] = []
  /** Limits count addresses. */
  const somewhere = () => `198.18.${Math.floor(random() * 250)}.${Math.floor(random() * 250)}`

  /** fetch would normalize the path. Resolves to 0 if the connection ended without a response. */
  function send({ method, path, headers, body }: HostileCall, hangsUp = false): Promise<HostileOutcome> {
    return new Promise((resolve) => {
      const nothing = () => resolve({ status: 0, text: '' })
      try {
        const options = { agent, port, host: '127.0.0.1', method, path, timeout: 300_000 }
        const own = { 'x-forwarded-for': somewhere(), ...headers }
        const call = request({ ...options, headers: own }, (response) => {
          const { location, 'retry-after': retryAfter, 'content-type': type = '' } = response.headers
          let text = ''
          if (/event-stream/.test(type)) response.destroy()
          response.on('data', (chunk) => {
            if (text.length < kept) text += chunk
          })
          response.on('close', () => resolve({ status: response.statusCode ?? 0, text, location, retryAfter }))
        })
        call.on('timeout', () => call.destroy())
        if (hangsUp) setTimeout(() => call.destroy(), random() * 100)
        call.on('error', nothing)
        call.end(body)
      } catch {
        // Node refuses to send it.
        resolve({ status: -1, text: '' })
      }
    })
  }

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    send({ method: 'POST', path, headers: { ...json, ...headers }, body: JSON.stringify(body) })

  async function signIn(person: { email: string; password: string }): Promise<string> {
    for (let attempt = 0; attempt < 10; attempt++) {
      const { status, text } = await post('/api/login', person)
      if (status === 200) return (JSON.parse(text) as { access_token: string }).access_token
      await pause(200)
    }
    throw new Error('signing in failed')
  }

  return {
    send,
    post,
    signIn,
    async register(dataDir: string): Promise<{ email: string; password: string }> {
      const person = { email: 'orang@contoh.id', password: 'Sangat-Rahasia-8!' }
      await post('/api/register', { ...person, name: 'Orang', agreeToTerms: true, birthYear: 1990 })
      for (let attempt = 0; attempt < 100; attempt++) {
        const outbox = join(dataDir, 'outbox')
        const mails = existsSync(outbox)
          ? readdirSync(outbox).filter((name) => name.endsWith(`${person.email}.eml`))
          : []
        const link = mails.map(
          (name) => /\/api\/verify_email\/[\w-]+/.exec(readFileSync(join(outbox, name), 'utf8'))?.[0],
        )[0]
        if (link) {
          await send({ method: 'GET', path: link, headers: {} })
          return person
        }
        await pause(200)
      }
      throw new Error('no mail came')
    },
    /** Half a request, no HTTP at all, an unread event stream. */
    occupy(token: string, each: number): void {
      const openings = [
        'GET / HTTP/1.1\r\nhost: a\r\nx-slow: ',
        `POST /api/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"email":`,
        `GET /api/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`,
        '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
        `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      ]
      for (const opening of openings) {
        for (let index = 0; index < each; index++) {
          const socket = connect({ host: '127.0.0.1', port })
          socket.on('error', () => {})
          socket.pause()
          socket.write(opening, 'latin1')
          sockets.push(socket)
        }
      }
    },
    close(): void {
      agent.destroy()
      for (const socket of sockets) socket.destroy()
    },
  }
}
