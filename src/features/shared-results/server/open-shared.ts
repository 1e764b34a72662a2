import { eq, sql } from 'drizzle-orm'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { forgiveRate, isWithinRate, limitRate, type RateRule } from '#server/http/rate-limit.ts'
import { signature } from '#server/storage/signed-address.ts'
import { placeIn } from '#tools/engine/place-in.ts'
import type { SharedPicture } from '../rules.ts'
import type { SharedResult } from '../types.ts'
import { findShared, type Shared } from './find-shared.ts'
import { sharedResults } from './table.ts'

const hour = 60 * 60
const day = 24 * hour

/** Seconds for which who knew the password may look at the pictures. */
const unlockedSeconds = hour

/** Guesses at a link's password: however many try from wherever, a link sees a few a day. */
const guessRules = (address: string, id: string): RateRule[] => [
  { rule: 'shared-guess:ip+link', subject: `${address} ${id}`, limit: 10, seconds: 15 * 60 },
  { rule: 'shared-guess:link', subject: id, limit: 20, seconds: hour },
  { rule: 'shared-guess:link-day', subject: id, limit: 100, seconds: day },
]

/** What a pictures' address proves where the link has a password. */
export const unlockedPicture = (id: string) => `shared-picture:${id}`

/** Shows a stranger what is behind a link, and counts it. */
export async function openShared(
  deps: Pick<Deps, 'db' | 'config' | 'clock' | 'tools'>,
  { token, password, address }: { token: string; password: string | null; address: string },
): Promise<SharedResult> {
  await limitRate(deps, [{ rule: 'shared-open:ip', subject: address, limit: 600, seconds: hour }])
  const shared = await findShared(deps, token)
  if (!shared) throw appError('shared_result.not_found')
  const { id, passwordHash } = shared.link
  if (passwordHash !== null) {
    if (password === null) throw appError('shared_result.password_due')
    const rules = guessRules(address, id)
    await limitRate(deps, rules)
    if (!(await account.passwordMatches(password, passwordHash, address))) {
      throw appError('shared_result.wrong_password', { details: { password: 'shared.wrong_password' } })
    }
    await forgiveRate(deps, rules.slice(0, 1))
  }
  await countOpening(deps, id, address)
  return viewOf(deps, shared, token)
}

/** Once a day for each address, so that looking twice is no second person. */
async function countOpening(deps: Pick<Deps, 'db' | 'config' | 'clock'>, id: string, address: string): Promise<void> {
  const first = { rule: 'shared-seen:ip+link', subject: `${address} ${id}`, limit: 1, seconds: day }
  if (!(await isWithinRate(deps, [first]))) return
  await deps.db
    .update(sharedResults)
    .set({ openings: sql`${sharedResults.openings} + 1` })
    .where(eq(sharedResults.id, id))
}

function viewOf(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { link, generation, files: { result, original } }: Shared,
  token: string,
): SharedResult {
  const expires = Math.floor(clock().getTime() / 1000) + unlockedSeconds
  const proof = new URLSearchParams({
    expires: String(expires),
    signature: signature(unlockedPicture(link.id), expires, config.fileSigningKey),
  })
  const picture = (name: SharedPicture, { contentType, width, height }: Shared['files']['result']) => ({
    url: `/api/shared_results/${token}/${name}${link.passwordHash === null ? '' : `?${proof}`}`,
    ...{ contentType, width, height },
  })
  const place = placeIn(generation.facts, link.position, result, original)
  return {
    tool: generation.tool,
    result: picture('result', result),
    original: original ? picture('original', original) : null,
    place: place && { x: place.x, y: place.y, scale: place.scale, angle: place.angle },
    expiresAt: link.expiresAt.toISOString(),
  }
}
