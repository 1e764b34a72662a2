import type { Deps } from '#server/deps.ts'
import { limitRate } from '#server/http/rate-limit.ts'

/** Megapixels per hour and user: five hundred pictures of a phone. */
const freeMegapixels = 6000

/** Throws `request.rate_limited` when the user has reached the limit of this hour. */
export async function countFreePixels(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: string,
  files: readonly { width: number; height: number }[],
): Promise<void> {
  const pixels = files.reduce((sum, { width, height }) => sum + width * height, 0)
  const cost = Math.max(1, Math.ceil(pixels / 1e6))
  await limitRate(deps, [{ rule: 'generations:free', subject: userId, limit: freeMegapixels, seconds: 3600, cost }])
}
