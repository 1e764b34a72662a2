import { createHash } from 'node:crypto'
import type { AcceptedFile } from './accept-request.ts'
import type { GenerationRequest } from './read-request.ts'

/**
 * SHA-256 over tool, parameters, and each input's content by name and order, so the same file
 * uploaded again makes the same request.
 */
export function contentHash(
  { tool, params }: Pick<GenerationRequest, 'tool' | 'params'>,
  files: Pick<AcceptedFile, 'input' | 'sha256'>[],
): string {
  const hash = createHash('sha256').update(JSON.stringify([tool.id, canonical(params)]))
  for (const { input, sha256 } of files.toSorted((a, b) => (a.input < b.input ? -1 : a.input > b.input ? 1 : 0))) {
    hash.update(`\n${input}:`).update(Buffer.from(sha256, 'hex'))
  }
  return hash.digest('hex')
}

/** Sorts the keys of objects. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, canonical(part)]),
  )
}
