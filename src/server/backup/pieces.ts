import { createHash } from 'node:crypto'
import type { BackupTarget } from './target.ts'

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
