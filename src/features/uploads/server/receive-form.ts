import { v7 as uuid } from 'uuid'
import { imageLimits, videoLimits } from '#contract/media.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { type InputRef, uploadHours } from '../contract.ts'
import { dropUploads, finishUpload } from './finish-upload.ts'
import { type FormLimits, parseForm, requireForm } from './parse-form.ts'
import { receivedKey } from './stored-upload.ts'
import { uploads } from './table.ts'
import { requireAllowance } from './upload-allowance.ts'

type FormDeps = Pick<Deps, 'db' | 'store' | 'clock'>

export interface ReceivedForm {
  fields: Record<string, string>
  /** Uploads of the form by the field's name, in the order sent. */
  inputs: Record<string, InputRef[]>
}

interface ReceivedFile {
  id: string
  field: string
  name: string
  bytes: number
}

/**
 * Receives a multipart form: its files become uploads, streamed to the disk, inspected, and deleted
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
  await requireAllowance(deps, userId, requireForm(request, limits))
  const files: ReceivedFile[] = []
  try {
    const fields = await parseForm(request, limits, async ({ chunks, ...named }) => {
      const file = { ...named, id: uuid({ msecs: deps.clock().getTime() }), bytes: 0 }
      files.push(file)
      file.bytes = await deps.store.write(receivedKey(file.id), chunks)
    })
    // A field may have any name, such as that of something every object has.
    const inputs: Record<string, InputRef[]> = Object.create(null)
    for (const file of files) {
      await keep(deps, userId, file)
      inputs[file.field] = [...(inputs[file.field] ?? []), { upload: file.id }]
    }
    return await use({ fields, inputs })
  } finally {
    await dropUploads(
      deps,
      files.map(({ id }) => id),
    )
  }
}

/**
 * Makes a file of the form an upload, and inspects it; what is wrong with it is reported under the
 * field's name.
 */
async function keep(deps: FormDeps, userId: string, { id, field, name, bytes }: ReceivedFile): Promise<void> {
  const refuse = (error: unknown) =>
    error instanceof AppError && error.status < 500
      ? new AppError(error.code, { details: { [field]: error.code }, cause: error })
      : error
  if (bytes === 0) throw refuse(new AppError('upload.empty'))
  const now = deps.clock()
  const [upload] = await deps.db
    .insert(uploads)
    .values({
      ...{ id, userId, name: name.slice(0, 255).replaceAll('\0', ''), bytes, received: bytes, createdAt: now },
      expiresAt: new Date(now.getTime() + uploadHours * 3_600_000),
    })
    .returning()
  if (!upload) throw new AppError('server.error')
  await finishUpload(deps, upload).catch((error: unknown) => {
    throw refuse(error)
  })
}
