const graceSeconds = 10
const firstPauseSeconds = 30
const maxPauseSeconds = 2 * 3600

/** The pauses add up to half a day. */
export const maxAttempts = 12

const after = (moment: Date, seconds: number) => new Date(moment.getTime() + seconds * 1000)

/** The job sent on commit gets time to finish before the sweeper sends another. */
export const firstSweepAt = (createdAt: Date) => after(createdAt, graceSeconds)

/** `attempts` (from 1) have begun, the last one at `now`. */
export const nextAttemptAfter = (attempts: number, now: Date) =>
  after(now, Math.min(maxPauseSeconds, firstPauseSeconds * 3 ** (attempts - 1)))
