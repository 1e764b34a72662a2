import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, validate } from 'uuid'

const idCharacters = 22
const proofBytes = 16

/**
 * Holds the id and a proof that only this server can compute: the database holds nothing that opens
 * a link, and the server can show the address again.
 */
export function linkToken(id: string, key: Uint8Array): string {
  return `${Buffer.from(parse(id)).toString('base64url')}${proof(id, key).toString('base64url')}`
}

/** Undefined for any other text. */
export function linkIdFromToken(token: string, keys: readonly Uint8Array[]): string | undefined {
  if (!/^[\w-]{44}$/.test(token)) return undefined
  const id = hyphened(Buffer.from(token.slice(0, idCharacters), 'base64url'))
  if (!validate(id)) return undefined
  // The encoded text is compared, because the last base64url letter has unused bits.
  return keys.some((key) => timingSafeEqual(Buffer.from(linkToken(id, key)), Buffer.from(token))) ? id : undefined
}

const hyphened = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const proof = (id: string, key: Uint8Array) =>
  createHmac('sha256', key).update(`shared-result:${id}`).digest().subarray(0, proofBytes)
