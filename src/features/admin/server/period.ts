import { type Period, periodDays } from '../contract.ts'

/** Western Indonesian time, which knows no summer time. */
export const zone = 'Asia/Jakarta'
const offset = 7 * 3_600_000
const day = 86_400_000

export interface Span {
  /** Of the span of the same length before, of the span itself (both included), and its end (excluded). */
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

/** The first day of every bucket of a span, `yyyy-mm-dd`. */
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
