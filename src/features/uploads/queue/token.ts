/**
 * What the queue needs to know from the access token; the server alone judges whether it is
 * genuine.
 */
export interface TokenFacts {
  raw: string
  userId: string
  session: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Reads a JSON Web Token (RFC 7519) without checking its signature; null when it has not the shape
 * of ours.
 */
export function readToken(raw: string | null | undefined): TokenFacts | null {
  try {
    const payload = raw?.split('.')[1]
    if (!raw || !payload) return null
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof claims !== 'object' || claims === null) return null
    const { sub, sid, exp } = claims as { sub?: { id?: unknown }; sid?: unknown; exp?: unknown }
    if (typeof sub?.id !== 'string' || typeof exp !== 'number') return null
    return { raw, userId: sub.id, session: typeof sid === 'string' ? sid : '', expiresAt: exp * 1000 }
  } catch {
    return null
  }
}
