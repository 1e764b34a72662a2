import { setTimeout as pause } from 'node:timers/promises'

/** Longer than the work usually takes, so that there is mostly one beat. */
const beatMilliseconds = 250

/**
 * Does work that takes longer for some addresses than for others, and lets go of its outcome only on the next beat after it began, so that the time
 * of the answer does not tell which.
 */
export async function onTheBeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  try {
    return await work()
  } finally {
    await pause(beatMilliseconds - ((performance.now() - began) % beatMilliseconds))
  }
}
