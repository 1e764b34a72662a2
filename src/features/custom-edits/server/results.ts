import { makeZip } from 'client-zip'
import { and, asc, eq, getTableColumns, isNotNull, or } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { generations } from '#features/generations/server/generations.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { isSessionAlive } from '#server/auth/sessions.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { fileAddressSeconds, signature, signingKeys } from '#server/storage/signed-address.ts'
import { linkDays } from '../rules.ts'
import { customEditFiles, customEdits } from './table.ts'
import { fileById } from './views.ts'

interface Signed {
  id: string
  session: string | undefined
  expires: string | undefined
  signature: string | undefined
}

const signedSubject = (id: string) => `custom-edit-results:${id}`

/**
 * Works without an account or session, as long as the results are kept: it went to the address of
 * the request, and may be shared.
 */
export function resultsPath({ config, clock }: Pick<Deps, 'config' | 'clock'>, id: string): string {
  const expires = Math.floor(clock().getTime() / 1000) + linkDays * 86_400
  // Avoids = and &, which some mail programs damage.
  return `/api/custom_edit_results/${id}/${expires}-${signature(signedSubject(id), expires, config.fileSigningKey)}`
}

export interface Download {
  name: string
  contentType: string
  body: ReadableStream<Uint8Array>
}

/** A picture, or a ZIP of several. */
export async function openResults(
  { db, store, config, clock }: Pick<Deps, 'db' | 'store' | 'config' | 'clock'>,
  { id, proof }: { id: string; proof: string },
): Promise<Download> {
  const [, expires, given] = /^(\d+)-(.+)$/.exec(proof) ?? []
  const link = { id: signedSubject(id), expires, signature: given }
  const seconds = fileAddressSeconds(link, signingKeys(config), clock())
  if (!isUuid(id) || seconds === 0) throw appError('file.link_invalid')
  const files = await db
    .select(getTableColumns(customEditFiles))
    .from(customEditFiles)
    .innerJoin(customEdits, eq(customEdits.id, customEditFiles.customEditId))
    .where(and(eq(customEdits.id, id), eq(customEditFiles.role, 'result'), isDelivered))
    .orderBy(asc(customEditFiles.position))
  if (files.length === 0) throw appError('file.not_found')
  return await download({ store }, files)
}

/**
 * All results are delivered once the request is done; while reopened, those of the first version.
 */
const isDelivered = or(
  eq(customEdits.status, 'done'),
  and(isNotNull(customEdits.reopenedAt), eq(customEditFiles.version, 1)),
)

/** A single file is sent unchanged, several in a ZIP. */
export async function download(
  { store }: Pick<Deps, 'store'>,
  files: Pick<typeof customEditFiles.$inferSelect, 'name' | 'contentType' | 'storageKey' | 'createdAt'>[],
): Promise<Download> {
  const [first] = files
  if (first && files.length === 1) {
    const { name, contentType, storageKey } = first
    return { name, contentType, body: (await store.stream(storageKey)).body }
  }
  async function* entries() {
    for (const [index, file] of files.entries()) {
      const { body } = await store.stream(file.storageKey)
      yield { name: `${index + 1}-${file.name}`, input: body, lastModified: file.createdAt }
    }
  }
  return { name: 'rupa.zip', contentType: 'application/zip', body: makeZip(entries(), { buffersAreUTF8: true }) }
}

/** The signed address is valid while that session lives. */
export async function openOwnFile(deps: Deps, { small, ...link }: Signed & { small: boolean }): Promise<Download> {
  const { db, store, config, clock } = deps
  const { id, session } = link
  const given = isUuid(id) && session !== undefined && fileAddressSeconds(link, signingKeys(config), clock()) > 0
  if (!given || !(await isSessionAlive({ db, clock, config }, session))) throw appError('file.link_invalid')
  const file = await fileById({ db }, id)
  if (!file) throw appError('file.not_found')
  const { contentType, storageKey } = small ? await thumbnailOf(deps, file) : file
  return { name: file.name, contentType, body: (await store.stream(storageKey)).body }
}

type File = typeof customEditFiles.$inferSelect

/** Made when a list first shows it. While the engine is unavailable the file itself is shown. */
async function thumbnailOf(
  deps: Pick<Deps, 'db' | 'store' | 'clock' | 'jobs' | 'notifier'>,
  file: File,
): Promise<Pick<File, 'storageKey' | 'contentType'>> {
  const small = (storageKey: string) => ({ storageKey, contentType: 'image/webp' })
  if (file.thumbnailKey) return small(file.thumbnailKey)
  const made = `custom-edits/${file.customEditId}/${crypto.randomUUID()}`
  try {
    await generations.makeThumbnail(deps, file, made)
  } catch {
    return file
  }
  const kept = await storeThumbnail(deps, file.id, made)
  if (kept !== made) await deps.store.delete([made])
  return small(kept)
}

/** Of two concurrent thumbnails the first wins. */
async function storeThumbnail({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string, made: string): Promise<string> {
  return await transact(db, async (tx) => {
    const [row] = await tx
      .select({ thumbnailKey: customEditFiles.thumbnailKey, userId: customEdits.userId })
      .from(customEditFiles)
      .innerJoin(customEdits, eq(customEdits.id, customEditFiles.customEditId))
      .where(eq(customEditFiles.id, id))
      .for('update')
    if (!row) throw appError('file.not_found')
    if (row.thumbnailKey) return row.thumbnailKey
    await uploads.keepFiles(tx, { userId: row.userId, files: [{ storageKey: made }], now: clock() })
    await tx.update(customEditFiles).set({ thumbnailKey: made }).where(eq(customEditFiles.id, id))
    return made
  })
}
