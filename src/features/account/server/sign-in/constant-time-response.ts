import { setTimeout as pause } from 'node:timers/promises'

/** Longer than the work usually takes, so that one interval mostly suffices. */
const intervalMilliseconds = 250

/**
 * Returns only at the end of a fixed interval, so that the response time does not reveal which
 * addresses have an account.
 */
export async function respondInConstantTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    await pause(intervalMilliseconds - ((performance.now() - start) % intervalMilliseconds))
  }
}
