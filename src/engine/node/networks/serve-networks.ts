import { writeFile } from 'node:fs/promises'
import type { NetworkAnswer, NumberedJob } from './network-process.ts'

/**
 * Makes this process one of networks: it does what it is sent, and ends with whoever started it.
 */
export async function serveNetworks<Job, Result>(
  perform: (job: Job, onProgress: (share?: number) => void) => Promise<Result>,
): Promise<void> {
  // Where memory runs out, this process goes before the server does.
  if (process.platform === 'linux') await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
  // Whoever asked is gone.
  process.on('disconnect', () => process.exit())
  // A terminal and a process group tell everybody to stop; the server decides what becomes of a
  // job.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.on('message', async ({ number, job }: NumberedJob<Job>) => {
    const say = (answer: { result: Result } | { reason: string } | { progress?: number | undefined }) =>
      process.send?.({ number, ...answer } as NetworkAnswer<Result>)
    try {
      say({ result: await perform(job, (progress) => say({ progress })) })
    } catch (error) {
      say({ reason: error instanceof Error ? error.message : String(error) })
    }
  })
}
