import { and, eq } from 'drizzle-orm'
import type { ContentWithResolver, DescribeRouteOptions } from 'hono-openapi'
import { type InputRef, paramsMaxBytes } from '#features/uploads/rules.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { requireAllowedAge } from '#server/auth/age.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { parseBoundedJson, readText } from '#server/http/validate.ts'
import { inputSchema, type } from '#shared/schema.ts'
import { type AnyTool, findTool, type ToolRegistry } from '#tools/contract/tool.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'
import { paramsDocument } from '../tools.ts'

export interface GenerationRequest {
  tool: AnyTool
  params: Record<string, unknown>
  inputs: RequestInputs
  expectedCredits: number | undefined
  /** Set if a file could not be fetched from its address; it names the reason. */
  unreachable?: AppError
}

/** Names are not validated yet. */
export type RequestInputs = Record<string, InputRef[]>

type ReadDeps = Pick<Deps, 'spentCredits' | 'db' | 'store' | 'clock' | 'tools' | 'withFolder' | 'config'>

/** A program that acts for the user. */
export type Caller = { id: string; test: boolean } | undefined

/** `apiKey` is set in calls of programs, which may name files by their addresses. */
interface Requester {
  userId: string
  apiKey?: Caller
}

const addressMaxLength = 2000
const ref = type({ '+': 'reject', upload: 'string.uuid' }).or({ '+': 'reject', file: 'string.uuid' })
/** Only in calls with an API key. */
const address = type({ '+': 'reject', url: `1 <= string <= ${addressMaxLength}` })
const inputs = type({ '[string]': ref.or(address).array() })
const bodySchema = inputSchema(
  type({
    'tool?': 'string',
    'params?': 'object',
    'inputs?': inputs,
    'rendering?': 'number.integer >= 0',
    'expected_credits?': '0 <= number.integer <= 999999999',
  }),
)

const jsonMaxBytes = 64 * 1024
const maxRefs = 100
const maxAddresses = 20

export async function findByKey(executor: Executor, userId: string, key: string): Promise<Generation | undefined> {
  const [generation] = await executor
    .select()
    .from(generations)
    .where(and(eq(generations.userId, userId), eq(generations.idempotencyKey, key)))
  return generation
}

/**
 * Refuses before files are received or fetched; `createGeneration` decides, since the tool is then
 * known and a guardian may revoke the consent meanwhile. A repeated key gets its first answer, even
 * if the birth year became due since.
 */
export async function requireNewRequestAllowed(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  userId: string,
  key: string,
): Promise<void> {
  if (!(await findByKey(db, userId, key))) await requireAllowedAge(db, config, { userId, now: clock() })
}

/** Reads JSON with references to files, or a form with files, which exist until `use` has ended. */
export async function withGenerationRequest<Result>(
  deps: ReadDeps,
  request: Request,
  { key, ...requester }: Requester & { key: string },
  use: (request: GenerationRequest) => Promise<Result>,
): Promise<Result> {
  await requireNewRequestAllowed(deps, requester.userId, key)
  const withTool = (id: string | undefined, rest: Omit<GenerationRequest, 'tool' | 'inputs'>, given: RequestInputs) => {
    const tool = findTool(deps.tools, id ?? '')
    if (!tool) throw appError('tool.unknown')
    return use({ ...rest, tool, inputs: byInput(tool, given) })
  }
  if (isJson(request)) {
    const { tool, params, inputs, expected_credits: expectedCredits } = await readBody(request)
    return await withFetched(deps, requester, inputs ?? {}, (refs, unreachable) =>
      withTool(tool, { params: asParams(params ?? {}), expectedCredits, ...(unreachable && { unreachable }) }, refs),
    )
  }
  const { userId } = requester
  const limits = { userId, fields: ['tool', 'params', 'expected_credits'], maxFiles: maxFilesOf(deps.tools) }
  return await uploads.receiveForm(deps, request, limits, ({ fields, inputs }) => {
    const params = parseParams(fields.params)
    return withTool(fields.tool, { params, expectedCredits: wholeNumber(fields.expected_credits) }, inputs)
  })
}

/** Reads the same formats: new parameters and files, or an earlier rendering. */
export async function withRender<Result>(
  deps: ReadDeps,
  request: Request,
  { tool, ...requester }: Requester & { tool: AnyTool | undefined },
  use: (render: Pick<GenerationRequest, 'params' | 'inputs'> & { rendering?: number | undefined }) => Promise<Result>,
): Promise<Result> {
  const who = { userId: requester.userId, now: deps.clock(), adultsOnly: tool?.adultsOnly }
  await requireAllowedAge(deps.db, deps.config, who)
  const named = (given: RequestInputs) => (tool ? byInput(tool, given) : {})
  if (isJson(request)) {
    const { params, inputs, rendering } = await readBody(request)
    return await withFetched(deps, requester, inputs ?? {}, (refs, unreachable) => {
      if (unreachable) throw unreachable
      return use({ params: asParams(params ?? {}), inputs: named(refs), rendering })
    })
  }
  const { userId } = requester
  const limits = { userId, fields: ['params'], maxFiles: maxFilesOf(deps.tools) }
  return await uploads.receiveForm(deps, request, limits, ({ fields, inputs }) =>
    use({ params: parseParams(fields.params), inputs: named(inputs) }),
  )
}

type GivenInputs = NonNullable<(typeof bodySchema.infer)['inputs']>

