import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReadConfig } from '../config.ts'
import { integer } from '../config-values.ts'
import { createS3Client, withBucket } from '../storage/s3-client.ts'
import { parseStorageLocation } from '../storage/storage-config.ts'

/** Destination of backups: named pieces of a few megabytes. */
export interface BackupTarget {
  /** Creates or replaces a piece atomically. */
  put(name: string, bytes: Uint8Array): Promise<void>
  get(name: string): Promise<Uint8Array | undefined>
  list(prefix: string): Promise<string[]>
  /** Deleting a missing piece is not an error. */
  delete(name: string): Promise<void>
}

export function folderTarget(folder: string): BackupTarget {
  return {
    async put(name, bytes) {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(`${path}.draft`, bytes, { mode: 0o600, flush: true })
      await rename(`${path}.draft`, path)
    },
    async get(name) {
      return await readFile(join(folder, name)).catch(unlessMissing)
    },
    async list(prefix) {
      const found = await readdir(join(folder, prefix), { recursive: true, withFileTypes: true }).catch(unlessMissing)
      const files = (found ?? []).filter((entry) => entry.isFile() && !entry.name.endsWith('.draft'))
      return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    },
    async delete(name) {
      const path = join(folder, name)
      await rm(path, { force: true })
      // A folder that is not empty stays.
      await rmdir(dirname(path)).catch(() => {})
    },
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Any S3-compatible storage, such as `https://key:secret@host/bucket?region=…`. */
export function s3Target(address: URL): BackupTarget {
  const client = createS3Client(address)
  return {
    async put(name, bytes) {
      const { ok, status } = await withBucket(client, () => client.putObject(name, Buffer.from(bytes)))
      if (!ok) throw new Error(`the backup storage refused ${name} with ${status}`)
    },
    async get(name) {
      const found = await client.getObjectArrayBuffer(name)
      return found === null ? undefined : new Uint8Array(found)
    },
    async list(prefix) {
      return ((await client.listObjects('/', prefix)) ?? []).map(({ Key }) => Key)
    },
    async delete(name) {
      await client.deleteObject(name)
    },
  }
}

const pieceBytes = 8 * 1024 * 1024

/** A piece of the backup is missing or has changed. */
export class DamagedBackup extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DamagedBackup'
  }
}

/** A stream stored in a target in pieces: `<name>.0`, `<name>.1` … */
export interface Pieces {
  pieces: number
  bytes: number
  sha256: string
}

/** Stores a stream in the target, with only one piece in memory. */
export async function putPieces(
  target: BackupTarget,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Pieces> {
  const hash = createHash('sha256')
  let gathered: Uint8Array[] = []
  let [size, bytes, pieces] = [0, 0, 0]
  const flush = async () => {
    await target.put(`${name}.${pieces}`, Buffer.concat(gathered))
    pieces += 1
    gathered = []
    size = 0
  }
  for await (const chunk of chunks) {
    hash.update(chunk)
    gathered.push(chunk)
    size += chunk.length
    bytes += chunk.length
    if (size >= pieceBytes) await flush()
  }
  if (size > 0 || pieces === 0) await flush()
  return { pieces, bytes, sha256: hash.digest('hex') }
}

/** Throws DamagedBackup, at the latest at the end, if the pieces differ from what was stored. */
export async function* readPieces(target: BackupTarget, name: string, expected: Pieces): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for (let piece = 0; piece < expected.pieces; piece += 1) {
    const bytes = await target.get(`${name}.${piece}`)
    if (!bytes) throw new DamagedBackup(`the backup lacks ${name}.${piece}`)
    hash.update(bytes)
    yield bytes
  }
  if (hash.digest('hex') !== expected.sha256) throw new DamagedBackup(`${name} is damaged: its checksum is another one`)
}

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
