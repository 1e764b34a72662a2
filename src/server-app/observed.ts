import type { FailingJobs, JobQueue } from '#server/jobs/queue.ts'
import type { Metrics } from '#server/metrics.ts'
import { inSpan } from '#server/tracing.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type { EngineRunOptions, EngineTask } from '#tools/threads/task.ts'

const seconds = (since: number) => (performance.now() - since) / 1000

const codeOf = (error: unknown) => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

export function observedEngine(engine: EnginePool, metrics: Metrics): EnginePool {
  const observe = <Result extends object>(
    task: EngineTask,
    { lane = 'pictures' }: EngineRunOptions,
    work: () => Promise<Result>,
  ) => {
    const { tool, step } = task
    return inSpan(`engine ${step}`, { tool, lane }, async () => {
      const started = performance.now()
      try {
        const outcome = await work()
        metrics.observeEngine({ tool, step, lane, outcome: 'succeeded', code: '', seconds: seconds(started) })
        return outcome
      } catch (error) {
        const code = codeOf(error)
        metrics.observeEngine({
          tool,
          step,
          lane,
          outcome: 'failed',
          code,
          seconds: seconds(started),
        })
        throw error
      }
    })
  }
  return {
    ...engine,
    run: (task, options) => observe(task, options, () => engine.run(task, options)),
    check: (task, options) => observe(task, options, () => engine.check(task, options)),
    prepare: (task, options) => observe(task, options, () => engine.prepare(task, options)),
  }
}

export function observedJobs(jobs: JobQueue, metrics: Metrics, others: () => Promise<FailingJobs[]>): JobQueue {
  return {
    ...jobs,
    failing: async () => [...(await jobs.failing()), ...(await others())],
    work: (queue, options, handler) =>
      jobs.work(queue, options, async (data, ...task) => {
        const started = performance.now()
        try {
          const output = await handler(data, ...task)
          metrics.observeJob({ queue, outcome: 'succeeded', seconds: seconds(started) })
          return output
        } catch (error) {
          metrics.observeJob({ queue, outcome: 'failed', seconds: seconds(started) })
          throw error
        }
      }),
  }
}
