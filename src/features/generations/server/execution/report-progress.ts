import { and, eq, type SQL } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'
import { nextChange, rowsWithNotification } from './end-generation.ts'
import { isCurrentAttempt } from './start-attempt.ts'

type Phase = 'detecting' | 'generating'

const minMilliseconds = 500

type ReportDeps = Pick<Deps, 'db' | 'log'>

/** Writes a new phase at once, fractions at intervals, never two writes at a time. */
export function progressReporter(deps: ReportDeps, generation: Pick<Generation, 'id' | 'attempts'>) {
  return reporter(deps, generation, isCurrentAttempt(generation), (status, progress) => ({ status, progress }))
}

/**
 * Reports a rendering. The generation stays `succeeded`; its outputs are complete at progress 1.
 */
export function rerenderReporter(deps: ReportDeps, generation: Pick<Generation, 'id'>) {
  const rendered = and(eq(generations.id, generation.id), eq(generations.status, 'succeeded'))
  return reporter(deps, generation, rendered, (_, progress) => ({ progress: Math.min(progress, 0.99) }))
}

function reporter(
  { db, log }: ReportDeps,
  generation: Pick<Generation, 'id'>,
  where: SQL | undefined,
  change: (phase: Phase, progress: number) => Partial<Generation>,
) {
  let shown: Phase = 'detecting'
  let due = 0
  let writing: Promise<void> = Promise.resolve()
  let busy = false

  const write = async (phase: Phase, progress: number) => {
    busy = true
    try {
      // No transaction, since this is the most frequent write of a generation.
      await db
        .update(generations)
        .set({ ...change(phase, progress), change: nextChange })
        .where(where)
        .returning({ told: rowsWithNotification.told })
    } catch (error) {
      // Progress affects no credits, so the generation continues.
      log.warn({ err: error, generationId: generation.id }, 'could not save progress')
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
    settled: () => writing,
  }
}
