import { paramsMaxBytes } from '#features/uploads/rules.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { InputRef } from '#features/uploads/types.ts'
import { requireAllowedAge } from '#server/auth/age.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { parseBoundedJson, readText } from '#server/http/bounded-json.ts'
import { inputSchema, type } from '#shared/schema.ts'
import { type AnyTool, findTool, type ToolRegistry } from '#tools/contract/tool.ts'

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

/** Reads JSON with references to files, or a form with files, which exist until `use` has ended. */
export async function withGenerationRequest<Result>(
  deps: ReadDeps,
  request: Request,
  requester: Requester,
  use: (request: GenerationRequest) => Promise<Result>,
): Promise<Result> {
  // Before files are received or fetched.
  await requireAllowedAge(deps.db, deps.config, { userId: requester.userId, now: deps.clock() })
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
  await requireAllowedAge(deps.db, deps.config, { userId: requester.userId, now: deps.clock() })
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
