import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { publish } from '#server/notify.ts'
import { nextChange } from './end-generation.ts'
import { isCurrentAttempt } from './start-attempt.ts'
import { generations } from './table.ts'
import type { Generation } from './views.ts'

type Phase = 'detecting' | 'generating'

const minMilliseconds = 500

/** Writes how far a run is: a new phase at once, fractions now and then, never two at a time. */
export function progressReporter(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  run: Pick<Generation, 'id' | 'userId' | 'attempts'>,
) {
  let shown: Phase = 'detecting'
  let due = 0
  let writing: Promise<void> = Promise.resolve()
  let busy = false

  const write = async (status: Phase, progress: number) => {
    busy = true
    try {
      await transact(db, async (tx) => {
        const [row] = await tx
          .update(generations)
          .set({ status, progress, change: nextChange })
          .where(isCurrentAttempt(run))
          .returning({ change: generations.change })
        if (row) await publish(tx, { kind: 'generation', userId: run.userId, generationId: run.id, change: row.change })
      })
    } catch (error) {
      // Nobody is paid or refunded for progress; the run goes on.
      log.warn({ err: error, generationId: run.id }, 'progress not written')
    } finally {
      busy = false
    }
  }

  return {
    report(phase: Phase, fraction: number) {
      const now = performance.now()
      if (busy || (phase === shown && now < due)) return
      shown = phase
      due = now + minMilliseconds
      writing = write(phase, Math.min(1, Math.max(0, fraction)))
    },
    /** Resolves when nothing is being written any more. */
    settled: () => writing,
  }
}
