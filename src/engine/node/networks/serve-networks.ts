import { writeFile } from 'node:fs/promises'
import type { NetworkAnswer, NumberedJob } from './network-process.ts'

/** Runs the jobs that this process receives, and exits with the parent process. */
export async function serveNetworks<Job, Result>(
  perform: (job: Job, onProgress: (share?: number) => void) => Promise<Result>,
): Promise<void> {
  // If memory runs out, the kernel kills this process before the server.
  if (process.platform === 'linux') await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
  process.on('disconnect', () => process.exit())
  // Terminals and process groups signal all processes, but the server decides about running jobs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.on('message', async ({ number, job }: NumberedJob<Job>) => {
    // Without a callback, an answer to a server that has just been killed would throw.
    const say = (answer: { result: Result } | { reason: string } | { progress?: number | undefined }) =>
      process.send?.({ number, ...answer } as NetworkAnswer<Result>, undefined, undefined, () => {})
    try {
      say({ result: await perform(job, (progress) => say({ progress })) })
    } catch (error) {
      say({ reason: error instanceof Error ? error.message : String(error) })
    }
  })
}
