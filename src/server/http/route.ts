import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { type as Types } from 'arktype'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type DescribeRouteOptions, describeRoute, resolver } from 'hono-openapi'
import type { ApiKeyScope } from '#shared/api-key.ts'
import { type ErrorCode, errorStatus } from '#shared/errors.ts'
import type { Permission } from '#shared/roles.ts'
import type { AppEnv, UserEnv } from './env.ts'
import { limitRate, type RateDeps, type RateRule } from './rate-limit.ts'
import { idempotencyKey, jsonMaxBytes, jsonOnlyOf, valid } from './validate.ts'

interface Admission {
  permission: Permission | undefined
  /** Refuses users who still have to change a generated password. */
  actionFirst: boolean
  /** Admits programs with a key of this scope. */
  scope?: ApiKeyScope
}
/** Middleware that admits users, or their programs, alone. */
export type Guard = MiddlewareHandler<UserEnv> & Admission
type Auth = 'visitor' | Guard

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Address = `${Method} /${string}`
type PathOf<A extends Address> = A extends `${Method} ${infer Path}` ? Path : never
type EnvOf<A extends Auth> = A extends 'visitor' ? AppEnv : UserEnv

interface Input {
  param?: StandardSchemaV1
  query?: StandardSchemaV1
  json?: StandardSchemaV1
}
type Given<I extends Input> = {
  in: { [Target in keyof I]: I[Target] extends StandardSchemaV1 ? StandardSchemaV1.InferInput<I[Target]> : never }
  out: { [Target in keyof I]: I[Target] extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<I[Target]> : never }
}

type Responses = NonNullable<DescribeRouteOptions['responses']>
/** By status: a description, with the schema of the JSON, or as OpenAPI. */
export type Output = Record<number, string | readonly [string, Types.Any] | Responses[string]>

/** Data of the JSON responses; unknown without a schema. */
type Data<O extends Output> = {
  [Status in keyof O]: O[Status] extends readonly [string, infer Schema extends Types.Any]
    ? Schema['inferIn']
    : Status extends 200 | 201 | 202
      ? O[Status] extends string | { content: { 'application/json': unknown } }
        ? unknown
        : never
      : never
}[keyof O]

class Reply<Status, Body> {
  readonly status: Status
  readonly data: Body

  constructor(status: Status, data: Body) {
    this.status = status
    this.data = data
  }
}

/** Spreading an output makes a string of its status. */
type StatusOf<O extends Output> = {
  [Status in keyof O]: Status extends `${infer Code extends number}` ? Code : Status
}[keyof O]

/** JSON with one of several statuses that the route documents. */
export const reply = <const Status extends number, Body>(status: Status, body: Body) => new Reply(status, body)

/** A file, a page or a redirect; JSON is returned as data instead. */
type OtherResponse = Response & { _format?: 'body' | 'text' | 'redirect' }
type Answer<O extends Output> = Data<O> | Reply<StatusOf<O>, Data<O>> | OtherResponse | undefined

interface Definition<A extends Auth, I extends Input, Path extends string, O extends Output = Output> {
  summary: string
  description?: string
  /** Undeclared keys are removed. */
  input?: I
  /** The largest JSON body. */
  maxBytes?: number
  /** A body that the handler reads itself. */
  body?: DescribeRouteOptions['requestBody']
  headers?: DescribeRouteOptions['parameters']
  /** Completes the sentence "repeating the key returns the same …" in the document. */
  idempotencyKey?: string
  output: O
  /** Added to those of the guard, the input and the limits. */
  errors?: readonly ErrorCode[]
  /** Counted once the input is valid. */
  limits?: (c: Context<EnvOf<A>, Path, Given<I>>) => RateRule[]
  /** Runs after the guard and before the input is read. */
  before?: MiddlewareHandler
  /** Data are sent as JSON with the first success of `output`; undefined is status 204. */
  handler: (c: Context<EnvOf<A>, Path, Given<I>>) => Answer<O> | Promise<Answer<O>> | Promise<void>
}

export interface Route extends Omit<Definition<Auth, Input, string>, 'handler' | 'limits'> {
  /** The operation id. */
  id: string
  method: Method
  path: string
  auth: Auth
  limits?: (c: never) => RateRule[]
  handler: (c: never) => unknown
}

/** Its tag in the document is the feature that registers it. */
export function route<
  const A extends Address,
  G extends Auth,
  const O extends Output,
  const I extends Input = Record<never, never>,
>(id: string, address: A, auth: G, definition: Definition<G, I, PathOf<A>, O>): Route {
  const [method, path] = address.split(' ') as [Method, string]
  return { ...definition, id, method, path, auth }
}

export function registerRoutes(
  deps: RateDeps,
  features: Record<string, readonly Route[]>,
  basePath: `/${string}` = '/api',
) {
  const api = new Hono<AppEnv>().basePath(basePath)
  for (const [tag, routes] of Object.entries(features))
    for (const one of routes) api.on(one.method, [one.path], ...handlersOf(deps, tag, one))
  return api
}

