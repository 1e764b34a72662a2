import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { DamagedBackup } from './pieces.ts'
import type { BackupTarget } from './target.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a target with AES-256-GCM; the piece's name as associated data prevents exchanges. Names
 * stay readable; they are random.
 */
export function sealedTarget(target: BackupTarget, secret: string): BackupTarget {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'rupa backup 1', 32))
  return {
    ...target,
    async put(name, bytes) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(name))
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
      await target.put(name, Buffer.concat([nonce, sealed, cipher.getAuthTag()]))
    },
    async get(name) {
      const found = await target.get(name)
      if (!found) return undefined
      try {
        const nonce = found.subarray(0, nonceBytes)
        const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(name))
        decipher.setAuthTag(found.subarray(-tagBytes))
        return Buffer.concat([decipher.update(found.subarray(nonceBytes, -tagBytes)), decipher.final()])
      } catch (error) {
        throw new DamagedBackup(`${name} cannot be read: it is damaged, or BACKUP_KEY is another one`, { cause: error })
      }
    },
  }
}
