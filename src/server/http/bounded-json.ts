import { AppError, appError } from './app-error.ts'

/** Validation, comparison and printing recurse. */
const maxDepth = 32
const maxValues = 5000
const maxFields = 1000

/** Throws `request.malformed` for malformed, deeply nested or large input. */
export function parseBoundedJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw appError('request.malformed', { cause: error })
  }
  requireBounds(value)
  return value
}

/** Throws `request.malformed` for a value that is too deep or too large. */
function requireBounds(value: unknown): void {
  let level = [value]
  let count = 1
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth || count > maxValues) throw appError('request.malformed')
    const next: unknown[] = []
    for (const part of level) {
      if (typeof part !== 'object' || part === null) continue
      const children = Object.values(part)
      count += children.length
      const tooWide = !Array.isArray(part) && children.length > maxFields
      if (count > maxValues || tooWide) throw appError('request.malformed')
      for (const child of children) next.push(child)
    }
    level = next
  }
}

/** Throws `request.too_large` beyond the limit. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  return Buffer.from(await readBytes(request, maxBytes)).toString()
}

/** Reads a small body; throws `request.too_large` beyond the limit. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) throw appError('request.too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    // The connection broke during the body.
    throw error instanceof AppError ? error : appError('request.malformed', { cause: error })
  }
  return new Uint8Array(Buffer.concat(chunks))
}
