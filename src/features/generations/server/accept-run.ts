import { type ErrorCode, errorStatus } from '#contract/errors.ts'
import { AppError } from '#server/http/app-error.ts'
import type { AnyTool, FileFacts, Problem, RunFacts } from '#tools/tool.ts'
import { safeName } from './uploads/file-name.ts'
import { inspectPicture } from './uploads/inspect-picture.ts'
import type { RunRequest, UploadedFile } from './uploads/read-run.ts'

/** A file that may be stored and go to the engine. */
export interface AcceptedFile extends FileFacts {
  input: string
  /** Among the files of the same input. */
  position: number
  name: string
  content: Uint8Array
}

export interface AcceptedRun {
  tool: AnyTool
  params: Record<string, unknown>
  files: AcceptedFile[]
  facts: RunFacts
}

/** Judges parameters and files; whatever is wrong with them is said here, before anything is stored or charged. */
export function acceptRun({ tool, params: given, files: sent }: RunRequest): AcceptedRun {
  const params = acceptParams(tool, given)
  const files = acceptFiles(tool, sent)
  const facts = factsOf(tool, files)
  for (const [name, { min, max }] of Object.entries(tool.inputs)) {
    const count = facts.inputs[name]?.length ?? 0
    if (count < min) throw refused(name, 'upload.missing')
    if (count > max) throw refused(name, 'upload.too_many')
  }
  refuseProblems(tool.problems?.(params, facts) ?? [])
  return { tool, params, files, facts }
}

export function acceptParams(tool: AnyTool, given: Record<string, unknown>): Record<string, unknown> {
  const parsed = tool.parseParams(given)
  if (!parsed.ok) throw new AppError('params.invalid', { details: parsed.problems })
  return parsed.params as Record<string, unknown>
}

/** Inspects what was sent for a tool's inputs; `allowed` are those that may be given, all unless told. */
export function acceptFiles(
  tool: AnyTool,
  sent: UploadedFile[],
  allowed: readonly string[] = Object.keys(tool.inputs),
): AcceptedFile[] {
  const stray = sent.find(({ input }) => !allowed.includes(input))
  if (stray) throw refused(stray.input, 'upload.too_many')
  return allowed.flatMap((input) => {
    const files = sent.filter((file) => file.input === input)
    // Counted first: nobody has a hundred pictures inspected for a tool that takes one.
    if (files.length > (tool.inputs[input]?.max ?? 0)) throw refused(input, 'upload.too_many')
    return files.map(({ name, bytes }, position) => {
      const { bytes: content, ...picture } = inspectPicture(bytes, input)
      const file = { ...picture, seconds: 0, bytes: content.length, content }
      return { ...file, input, position, name: safeName(name, picture.contentType) }
    })
  })
}

/** What is known of the files of a run, each of the tool's inputs by its name. */
export function factsOf(tool: AnyTool, files: readonly (FileFacts & { input: string })[]): RunFacts {
  const inputs = Object.keys(tool.inputs).map((name) => {
    const its = files.filter(({ input }) => input === name)
    return [
      name,
      its.map(({ width, height, seconds, bytes, contentType }) => ({ width, height, seconds, bytes, contentType })),
    ] as const
  })
  return { inputs: Object.fromEntries(inputs) }
}

/** The first problem names the error if it is one of a file, else it is the parameters'. */
export function refuseProblems(problems: readonly Problem[]): void {
  const [first] = problems
  if (!first) return
  const ofFile = first.code.startsWith('upload.') && Object.hasOwn(errorStatus, first.code)
  throw new AppError(ofFile ? (first.code as ErrorCode) : 'params.invalid', {
    details: Object.fromEntries(problems.map(({ path, code }) => [path, code])),
  })
}

function refused(input: string, code: 'upload.missing' | 'upload.too_many'): AppError {
  return new AppError(code, { details: { [input.slice(0, 100)]: code } })
}
