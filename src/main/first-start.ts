import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '#server/config.ts'

const program = fileURLToPath(new URL('./prepare-database.ts', import.meta.url))

/**
 * Makes the embedded database at the very first start, in a process of its own: what that takes of
 * memory, WebAssembly never gives back. What goes wrong there, this process meets itself when it
 * opens the database.
 */
export async function prepareDatabase({ dataDir, databaseUrl, logLevel }: Config): Promise<void> {
  if (databaseUrl || existsSync(join(dataDir, 'database'))) return
  await once(fork(program, [dataDir, logLevel]), 'exit')
}
