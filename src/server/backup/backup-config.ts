import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { ReadConfig } from '../config.ts'
import { integer } from '../config-values.ts'
import { parseStorageLocation } from '../storage/storage-config.ts'
import { type BackupTarget, DamagedBackup, folderTarget, s3Target } from './target.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a target with AES-256-GCM; the piece's name as associated data prevents exchanges. Names
 * stay readable; they are random.
 */
function sealedTarget(target: BackupTarget, secret: string): BackupTarget {
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

interface BackupConfig {
  /** Undefined: no backups. */
  target: BackupTarget | undefined
  /** Hours between automatic backups; 0: none. */
  everyHours: number
  keep: number
}

declare module '../config.ts' {
  interface FeatureConfig {
    backup: BackupConfig
  }
}

const keyMinLength = 32

export const readBackupConfig: ReadConfig<BackupConfig> = (read) => {
  const location = read('BACKUP_TO')
  const key = read('BACKUP_KEY')
  const everyHours = integer('BACKUP_EVERY_HOURS', read('BACKUP_EVERY_HOURS') ?? '24', 0, 8760)
  const keep = integer('BACKUP_KEEP', read('BACKUP_KEEP') ?? '14', 1, 1000)
  if (key !== undefined && key.length < keyMinLength)
    return { problem: `BACKUP_KEY must have at least ${keyMinLength} characters` }
  if (!location) return { config: { target: undefined, everyHours, keep } }
  const address = parseStorageLocation(location)
  if (!address) return { problem: 'BACKUP_TO must be a folder, or https://key:secret@host/bucket' }
  const target = address instanceof URL ? s3Target(address) : folderTarget(address)
  return { config: { target: key ? sealedTarget(target, key) : target, everyHours, keep } }
}
