import { createHash } from 'node:crypto'
import { imageLimits } from '#contract/media.ts'
import { AppError } from '#server/http/app-error.ts'
import { type AnyTool, findTool, type ToolRegistry } from '#tools/tool.ts'

/** What somebody asks for, as it came: nothing has been judged yet. */
export interface RunRequest {
  tool: AnyTool
  params: Record<string, unknown>
  files: UploadedFile[]
  expectedCredits: number | undefined
  /** SHA-256 over tool, params and the files by the name of their input. */
  contentHash: string
}

export interface UploadedFile {
  /** Name of the input it was sent for; nothing says yet that the tool has such an input. */
  input: string
  name: string
  bytes: Uint8Array
}

/** Space for the largest form any of the tools takes. */
export function formMaxBytes(tools: ToolRegistry): number {
  const files = Object.values(tools).map(({ inputs }) => Object.values(inputs).reduce((sum, { max }) => sum + max, 0))
  return Math.max(0, ...files) * imageLimits.bytes + 1024 * 1024
}

/** Takes the form apart. The hash is made of what was sent, so that it can be compared before anything is judged. */
export async function readRun(form: FormData, tools: ToolRegistry): Promise<RunRequest> {
  const tool = findTool(tools, textOf(form, 'tool') ?? '')
  if (!tool) throw new AppError('tool.unknown')
  const params = parseParams(textOf(form, 'params'))
  const files = await filesOf(form, tool)
  const hash = createHash('sha256').update(JSON.stringify([tool.id, canonical(params)]))
  for (const { input, bytes } of files.toSorted((a, b) => (a.input < b.input ? -1 : a.input > b.input ? 1 : 0))) {
    hash.update(`\n${input}:`).update(createHash('sha256').update(bytes).digest())
  }
  return {
    tool,
    params,
    files,
    expectedCredits: wholeNumber(textOf(form, 'expected_credits')),
    contentHash: hash.digest('hex'),
  }
}

/** The text of a field; a file or a second value in its place is malformed. */
export function textOf(form: FormData, field: string): string | undefined {
  const values = form.getAll(field)
  if (values.length > 1 || values.some((value) => typeof value !== 'string')) throw new AppError('request.malformed')
  return values[0] as string | undefined
}

/** The JSON of `params`, which is an object whatever the tool; none is an empty one. */
export function parseParams(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('request.malformed', { details: { params: 'json' }, cause: error })
  }
  return asParams(value)
}

/** A JSON value as parameters. */
export function asParams(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('params.invalid', { details: { params: 'object' } })
  }
  return value as Record<string, unknown>
}

const textFields = new Set(['tool', 'params', 'expected_credits'])

/** The files of a form by the tool's inputs, `image` being the first of these. */
export async function filesOf(form: FormData, tool: AnyTool): Promise<UploadedFile[]> {
  const [first = 'image'] = Object.keys(tool.inputs)
  const files: UploadedFile[] = []
  for (const [field, value] of form.entries()) {
    if (textFields.has(field)) continue
    if (typeof value === 'string')
      throw new AppError('request.malformed', { details: { [field.slice(0, 100)]: 'file' } })
    const input = field === 'image' ? first : field
    files.push({ input, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  return files
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,9}$/.test(text)) throw new AppError('params.invalid', { details: { expected_credits: 'whole number' } })
  return Number(text)
}

/** The same value whatever order its keys came in. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, canonical(part)]),
  )
}
