import { and, eq, gt } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UploadView } from '../rules.ts'
import { type Upload, uploads } from './table.ts'

/** Throws for an upload of another user or an expired one as if it were missing. */
export async function findUpload(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  id: string,
): Promise<Upload> {
  const [upload] = isUuid(id)
    ? await db
        .select()
        .from(uploads)
        .where(and(eq(uploads.id, id), eq(uploads.userId, userId), gt(uploads.expiresAt, clock())))
    : []
  if (!upload) throw appError('upload.not_found')
  return upload
}

export function uploadView(upload: Upload): UploadView {
  const { id, status, name, contentType, bytes, received, width, height, seconds, expiresAt } = upload
  return {
    id,
    status,
    name,
    contentType,
    bytes,
    received,
    width,
    height,
    seconds,
    expiresAt: expiresAt.toISOString(),
  }
}

/** The folder is announced with the upload's row, and deleted with it. */
export const folderOf = (id: string) => `uploads/${id}/`

export const partKey = (id: string, name: string) => `uploads/${id}/${name}`

/** The checked file, without metadata about its owner. */
export const contentKey = (id: string) => `uploads/${id}/content`
