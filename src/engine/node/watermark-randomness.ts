import { createCipheriv, createHash, createHmac } from 'node:crypto'
import type { WatermarkRandomness } from '../watermark/watermark-randomness.ts'

const blockBytes = 4096

/**
 * HMAC-SHA-256 of the purpose, and for `own` of the pixels, keys AES-256 in counter mode, so that
 * only the holder of the key can repeat the draws.
 */
export function keyedRandomness(key: Uint8Array, pixels: Uint8Array | Uint8ClampedArray): WatermarkRandomness {
  const digest = createHash('sha256').update(pixels).digest()
  return {
    shared: (purpose) => stream(createHmac('sha256', key).update(`shared:${purpose}`).digest()),
    own: (purpose) => stream(createHmac('sha256', key).update(`own:${purpose}:`).update(digest).digest()),
  }
}

function stream(key: Uint8Array): () => number {
  const cipher = createCipheriv('aes-256-ctr', key, new Uint8Array(16))
  let block = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at === block.length) {
      block = cipher.update(new Uint8Array(blockBytes))
      at = 0
    }
    const value = block.readUInt32LE(at)
    at += 4
    return value / 2 ** 32
  }
}
