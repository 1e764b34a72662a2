import { AppError } from '#server/http/app-error.ts'

/** Bytes of uploads that one process holds at the same time; beyond them people are asked to come back in a moment. */
const budget = 512 * 1024 * 1024
let held = 0

/** Reads a multipart form of at most `most` bytes into memory, and lets go of it when `use` is done. */
export async function withForm<Result>(
  request: Request,
  most: number,
  use: (form: FormData) => Promise<Result>,
): Promise<Result> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new AppError('request.content_type')
  if (Number(request.headers.get('content-length') ?? 0) > most) throw new AppError('upload.too_large')
  let mine = 0
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of bodyOf(request)) {
      mine += chunk.length
      held += chunk.length
      if (mine > most) throw new AppError('upload.too_large')
      if (held > budget) throw new AppError('server.unavailable', { retryAfter: 10 })
      chunks.push(chunk)
    }
    const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': contentType } })
      .formData()
      .catch((error: unknown) => {
        throw new AppError('request.malformed', { cause: error })
      })
    return await use(form)
  } finally {
    held -= mine
  }
}

/** Reads a small text body. */
export async function readText(request: Request, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of bodyOf(request)) {
    bytes += chunk.length
    if (bytes > most) throw new AppError('request.too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function* bodyOf(request: Request): AsyncIterable<Uint8Array> {
  if (!request.body) return
  try {
    for await (const chunk of request.body) yield chunk
  } catch (error) {
    // The connection broke while the form was on its way.
    throw error instanceof AppError ? error : new AppError('request.malformed', { cause: error })
  }
}
