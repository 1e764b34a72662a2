import { type AnyColumn, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { addTime } from '#shared/time.ts'

/**
 * Writes the last use of a session or key at most once in `minutes`, since a read must not cause a
 * write each time. `isDue` limits the write to rows that no other request has updated. A failure is
 * logged and does not fail the request.
 */
export async function recordUse(
  { log }: Pick<Deps, 'log'>,
  { last, now, minutes }: { last: Date | null; now: Date; minutes: number },
  write: (isDue: (column: AnyColumn) => SQL | undefined) => Promise<unknown>,
): Promise<void> {
  const before = addTime(now, { minutes: -minutes })
  if (last && last > before) return
  await write((column) => or(isNull(column), lt(column, before))).catch((error: unknown) =>
    log.warn({ err: error }, 'could not record the last use'),
  )
}
