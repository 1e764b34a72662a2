import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { type as Types } from 'arktype'
import type { Context, Env, Input, MiddlewareHandler, ValidationTargets } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { every } from 'hono/combine'
import { loadVendor, validator } from 'hono-openapi'
import { validate as isUuid } from 'uuid'
import type { ErrorCode } from '#shared/errors.ts'
import { inputSchema, type } from '#shared/schema.ts'
import { AppError, appError } from './app-error.ts'

export const jsonMaxBytes = 64 * 1024

// Checks beyond a schema's type have no equivalent in JSON Schema; the document shows the type
// alone.
interface JsonSchemaSource {
  in: { toJsonSchema(options: { dialect: null; fallback: (context: { base: object }) => object }): object }
}
export const toJsonSchema = (schema: unknown) =>
  (schema as JsonSchemaSource).in.toJsonSchema({ dialect: null, fallback: (context) => context.base })
loadVendor('arktype', { toJSONSchema: toJsonSchema, toOpenAPISchema: toJsonSchema } as Parameters<typeof loadVendor>[1])

type Validated<Schema extends StandardSchemaV1, Target extends keyof ValidationTargets> = MiddlewareHandler<
  Env,
  string,
  {
    in: { [Key in Target]: StandardSchemaV1.InferInput<Schema> }
    out: { [Key in Target]: StandardSchemaV1.InferOutput<Schema> }
  } & Input
>

interface CheckedInput {
  target: 'json' | 'query' | 'param'
  schema: StandardSchemaV1
}
const checked = new WeakMap<object, CheckedInput>()

export function checkedInput(middleware: object): CheckedInput | undefined {
  return checked.get(middleware)
}

/**
 * Removes undeclared keys. Problems become `form.invalid` with a message key for each field; the
 * input is never repeated.
 */
export function valid<Schema extends StandardSchemaV1, Target extends 'json' | 'query' | 'param'>(
  target: Target,
  schema: Schema,
): Validated<Schema, Target> {
  const input = inputSchema(schema)
  const check = validator(target, input, (result) => {
    const forbidden = pathOfNul(result.data)
    if (forbidden !== undefined) throw appError('form.invalid', { details: { [forbidden]: 'form.invalid' } })
    // An array would pass as a form whose fields are all optional.
    if (!isForm(result.data)) throw appError('form.invalid', { details: { body: 'form.invalid' } })
    if (result.success) return
    throw appError('form.invalid', { details: fieldProblems(result.error) })
  })
  checked.set(check, { target, schema: input })
  return check as unknown as Validated<Schema, Target>
}

/** Validates JSON that a form carries beside files, as {@link valid} does a body. */
export function requireValid<Schema extends Types.Any>(schema: Schema, data: unknown): Schema['infer'] {
  const forbidden = pathOfNul(data)
  if (forbidden !== undefined || !isForm(data)) {
    throw appError('form.invalid', { details: { [forbidden ?? 'body']: 'form.invalid' } })
  }
  const result = (inputSchema(schema) as Types.Any)(data)
  if (result instanceof type.errors) throw appError('form.invalid', { details: fieldProblems(result) })
  return result as Schema['infer']
}

function isForm(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Precedes the schema: refuses other media types, and larger, deeper or fuller bodies than forms.
 */
export const jsonOnlyOf = (maxSize: number): MiddlewareHandler =>
  every(
    async (c, next) => {
      const mediaType = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
      if (mediaType !== 'application/json') throw appError('request.content_type')
      await next()
    },
    bodyLimit({
      maxSize,
      onError: () => {
        throw appError('request.too_large')
      },
    }),
    async (c, next) => {
      // Before any validator descends into the JSON. Hono keeps the text for the next reader.
      parseBoundedJson(await c.req.text())
      await next()
    },
  )

const maxProblems = 10

const requiredKeys: Record<string, string> = {
  email: 'login.required',
  password: 'password.required',
  agreeToTerms: 'register.agreeToTerms',
}

/** The schema's own message key, or missing, or wrong. */
function fieldProblems(issues: readonly StandardSchemaV1.Issue[]): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const issue of issues) {
    if (Object.keys(problems).length >= maxProblems) break
    const path = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part)).map(String)
    const field = path.join('.').slice(0, 100) || 'body'
    const { expected, data, code } = issue as { expected?: string; data?: unknown; code?: string }
    const missing = code === 'required' || data === undefined || data === null || data === ''
    const own = expected && /^[a-zA-Z]+\.[a-zA-Z]+$/.test(expected) ? expected : undefined
    const fallback = missing || field === 'agreeToTerms' ? (requiredKeys[field] ?? 'form.required') : 'form.invalid'
    problems[field] ??= missing ? fallback : (own ?? fallback)
  }
  return problems
}

/** PostgreSQL's text cannot hold the character NUL. */
function pathOfNul(value: unknown, path: string[] = []): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path.join('.') || 'body' : undefined
  if (typeof value !== 'object' || value === null || path.length > 8) return undefined
  for (const [key, part] of Object.entries(value)) {
    const found = key.includes('\0') ? 'body' : pathOfNul(part, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

const longest = 200

/**
 * Idempotency-Key (IETF draft): a quoted structured-field string or, as most clients send it, a
 * bare one.
 */
export function idempotencyKey(header: string | undefined): string {
  const text = header?.trim() ?? ''
  if (text === '') throw appError('idempotency.key_missing')
  const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(text)
  const key = quoted?.[1] === undefined ? text : quoted[1].replace(/\\(["\\])/g, '$1')
  const wellFormed = quoted ? key.trim() !== '' : /^[\x21-\x7e]+$/.test(key) && !/[",;\\]/.test(key)
  if (!wellFormed || key.length > longest) throw appError('idempotency.key_invalid')
  return key
}

/** Validation, comparison and printing recurse. */
const maxDepth = 32
const maxValues = 5000
const maxFields = 1000

/** Throws `request.malformed` for malformed, deeply nested or large input. */
export function parseBoundedJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw appError('request.malformed', { cause: error })
  }
  requireBounds(value)
  return value
}

/** Throws `request.malformed` for a value that is too deep or too large. */
function requireBounds(value: unknown): void {
  let level = [value]
  let count = 1
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth || count > maxValues) throw appError('request.malformed')
    const next: unknown[] = []
    for (const part of level) {
      if (typeof part !== 'object' || part === null) continue
      const children = Object.values(part)
      count += children.length
      const tooWide = !Array.isArray(part) && children.length > maxFields
      if (count > maxValues || tooWide) throw appError('request.malformed')
      for (const child of children) next.push(child)
    }
    level = next
  }
}

/** Throws `request.too_large` beyond the limit. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  return Buffer.from(await readBytes(request, maxBytes)).toString()
}

/** Reads a small body; throws `request.too_large` beyond the limit. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) throw appError('request.too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    // The connection broke during the body.
    throw error instanceof AppError ? error : appError('request.malformed', { cause: error })
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** An invalid id is answered like an unknown one. */
export function pathId(c: Context, missing: ErrorCode, name = 'id'): string {
  const id = c.req.param(name)
  if (!id || !isUuid(id)) throw appError(missing)
  return id
}
