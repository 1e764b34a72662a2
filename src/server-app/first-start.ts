import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '#server/config.ts'

const program = fileURLToPath(new URL('./prepare-database.ts', import.meta.url))

/**
 * Creates the embedded database in a separate process, since WebAssembly never returns its memory.
 * Errors there recur here when the database is opened.
 */
export async function prepareDatabase({ dataDir, databaseUrl, logLevel }: Config): Promise<void> {
  if (databaseUrl || existsSync(join(dataDir, 'database'))) return
  await once(fork(program, [dataDir, logLevel]), 'exit')
}
