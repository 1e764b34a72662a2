import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { parse, validate } from 'uuid'
import { isShareable } from '#features/generations/rules.ts'
import { generationFiles, generations } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { PageHead } from '#server/http/page-head.ts'
import { translate } from '#server/i18n.ts'
import { signingKeys } from '#server/storage/signed-address.ts'
import { type Language, languages, negotiateLanguage } from '#shared/language.ts'
import { linkPicture } from '#tools/engine/internal-tools.ts'
import { type SharedPicture, sharedPath } from '../rules.ts'
import { sharedResults, withdrawnResults } from './table.ts'

const idCharacters = 22
const proofBytes = 16

/**
 * Holds the id and a proof that only this server can compute: the database holds nothing that opens
 * a link, and the server can show the address again.
 */
export function linkToken(id: string, key: Uint8Array): string {
  return `${Buffer.from(parse(id)).toString('base64url')}${proof(id, key).toString('base64url')}`
}

/** Undefined for any other text. */
function linkIdFromToken(token: string, keys: readonly Uint8Array[]): string | undefined {
  if (!/^[\w-]{44}$/.test(token)) return undefined
  const id = hyphened(Buffer.from(token.slice(0, idCharacters), 'base64url'))
  if (!validate(id)) return undefined
  // The encoded text is compared, because the last base64url letter has unused bits.
  return keys.some((key) => timingSafeEqual(Buffer.from(linkToken(id, key)), Buffer.from(token))) ? id : undefined
}

const hyphened = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const proof = (id: string, key: Uint8Array) =>
  createHmac('sha256', key).update(`shared-result:${id}`).digest().subarray(0, proofBytes)

type File = typeof generationFiles.$inferSelect
export interface Shared {
  link: typeof sharedResults.$inferSelect
  generation: typeof generations.$inferSelect
  files: { result: File } & Partial<Record<SharedPicture, File>>
}

/**
 * Returns undefined as soon as the link or its result ends in any way, so code that deletes a
 * result need not deal with links.
 */
export async function findShared(
  { db, config, clock, tools }: Pick<Deps, 'config' | 'clock' | 'tools'> & { db: Executor },
  token: string,
): Promise<Shared | undefined> {
  const id = linkIdFromToken(token, signingKeys(config))
  if (id === undefined) return undefined
  const [found] = await db
    .select({ link: sharedResults, generation: generations })
    .from(sharedResults)
    .innerJoin(generations, eq(generations.id, sharedResults.generationId))
    .innerJoin(users, eq(users.id, sharedResults.userId))
    .where(and(eq(sharedResults.id, id), isAlive(clock())))
  if (!found) return undefined
  const [input] = Object.keys(tools[found.generation.tool]?.inputs ?? {})
  const files = await filesOf(db, found, input)
  return files && { ...found, files }
}

/** The link and its result have not ended or been withdrawn, and the owner's account is active. */
export const isAlive = (now: Date) =>
  and(
    gt(sharedResults.expiresAt, now),
    gt(generations.expiresAt, now),
    eq(generations.status, 'succeeded'),
    isNull(generations.deletedAt),
    isNull(users.disabledAt),
    sql`not exists (select from ${withdrawnResults} where ${withdrawnResults.generationId} = ${generations.id})`,
  )

async function filesOf(
  executor: Executor,
  { link, generation }: Pick<Shared, 'link' | 'generation'>,
  input: string | undefined,
): Promise<Shared['files'] | undefined> {
  const found = await executor
    .select()
    .from(generationFiles)
    .where(
      and(
        eq(generationFiles.generationId, generation.id),
        inArray(generationFiles.role, ['input', 'output', 'thumbnail']),
      ),
    )
    .orderBy(generationFiles.position, generationFiles.id)
  const result = found.filter(({ role }) => role === 'output')[link.position]
  if (!result || !isShareable(result)) return undefined
  // Brush masks and inserted faces are no original, nor is a single picture of several photographs.
  const originals = found.filter(({ role, label }) => role === 'input' && label === input)
  const original = link.withOriginal && originals.length === 1 ? originals[0] : undefined
  // The thumbnail shows the first output, and stands for a video.
  const thumbnail = link.position === 0 ? found.find(({ role }) => role === 'thumbnail') : undefined
  const preview = result.contentType.startsWith('image/') ? result : thumbnail
  return { result, ...(preview && { preview }), ...(original && isShareable(original) && { original }) }
}

const page = /^\/shared\/([^/]+)\/?$/

/**
 * Link preview for messengers, never with the owner, nor the picture of a locked link. Undefined
 * for other addresses.
 */
export async function linkHead(
  deps: Pick<Deps, 'db' | 'config' | 'clock' | 'tools'>,
  asked: { path: string; language: string | undefined; acceptLanguage: string | undefined },
): Promise<PageHead | undefined> {
  const token = page.exec(asked.path)?.[1]
  if (token === undefined) return undefined
  const language: Language =
    languages.find((known) => known === asked.language) ?? negotiateLanguage(asked.acceptLanguage)
  const shared = await findShared(deps, token)
  const state = !shared ? 'ended.' : shared.link.passwordHash === null ? '' : 'locked.'
  const { origin } = deps.config.publicUrl
  const { width, height } = linkPicture
  const picture =
    state === '' && shared?.files.preview
      ? { url: `${origin}/api/shared_results/${token}/preview`, contentType: 'image/jpeg', width, height }
      : { url: `${origin}/icons/icon-512.png`, contentType: 'image/png', width: 512, height: 512 }
  return {
    language,
    title: translate(language, `shared.${state}title`),
    description: translate(language, `shared.${state}text`),
    ...(shared && { url: `${origin}${sharedPath(token)}` }),
    picture,
    status: shared ? 200 : 404,
  }
}
