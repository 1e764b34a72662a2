import { EngineError } from '#engine/error.ts'
import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-types.ts'
import type { StoredInput } from '#features/uploads/server/uploads.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { recordRefusal } from '#server/moderation/account-limit.ts'
import { refusedWords } from '#server/moderation/refused-words.ts'
import type { RefusalKind } from '#shared/moderation.ts'
import type { AnyTool, Problem } from '#tools/contract/tool.ts'
import { smallPicture } from '#tools/engine/internal-tools.ts'
import { awaitJob, runAwaitedJob } from '../execution/await-job.ts'
import { type ExecutionDeps, type Options, prepareJob } from '../execution/engine-job.ts'
import { jobFile } from '../queues.ts'
import type { ProviderJob } from './provider-jobs.ts'
import { providersFor } from './provider-order.ts'
import { isAskedNow, runTaskNow } from './run-task-now.ts'

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

const asProblems = ({ words: path }: AnyTool, words: readonly number[]): Problem[] =>
  path && words.length > 0 ? [{ path, code: 'content.words_refused' }] : []

/** The problem of a prompt whose words are not allowed; empty otherwise. */
export const wordProblems = (request: Omit<CheckedRequest, 'files'>): Problem[] =>
  asProblems(request.tool, wordsOf(request))

/** Like {@link wordProblems}; counts once for a photo, however the rest is worded. */
export async function countedWordProblems(
  deps: CountDeps,
  userId: string,
  request: CheckedRequest,
): Promise<Problem[]> {
  const words = wordsOf(request)
  if (words.length > 0) await countRefusal(deps, userId, request, 'words', words.join(' '))
  return asProblems(request.tool, words)
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
  { tool, files }: { tool: Pick<AnyTool, 'id'>; files: CheckedRequest['files'] },
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
  job: Parameters<typeof prepareJob>[2],
  options: Options,
): Promise<Problem[]> {
  const { id, tasks, inputs } = job.tool
  const names = Object.entries(tasks).flatMap(([name, task]) => (task === 'safety' ? [name] : []))
  const candidates = await providersFor(deps, job.tool)
  if (!names.some((name) => candidates.get(name)?.length)) return []
  const prepared = await prepareJob(deps, queue, job, options)
  for (const { taskKey, ...work } of prepared.filter((one) => names.includes(one.taskKey.split('/')[0] as string))) {
    const result = await runTaskNow(deps, { tool: id, task: 'safety', work }, options.signal)
    if (result && isUnsafe(result)) return [{ path: Object.keys(inputs)[0] ?? '', code }]
  }
  return []
}

/** Seconds for the check of the files of one request. */
const checkSeconds = 30

/**
 * Throws `engine.unsafe_picture` for pictures that a designer should not receive, and counts the
 * refusal. Accepts all without an installed safety model.
 */
export async function refuseUnsafePictures(
  deps: CountDeps & Pick<Deps, 'jobs' | 'notifier' | 'providers'>,
  { userId, tool, files }: { userId: string; tool: string; files: readonly (StoredInput & { sha256: string })[] },
): Promise<void> {
  const able = (await providersFor(deps, smallPicture)).get('safe') ?? []
  if (files.length === 0 || !able.some(isAskedNow)) return
  const job = { jobId: crypto.randomUUID(), files: files.map((file) => jobFile({ ...file, input: 'picture' })) }
  try {
    await awaitJob(deps, 'check-safety', job, checkSeconds)
  } catch (error) {
    if (error instanceof AppError && error.code === code)
      await countRefusal(deps, userId, { tool: { id: tool }, files }, 'picture')
    throw error
  }
}

export function runSafetyCheck(deps: ExecutionDeps, { jobId, files }: Jobs['check-safety'], signal: AbortSignal) {
  return runAwaitedJob(deps, { jobId }, signal, async () => {
    const job = { tool: smallPicture, params: {}, files }
    const problems = await safetyProblems(deps, 'check-safety', job, { signal, seconds: checkSeconds })
    if (problems.length > 0) throw new EngineError(code)
  })
}
