import { createHash } from 'node:crypto'
import { type Box, imageLimits } from '#contract/media.ts'
import { AppError } from '#server/http/app-error.ts'
import { findTool, type ToolId, toolContracts } from '#tools/contracts.ts'
import { safeName } from './file-name.ts'
import { type InspectedPicture, inspectPicture } from './inspect-picture.ts'

/** What somebody asks for, as it came: nothing has been judged yet. */
export interface RunRequest {
  tool: ToolId
  params: Record<string, unknown>
  files: UploadedFile[]
  expectedCredits: number | undefined
  /** SHA-256 over tool, params and files. */
  contentHash: string
}

export interface UploadedFile {
  field: string
  name: string
  bytes: Uint8Array
}

/** A file that may be stored and go to the engine. */
export interface AcceptedFile extends InspectedPicture {
  role: 'input' | 'extra'
  label: string
  position: number
  name: string
}

export interface AcceptedRun {
  tool: ToolId
  params: Record<string, unknown>
  files: AcceptedFile[]
}

const sourceField = 'image'

/** Room for the largest form any tool takes. */
export const formMaxBytes =
  Math.max(
    ...Object.values(toolContracts).map(({ sources, extras }) => (sources.max + extras.length) * imageLimits.bytes),
  ) +
  1024 * 1024

/** Takes the form apart. The hash is made of what was sent, so that it can be compared before anything is judged. */
export async function readRun(form: FormData): Promise<RunRequest> {
  const tool = findTool(textOf(form, 'tool') ?? '')
  if (!tool) throw new AppError('tool.unknown')
  const params = parseParams(textOf(form, 'params'))
  const files = await filesOf(form)
  const hash = createHash('sha256').update(JSON.stringify([tool.id, canonical(params)]))
  for (const { field, bytes } of files) {
    hash.update(`\n${field}:`).update(createHash('sha256').update(bytes).digest())
  }
  return {
    tool: tool.id,
    params,
    files,
    expectedCredits: wholeNumber(textOf(form, 'expected_credits')),
    contentHash: hash.digest('hex'),
  }
}

/** Judges parameters and files; whatever is wrong with them is said here, before anything is stored or charged. */
export function acceptRun({ tool: id, params: given, files }: RunRequest): AcceptedRun {
  const tool = toolContracts[id]
  const parsed = tool.parseParams(given)
  if (!parsed.ok) throw new AppError('params.invalid', { details: parsed.problems })
  const params = parsed.params as unknown as Record<string, unknown>
  const sources = files.filter(({ field }) => field === sourceField)
  if (sources.length < tool.sources.min)
    throw new AppError('upload.missing', { details: { [sourceField]: 'upload.missing' } })
  if (sources.length > tool.sources.max)
    throw new AppError('upload.too_many', { details: { [sourceField]: 'upload.too_many' } })
  const accepted: AcceptedFile[] = sources.map((file, position) => accept(file, 'input', '', position))
  accepted.push(...acceptExtras(id, params, files))
  const outside = boxOutside(params, accepted[0])
  if (outside) throw new AppError('params.invalid', { details: { box: 'box.outside' } })
  return { tool: id, params, files: accepted }
}

/** The extras that the parameters call for; one that they don't is left aside. */
export function acceptExtras(id: ToolId, params: Record<string, unknown>, files: UploadedFile[]): AcceptedFile[] {
  const { extras } = toolContracts[id] as { extras: readonly string[] }
  const stray = files.find(({ field }) => field !== sourceField && !extras.includes(field))
  if (stray) throw new AppError('upload.too_many', { details: { [stray.field.slice(0, 100)]: 'upload.too_many' } })
  return extras.flatMap((label) => {
    const sent = files.filter(({ field }) => field === label)
    if (sent.length > 1) throw new AppError('upload.too_many', { details: { [label]: 'upload.too_many' } })
    if (!callsFor(params, label)) return []
    const [file] = sent
    if (!file) throw new AppError('upload.missing', { details: { [label]: 'upload.missing' } })
    return [accept(file, 'extra', label, 0)]
  })
}

/** A parameter `{type: 'image'}` stands for the file that has the parameter's name. */
export function callsFor(params: Record<string, unknown>, label: string): boolean {
  const value = params[label]
  return typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'image'
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

export async function filesOf(form: FormData): Promise<UploadedFile[]> {
  const files: UploadedFile[] = []
  for (const [field, value] of form.entries()) {
    if (textFields.has(field)) continue
    if (typeof value === 'string')
      throw new AppError('request.malformed', { details: { [field.slice(0, 100)]: 'file' } })
    files.push({ field, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  return files
}

function accept(file: UploadedFile, role: AcceptedFile['role'], label: string, position: number): AcceptedFile {
  const picture = inspectPicture(file.bytes, file.field)
  return { ...picture, role, label, position, name: safeName(file.name, picture.contentType) }
}

/** A parameter named `box` is a rectangle in the first source, so it must lie in it. */
function boxOutside(params: Record<string, unknown>, source: AcceptedFile | undefined): boolean {
  const box = params.box as Box | undefined
  if (!box || !source) return false
  return box.x + box.width > source.width || box.y + box.height > source.height
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
