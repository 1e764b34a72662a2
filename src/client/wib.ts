import { wibFields, wibOffsetMs } from '#shared/time.ts'
import { serverNow } from './device/server-time.ts'
import { dates } from './format.ts'

const moments = dates({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Jakarta' })

/** `21 Nov 2026, 14.05 WIB` */
export const formatWib = (moment: string | number) => `${moments().format(new Date(moment))} WIB`

export const toWibField = (moment: string) => wibFields(moment).toISOString().slice(0, 16)

export type DayPreset = 'today' | 'yesterday' | 'days_7' | 'days_30' | 'month' | 'last_month' | 'year'

/** First and last day of each preset as `yyyy-mm-dd`, seen from a moment. */
export function presetDays(now = serverNow()): Record<DayPreset, { from: string; to: string }> {
  const local = wibFields(now)
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  const span = (from: number, to: number) => ({
    from: new Date(from).toISOString().slice(0, 10),
    to: new Date(to).toISOString().slice(0, 10),
  })
  const daysAgo = (days: number) => Date.UTC(year, month, day - days)
  const today = daysAgo(0)
  return {
    today: span(today, today),
    yesterday: span(daysAgo(1), daysAgo(1)),
    days_7: span(daysAgo(6), today),
    days_30: span(daysAgo(29), today),
    month: span(Date.UTC(year, month, 1), today),
    last_month: span(Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0)),
    year: span(Date.UTC(year, 0, 1), today),
  }
}

/** An invalid value is returned unchanged, for the server to reject. */
export function fromWibField(value: string): string {
  const moment = new Date(`${value}Z`).getTime()
  return Number.isNaN(moment) ? value : new Date(moment - wibOffsetMs).toISOString()
}
