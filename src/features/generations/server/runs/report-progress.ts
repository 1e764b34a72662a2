import { and, eq, type SQL } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'
import { nextChange, toldRows } from './end-generation.ts'
import { isCurrentAttempt } from './start-attempt.ts'

type Phase = 'detecting' | 'generating'

const minMilliseconds = 500

type ReportDeps = Pick<Deps, 'db' | 'log'>

/** Writes how far a run is: a new phase at once, fractions now and then, never two at a time. */
export function progressReporter(deps: ReportDeps, run: Pick<Generation, 'id' | 'attempts'>) {
  return reporter(deps, run, isCurrentAttempt(run), (status, progress) => ({ status, progress }))
}

/**
 * The same for a result that is rendered again: it stays a success, and is not wholly there until
 * its progress is 1 again.
 */
export function rerenderReporter(deps: ReportDeps, run: Pick<Generation, 'id'>) {
  const rendered = and(eq(generations.id, run.id), eq(generations.status, 'succeeded'))
  return reporter(deps, run, rendered, (_, progress) => ({ progress: Math.min(progress, 0.99) }))
}

function reporter(
  { db, log }: ReportDeps,
  run: Pick<Generation, 'id'>,
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
      // One statement and no transaction around it: this is the most frequent write of a run.
      await db
        .update(generations)
        .set({ ...change(phase, progress), change: nextChange })
        .where(where)
        .returning({ told: toldRows.told })
    } catch (error) {
      // Nobody is paid or refunded for progress; the run goes on.
      log.warn({ err: error, generationId: run.id }, 'could not save progress')
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
