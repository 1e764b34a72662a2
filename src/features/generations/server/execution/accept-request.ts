import { and, eq, isNull } from 'drizzle-orm'
import { fillInLocations } from '#features/locations/server/locations.ts'
import { fillInPresets } from '#features/presets/server/presets.ts'
import type { InputRef } from '#features/uploads/rules.ts'
import { type StoredInput, uploads } from '#features/uploads/server/uploads.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { type AppError, appError } from '#server/http/app-error.ts'
import { type ErrorCode, errorStatus } from '#shared/errors.ts'
import type { AnyTool, FileInfo, GenerationInfo, Problem } from '#tools/contract/tool.ts'
import { generationFiles, generations } from '../table.ts'
import type { GenerationRequest, RequestInputs } from './read-request.ts'

type TakeDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'withFolder'>

export interface AcceptedFile extends FileInfo {
  input: string
  /** Position among the files of the same input. */
  position: number
  name: string
  storageKey: string
  /** SHA-256 of the content, hexadecimal. */
  sha256: string
}

export interface AcceptedRequest {
  tool: AnyTool
  params: Record<string, unknown>
  files: AcceptedFile[]
  info: GenerationInfo
}

/** Validates parameters and the number of files before anything is checked, stored or charged. */
export async function acceptRequest(
  executor: Executor,
  { tool, params: given }: Pick<GenerationRequest, 'tool' | 'params'>,
  files: AcceptedFile[],
): Promise<AcceptedRequest> {
  const params = await fillInLocations(executor, tool, await fillInPresets(executor, tool, acceptParams(tool, given)))
  requireKnownInputs(tool, files)
  requireKinds(tool, files)
  const info = generationInfoOf(tool, files)
  for (const [name, { min, wrongCount }] of Object.entries(tool.inputs)) {
    if ((info.inputs[name]?.length ?? 0) < min) throw refused(name, wrongCount ?? 'upload.missing')
  }
  return { tool, params, files, info }
}

export function problemsOf(tool: AnyTool, params: Record<string, unknown>, info: GenerationInfo): Problem[] {
  return [...(info.photoCheck?.problems ?? []), ...(tool.problems?.(params, info) ?? [])]
}

export function acceptParams(tool: AnyTool, given: Record<string, unknown>): Record<string, unknown> {
  const parsed = tool.parseParams(given)
  if (!parsed.ok) throw appError('params.invalid', { details: firstOf(parsed.problems) })
  return parsed.params as Record<string, unknown>
}

export async function takeInputs(deps: TakeDeps, userId: string, inputs: RequestInputs): Promise<AcceptedFile[]> {
  const taken: AcceptedFile[] = []
  for (const [input, refs] of Object.entries(inputs)) {
    const files = await takeFiles(deps, userId, refs)
    taken.push(...files.map((file, position) => ({ ...file, input, position })))
  }
  return taken
}

export function requireKnownInputs(
  tool: AnyTool,
  files: readonly Pick<AcceptedFile, 'input'>[],
  allowed: readonly string[] = Object.keys(tool.inputs),
): void {
  const stray = files.find(({ input }) => !allowed.includes(input))
  if (stray) throw refused(stray.input, 'upload.too_many')
  for (const input of allowed) {
    const count = files.filter((file) => file.input === input).length
    const spec = tool.inputs[input]
    if (count > (spec?.max ?? 0)) throw refused(input, spec?.wrongCount ?? 'upload.too_many')
  }
}

function requireKinds(tool: AnyTool, files: readonly Pick<AcceptedFile, 'input' | 'contentType'>[]): void {
  for (const { input, contentType } of files) {
    const video = tool.inputs[input]?.kind === 'video'
    if (video !== contentType.startsWith('video/')) {
      throw refused(input, video ? 'upload.not_video' : 'upload.not_image')
    }
  }
}

export function generationInfoOf(tool: AnyTool, files: readonly (FileInfo & { input: string })[]): GenerationInfo {
  const inputs = Object.keys(tool.inputs).map((name) => {
    const its = files.filter(({ input }) => input === name)
    return [
      name,
      its.map(({ width, height, seconds, bytes, contentType }) => ({ width, height, seconds, bytes, contentType })),
    ] as const
  })
  return { inputs: Object.fromEntries(inputs) }
}

/**
 * The error is named after the first problem if that concerns a file or words, else after the
 * parameters.
 */
export function refuseProblems(problems: readonly Problem[]): void {
  const [first] = problems
  if (!first) return
  const ofFile = /^(upload|engine|content)\./.test(first.code) && Object.hasOwn(errorStatus, first.code)
  throw appError(ofFile ? (first.code as ErrorCode) : 'params.invalid', {
    details: firstOf(Object.fromEntries(problems.map(({ path, code }) => [path, code]))),
  })
}

function refused(input: string, code: ErrorCode): AppError {
  return appError(code, { details: { [input.slice(0, 100)]: code } })
}

const maxProblems = 10

function firstOf(problems: Record<string, string>): Record<string, string> {
  const first = Object.entries(problems).slice(0, maxProblems)
  return Object.fromEntries(first.map(([path, problem]) => [path.slice(0, 100), problem.slice(0, 200)]))
}

/** Files keep the request's order; each is complete and was checked. */
export async function takeFiles(deps: TakeDeps, userId: string, refs: readonly InputRef[]): Promise<StoredInput[]> {
  const taken: StoredInput[] = []
  for (const ref of refs) {
    taken.push(
      'upload' in ref
        ? await uploads.requireReadyUpload(deps, userId, ref.upload)
        : await normalizeResult(deps, userId, ref.file),
    )
  }
  return taken
}

async function normalizeResult({ db, store }: TakeDeps, userId: string, id: string): Promise<StoredInput> {
  const { storageKey, name, contentType, width, height, seconds, bytes } = generationFiles
  const [file] = await db
    .select({ storageKey, name, contentType, width, height, seconds, bytes })
    .from(generationFiles)
    .innerJoin(generations, eq(generations.id, generationFiles.generationId))
    .where(
      and(
        eq(generationFiles.id, id),
        eq(generationFiles.role, 'output'),
        eq(generations.userId, userId),
        isNull(generations.deletedAt),
      ),
    )
  if (!file) throw appError('file.not_found')
  return { ...file, sha256: await uploads.hashFile(store, file.storageKey) }
}
