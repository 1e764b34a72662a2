import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { v7 as uuid } from 'uuid'
import { imageLimits, videoLimits } from '#contract/media.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { type InputRef, paramsMaxBytes, uploadHours } from '../contract.ts'
import { admitStream } from './admit-stream.ts'
import { dropUploads, finishUpload } from './finish-upload.ts'
import { receivedKey } from './stored-upload.ts'
import { guarded } from './stream-guard.ts'
import { uploads } from './table.ts'
import { requireAllowance } from './upload-allowance.ts'

type FormDeps = Pick<Deps, 'db' | 'store' | 'clock'>

export interface ReceivedForm {
  fields: Record<string, string>
  /** Uploads of the form by the field's name, in the order sent. */
  inputs: Record<string, InputRef[]>
}

export interface FormLimits {
  /** Names of text fields; a file or a second value in their place is malformed, and so is any other text. */
  fields: readonly string[]
  maxFiles: number
}

interface ReceivedFile {
  id: string
  field: string
  name: string
  bytes: number
}

const headerBytes = 4096

/**
 * Receives a multipart form: its files become uploads, streamed to the disk, inspected, and deleted when `use` is done. Whoever needs
 * one for longer takes a copy.
 */
export async function receiveForm<Result>(
  deps: FormDeps,
  request: Request,
  { userId, ...limits }: FormLimits & { userId: string },
  use: (form: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new AppError('request.content_type')
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytesOf(limits)) throw new AppError('upload.too_large')
  await requireAllowance(deps, userId, announced)
  const leave = admitStream(userId)
  const files: ReceivedFile[] = []
  try {
    const fields = await parse(deps, request, contentType, limits, files)
    leave()
    const inputs: Record<string, InputRef[]> = {}
    for (const file of files) {
      await keep(deps, userId, file)
      inputs[file.field] = [...(inputs[file.field] ?? []), { upload: file.id }]
    }
    return await use({ fields, inputs })
  } finally {
    leave()
    await dropUploads(
      deps,
      files.map(({ id }) => id),
    )
  }
}

function maxBytesOf({ fields, maxFiles }: FormLimits): number {
  return (
    videoLimits.bytes + maxFiles * (imageLimits.bytes + headerBytes) + fields.length * (paramsMaxBytes + headerBytes)
  )
}

async function parse(
  { store, clock }: FormDeps,
  request: Request,
  contentType: string,
  { fields: names, maxFiles }: FormLimits,
  files: ReceivedFile[],
): Promise<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  promise.catch(() => {})
  let saved: Promise<unknown> = Promise.resolve()
  const streams: BusboyFileStream[] = []
  const parser = createParser(contentType, names.length, maxFiles)
  parser
    .on('field', (name: string | undefined, value: string, _: boolean, valueTruncated: boolean) => {
      if (name === undefined || !names.includes(name) || name in fields) reject(malformed(name, 'form.invalid'))
      else if (valueTruncated) reject(new AppError('params.invalid', { details: { [name]: 'params.too_long' } }))
      else fields[name] = value
    })
    .on('file', (field: string | undefined, stream: BusboyFileStream, name: string, _: string, type: string) => {
      streams.push(stream)
      stream.on('error', reject)
      stream.on('limit', () => reject(tooLarge(field)))
      if (field === undefined || names.includes(field)) return reject(malformed(field, 'form.invalid'))
      const file = {
        id: uuid({ msecs: clock().getTime() }),
        field: field.slice(0, 100),
        name: unescaped(name ?? ''),
        bytes: 0,
      }
      files.push(file)
      const limit = type?.startsWith('video/') ? videoLimits.bytes : imageLimits.bytes
      const save = store
        .write(
          receivedKey(file.id),
          wholeFile(stream, limit, () => reject(tooLarge(field))),
        )
        .then((bytes) => {
          file.bytes = bytes
        })
      save.catch(reject)
      saved = Promise.all([saved, save])
    })
    .on('partsLimit', () => reject(new AppError('request.malformed')))
    .on('fieldsLimit', () => reject(new AppError('request.malformed')))
    .on('filesLimit', () => reject(new AppError('upload.too_many')))
    .on('error', (error: unknown) => reject(new AppError('request.malformed', { cause: error })))
    .on('finish', () => saved.then(() => resolve(), reject))
  feed(request, parser, maxBytesOf({ fields: names, maxFiles })).catch(reject)
  try {
    await promise
  } finally {
    parser.removeAllListeners('finish')
    if (!parser.writableFinished) parser.destroy()
    // A file that is left in the middle would be waited for without end.
    for (const stream of streams) stream.destroy()
    await saved.catch(() => {})
  }
  return { ...fields }
}

function createParser(contentType: string, fields: number, files: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: false,
      // One part more than allowed, so that the limit that was broken is the one told.
      limits: {
        ...{ fields: fields + 1, fieldSize: paramsMaxBytes, fieldNameSize: 100, files, fileSize: videoLimits.bytes },
        ...{ parts: fields + files + 2, headerPairs: 20, headerSize: headerBytes },
      },
    })
  } catch (error) {
    throw new AppError('request.malformed', { cause: error })
  }
}

/** What comes before, between and behind the parts has no limit in the parser, so the whole has one. */
async function feed(request: Request, parser: BusboyInstance, maxBytes: number): Promise<void> {
  let received = 0
  if (request.body) {
    const source = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
    try {
      // Not destroyed when it is left early: the refusal is still to go out on the same connection.
      for await (const chunk of guarded(source.iterator({ destroyOnReturn: false }))) {
        if (parser.destroyed) return
        received += chunk.length
        if (received > maxBytes) throw new AppError('upload.too_large')
        if (!parser.write(chunk)) await drained(parser)
      }
    } catch (error) {
      throw error instanceof AppError ? error : new AppError('request.malformed', { cause: error })
    }
  }
  parser.end()
}

function drained(parser: BusboyInstance): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      parser.off('drain', done).off('close', done)
      resolve()
    }
    parser.on('drain', done).on('close', done)
  })
}

/** The bytes of a file up to its limit; beyond that it is refused at once, and read on without being kept. */
async function* wholeFile(stream: BusboyFileStream, limit: number, refuse: () => void): AsyncIterable<Uint8Array> {
  let received = 0
  for await (const chunk of stream) {
    received += chunk.length
    if (received > limit) refuse()
    else yield chunk
  }
}

/** Quotes and line ends come escaped in a form's names (HTML Living Standard, multipart/form-data). */
function unescaped(name: string): string {
  return name.replace(/%(22|0d|0a)/gi, (sign) => decodeURIComponent(sign))
}

function tooLarge(field: string | undefined): AppError {
  return new AppError('upload.too_large', { details: { [(field ?? 'body').slice(0, 100)]: 'upload.too_large' } })
}

function malformed(field: string | undefined, problem: string): AppError {
  return new AppError('request.malformed', { details: { [(field ?? 'body').slice(0, 100)]: problem } })
}

/** Makes a file of the form an upload, and inspects it; what is wrong with it is reported under the field's name. */
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
