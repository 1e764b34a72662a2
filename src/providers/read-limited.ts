/** Rejects as soon as the body exceeds `limit` bytes. */
export async function readLimited(response: Response, limit: number): Promise<Uint8Array> {
  if (Number(response.headers.get('content-length')) > limit) {
    await response.body?.cancel()
    throw new TooLarge(limit)
  }
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > limit) throw new TooLarge(limit)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export class TooLarge extends Error {
  constructor(limit: number) {
    super(`an answer of more than ${Math.round(limit / 1e6)} MB`)
    this.name = 'TooLarge'
  }
}
