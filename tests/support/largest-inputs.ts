import type { ApiDocument } from './hostile-calls.ts'

interface Schema {
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  type?: string
  format?: string
  pattern?: string
  maxLength?: number
  maximum?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
}

/** Expensive to search, compare or judge. */
export const fillers: Record<string, (length: number) => string> = {
  password: (length) => 'P@55w0rd!'.repeat(length / 9 + 1).slice(0, length),
  spaces: (length) => `a${' '.repeat(Math.max(0, length - 2))}a`.slice(0, length),
  pictographs: (length) => '👩‍👩‍👧‍👦'.repeat(length / 11 + 1).slice(0, length),
  dots: (length) => 'a.'.repeat(length / 2 + 1).slice(0, length),
  digits: (length) => '+62 8-(1)'.repeat(length / 9 + 1).slice(0, length),
  marks: (length) => '%_\\"\'<\u0301\u202e'.repeat(length / 8 + 1).slice(0, length),
}

const label = 'a'.repeat(60)
const samples = ['#aabbcc', '2026-11-24', '1', 'a', 'orders.paid', '+6281234567890']

/** All fields at their largest; a text without a limit has `room` characters. */
export function largest(schema: Schema, fill: (length: number) => string, room: number, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.at(-1)
  if (schema.anyOf) return largest(schema.anyOf[0] as Schema, fill, room, name)
  if (/password/i.test(name)) return `aA1!${fill(room)}`
  if (name === 'whatsapp') return '081234567890'
  if (name === 'email') return `${fill(20).replace(/[^a-z0-9]/gi, '')}${Math.random()}@${`${label}.`.repeat(3)}id`
  if (/^accept|^agree/.test(name)) return true
  switch (schema.type) {
    case 'string': {
      if (schema.format === 'uuid') return crypto.randomUUID()
      const { pattern } = schema
      const fitting = pattern && samples.find((sample) => new RegExp(pattern).test(sample))
      return fitting || fill(schema.maxLength ?? room)
    }
    case 'integer':
    case 'number':
      return schema.maximum ?? 2 ** 50
    case 'boolean':
      return true
    case 'array': {
      const one = largest(schema.items ?? { type: 'number' }, fill, 20)
      const values = JSON.stringify(one).split(',').length + 1
      return Array.from({ length: Math.min(schema.maxItems ?? 4000, Math.floor(4000 / values)) }, () => one)
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, value]) => [key, largest(value, fill, room, key)]),
      )
    default:
      return fill(room)
  }
}

export interface LargeCall {
  what: string
  method: string
  path: string
  body?: string | FormData
}

interface Operation {
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** The server's limits of bodies, addresses, depth and values. */
const bodyLength = 65_000
const addressLength = 10_000
const levels = `${'{"a":['.repeat(15)}${']}'.repeat(15)}`
const odd: Record<string, string> = {
  'deep JSON': levels,
  'a wide array': `[${'[],'.repeat(4900)}0]`,
  'a wide object': `{${Array.from({ length: 4900 }, (_, index) => `"k${index}":0`).join(',')}}`,
  'many brackets': `${'['.repeat(bodyLength / 2)}${']'.repeat(bodyLength / 2)}`,
}

/** Texts use the room that a body leaves. */
function fitting(make: (room: number) => unknown): string {
  for (let room = bodyLength; ; room = Math.floor(room * 0.8)) {
    const text = JSON.stringify(make(room))
    if (Buffer.byteLength(text) <= bodyLength || room < 20) return text
  }
}

/**
 * The largest calls of every route: with all fillers if `everyFiller`, else with the next one.
 * `tools`: response of GET /api/tools.
 */
export function* largeCalls(
  document: ApiDocument,
  tools: readonly { id: string; paramsSchema: Schema }[],
  everyFiller: boolean,
): Generator<LargeCall> {
  const all = Object.entries(fillers)
  let turn = 0
  const someFillers = () => (everyFiller ? all : [all[turn++ % all.length]!])
  const some = '00000000-0000-4000-8000-000000000000'
  for (const [pattern, operations] of Object.entries(document.paths)) {
    for (const [verb, given] of Object.entries(operations)) {
      const method = verb.toUpperCase()
      const { parameters = [], requestBody } = given as Operation
      const path = pattern.replace('{tool}', tools[0]?.id ?? '').replaceAll(/\{\w+\}/g, some)
      const named = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
      // A provider's callback query is in no schema.
      const queries = pattern.endsWith('/callback') ? ['code', 'state', 'error'] : named
      for (const [filler, fill] of someFillers()) {
        const long = (length: number) => {
          let text = fill(length)
          while (encodeURIComponent(text.toWellFormed()).length > length) text = text.slice(0, text.length * 0.7)
          return encodeURIComponent(text.toWellFormed())
        }
        if (pattern.includes('{') && (filler === 'dots' || !everyFiller))
          yield { what: `${filler} in the path`, method, path: pattern.replaceAll(/\{\w+\}/g, () => long(3000)) }
        for (const name of queries)
          yield { what: `${filler} as ${name}`, method, path: `${path}?${name}=${long(addressLength)}` }
        const schema = requestBody?.content['application/json']?.schema
        if (!schema) continue
        const fields = Object.keys(schema.properties ?? {})
        // Each field alone, so that an early refusal hides none.
        for (const field of fields.length > 1 ? fields : []) {
          const small = largest(schema, (length) => fill(Math.min(length, 40)), 40) as Record<string, unknown>
          const part = schema.properties?.[field] as Schema
          const name = field === 'password' ? field : ''
          const body = fitting((room) => ({ ...small, [field]: largest(part, fill, room, name) }))
          yield { what: `${filler} as ${field}`, method, path, body }
        }
        yield { what: filler, method, path, body: fitting((room) => largest(schema, fill, room)) }
      }
      if (method !== 'GET') for (const [what, body] of Object.entries(odd)) yield { what, method, path, body }
    }
  }
  for (const { id, paramsSchema } of tools) {
    const path = `/api/tools/${id}/check`
    for (const [what, params] of Object.entries(odd))
      yield { what: `${what} as params`, method: 'POST', path, body: `{"params":${params}}` }
    for (const [filler, fill] of someFillers()) {
      const params = largest(paramsSchema, fill, 2000)
      yield { what: `${filler} as params`, method: 'POST', path, body: JSON.stringify({ params, inputs: {} }) }
      const form = new FormData()
      form.set('params', JSON.stringify(params))
      yield { what: `${filler} as params`, method: 'POST', path: `/api/tools/${id}/preview`, body: form }
    }
  }
}
