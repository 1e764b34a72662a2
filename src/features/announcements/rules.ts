/** Longest text of an announcement in characters, and longest address that it leads to. */
export const announcementTexts = { text: 200, path: 200 } as const

/** How long before its time devices know of an announcement, so that it comes offline too. */
export const aheadHours = 24

/** Whether it is shown at a moment. */
export function isShown({ startsAt, endsAt }: { startsAt: string; endsAt: string | null }, now: number): boolean {
  return Date.parse(startsAt) <= now && (endsAt === null || now < Date.parse(endsAt))
}
