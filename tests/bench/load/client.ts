import { setTimeout as pause } from 'node:timers/promises'
import { type Measure, passes } from './measure.ts'

export interface Asked {
  method?: string
  /** 120 by default. */
  seconds?: number
  json?: unknown
  body?: BodyInit
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
}

export interface Client {
  token: string | undefined
  /** Retries until there is a response, also a refusal; throws when a user would have given up. */
  ask(route: string, path: string, asked?: Asked): Promise<Answer>
  askOnce(route: string, path: string, asked?: Asked): Promise<Answer | undefined>
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>
}

const patienceMilliseconds = 180_000

/** `address` is the simulated client address. */
export function createClient(url: string, address: string, measure: Measure): Client {
  const headersOf = (headers: Record<string, string> = {}) => ({
    'x-forwarded-for': address,
    ...(client.token && { authorization: `Bearer ${client.token}` }),
    ...headers,
  })
  const askOnce: Client['askOnce'] = async (route, path, asked = {}) => {
    const { method = 'GET', seconds = 120, json, body, headers } = asked
    const started = performance.now()
    const note = (outcome: number | 'broken') => measure.note(route, performance.now() - started, outcome)
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: headersOf({ ...(json !== undefined && { 'content-type': 'application/json' }), ...headers }),
        ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
        signal: AbortSignal.timeout(seconds * 1000),
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
        const answer = await askOnce(route, path, asked)
        if (answer && !passes(answer.status)) return answer
        const wait = Number(answer?.headers.get('retry-after') ?? 0) * 1000 || Math.min(4000, 250 * 2 ** tries)
        if (performance.now() + wait > giveUp) throw new Error(`${route}: ${answer ? refusalOf(answer) : 'broken'}`)
        await pause(wait * (0.75 + Math.random() / 2))
      }
    },
    askOnce,
    open: (path, headers, signal) => fetch(`${url}${path}`, { headers: headersOf(headers), signal }),
  }
  return client
}

export function refusalOf({ status, bytes }: Answer): string {
  return `${status} ${/"code":"([\w.]+)"/.exec(bytes.toString())?.[1] ?? 'without a code'}`
}

export const jsonOf = <Body>({ bytes }: Answer): Body => JSON.parse(bytes.toString()) as Body
