import { EngineError } from '#engine/error.ts'
import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-types.ts'
import { transact } from '#server/db/transact.ts'
import { recordRefusal } from '#server/moderation/record-refusal.ts'
import { refusedWords } from '#server/moderation/refused-words.ts'
import type { RefusalKind } from '#shared/moderation.ts'
import type { AnyTool, Problem } from '#tools/contract/tool.ts'
import { type EngineJob, type ExecutionDeps, type Options, prepareJob } from '../execution/engine-job.ts'
import type { ProviderJob } from './provider-jobs.ts'
import { providersFor } from './provider-order.ts'
import { runTaskNow } from './run-task-now.ts'

/** Lowest probability at which a picture is refused. */
const refused = 0.5
const code = 'engine.unsafe_picture'

/** A result without a probability is unsafe as well. */
const isUnsafe = ({ data }: EncodedTask) => typeof data.unsafe !== 'number' || data.unsafe >= refused

export function refuseUnsafe(task: TaskName, result: EncodedTask): void {
  if (task === 'safety' && isUnsafe(result)) throw new EngineError(code)
}

export function refuseUnchecked(task: TaskName): void {
  if (task === 'safety') throw new EngineError('engine.unchecked_picture')
}

interface CheckedRequest {
  tool: AnyTool
  params: Record<string, unknown>
  files: readonly { sha256: string }[]
}

const wordsOf = ({ tool, params }: Omit<CheckedRequest, 'files'>) =>
  tool.words ? refusedWords(String(params[tool.words] ?? '')) : []

/** The problem of a prompt whose words are not allowed; empty otherwise. */
export function wordProblems(request: Omit<CheckedRequest, 'files'>): Problem[] {
  const { words: path } = request.tool
  return path && wordsOf(request).length > 0 ? [{ path, code: 'content.words_refused' }] : []
}

/** Counts a refused prompt once for a photo, however it is worded around the forbidden words. */
export async function countWords(deps: CountDeps, userId: string, request: CheckedRequest): Promise<void> {
  const words = wordsOf(request)
  if (words.length > 0) await countRefusal(deps, userId, request, 'words', words.join(' '))
}

/** Counts an unsafe picture once, whatever the options. */
export async function countUnsafe(
  deps: CountDeps,
  userId: string,
  request: CheckedRequest,
  problems: readonly Problem[],
): Promise<void> {
  if (problems.some((problem) => problem.code === code)) await countRefusal(deps, userId, request, 'picture')
}

type CountDeps = Pick<ExecutionDeps, 'db' | 'config' | 'clock'>

async function countRefusal(
  deps: CountDeps,
  userId: string,
  { tool, files }: CheckedRequest,
  kind: RefusalKind,
  words = '',
): Promise<void> {
  const content = [words, ...files.map(({ sha256 }) => sha256)].join(' ')
  await transact(deps.db, (tx) => recordRefusal(tx, deps, { userId, tool: tool.id, kind, content }))
}

/** Reads the jobs' rows, so that no later attempt sends refused content elsewhere. */
export function endIfRefused(jobs: readonly Pick<ProviderJob, 'state'>[]): void {
  if (jobs.some(({ state }) => state === 'refused')) throw new EngineError('engine.content_refused')
}

/** The free check includes safety, so that unusable pictures are not charged. */
export async function safetyProblems(
  deps: ExecutionDeps,
  queue: Parameters<typeof prepareJob>[1],
  job: EngineJob,
  options: Options,
): Promise<Problem[]> {
  const { id, tasks, inputs } = job.tool
  const names = Object.keys(tasks).filter((name) => tasks[name] === 'safety')
  const candidates = await providersFor(deps, job.tool)
  if (!names.some((name) => candidates.get(name)?.length)) return []
  const prepared = await prepareJob(deps, queue, job, options)
  for (const { taskKey, ...work } of prepared.filter((one) => names.includes(one.taskKey.split('/')[0] as string))) {
    const result = await runTaskNow(deps, { tool: id, task: 'safety', work }, options.signal)
    if (result && isUnsafe(result)) return [{ path: Object.keys(inputs)[0] ?? '', code }]
  }
  return []
}
