/** Longest text of an announcement and longest target address, in characters. */
export const announcementTexts = { text: 200, path: 200 } as const

/**
 * Hours before their start at which devices receive announcements, so that they appear offline too.
 */
export const aheadHours = 24

/** True if it is shown at a moment. */
export function isShown({ startsAt, endsAt }: { startsAt: string; endsAt: string | null }, now: number): boolean {
  return Date.parse(startsAt) <= now && (endsAt === null || now < Date.parse(endsAt))
}
