import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '#server/deps.ts'

/**
 * Returns only at the end of a fixed interval, so that the response time does not reveal which
 * addresses have an account.
 */
export async function respondInConstantTime<Result>(
  { config }: Pick<Deps, 'config'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { responseInterval } = config.signInCosts
  const start = performance.now()
  try {
    return await work()
  } finally {
    await pause(responseInterval - ((performance.now() - start) % responseInterval))
  }
}
