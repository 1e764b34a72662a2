import { type Days, dayMilliseconds as day, localDay, zoneMilliseconds as offset } from '#server/db/days.ts'
import { type Period, periodDays } from '../rules.ts'

export interface Span {
  /** `before` starts the previous span of the same length; `to` is excluded. */
  before: Date
  from: Date
  to: Date
  unit: 'day' | 'month'
}

/** The days, or the twelve months, that end today. */
export function spanOf(period: Period, now: Date): Span {
  const local = new Date(now.getTime() + offset)
  const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  const at = (...parts: [number, number, number]) => new Date(Date.UTC(...parts) - offset)
  const to = at(year, month, date + 1)
  if (period === '12m') return { before: at(year, month - 23, 1), from: at(year, month - 11, 1), to, unit: 'month' }
  const length = periodDays[period] * day
  return {
    before: new Date(to.getTime() - 2 * length),
    from: new Date(to.getTime() - length),
    to,
    unit: 'day',
  }
}

/** `yyyy-mm-dd`. */
export function bucketsOf({ from, to, unit }: Span): string[] {
  const local = new Date(from.getTime() + offset)
  const days: string[] = []
  for (let at = local; at.getTime() - offset < to.getTime(); ) {
    days.push(at.toISOString().slice(0, 10))
    at =
      unit === 'day' ? new Date(at.getTime() + day) : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
  }
  return days
}

/** The previous span, the span itself, and its buckets if they are longer than a day. */
export function distinctUserSpans(span: Span): Days[] {
  const [before, from, to] = [span.before, span.from, span.to].map(localDay) as [string, string, string]
  const buckets = span.unit === 'day' ? [] : bucketsOf(span)
  const months = buckets.map((name, index) => ({ from: name, to: buckets[index + 1] ?? to }))
  return [{ from: before, to: from }, { from, to }, ...months]
}
