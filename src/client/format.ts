import { i18n } from '@lingui/core'

// Intl constructors are slow on phones; one of each kind and language is enough.
const kept = new Map<string, unknown>()
function keep<Format>(key: string, make: (locale: string) => Format): Format {
  const locale = i18n.locale === 'en' ? 'en-GB' : 'id-ID'
  const name = `${locale} ${key}`
  const format = (kept.get(name) as Format | undefined) ?? make(locale)
  kept.set(name, format)
  return format
}

/** A whole number of credits, or any count: `1.499` or `1,499`. */
export function formatNumber(value: number): string {
  return keep('number', (locale) => new Intl.NumberFormat(locale)).format(value)
}

/** Rupiah as Indonesians write it in either language: `Rp 165.000`. */
export function formatRupiah(value: number): string {
  return keep(
    'rupiah',
    () => new Intl.NumberFormat('id-ID', { style: 'currency', currency: 'IDR', maximumFractionDigits: 0 }),
  ).format(value)
}

/** `$10`, and `$9,50` or `$9.50` where there are cents. */
export function formatDollars(value: number): string {
  return keep(
    'dollars',
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        trailingZeroDisplay: 'stripIfInteger',
      }),
  ).format(value)
}

/** `21 November 2026` */
export function formatDate(moment: string | number | Date): string {
  return keep('date', (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long' })).format(new Date(moment))
}

/** `14.05` */
export function formatTime(moment: string | number | Date): string {
  return keep('time', (locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' })).format(new Date(moment))
}

/**
 * The day in the person's own time: `hari ini`, `kemarin`, `Jumat, 20 November`; with the year
 * where it is another one.
 */
export function formatDay(moment: string | number | Date, now: number = Date.now()): string {
  const day = new Date(moment)
  const today = new Date(now)
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  const daysAgo = (midnight(today) - midnight(day)) / 86_400_000
  if (daysAgo === 0 || daysAgo === 1) {
    return keep('age', (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(-daysAgo, 'day')
  }
  const parts = { weekday: 'long', day: 'numeric', month: 'long' } as const
  return day.getFullYear() === today.getFullYear()
    ? keep('day', (locale) => new Intl.DateTimeFormat(locale, parts)).format(day)
    : keep('day of a year', (locale) => new Intl.DateTimeFormat(locale, { ...parts, year: 'numeric' })).format(day)
}

/** `21 Nov 2026, 14.05` */
export function formatDateTime(moment: string | number | Date): string {
  return keep(
    'moment',
    (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  ).format(new Date(moment))
}

const ageSteps = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

/**
 * How far a moment lies in the past or the future: `5 menit yang lalu`, `besok`; `sekarang` below a
 * minute.
 */
export function formatAge(moment: string | number | Date, now: number = Date.now()): string {
  const seconds = (new Date(moment).getTime() - now) / 1000
  const format = keep('age', (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const step = ageSteps.find((candidate) => Math.abs(seconds) >= candidate.seconds)
  return step ? format.format(Math.round(seconds / step.seconds), step.unit) : format.format(0, 'second')
}

/** `2,4 MB` */
export function formatBytes(bytes: number): string {
  const [unit, size] = bytes >= 1e6 ? (['megabyte', 1e6] as const) : (['kilobyte', 1e3] as const)
  return keep(
    unit,
    (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }),
  ).format(bytes / size)
}

/** Part of a hundred: `3,4%`; a dash where there is none. */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  return keep(
    'share',
    (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
  ).format(share)
}

/** Growth in percent: `+3,4%` */
export function formatGrowth(growth: number): string {
  const format = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  return keep('growth', (locale) => new Intl.NumberFormat(locale, format)).format(growth)
}

/** `2,4 dtk`; a dash where there is none. */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–'
  const format = { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return keep('seconds', (locale) => new Intl.NumberFormat(locale, format)).format(seconds)
}
