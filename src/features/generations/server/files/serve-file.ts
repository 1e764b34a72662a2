import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { validate as isUuid } from 'uuid'
import { isSessionAlive } from '#server/auth/session-alive.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { fileAddressSeconds, signingKeys } from '#server/storage/signed-address.ts'
import { generationFiles } from '../table.ts'
import { contentDisposition } from './file-name.ts'
import { sendFile } from './send-file.ts'

/** The object storage's own address works without a session, so its validity is short. */
const redirectSeconds = 300
const marginSeconds = 60

/** The signed address works for any client while the session lives for which it was signed. */
export async function serveFile(
  { db, store, config, clock }: Pick<Deps, 'db' | 'store' | 'config' | 'clock'>,
  c: Context,
) {
  const id = c.req.param('id') ?? ''
  const { session, expires, signature, download } = c.req.query()
  const seconds = session ? fileAddressSeconds({ id, session, expires, signature }, signingKeys(config), clock()) : 0
  if (!session || seconds === 0 || !(await isSessionAlive({ db, clock, config }, session)))
    throw appError('file.link_invalid')
  const [file] = isUuid(id) ? await db.select().from(generationFiles).where(eq(generationFiles.id, id)) : []
  if (!file) throw appError('file.not_found')

  const etag = `"${file.id}"`
  const disposition = contentDisposition(download === undefined ? 'inline' : 'attachment', file.name)
  // Lists load dozens of thumbnails, which are faster without a redirect.
  if (store.signedAddress && file.role !== 'thumbnail' && c.req.method === 'GET') {
    const brief = Math.min(seconds, redirectSeconds)
    const as = { seconds: brief, contentType: file.contentType, contentDisposition: disposition }
    const location = store.signedAddress(file.storageKey, as)
    return c.body(null, 302, { location, 'cache-control': `private, max-age=${Math.max(0, brief - marginSeconds)}` })
  }
  return await sendFile(store, c, file, {
    etag,
    'content-disposition': disposition,
    'cache-control': `private, max-age=${seconds}, immutable`,
  })
}
