import type { ReadConfig } from '../config.ts'
import { parseStorageLocation } from '../storage/storage-config.ts'
import { sealedTarget } from './sealed-target.ts'
import { type BackupTarget, folderTarget, s3Target } from './target.ts'

export interface BackupConfig {
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
  const place = read('BACKUP_TO')
  const key = read('BACKUP_KEY')
  const everyHours = Number(read('BACKUP_EVERY_HOURS') ?? '24')
  const keep = Number(read('BACKUP_KEEP') ?? '14')
  if (!Number.isInteger(everyHours) || everyHours < 0 || everyHours > 8760)
    return { problem: 'BACKUP_EVERY_HOURS must be a whole number from 0 to 8760' }
  if (!Number.isInteger(keep) || keep < 1 || keep > 1000)
    return { problem: 'BACKUP_KEEP must be a whole number from 1 to 1000' }
  if (key !== undefined && key.length < keyMinLength)
    return { problem: `BACKUP_KEY must have at least ${keyMinLength} characters` }
  if (!place) return { config: { target: undefined, everyHours, keep } }
  const address = parseStorageLocation(place)
  if (!address) return { problem: 'BACKUP_TO must be a folder, or https://key:secret@host/bucket' }
  const target = address instanceof URL ? s3Target(address) : folderTarget(address)
  return { config: { target: key ? sealedTarget(target, key) : target, everyHours, keep } }
}
