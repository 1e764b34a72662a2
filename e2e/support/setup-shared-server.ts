import { startAppServer } from './app-server.ts'
import { startFleetServer } from './fleet-server.ts'
import type { RunningServer } from './server.ts'

const variable = 'SHARED_SERVER'

/**
 * Starts the server that most tests share, once for all workers: loading the models and compiling
 * the engine for each of them took a fifth of the work of all browser tests. With FLEET it is many
 * processes.
 */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  const server = process.env.FLEET ? await startFleetServer() : await startAppServer()
  const { port, origin, dataDir } = server
  process.env[variable] = JSON.stringify({ port, origin, dataDir } satisfies RunningServer)
  return () => server.dispose()
}

/** The server that most tests share, as a worker sees it. */
export function sharedServer(): RunningServer {
  const address = process.env[variable]
  if (address === undefined) throw new Error('the shared server was not started')
  return JSON.parse(address)
}
