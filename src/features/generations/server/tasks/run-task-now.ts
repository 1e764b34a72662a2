import { setTimeout as pause } from 'node:timers/promises'
import { EngineError } from '#engine/error.ts'
import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-types.ts'
import type { JobReport, Provider, SentTask } from '#providers/provider.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { reasonOf } from '#server/log.ts'
import { tapSelection } from '#tools/engine/internal-tools.ts'
import type { EngineOutput, EngineTask } from '#tools/threads/task.ts'
import type { selectInput } from '../../schemas.ts'
import { providersFor } from './provider-order.ts'

/**
 * False for providers with slots, for which generations wait, and external ones, which need a
 * consent and a budget.
 */
export const isAskedNow = ({ remote, slots }: Provider) => !remote && !slots

type AskDeps = Pick<Deps, 'db' | 'log' | 'providers'>

/**
 * Runs a task for a waiting client outside of any generation; undefined if only the engine is left.
 */
export async function runTaskNow(
  deps: AskDeps,
  { tool, task, work }: { tool: string; task: TaskName; work: EncodedTask },
  signal: AbortSignal,
): Promise<EncodedTask | undefined> {
  const candidates = (await providersFor(deps, { id: tool, tasks: { task } })).get('task') ?? []
  const able = candidates.filter((provider) => isAskedNow(provider) && provider.accepts?.({ task, ...work }) !== false)
  for (const provider of able) {
    try {
      return (await runTaskAtProvider(provider, { task, work }, signal)).result
    } catch (error) {
      signal.throwIfAborted()
      deps.log.warn({ provider: provider.id, task, reason: reasonOf(error) }, 'a provider failed')
    }
  }
  return undefined
}

/** Rejects with the provider's reason. */
export async function runTaskAtProvider(
  provider: Provider,
  { task, work, kept }: { task: TaskName; work: EncodedTask; kept?: SentTask },
  signal: AbortSignal,
): Promise<Extract<JobReport, { state: 'done' }>> {
  const { files, data } = work
  const unkept = { task, reference: crypto.randomUUID(), slot: null, width: null, height: null }
  const sent = { ...(kept ?? unkept), sentAt: new Date() }
  const externalId = await provider.submit({ ...sent, smaller: false, files, data }, signal)
  try {
    for (;;) {
      const report = await provider.poll({ ...sent, externalId }, signal)
      if (report.state === 'done') return report
      if (report.state !== 'running') throw new Error('reason' in report ? report.reason : 'lost')
      await pause(report.pollAfterSeconds * 1000, undefined, { signal })
    }
  } catch (error) {
    await provider.cancel({ ...sent, externalId }).catch(() => {})
    throw error
  }
}

/** Users do not wait longer for a tap. */
const timeoutMs = 30_000

/**
 * Returns a PNG of the picture's size, white inside the object and black outside, by a model or the
 * engine. Throws `request.not_found` if nothing stands out, or this process has neither: then the
 * device computes the selection.
 */
export async function selectObject(
  deps: Pick<Deps, 'db' | 'log' | 'providers' | 'engine'>,
  { picture, points }: typeof selectInput.infer,
  gone: AbortSignal,
): Promise<Uint8Array> {
  const bytes = Buffer.from(picture, 'base64')
  const file = { label: 'picture', extension: '', contentType: '', bytes, width: 0, height: 0 }
  const work = { files: [file], data: { points } }
  const signal = AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)])
  const made = await runTaskNow(deps, { tool: '', task: 'selectObject', work }, signal)
  const [alpha] = made?.files ?? (await selectInEngine(deps, { bytes, points }, signal))
  if (!alpha) throw appError('request.not_found')
  return alpha.bytes
}

async function selectInEngine(
  { engine }: Pick<Deps, 'engine'>,
  { bytes, points }: { bytes: Uint8Array; points: typeof selectInput.infer.points },
  signal: AbortSignal,
): Promise<EngineOutput[]> {
  if (!engine) return []
  const inputs = { picture: [{ kind: 'picture' as const, contentType: 'image/jpeg', bytes }] }
  const task: EngineTask = { step: 'render', tool: tapSelection.id, params: { points }, inputs }
  try {
    const { outputs } = await engine.run(task, { lane: 'interactive', timeLimit: timeoutMs, signal })
    return outputs
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (error.code === 'engine.no_subject') return []
    throw appError(error.code, { cause: error })
  }
}
