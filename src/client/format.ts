import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { dayMs } from '#shared/time.ts'
import { serverNow } from './device/server-time.ts'

/** Intl constructors are slow on phones. */
function inLanguages<Format>(make: (locale: string) => Format): () => Format {
  const made: Record<string, Format> = {}
  return () => {
    const locale = i18n.locale === 'en' ? 'en-GB' : 'id-ID'
    made[locale] ??= make(locale)
    return made[locale]
  }
}
const numbers = (options: Intl.NumberFormatOptions) => inLanguages((locale) => new Intl.NumberFormat(locale, options))
export const dates = (options: Intl.DateTimeFormatOptions) =>
  inLanguages((locale) => new Intl.DateTimeFormat(locale, options))

type Moment = string | number | Date

const plain = numbers({})
const bytes = {
  megabyte: numbers({ style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }),
  kilobyte: numbers({ style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 }),
}
const share = numbers({ style: 'percent', maximumFractionDigits: 1 })
const growth = numbers({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const seconds = numbers({ style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 })
const date = dates({ dateStyle: 'long' })
const time = dates({ timeStyle: 'short' })
const moment = dates({ dateStyle: 'medium', timeStyle: 'short' })
const day = dates({ weekday: 'long', day: 'numeric', month: 'long' })
const dayOfYear = dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const age = inLanguages((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

const separators = () => (i18n.locale === 'en' ? { group: ',', point: '.' } : { group: '.', point: ',' })
const grouped = (digits: string, separator: string) => digits.replace(/\B(?=(\d{3})+$)/g, separator)

/** Whole numbers and prices skip Intl, whose first one takes a slow phone a tenth of a second. */
export const formatNumber = (value: number) =>
  Number.isSafeInteger(value) ? grouped(String(value), separators().group) : plain().format(value)

/** `1.024 × 768`, on one line. */
export const formatSize = ({ width, height }: { width: number; height: number }) =>
  `${formatNumber(width)}\u00a0×\u00a0${formatNumber(height)}`

/** `Rp 165.000` in either language. */
export const formatRupiah = (value: number) =>
  `${value < 0 ? '-' : ''}Rp\u00a0${grouped(String(Math.abs(Math.round(value))), '.')}`

/** `$10`, `$9,50` or `$9.50` */
export function formatDollars(value: number): string {
  const { group, point } = separators()
  const [whole = '', cents] = Math.abs(value).toFixed(2).split('.')
  return `${value < 0 ? '-' : ''}$${grouped(whole, group)}${cents === '00' ? '' : point + cents}`
}

/** `21 November 2026` */
export const formatDate = (at: Moment) => date().format(new Date(at))

/** `14.05` */
export const formatTime = (at: Moment) => time().format(new Date(at))

/** `21 Nov 2026, 14.05` */
export const formatDateTime = (at: Moment) => moment().format(new Date(at))

/** `hari ini`, `kemarin`, `Jumat, 20 November`; in the user's time zone. */
export function formatDay(at: Moment, now: number = serverNow()): string {
  const [then, today] = [new Date(at), new Date(now)]
  const midnight = (of: Date) => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate())
  const daysAgo = (midnight(today) - midnight(then)) / dayMs
  if (daysAgo === 0 || daysAgo === 1) return age().format(-daysAgo, 'day')
  return (then.getFullYear() === today.getFullYear() ? day : dayOfYear)().format(then)
}

const ageSteps = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

/** `5 menit yang lalu`, `besok`; below a minute `baru saja` or `sekarang`. */
export function formatAge(at: Moment, now: number = serverNow()): string {
  const away = (new Date(at).getTime() - now) / 1000
  const step = ageSteps.find((candidate) => Math.abs(away) >= candidate.seconds)
  if (step) return age().format(Math.round(away / step.seconds), step.unit)
  return away > 0 ? age().format(0, 'second') : t`baru saja`
}

/** `2,4 MB` */
export const formatBytes = (size: number) =>
  size >= 1e6 ? bytes.megabyte().format(size / 1e6) : bytes.kilobyte().format(size / 1e3)

/** `3,4%` */
export const formatShare = (part: number | null) => (part === null ? '–' : share().format(part))

/** `+3,4%` */
export const formatGrowth = (part: number) => growth().format(part)

/** `2,4 dtk` */
export const formatSeconds = (time: number | null) => (time === null ? '–' : seconds().format(time))

const indonesian = /^[1-9]\d{0,2}(\.\d{3})+(,\d{1,2})?$/
const english = /^[1-9]\d{0,2}(,\d{3})+(\.\d{1,2})?$/

/**
 * Accepts a decimal comma or point. A separator before each group of three digits counts thousands
 * ("48.500" is 48500), as no field takes three decimals. Empty input is null; invalid input is
 * returned unchanged, so that the server's validation reports it beside its field.
 */
export function parseNumber(text: string): number | string | null {
  const typed = text.trim()
  if (typed === '') return null
  const plain = english.test(typed)
    ? typed.replaceAll(',', '')
    : (indonesian.test(typed) ? typed.replaceAll('.', '') : typed).replace(',', '.')
  return Number.isNaN(Number(plain)) ? text : Number(plain)
}
