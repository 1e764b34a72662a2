import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { isFullDisk } from '#server/storage/store.ts'
import { imageLimits, videoLimits } from '#shared/media.ts'
import { uploadHours } from '../rules.ts'
import { dropUploads, type FinishDeps, storeCheckedUpload } from './finish-upload.ts'
import { type FormFile, type FormLimits, parseForm, requireForm } from './parse-form.ts'
import { beginUpload, insertUploads } from './storage-allowance.ts'
import { uploads } from './table.ts'

export interface ReceivedForm {
  fields: Record<string, string>
  /** Uploads by the field's name, in the order sent. */
  inputs: Record<string, { upload: string }[]>
}

interface ReceivedFile {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
  field: string
  name: string
  bytes: number
  /** Path until the file is checked. */
  path: string
}

function newUpload({ clock }: Pick<Deps, 'clock'>, userId: string) {
  const createdAt = clock()
  const expiresAt = new Date(createdAt.getTime() + uploadHours * 3_600_000)
  return { id: uuid({ msecs: createdAt.getTime() }), userId, name: '', createdAt, expiresAt }
}

function rowOf({ field: _, path: __, name, ...file }: ReceivedFile) {
  return { ...file, name: name.slice(0, 255).replaceAll('\0', ''), received: file.bytes }
}

/** Resolves to the number of bytes. */
export async function saveFormFile({ chunks }: Pick<FormFile, 'chunks'>, path: string): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 })
  await pipeline(Readable.from(chunks), file).catch((error: unknown) => {
    throw isFullDisk(error) ? appError('storage.full', { retryAfter: 60, cause: error }) : error
  })
  return file.bytesWritten
}

/**
 * Files become uploads, streamed to the disk, checked, and deleted when `use` is done. A caller
 * that needs a file for longer makes a copy.
 */
export async function receiveForm<Result>(
  deps: FinishDeps & Pick<Deps, 'spentCredits'>,
  request: Request,
  { userId, fields: names, maxFiles }: Pick<FormLimits, 'fields' | 'maxFiles'> & { userId: string },
  use: (form: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  const limits: FormLimits = {
    sender: userId,
    fields: names,
    maxFiles,
    filesBytes: videoLimits.bytes + maxFiles * imageLimits.bytes,
    fileBytes: (type) => (type.startsWith('video/') ? videoLimits.bytes : imageLimits.bytes),
  }
  // Reserves space for the whole form until its files are known; without a length, that of a
  // picture.
  const announced = requireForm(request, limits)
  const allowed = announced ? limits : { ...limits, filesBytes: imageLimits.bytes }
  const place = { ...newUpload(deps, userId), bytes: announced || imageLimits.bytes }
  await beginUpload(deps, place)
  const files: ReceivedFile[] = []
  try {
    return await deps.withFolder(async (folder) => {
      const fields = await parseForm(request, allowed, async ({ chunks, ...named }) => {
        const file = { ...newUpload(deps, userId), ...named, bytes: 0, path: join(folder, String(files.length)) }
        files.push(file)
        file.bytes = await saveFormFile({ chunks }, file.path)
      })
      // No prototype, because a field may have a name such as `constructor`.
      const inputs: Record<string, { upload: string }[]> = Object.create(null)
      const received = files.filter(({ bytes }) => bytes > 0)
      await transact(deps.db, async (tx) => {
        await tx.delete(uploads).where(eq(uploads.id, place.id))
        await insertUploads(tx, received.map(rowOf))
      })
      for (const file of files) {
        await keep(deps, file)
        inputs[file.field] = [...(inputs[file.field] ?? []), { upload: file.id }]
      }
      return await use({ fields, inputs })
    })
  } finally {
    await dropUploads(
      deps,
      [place, ...files].map(({ id }) => id),
    )
  }
}

async function keep(deps: FinishDeps, { id, field, bytes, path }: ReceivedFile): Promise<void> {
  const refuse = (error: unknown) =>
    error instanceof AppError && error.status < 500
      ? appError(error.code, { details: { [field]: error.code }, cause: error })
      : error
  if (bytes === 0) throw refuse(appError('upload.empty'))
  const [upload] = await deps.db.select().from(uploads).where(eq(uploads.id, id))
  if (!upload) throw appError('server.error')
  await storeCheckedUpload(deps, upload, path).catch((error: unknown) => {
    throw refuse(error)
  })
}
