import { setTimeout as pause } from 'node:timers/promises'
import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-work.ts'
import type { JobReport, Provider } from '#providers/provider.ts'
import type { Deps } from '#server/deps.ts'
import { reasonOf } from '#server/log.ts'
import { providersFor } from './provider-order.ts'

type AskDeps = Pick<Deps, 'db' | 'log' | 'providers'>

/**
 * Has the first who can do a task that somebody waits for, outside of any run; undefined where
 * nobody else than the engine is to do it, or can.
 */
export async function askNow(
  deps: AskDeps,
  { tool, task, work }: { tool: string; task: TaskName; work: EncodedTask },
  signal: AbortSignal,
): Promise<EncodedTask | undefined> {
  const candidates = (await providersFor(deps, { id: tool, tasks: { task } })).get('task') ?? []
  for (const provider of candidates.filter(({ accepts }) => accepts?.({ task, data: work.data }) !== false)) {
    try {
      return (await askProvider(provider, { task, work }, signal)).result
    } catch (error) {
      signal.throwIfAborted()
      deps.log.warn({ provider: provider.id, task, reason: reasonOf(error) }, 'a provider failed')
    }
  }
  return undefined
}

/** Has one provider do a task, and waits for it; rejects with why it could not. */
export async function askProvider(
  provider: Provider,
  { task, work }: { task: TaskName; work: EncodedTask },
  signal: AbortSignal,
): Promise<Extract<JobReport, { state: 'done' }>> {
  const { files, data } = work
  const externalId = await provider.submit({ task, reference: crypto.randomUUID(), files, data }, signal)
  try {
    for (;;) {
      const report = await provider.poll(externalId, task, signal)
      if (report.state === 'done') return report
      if (report.state !== 'running') throw new Error(report.state === 'failed' ? report.reason : 'lost')
      await pause(report.again * 1000, undefined, { signal })
    }
  } catch (error) {
    await provider.cancel(externalId, task).catch(() => {})
    throw error
  }
}
