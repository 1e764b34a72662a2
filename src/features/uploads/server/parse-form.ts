import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { AppError, appError } from '#server/http/app-error.ts'
import { paramsMaxBytes } from '../rules.ts'
import { admitStream, guarded } from './stream-guard.ts'

export interface FormLimits {
  /** The sender is an account or an address; so many forms of each are read at once. */
  sender: string
  /**
   * Names of text fields; a file or a second value under them, or any other text field, is
   * malformed.
   */
  fields: readonly string[]
  /** So many other text fields are ignored instead; 0 by default. */
  otherFields?: number
  maxFiles: number
  /** Bytes of all files together, and of one file of a media type. */
  filesBytes: number
  fileBytes(type: string): number
}

export interface FormFile {
  /** The form field, and the file's name on the device. */
  field: string
  name: string
  /** The consumer must read the chunks to the end. */
  chunks: AsyncIterable<Uint8Array>
}

/** Bytes of a part's header; browsers write far fewer. */
const headerBytes = 4096

/** Throws unless the request is a form within the limits; returns its announced bytes, or 0. */
export function requireForm(request: Request, limits: FormLimits): number {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw appError('request.content_type')
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytesOf(limits)) throw appError('upload.too_large')
  return announced
}

const maxFieldsOf = ({ fields, otherFields = 0 }: FormLimits): number => fields.length + otherFields

function maxBytesOf(limits: FormLimits): number {
  const { maxFiles, filesBytes } = limits
  return filesBytes + maxFiles * headerBytes + maxFieldsOf(limits) * (paramsMaxBytes + headerBytes)
}

/**
 * Passes each file to `take` as it streams in; resolves to the text fields. Ends at the first
 * exceeded limit.
 */
export async function parseForm(
  request: Request,
  limits: FormLimits,
  take: (file: FormFile) => Promise<unknown>,
): Promise<Record<string, string>> {
  const leave = admitStream(limits.sender)
  try {
    return await parse(request, limits, take)
  } finally {
    leave()
  }
}

async function parse(
  request: Request,
  limits: FormLimits,
  take: (file: FormFile) => Promise<unknown>,
): Promise<Record<string, string>> {
  const { fields: names } = limits
  const fields: Record<string, string> = Object.create(null)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  promise.catch(() => {})
  let taken: Promise<unknown> = Promise.resolve()
  const streams: BusboyFileStream[] = []
  const parser = createParser(request.headers.get('content-type') ?? '', maxFieldsOf(limits), limits)
  parser
    .on('field', (name: string | undefined, value: string, _: boolean, valueTruncated: boolean) => {
      if (name !== undefined && !names.includes(name) && limits.otherFields) return
      if (name === undefined || !names.includes(name) || name in fields) reject(malformed(name, 'form.invalid'))
      else if (valueTruncated) reject(appError('params.invalid', { details: { [name]: 'params.too_long' } }))
      else fields[name] = value
    })
    .on('file', (field: string | undefined, stream: BusboyFileStream, name: string, _: string, type: string) => {
      streams.push(stream)
      stream.on('error', reject)
      stream.on('limit', () => reject(tooLarge(field)))
      if (field === undefined || names.includes(field)) return reject(malformed(field, 'form.invalid'))
      const chunks = wholeFile(stream, limits.fileBytes(type ?? ''), () => reject(tooLarge(field)))
      const taking = take({ field: field.slice(0, 100), name: unescaped(name ?? ''), chunks })
      taking.catch(reject)
      taken = Promise.all([taken, taking])
    })
    .on('partsLimit', () => reject(appError('request.malformed')))
    .on('fieldsLimit', () => reject(appError('request.malformed')))
    .on('filesLimit', () => reject(appError('upload.too_many')))
    .on('error', (error: unknown) => reject(appError('request.malformed', { cause: error })))
    .on('finish', () => taken.then(() => resolve(), reject))
  feed(request, parser, maxBytesOf(limits)).catch(reject)
  try {
    await promise
  } finally {
    parser.removeAllListeners('finish')
    if (!parser.writableFinished) parser.destroy()
    // The parser would wait forever for an unfinished file stream.
    for (const stream of streams) stream.destroy()
    await taken.catch(() => {})
  }
  return { ...fields }
}

function createParser(
  contentType: string,
  fields: number,
  { maxFiles: files, filesBytes }: FormLimits,
): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: false,
      // The parser allows one part more, so that the error names the limit that was broken.
      limits: {
        fields: fields + 1,
        fieldSize: paramsMaxBytes,
        fieldNameSize: 100,
        files,
        fileSize: filesBytes,
        parts: fields + files + 2,
        headerPairs: 20,
        headerSize: headerBytes,
      },
    })
  } catch (error) {
    throw appError('request.malformed', { cause: error })
  }
}

/** The parser does not limit the bytes between the parts, so the whole request has a limit. */
async function feed(request: Request, parser: BusboyInstance, maxBytes: number): Promise<void> {
  let received = 0
  if (request.body) {
    const source = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
    try {
      // The source is not destroyed on an early exit: the refusal has to go out on the same
      // connection.
      for await (const chunk of guarded(source.iterator({ destroyOnReturn: false }))) {
        if (parser.destroyed) return
        received += chunk.length
        if (received > maxBytes) throw appError('upload.too_large')
        if (!parser.write(chunk)) await drained(parser)
      }
    } catch (error) {
      throw error instanceof AppError ? error : appError('request.malformed', { cause: error })
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

/** Beyond the limit the file is refused at once, and the rest is read and discarded. */
async function* wholeFile(stream: BusboyFileStream, limit: number, refuse: () => void): AsyncIterable<Uint8Array> {
  let received = 0
  for await (const chunk of stream) {
    received += chunk.length
    if (received > limit) refuse()
    else yield chunk
  }
}

/** Browsers escape quotes and line ends in names (HTML Living Standard, multipart/form-data). */
function unescaped(name: string): string {
  return name.replace(/%(22|0d|0a)/gi, (sign) => decodeURIComponent(sign))
}

function tooLarge(field: string | undefined): AppError {
  return appError('upload.too_large', { details: { [(field ?? 'body').slice(0, 100)]: 'upload.too_large' } })
}

function malformed(field: string | undefined, problem: string): AppError {
  return appError('request.malformed', { details: { [(field ?? 'body').slice(0, 100)]: problem } })
}
