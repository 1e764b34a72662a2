import { setTimeout as pause } from 'node:timers/promises'
import type { Measure } from './measure.ts'

export interface Asked {
  method?: string
  json?: unknown
  body?: BodyInit
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
}

/** The device of one person, which asks again as the app does. */
export interface Client {
  token: string | undefined
  /**
   * Asks until there is an answer, also a refusal; throws when there is none for so long that
   * somebody would have given up.
   */
  ask(route: string, path: string, asked?: Asked): Promise<Answer>
  /** Opens a response that goes on and on. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>
}

const patienceMilliseconds = 180_000
const passing = new Set([408, 425, 429])

/** `address` is where the person seems to come from. */
export function createClient(url: string, address: string, measure: Measure): Client {
  const headersOf = (headers: Record<string, string> = {}) => ({
    'x-forwarded-for': address,
    ...(client.token && { authorization: `Bearer ${client.token}` }),
    ...headers,
  })
  const once = async (route: string, path: string, { method = 'GET', json, body, headers }: Asked) => {
    const started = performance.now()
    const note = (outcome: number | 'broken') => measure.note(route, performance.now() - started, outcome)
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: headersOf({ ...(json !== undefined && { 'content-type': 'application/json' }), ...headers }),
        ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
        signal: AbortSignal.timeout(60_000),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      note(response.status)
      return { status: response.status, headers: response.headers, bytes }
    } catch {
      note('broken')
      return undefined
    }
  }
  const client: Client = {
    token: undefined,
    async ask(route, path, asked = {}) {
      const giveUp = performance.now() + patienceMilliseconds
      for (let tries = 0; ; tries += 1) {
        const answer = await once(route, path, asked)
        if (answer && answer.status < 500 && !passing.has(answer.status)) return answer
        if (performance.now() > giveUp) throw new Error(`${route}: no answer, at last ${answer?.status ?? 'broken'}`)
        const wanted = Number(answer?.headers.get('retry-after') ?? 0) * 1000
        await pause((Math.min(wanted, 5000) || Math.min(4000, 250 * 2 ** tries)) * (0.75 + Math.random() / 2))
      }
    },
    open: (path, headers, signal) => fetch(`${url}${path}`, { headers: headersOf(headers), signal }),
  }
  return client
}

export const jsonOf = <Body>({ bytes }: Answer): Body => JSON.parse(bytes.toString()) as Body
