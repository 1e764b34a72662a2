const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const lengths = { days: dayMs, hours: hourMs, minutes: minuteMs, seconds: 1000 }

/** Adds lengths of time, negative ones for an earlier moment. A day has 24 hours. */
export function addTime(moment: Date, duration: Partial<Record<keyof typeof lengths, number>>): Date {
  const added = Object.entries(duration).map(([unit, count]) => count * lengths[unit as keyof typeof lengths])
  return new Date(added.reduce((sum, length) => sum + length, moment.getTime()))
}

/** Western Indonesian time (WIB) has no daylight saving time. */
export const wibOffsetMs = 7 * hourMs

/** The UTC fields of the result are those of western Indonesian time. */
export const wibFields = (moment: Date | number | string): Date => new Date(new Date(moment).getTime() + wibOffsetMs)

/** The day in western Indonesian time, `yyyy-mm-dd`. */
export const wibDay = (moment: Date | number | string): string => wibFields(moment).toISOString().slice(0, 10)
