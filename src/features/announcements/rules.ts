/** In characters. */
export const announcementTexts = { text: 200, path: 200 } as const

/**
 * Devices receive announcements this many hours before their start, so that they appear offline
 * too.
 */
export const aheadHours = 24

export function isShown({ startsAt, endsAt }: { startsAt: string; endsAt: string | null }, now: number): boolean {
  return Date.parse(startsAt) <= now && (endsAt === null || now < Date.parse(endsAt))
}
