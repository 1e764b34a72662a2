import { type SQL, sql } from 'drizzle-orm'
import { dayMs, wibDay, wibOffsetMs } from '#shared/time.ts'

export const timeZone = 'Asia/Jakarta'

export const beginOfDay = (name: string): Date => new Date(Date.parse(name) - wibOffsetMs)
export const dayAfter = (name: string, days: number): string =>
  new Date(Date.parse(name) + days * dayMs).toISOString().slice(0, 10)

/** A range of days, `yyyy-mm-dd`: from the first (included) to the second (excluded). */
export interface Days {
  from: string
  to: string
}

/** From the first (included) to the second (excluded); a missing moment leaves that side open. */
export interface Moments {
  from?: Date | undefined
  to?: Date | undefined
}

export const momentsOf = ({ from, to }: Days): Required<{ [Side in keyof Moments]: Date }> => ({
  from: beginOfDay(from),
  to: beginOfDay(to),
})

export const dayOf = (moment: { getSQL(): SQL }): SQL => sql`(${moment} at time zone ${sql.raw(`'${timeZone}'`)})::date`

export function isDuring(moment: { getSQL(): SQL }, { from, to }: Moments): SQL {
  const since = from ? sql`and ${moment} >= ${from.toISOString()}::timestamptz` : sql``
  return sql`${moment} is not null ${since} ${to ? sql`and ${moment} < ${to.toISOString()}::timestamptz` : sql``}`
}

/**
 * Splits a range into whole final days before `since`, and the remaining moments on either side.
 */
export function splitMoments(asked: Moments, since: string | undefined): { closed?: Partial<Days>; open: Moments[] } {
  if (since === undefined) return { open: [asked] }
  const end = beginOfDay(since)
  const firstDay = asked.from && wibDay(new Date(asked.from.getTime() + dayMs - 1))
  const lastDay = asked.to && asked.to < end ? wibDay(asked.to) : since
  if (firstDay !== undefined && firstDay >= lastDay) return { open: [asked] }
  const before = { from: asked.from, to: firstDay === undefined ? undefined : beginOfDay(firstDay) }
  const after = { from: beginOfDay(lastDay), to: asked.to }
  const open = [
    ...(before.from && before.to && before.from < before.to ? [before] : []),
    ...(after.to === undefined || after.from < after.to ? [after] : []),
  ]
  return { closed: { ...(firstDay !== undefined && { from: firstDay }), to: lastDay }, open }
}

/** Stored rows for the final days before `since`, computed rows for the days from then on. */
export const rowsOfDays = (
  table: { getSQL(): SQL },
  columns: string,
  { from, to }: Days,
  since: string,
  count: (moments: Moments) => SQL,
): SQL => sql`(
  select ${sql.raw(columns)} from ${table} where day >= ${from}::date and day < least(${since}, ${to})::date
  union all select ${sql.raw(columns)}
  from (${count({ from: beginOfDay(from > since ? from : since), to: beginOfDay(to) })}) live) counted`

const usualDays = 30

/** The requested days, or the thirty that end today. */
export function daysOf(asked: { from?: Date | undefined; to?: Date | undefined }, now: Date): Days {
  const to = dayAfter(wibDay(asked.to ?? now), 1)
  return { from: asked.from ? wibDay(asked.from) : dayAfter(to, -usualDays), to }
}
