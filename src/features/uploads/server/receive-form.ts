import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { type FetchFailure, fetchPublic, PublicFetchError } from '#server/http/public-fetch.ts'
import { isFullDisk } from '#server/storage/store.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { imageLimits, videoLimits } from '#shared/media.ts'
import { addTime } from '#shared/time.ts'
import { uploadHours } from '../rules.ts'
import { dropUploads, type FinishDeps, storeCheckedUpload } from './finish-upload.ts'
import { type FormFile, type FormLimits, parseForm, requireForm } from './parse-form.ts'
import { beginUpload, insertUploads } from './stored-files.ts'
import { admitStream } from './stream-guard.ts'
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
  const expiresAt = addTime(createdAt, { hours: uploadHours })
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

type ReceiveDeps = FinishDeps & Pick<Deps, 'spentCredits'>

/**
 * Files become uploads, streamed to the disk, checked, and deleted when `use` is done. A caller
 * that needs a file for longer makes a copy.
 */
export async function receiveForm<Result>(
  deps: ReceiveDeps,
  request: Request,
  { userId, maxFiles, ...form }: Pick<FormLimits, 'fields' | 'otherFields' | 'maxFiles'> & { userId: string },
  use: (form: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  const limits: FormLimits = {
    sender: userId,
    ...form,
    maxFiles,
    filesBytes: videoLimits.bytes + maxFiles * imageLimits.bytes,
    fileBytes: (type) => (type.startsWith('video/') ? videoLimits.bytes : imageLimits.bytes),
  }
  // Reserves space for the whole form until its files are known; without a length, that of a
  // picture.
  const announced = requireForm(request, limits)
  const allowed = announced ? limits : { ...limits, filesBytes: imageLimits.bytes }
  const receive = (take: TakeFile) => parseForm(request, allowed, take)
  return await receiveFiles(deps, { userId, bytes: announced || imageLimits.bytes }, receive, use)
}

type TakeFile = (file: FormFile) => Promise<void>

/** Passes each file to `take` as it streams in. `bytes` is the space to reserve for all. */
async function receiveFiles<Result>(
  deps: ReceiveDeps,
  { userId, bytes }: { userId: string; bytes: number },
  receive: (take: TakeFile) => Promise<Record<string, string>>,
  use: (form: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  const place = { ...newUpload(deps, userId), bytes }
  await beginUpload(deps, place)
  const files: ReceivedFile[] = []
  try {
    return await deps.withFolder(async (folder) => {
      const fields = await receive(async ({ chunks, ...named }) => {
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

/** A file of the given input, at an address that the user named. */
export interface FileAddress {
  input: string
  url: string
}

/** Seconds for one file, with all redirects. */
const addressSeconds = 30

/**
 * Fetches files, which become uploads like those of a form. Throws `upload.address_refused` for
 * addresses that are not public, and `upload.address_failed`.
 */
export function receiveAddresses<Result>(
  deps: ReceiveDeps & Pick<Deps, 'config'>,
  userId: string,
  addresses: readonly FileAddress[],
  use: (inputs: ReceivedForm['inputs']) => Promise<Result>,
): Promise<Result> {
  const receive = async (take: TakeFile) => {
    for (const { input, url } of addresses) {
      await take({ field: input, name: nameIn(url), chunks: fetchFile(deps, userId, { input, url }) })
    }
    return {}
  }
  const bytes = addresses.length * imageLimits.bytes
  return receiveFiles(deps, { userId, bytes }, receive, ({ inputs }) => use(inputs))
}

async function* fetchFile(
  deps: Pick<Deps, 'config'>,
  userId: string,
  { input, url }: FileAddress,
): AsyncIterable<Uint8Array> {
  const leave = admitStream(userId)
  try {
    const limits = { maxBytes: videoLimits.bytes, seconds: addressSeconds }
    const { status, headers, body } = await fetchPublic(deps, url, limits)
    const most = headers.get('content-type')?.startsWith('video/') ? videoLimits.bytes : imageLimits.bytes
    let received = 0
    try {
      if (status !== 200) throw refusedAddress(input, 'upload.address_failed')
      for await (const chunk of body) {
        received += chunk.length
        if (received > most) throw refusedAddress(input, 'upload.too_large')
        yield chunk
      }
    } finally {
      body.destroy()
    }
  } catch (error) {
    if (!(error instanceof PublicFetchError)) throw error
    throw refusedAddress(input, addressErrors[error.reason], error)
  } finally {
    leave()
  }
}

const addressErrors: Record<FetchFailure, ErrorCode> = {
  url_invalid: 'upload.address_refused',
  port_forbidden: 'upload.address_refused',
  address_forbidden: 'upload.address_refused',
  redirect_refused: 'upload.address_refused',
  too_large: 'upload.too_large',
  timeout: 'upload.address_failed',
  unreachable: 'upload.address_failed',
}

const refusedAddress = (input: string, code: ErrorCode, cause?: unknown) =>
  appError(code, { details: { [input.slice(0, 100)]: code }, cause })

/** The last part of the path, such as `photo.jpg`. */
function nameIn(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').pop() ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
