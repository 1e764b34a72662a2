import { dates } from './format.ts'

const offset = 7 * 3_600_000
const moments = dates({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Jakarta' })

/** `21 Nov 2026, 14.05 WIB`: by Jakarta's clock, wherever somebody is. */
export const formatWib = (moment: string | number) => `${moments().format(new Date(moment))} WIB`

/** A moment as a field for dates and times has it, in western Indonesian time. */
export const toWibField = (moment: string) => new Date(Date.parse(moment) + offset).toISOString().slice(0, 16)

/** The moment of such a field; what is none stays as it is, for the server to refuse. */
export function fromWibField(value: string): string {
  const moment = new Date(`${value}Z`).getTime()
  return Number.isNaN(moment) ? value : new Date(moment - offset).toISOString()
}
