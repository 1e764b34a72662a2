import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { imageLimits, videoLimits } from '#contract/media.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { uploadHours } from '../rules.ts'
import { dropUploads, finishUpload } from './finish-upload.ts'
import { type FormLimits, parseForm, requireForm } from './parse-form.ts'
import { beginUpload } from './storage-allowance.ts'
import { receivedKey } from './stored-upload.ts'
import { uploads } from './table.ts'

type FormDeps = Pick<Deps, 'db' | 'store' | 'clock'>

export interface ReceivedForm {
  fields: Record<string, string>
  /** Uploads of the form by the field's name, in the order sent. */
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
}

function newUpload({ clock }: Pick<FormDeps, 'clock'>, userId: string) {
  const createdAt = clock()
  const expiresAt = new Date(createdAt.getTime() + uploadHours * 3_600_000)
  return { id: uuid({ msecs: createdAt.getTime() }), userId, name: '', createdAt, expiresAt }
}

function rowOf({ field: _, name, ...file }: ReceivedFile) {
  return { ...file, name: name.slice(0, 255).replaceAll('\0', ''), received: file.bytes }
}

/**
 * Receives a multipart form: its files become uploads, streamed to the disk, checked, and deleted
 * when `use` is done. Whoever needs one for longer takes a copy.
 */
export async function receiveForm<Result>(
  deps: FormDeps,
  request: Request,
  { userId, fields: names, maxFiles }: Pick<FormLimits, 'fields' | 'maxFiles'> & { userId: string },
  use: (form: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  const limits: FormLimits = {
    ...{ sender: userId, fields: names, maxFiles, filesBytes: videoLimits.bytes + maxFiles * imageLimits.bytes },
    fileBytes: (type) => (type.startsWith('video/') ? videoLimits.bytes : imageLimits.bytes),
  }
  // Space for the whole form, until its files are known; one that does not say how large it is gets
  // as much as a picture.
  const announced = requireForm(request, limits)
  const allowed = announced ? limits : { ...limits, filesBytes: imageLimits.bytes }
  const place = { ...newUpload(deps, userId), bytes: announced || imageLimits.bytes }
  await beginUpload(deps, place)
  const files: ReceivedFile[] = []
  try {
    const fields = await parseForm(request, allowed, async ({ chunks, ...named }) => {
      const file: ReceivedFile = { ...newUpload(deps, userId), ...named, bytes: 0 }
      files.push(file)
      file.bytes = await deps.store.write(receivedKey(file.id), chunks)
    })
    // A field may have any name, such as that of something every object has.
    const inputs: Record<string, { upload: string }[]> = Object.create(null)
    const received = files.filter(({ bytes }) => bytes > 0)
    await transact(deps.db, async (tx) => {
      await tx.delete(uploads).where(eq(uploads.id, place.id))
      if (received.length > 0) await tx.insert(uploads).values(received.map(rowOf))
    })
    for (const file of files) {
      await keep(deps, file)
      inputs[file.field] = [...(inputs[file.field] ?? []), { upload: file.id }]
    }
    return await use({ fields, inputs })
  } finally {
    await dropUploads(
      deps,
      [place, ...files].map(({ id }) => id),
    )
  }
}

/**
 * Checks a file of the form; what is wrong with it is reported under the
 * field's name.
 */
async function keep(deps: FormDeps, { id, field, bytes }: ReceivedFile): Promise<void> {
  const refuse = (error: unknown) =>
    error instanceof AppError && error.status < 500
      ? appError(error.code, { details: { [field]: error.code }, cause: error })
      : error
  if (bytes === 0) throw refuse(appError('upload.empty'))
  const [upload] = await deps.db.select().from(uploads).where(eq(uploads.id, id))
  if (!upload) throw appError('server.error')
  await finishUpload(deps, upload).catch((error: unknown) => {
    throw refuse(error)
  })
}
