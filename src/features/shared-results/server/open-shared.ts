import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { generations } from '#features/generations/server/generations.ts'
import { passwordMatches } from '#server/auth/password-hash.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { widerNetwork } from '#server/http/client-address.ts'
import { isWithinRate, limitRate, type RateRule, resetRateLimit, undoRateHits } from '#server/http/rate-limit.ts'
import { fileAddressSeconds, signature, signingKeys } from '#server/storage/signed-address.ts'
import { outputPlacement } from '#tools/engine/tool-engine.ts'
import { type SharedPicture, sharedPictures } from '../rules.ts'
import type { SharedResult } from '../schemas.ts'
import { findShared, linkToken, type Shared } from './find-shared.ts'
import { hideCaptureMetadata } from './hide-capture-metadata.ts'
import { sharedResults } from './table.ts'

const hour = 60 * 60
const day = 24 * hour

/** Seconds for fetching pictures after the password. */
const unlockedSeconds = hour

/**
 * Limits guesses by network, so that an attacker never locks the link for others. After a hundred
 * wrong guesses within a day each network has three more.
 */
function guessRules(address: string, id: string) {
  const network = `${widerNetwork(address)} ${id}`
  return {
    own: [
      { rule: 'shared-guess:ip+link', subject: `${address} ${id}`, limit: 10, seconds: 15 * 60 },
      { rule: 'shared-guess:network+link', subject: network, limit: 20, seconds: hour },
      { rule: 'shared-guess:network+link-day', subject: network, limit: 60, seconds: day },
    ],
    link: [{ rule: 'shared-guess:link-day', subject: id, limit: 100, seconds: day }],
    guessedLink: [{ rule: 'shared-guess:network+guessed-link', subject: network, limit: 3, seconds: day }],
  } satisfies Record<string, RateRule[]>
}

type GuessDeps = Pick<Deps, 'db' | 'config' | 'clock'>

/** Counts a guess before the check, and takes it back if the password is right. */
async function requirePassword(
  deps: GuessDeps,
  { id, passwordHash, password, address }: { id: string; passwordHash: string; password: string; address: string },
): Promise<void> {
  const rules = guessRules(address, id)
  await limitRate(deps, rules.own)
  const isGuessed = !(await isWithinRate(deps, rules.link))
  if (isGuessed) await limitRate(deps, rules.guessedLink)
  if (!(await passwordMatches(deps, password, passwordHash, address))) {
    throw appError('shared_result.wrong_password', { details: { password: 'shared.wrong_password' } })
  }
  const [ofAddress, ...ofNetwork] = rules.own
  await resetRateLimit(deps, ofAddress ? [ofAddress] : [])
  await undoRateHits(deps, [...ofNetwork, ...(isGuessed ? rules.guessedLink : rules.link)])
}

/** Signed subject, if the link has a password. */
const unlockedPicture = (id: string) => `shared-picture:${id}`

/** Counts the visit. */
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
    await requirePassword(deps, { id, passwordHash, password, address })
  }
  await countOpening(deps, id, address)
  return viewOf(deps, shared)
}

/** Each address counts once a day. */
async function countOpening(deps: Pick<Deps, 'db' | 'config' | 'clock'>, id: string, address: string): Promise<void> {
  const first = { rule: 'shared-seen:ip+link', subject: `${address} ${id}`, limit: 1, seconds: day }
  if (!(await isWithinRate(deps, [first]))) return
  await deps.db
    .update(sharedResults)
    .set({ openings: sql`${sharedResults.openings} + 1` })
    .where(eq(sharedResults.id, id))
}

/** Needs no password. */
export function pictureAddress(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { id, passwordHash }: Shared['link'],
  name: SharedPicture,
): string {
  const path = `/api/shared_results/${linkToken(id, config.fileSigningKey)}/${name}`
  if (passwordHash === null) return path
  const expires = Math.floor(clock().getTime() / 1000) + unlockedSeconds
  const proof = signature(unlockedPicture(id), expires, config.fileSigningKey)
  return `${path}?${new URLSearchParams({ expires: String(expires), signature: proof })}`
}

function viewOf(
  deps: Pick<Deps, 'config' | 'clock'>,
  { link, generation, files: { result, original } }: Shared,
): SharedResult {
  const picture = (name: SharedPicture, { contentType, width, height }: Shared['files']['result']) => ({
    url: pictureAddress(deps, link, name),
    contentType,
    width,
    height,
  })
  const placement = outputPlacement(generation.facts, link.position, result, original)
  return {
    tool: generation.tool,
    result: picture('result', result),
    original: original ? picture('original', original) : null,
    place: placement && { x: placement.x, y: placement.y, scale: placement.scale, angle: placement.angle },
    expiresAt: link.expiresAt.toISOString(),
  }
}

/**
 * The server sends it even if the storage has public addresses, because those reveal internal ids.
 */
export async function servePicture(
  deps: Pick<Deps, 'db' | 'store' | 'config' | 'clock' | 'tools' | 'jobs' | 'notifier'>,
  c: Context,
) {
  const name = sharedPictures.find((known) => known === c.req.param('picture'))
  const shared = name && (await findShared(deps, c.req.param('token') ?? ''))
  const source = shared?.files[name as SharedPicture]
  if (!source) throw appError('shared_result.not_found')
  const { id, passwordHash } = shared.link
  const { expires, signature } = c.req.query()
  const unlocked = { id: unlockedPicture(id), expires, signature }
  if (passwordHash !== null && fileAddressSeconds(unlocked, signingKeys(deps.config), deps.clock()) === 0) {
    throw appError('shared_result.password_due')
  }
  const { original } = shared.files
  const beside = original?.contentType.startsWith('image/') ? original : undefined
  const file = name === 'preview' ? await generations.linkPicture(deps, { result: source, original: beside }) : source
  const headers = {
    etag: `"${createHash('sha256').update(`${id}:${file.id}`).digest('base64url').slice(0, 22)}"`,
    'content-disposition': `inline; filename="${name}.${file.contentType.split('/')[1]}"`,
    // Revalidated each time, so that the picture ends with its link.
    'cache-control': 'private, no-cache',
  }
  const patches = await hideCaptureMetadata(deps.store, file)
  return await generations.sendFile(deps.store, c, file, headers, patches)
}