/** Replaces addresses by uploads, which exist until `use` has ended. */
async function withFetched<Result>(
  deps: ReadDeps,
  { userId, apiKey }: Requester,
  given: GivenInputs,
  use: (inputs: RequestInputs, unreachable?: AppError) => Promise<Result>,
): Promise<Result> {
  const addresses = Object.entries(given).flatMap(([input, refs]) =>
    refs.flatMap((one) => ('url' in one ? [{ input, url: one.url }] : [])),
  )
  if (addresses.length === 0) return await use(given as RequestInputs)
  if (!apiKey) throw appError('form.invalid', { details: { inputs: 'form.invalid' } })
  if (addresses.length > maxAddresses) throw appError('upload.too_many')
  let isFetched = false
  try {
    return await uploads.receiveAddresses(deps, userId, addresses, (fetched) => {
      isFetched = true
      const inputs = Object.entries(given).map(([input, refs]) => {
        const received = fetched[input]?.values()
        return [input, refs.map((one) => ('url' in one ? (received?.next().value as InputRef) : one))] as const
      })
      return use(Object.fromEntries(inputs))
    })
  } catch (error) {
    if (isFetched || !(error instanceof AppError) || !/^upload\./.test(error.code)) throw error
    return await use({}, error)
  }
}

function isJson(request: Request): boolean {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json'
}

async function readBody(request: Request): Promise<typeof bodySchema.infer> {
  const body = bodySchema(parseBoundedJson(await readText(request, jsonMaxBytes)))
  if (body instanceof type.errors) {
    const [field = 'body'] = body[0]?.path ?? []
    throw appError('form.invalid', { details: { [String(field).slice(0, 100)]: 'form.invalid' } })
  }
  const refs = Object.values(body.inputs ?? {}).reduce((sum, { length }) => sum + length, 0)
  if (refs > maxRefs) throw appError('upload.too_many')
  return body
}

/** `image` is an alias for the tool's first input. */
function byInput(tool: AnyTool, given: RequestInputs): RequestInputs {
  const [first = 'image'] = Object.keys(tool.inputs)
  if (!given.image || first === 'image') return given
  const { image, ...others } = given
  return { ...others, [first]: [...(others[first] ?? []), ...image] }
}

/** One more than any tool allows, so that one too many can be reported. */
function maxFilesOf(tools: ToolRegistry): number {
  const files = Object.values(tools).map(({ inputs }) => Object.values(inputs).reduce((sum, { max }) => sum + max, 0))
  return Math.max(0, ...files) + 1
}

/** Absent parameters are an empty object. */
function parseParams(text: string | undefined): Record<string, unknown> {
  return text === undefined || text === '' ? {} : asParams(parseBoundedJson(text))
}

function asParams(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw appError('params.invalid', { details: { params: 'params.object' } })
  }
  if (JSON.stringify(value).length > paramsMaxBytes) {
    throw appError('params.invalid', { details: { params: 'params.too_long' } })
  }
  return value as Record<string, unknown>
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,9}$/.test(text)) {
    throw appError('params.invalid', { details: { expected_credits: 'params.whole_number' } })
  }
  return Number(text)
}

type Schema = Exclude<NonNullable<ContentWithResolver[string]['schema']>, { $ref: string }>

const whole = { type: 'integer', minimum: 0 }
const picture = { type: 'string', format: 'binary' }

function object(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

const inputRef = {
  title: 'input-reference',
  oneOf: [
    object({ upload: { type: 'string', format: 'uuid', description: 'an upload of your own' } }),
    object({ file: { type: 'string', format: 'uuid', description: 'an output of one of your earlier generations' } }),
    object({ url: { type: 'string', format: 'uri', description: 'a public address; with an API key only' } }),
  ],
}

const exampleParams = { background: { type: 'color', color: '#ffffff' }, format: 'jpeg' }
const exampleInputs = { picture: [{ url: 'https://example.com/photo.jpg' }] }

/**
 * JSON whose inputs name uploads and earlier results, or a form with files under the inputs' names.
 */
function generationBody(
  tools: ToolRegistry,
  fields: Record<string, object>,
  required: string[],
  example: object,
): DescribeRouteOptions['requestBody'] {
  const names = [...new Set(Object.values(tools).flatMap(({ inputs }) => Object.keys(inputs)))]
  const files = { type: 'array', items: picture }
  const image = { ...files, description: 'files for the first input of the tool' }
  const refs = names.map((name) => [name, { type: 'array', items: inputRef }])
  const inputs = { type: 'object', properties: Object.fromEntries(refs) }
  const json = { type: 'object', properties: { ...fields, inputs }, required }
  const form = {
    type: 'object',
    properties: { ...fields, image, ...Object.fromEntries(names.map((name) => [name, files])) },
    required,
  }
  return {
    required: true,
    content: {
      'application/json': { schema: json as Schema, example: { ...example, inputs: exampleInputs } },
      'multipart/form-data': {
        schema: form as Schema,
        encoding: { params: { contentType: 'application/json' } },
        example,
      },
    },
  }
}

export function generationDocuments(tools: ToolRegistry) {
  const ids = Object.keys(tools)
  const params = {
    // Delays this work until a client requests the document.
    get anyOf() {
      return Object.values(tools).map((tool) => ({ title: `${tool.id}-params`, ...paramsDocument(tool) }))
    },
  }
  const expectedCredits = { ...whole, description: 'rejects with credits.price_changed if the price differs' }
  const creation = { tool: { type: 'string', enum: ids }, params, expected_credits: expectedCredits }
  return {
    createBody: generationBody(tools, creation, ['tool'], { tool: 'background-removal', params: exampleParams }),
    body: (required: string[]) => generationBody(tools, { params }, required, { params: exampleParams }),
    optionsBody: { content: { 'application/json': { schema: params as Schema } } },
  }
}
