import { and, asc, desc, eq, gt, inArray, isNull } from 'drizzle-orm'
import { type Change, type EventSource, maxResumed, positionOverlap } from '#features/events/server/events.ts'
import type { Deps } from '#server/deps.ts'
import { openStatuses } from '../rules.ts'
import type { GenerationView } from '../schemas.ts'
import { type Generation, generationViews } from './history/views.ts'
import { generations } from './table.ts'

type Reading = Parameters<EventSource<GenerationView>['read']>

export const generationEvents: EventSource<GenerationView> = {
  concerns: (notification) => (notification.kind === 'generation' ? notification.generationId : undefined),

  async read(deps, listener, ids) {
    const rows = await deps.db
      .select()
      .from(generations)
      .where(and(inArray(generations.id, ids), ownedBy(listener.userId)))
      .orderBy(asc(generations.change))
    return await changes(deps, listener, rows)
  },

  async start(deps, listener, after) {
    const missed = await deps.db
      .select()
      .from(generations)
      .where(
        and(
          ownedBy(listener.userId),
          after === undefined
            ? inArray(generations.status, [...openStatuses])
            : gt(generations.change, after - positionOverlap),
        ),
      )
      .orderBy(desc(generations.change))
      .limit(maxResumed)
    return {
      changes: await changes(deps, listener, missed.reverse()),
      position: await newestChange(deps, listener.userId),
    }
  },
}

const ownedBy = (userId: string) => and(eq(generations.userId, userId), isNull(generations.deletedAt))

async function newestChange({ db }: Pick<Deps, 'db'>, userId: string): Promise<number> {
  const [newest] = await db
    .select({ change: generations.change })
    .from(generations)
    .where(eq(generations.userId, userId))
    .orderBy(desc(generations.change))
    .limit(1)
  return newest?.change ?? 0
}

async function changes(deps: Reading[0], listener: Reading[1], rows: Generation[]): Promise<Change<GenerationView>[]> {
  const views = await generationViews(deps, deps.db, rows, listener)
  return views.map((data, index) => ({ data, position: rows[index]?.change ?? 0 }))
}
