import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { generations } from '#features/generations/server/generations.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { fileAddressSeconds, signingKeys } from '#server/storage/signed-address.ts'
import { type SharedPicture, sharedPictures } from '../rules.ts'
import { findShared } from './find-shared.ts'
import { hideCaptureMetadata } from './hide-capture-metadata.ts'
import { unlockedPicture } from './open-shared.ts'

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
