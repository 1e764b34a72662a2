import { dates } from './format.ts'

const offset = 7 * 3_600_000
const moments = dates({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Jakarta' })

/** `21 Nov 2026, 14.05 WIB` */
export const formatWib = (moment: string | number) => `${moments().format(new Date(moment))} WIB`

export const toWibField = (moment: string) => new Date(Date.parse(moment) + offset).toISOString().slice(0, 16)

/** An invalid value is returned unchanged, for the server to reject. */
export function fromWibField(value: string): string {
  const moment = new Date(`${value}Z`).getTime()
  return Number.isNaN(moment) ? value : new Date(moment - offset).toISOString()
}
