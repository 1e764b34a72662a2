import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { dataDir as preparedCluster } from '@electric-sql/pglite-prepopulatedfs'
import { parseTar } from 'nanotar'

/**
 * Unpacks an empty database. PGlite's own initdb needs more than a gigabyte; this archive is its
 * output for the same catalogue version.
 */
export async function createCluster(folder: string): Promise<void> {
  const archive = gunzipSync(await (await preparedCluster()).arrayBuffer())
  for (const { name, type, data } of parseTar(new Uint8Array(archive))) {
    const path = join(folder, name.replace(/^\//, ''))
    // Belongs to the process that made the archive.
    if (name.endsWith('postmaster.pid')) continue
    await mkdir(type === 'directory' ? path : dirname(path), { recursive: true, mode: 0o700 })
    if (type === 'file') await writeFile(path, data ?? '', { mode: 0o600 })
  }
}