function handlersOf(deps: RateDeps, tag: string, one: Route): MiddlewareHandler[] {
  const { auth, before, input = {}, limits, handler } = one as Route & Definition<Guard, Input, string>
  const success = Number(Object.keys(one.output).find((status) => /^20[0-3]$/.test(status)) ?? 200)
  const handlers: MiddlewareHandler[] = [describeRoute(operation(tag, one))]
  if (typeof auth === 'function') handlers.push(auth)
  if (before) handlers.push(before)
  if (input.json) handlers.push(jsonOnlyOf(one.maxBytes ?? jsonMaxBytes))
  for (const target of ['param', 'query', 'json'] as const)
    if (input[target]) handlers.push(valid(target, input[target]))
  handlers.push(async (c: Parameters<typeof handler>[0]) => {
    if (one.idempotencyKey !== undefined) c.set('idempotencyKey', idempotencyKey(c.req.header('idempotency-key')))
    if (limits) await limitRate(deps, limits(c))
    const answer = await handler(c)
    if (answer === undefined) return c.body(null, 204)
    if (isResponse(answer)) return answer
    const { status, data } = answer instanceof Reply ? answer : reply(success, answer)
    return c.json(data, status as ContentfulStatusCode)
  })
  return handlers
}

/** The Node adapter replaces the global class, so `instanceof` misses responses of other code. */
const isResponse = (answer: unknown): answer is Response => answer instanceof Object && 'bodyUsed' in answer

/** A response that is no JSON. */
export function file(description: string, ...contentTypes: string[]) {
  const content = { schema: { type: 'string' as const, format: 'binary' } }
  return { description, content: Object.fromEntries(contentTypes.map((contentType) => [contentType, content])) }
}

/**
 * Client generators read all answers of an operation in one way: errors documented as JSON would
 * make them read the file as JSON too.
 */
const isFile = ({ output }: Pick<Route, 'output'>): boolean =>
  Object.values(output).some(
    (response) =>
      typeof response === 'object' && 'content' in response && !('application/json' in (response.content ?? {})),
  )

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

export const errorSchema = {
  type: 'object' as const,
  properties: {
    code: { type: 'string' as const, description: 'stable error code' },
    msg: { type: 'string' as const, description: 'message in the language of Accept-Language' },
    details: {
      type: 'object' as const,
      additionalProperties: { type: 'string' as const },
      description: 'field or parameter paths with their message keys',
    },
  },
  required: ['code', 'msg'],
}

function operation(tag: string, one: Route): DescribeRouteOptions {
  const { id, auth, summary, body, headers = [] } = one
  const { permission, scope } = auth === 'visitor' ? ({} as Partial<Guard>) : auth
  const needs = [permission && `the permission \`${permission}\``, scope && `a key with the scope \`${scope}\``]
  const texts = [
    one.description,
    ...needs.flatMap((text) => (text ? `Needs ${text}.` : [])),
    isFile(one) && 'Errors are JSON, as of other calls.',
  ].filter(Boolean)
  const parameters = one.idempotencyKey === undefined ? headers : [...headers, keyHeader(one.idempotencyKey)]
  return {
    operationId: id,
    tags: [tag],
    summary,
    responses: { ...failures(one), ...successes(one.output) },
    ...(texts.length > 0 && { description: texts.join(' ') }),
    ...(auth === 'visitor' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
  }
}

const keyHeader = (returned: string): NonNullable<Route['headers']>[number] => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', maxLength: 200 },
  description: `repeating the key returns the same ${returned}`,
})

function successes(output: Output): Responses {
  const described = Object.entries(output).map(([status, response]) => {
    if (typeof response === 'string') return [status, { description: response }]
    if (!Array.isArray(response)) return [status, response]
    const [description, schema] = response as readonly [string, Types.Any]
    return [status, { description, content: { 'application/json': { schema: resolver(schema) } } }]
  })
  return Object.fromEntries(described)
}

function refusals({ permission, actionFirst, scope }: Guard): ErrorCode[] {
  if (scope)
    return ['auth.required', 'api_key.invalid', 'api_key.scope_missing', 'auth.disabled', 'request.rate_limited']
  return [
    ...(['auth.required', 'auth.expired', 'auth.signed_out', 'auth.disabled'] as const),
    ...(actionFirst ? (['auth.password_change_due'] as const) : []),
    ...(permission ? (['auth.forbidden', 'auth.second_factor_due'] as const) : []),
  ]
}

/** The known codes by status; any other failure has the same form. */
function failures(one: Route): Responses {
  const { auth, input = {}, errors = [], limits, ...rest } = one
  const failure = isFile(one) ? {} : { content: errorContent }
  const codes = new Set<ErrorCode>([
    'request.malformed',
    ...(auth === 'visitor' ? [] : refusals(auth)),
    ...(Object.keys(input).length > 0 ? (['form.invalid'] as const) : []),
    ...(rest.idempotencyKey === undefined ? [] : (['idempotency.key_missing', 'idempotency.key_invalid'] as const)),
    ...(input.json ? (['request.content_type', 'request.too_large'] as const) : []),
    ...(limits ? (['request.rate_limited'] as const) : []),
    ...errors,
  ])
  const byStatus: Responses = {}
  for (const [status, found] of Map.groupBy(codes, (code) => errorStatus[code]))
    byStatus[status] = { description: found.map((code) => `\`${code}\``).join(', '), ...failure }
  return { ...byStatus, default: { description: 'Any other error', ...failure } }
}

export function guardOf(admission: Admission, check: MiddlewareHandler<UserEnv>): Guard {
  return Object.assign(check, admission)
}
