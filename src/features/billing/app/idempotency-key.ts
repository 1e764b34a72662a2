import { ApiError } from '#client/api.ts'
import { sessionKeys } from '#client/storage.ts'

/**
 * Whether the server has made up its mind; otherwise it may have done the work without our hearing
 * of it.
 */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429
}

/**
 * Does something that must happen once: the same content keeps its Idempotency-Key, through a
 * reload too, until the server has answered. `purpose` tells such things apart.
 */
export async function withIdempotencyKey<Answer>(
  purpose: string,
  content: unknown,
  work: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const place = sessionKeys.idempotencyKey + purpose
  const wanted = JSON.stringify(content)
  const kept = readKept(place)
  const key = kept?.content === wanted ? kept.key : crypto.randomUUID()
  sessionStorage.setItem(place, JSON.stringify({ content: wanted, key }))
  try {
    const answer = await work({ 'idempotency-key': key })
    sessionStorage.removeItem(place)
    return answer
  } catch (error) {
    if (isAnswer(error)) sessionStorage.removeItem(place)
    throw error
  }
}

function readKept(place: string): { content: string; key: string } | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? 'null')
    return kept as { content: string; key: string } | null
  } catch {
    return null
  }
}
